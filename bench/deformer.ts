// What a frame of the deformer costs, converged at the default tolerance on one thread: against the size of the helper mesh up to 16 000
// vertices, and in five scenes at the two sizes that artists use. Beside it a step of the paper's own iteration.

import {
  createDeformer,
  type DeformedFrame,
  type DeformerCollider,
  type DeformerSettings,
} from '../src/deformer/index.js';
import { capsule, icosphere, type TriangleMesh } from '../src/index.js';
import { StateHash } from '../src/math/hash.js';
import type { Benchmark } from './benchmark.js';
import { type Contender, interleave, type Runner } from './interleave.js';

/** Frames of each, and of each in turn: the largest take a second. */
const FRAMES = 6;
const FRAMES_PER_TURN = 3;
/** Steps of the paper's iteration in one frame. */
const ITERATIONS = 20;

/** Half sizes of bodies about 1; the ball presses from above, the planes from below and both sides, the large ball swallows. */
const SCENES: Readonly<Record<string, readonly DeformerCollider[]>> = {
  ball: [{ shape: 'sphere', radius: 0.5, position: [0, 1.15, 0] }],
  edge: [
    {
      shape: 'box',
      size: [2, 2, 2],
      rotation: [0, 0, 0.3826834323650898, 0.9238795325112867],
      position: [0, 2.0642, 0],
    },
  ],
  plane: [{ shape: 'plane', normal: [0, 1, 0], offset: -1 / 3 }],
  squeeze: [
    { shape: 'plane', normal: [1, 0, 0], offset: -0.5 },
    { shape: 'plane', normal: [-1, 0, 0], offset: -0.5 },
  ],
  swallow: [{ shape: 'sphere', radius: 0.9, position: [0, 0.9, 0] }],
};

interface DeformerBody {
  readonly mesh: () => TriangleMesh;
  readonly depth: number;
  readonly scenes: readonly string[];
}

/** Helper meshes of some hundred to 14 000 vertices; each row names its own. */
const BODIES: readonly DeformerBody[] = [
  { mesh: () => icosphere({ detail: 2 }), depth: 2, scenes: ['ball'] },
  { mesh: () => icosphere({ detail: 3 }), depth: 3, scenes: Object.keys(SCENES) },
  { mesh: () => tall(0.7), depth: 4, scenes: Object.keys(SCENES) },
  { mesh: () => icosphere({ detail: 4 }), depth: 4, scenes: ['ball'] },
  { mesh: () => tall(0.7), depth: 5, scenes: ['ball'] },
];

/** A capsule of height 2. */
const tall = (radius: number): TriangleMesh => capsule({ radius, height: 2, segments: 64 });

/** One frame per step. */
class DeformerRunner implements Runner {
  private result: DeformedFrame | undefined;
  private readonly deformer;

  constructor(
    mesh: TriangleMesh,
    settings: Partial<DeformerSettings>,
    private readonly colliders: readonly DeformerCollider[],
  ) {
    this.deformer = createDeformer(mesh, settings);
  }

  step(): void {
    this.result = this.deformer.at({ colliders: this.colliders });
  }

  volumeErrorPercent(): number {
    const { volumeAfter = 1, volumeTarget = 1 } = this.result?.report ?? {};
    return 100 * Math.abs(volumeAfter / volumeTarget - 1);
  }

  hash(): string {
    const hash = new StateHash();
    if (this.result) hash.update(this.result.positions);
    return hash.digest();
  }

  figures() {
    const { structure } = this.deformer;
    const { report } = this.result as DeformedFrame;
    return {
      particles: structure.vertices,
      tetrahedra: structure.tetrahedra,
      factorNumbers: structure.factorNumbers,
      iterations: report.iterations,
      converged: report.flags.includes('not-converged') ? 'no' : 'yes',
      deepestBetween: report.depthBetween,
    };
  }

  dispose(): void {
    this.result = undefined;
  }
}

export function deformerContender(body: DeformerBody, scene: string, mode: 'minimise' | 'iterate'): Contender {
  return {
    row: { name: scene, method: mode, backend: 'wasm', threads: 1, particles: 0, regionSize: null },
    build: () => new DeformerRunner(body.mesh(), { depth: body.depth, mode, iterations: ITERATIONS }, SCENES[scene]),
  };
}

export const deformer: Benchmark = async (progress) => {
  const contenders = BODIES.flatMap((body) => [
    ...body.scenes.map((scene) => deformerContender(body, scene, 'minimise')),
    deformerContender(body, 'ball', 'iterate'),
  ]);
  const rows = await interleave(contenders, {
    steps: FRAMES,
    stepsPerTurn: FRAMES_PER_TURN,
    onStep: progress.update,
  });
  return rows.map((row) => ({
    ...row,
    msPerIteration: row.minMsPerStep && row.minMsPerStep / Number(row.iterations),
  }));
};
