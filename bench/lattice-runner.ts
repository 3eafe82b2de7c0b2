// A lattice body as a contender, with fast or naive sums; on the reference backend.

import { ReferenceBackend } from '../src/backends/reference/reference-backend.js';
import type { ReferenceBody } from '../src/backends/reference/reference-body.js';
import { lattice, prepare, signedVolume, type TriangleMesh } from '../src/index.js';
import { StateHash } from '../src/math/hash.js';
import { LatticeModel } from '../src/solvers/lattice/lattice-model.js';
import { Pipeline } from '../src/world/pipeline.js';
import type { Runner } from './interleave.js';

const STEP = { gravity: [0, -9.81, 0], timeStep: 0.005, colliders: [], joints: [] } as const;

export class LatticeRunner implements Runner {
  private readonly backend = new ReferenceBackend();
  private readonly pipeline = new Pipeline(this.backend);
  private readonly body: ReferenceBody;
  /** Particles of the lattice. */
  readonly nodeCount: number;
  private steps = 0;

  constructor(
    private readonly mesh: TriangleMesh,
    regionSize: number,
    resolution: number,
    summation: 'fast' | 'naive',
  ) {
    const prepared = prepare(mesh, lattice({ regionSize, resolution }));
    this.body = this.backend.add(prepared, 1000);
    this.nodeCount = prepared.innerCount ?? 0;
    // Naive sums are there for this comparison alone, so the body has no option for them.
    const model = new LatticeModel(prepared.lattice, prepared.solver.settings, summation);
    Object.assign(this.body, { model });
    this.body.place(mesh.positions, [0, 0, 0, 1]);
  }

  step(): void {
    this.pipeline.step({ ...STEP, time: STEP.timeStep * this.steps++ });
  }

  volumeErrorPercent(): number {
    const { positions, triangles } = this.mesh;
    const ratio = signedVolume(this.body.positions, triangles) / signedVolume(positions, triangles);
    return 100 * Math.abs(ratio - 1);
  }

  hash(): string {
    const hash = new StateHash();
    hash.update(this.body.positions);
    return hash.digest();
  }

  dispose(): void {
    this.backend.dispose();
  }
}
