// A step that cuts: bodies of the octree, and the same liver filled with cells in Rapier, cut along the same planes by its own means.

import RAPIER from '@dimforge/rapier3d-compat';
import {
  type Body,
  createWorld,
  hand,
  liver,
  octree,
  prepare,
  type Vec3,
  vertexCount,
  type World,
} from '../src/index.js';
import type { TriangleMesh } from '../src/mesh/triangle-mesh.js';
import type { OctreeSolver } from '../src/solvers/octree/octree-solver.js';
import { type Contender, interleave, type Runner } from './interleave.js';
import { massOf } from './peers/peer.js';
import type { Row } from './rows.js';
import { WorldRunner } from './world-runner.js';

export const CUTS = 12;
/** Between cuts: the body moves and bends. */
const STEPS_BEFORE_CUT = 10;
const FLOOR = { shape: 'plane', normal: [0, 1, 0], friction: 0.5 } as const;
const START: Vec3 = [0, 0.6, 0];
const SPEED: Vec3 = [0, -3, 0];
/** Cells along the longest side of Rapier's liver: some 1900 particles, about as many as our surface has. */
const RAPIER_CELLS = 19;
/** Half the side of Rapier's blade, a triangle [m]: through all of the body. */
const BLADE = 10;

export async function cutRows(cuts = CUTS): Promise<readonly Row[]> {
  const contenders = [
    cutContender('cut-liver', liver({ vertices: 2000 }), octree()),
    rapierContender('cut-liver', liver({ vertices: 2000 })),
    cutContender('cut-hand', hand({ vertices: 2500 }), octree({ cells: 4, levels: 4 })),
  ];
  return interleave(contenders, { steps: cuts, stepsPerTurn: 1 });
}

/** From cut to cut another place and another slope. */
function normalOf(turn: number): Vec3 {
  const share = (turn * 0.381966) % 1;
  return [1 - share, 0.3 + share, 0.2 * share];
}

function cutContender(name: string, mesh: TriangleMesh, solver: OctreeSolver): Contender {
  return {
    row: { name, method: 'octree', backend: 'wasm', threads: 1, particles: vertexCount(mesh), regionSize: null },
    build: async () => new CutRunner(await createWorld({ backend: 'wasm', threads: 1 }), mesh, solver),
  };
}

/** A step is the one that cuts: each of another body of the same kind, which has fallen and bent. */
class CutRunner implements Runner {
  private readonly prepared: ReturnType<typeof prepare>;
  private body: Body | undefined;
  private turns = 0;

  constructor(
    private readonly world: World,
    mesh: TriangleMesh,
    solver: OctreeSolver,
  ) {
    this.prepared = prepare(mesh, solver);
    world.addCollider(FLOOR);
  }

  async beginTurn(): Promise<void> {
    if (this.body) this.world.remove(this.body);
    this.body = this.world.add(this.prepared, { position: START, velocity: SPEED });
    for (let n = 0; n < STEPS_BEFORE_CUT; n++) this.world.step();
  }

  step(): void {
    const point = this.body?.centreOfMass() ?? [0, 0, 0];
    this.body?.cut({ plane: { point, normal: normalOf(this.turns++) } });
    this.world.step();
  }

  volumeErrorPercent(): number {
    const { body } = this;
    return body ? 100 * Math.abs(body.volume() / body.restVolume - 1) : 0;
  }

  hash(): string {
    return new WorldRunner({ world: this.world, bodies: this.body ? [this.body] : [] }).hash();
  }

  figures() {
    return { nodes: this.prepared.innerCount, parts: this.body?.parts.length };
  }

  dispose(): void {
    this.world.dispose();
  }
}

function rapierContender(name: string, mesh: TriangleMesh): Contender {
  return {
    row: { name, method: 'rapier', backend: 'wasm', threads: 1, particles: 0, regionSize: null },
    async build() {
      await RAPIER.init();
      return new RapierCutRunner(mesh);
    },
  };
}

/** The same in Rapier, in a world of its own each time. */
class RapierCutRunner implements Runner {
  private world: RAPIER.World | undefined;
  private body: RAPIER.SoftBody | undefined;
  private readonly cellSize: number;
  private turns = 0;
  private particles = 0;
  private parts = 0;

  constructor(private readonly mesh: TriangleMesh) {
    const sides = [0, 1, 2].map((c) => {
      const axis = mesh.positions.filter((_, k) => k % 3 === c);
      return (
        axis.reduce((most, x) => Math.max(most, x), -Infinity) - axis.reduce((least, x) => Math.min(least, x), Infinity)
      );
    });
    this.cellSize = Math.max(...sides) / RAPIER_CELLS;
  }

  async beginTurn(): Promise<void> {
    this.world?.free();
    this.world = new RAPIER.World(new RAPIER.Vector3(0, -9.81, 0));
    this.world.timestep = 0.005;
    this.world.createCollider(RAPIER.ColliderDesc.cuboid(5, 0.5, 5).setTranslation(0, -0.5, 0).setFriction(0.5));
    const desc = RAPIER.SoftBodyDesc.volumetric(
      Float32Array.from(this.mesh.positions),
      this.mesh.triangles,
      this.cellSize,
    );
    if (!desc) throw new Error('the mesh could not be filled with cells');
    desc
      .setMass(massOf(this.mesh))
      .setTranslation(new RAPIER.Vector3(...START))
      .setCanSleep(false);
    this.body = this.world.createSoftBody(desc);
    this.particles = this.body.numParticles();
    for (let i = 0; i < this.particles; i++) this.body.setParticleVelocity(i, new RAPIER.Vector3(...SPEED));
    for (let n = 0; n < STEPS_BEFORE_CUT; n++) this.world.step();
  }

  step(): void {
    const { world, body } = this;
    if (!world || !body) return;
    const event = world.cutSoftBody(body, this.blade(body.particlePositions()));
    this.parts = 1 + (event?.numPieces() ?? 0);
    event?.free();
    world.step();
  }

  /** A triangle in the plane through the mean of the particles. */
  private blade(positions: Float32Array): RAPIER.Vector3[] {
    const mean = [0, 1, 2].map(
      (c) => positions.reduce((sum, x, k) => (k % 3 === c ? sum + x : sum), 0) / (positions.length / 3),
    );
    const [a, b, c] = normalOf(this.turns++);
    const along: Vec3 = [b, -a, 0];
    const across: Vec3 = [a * c, b * c, -a * a - b * b];
    return [
      [-1, -1],
      [3, -1],
      [-1, 3],
    ].map(([u, v]) => {
      const [x, y, z] = [0, 1, 2].map((k) => mean[k] + BLADE * (u * along[k] + v * across[k]));
      return new RAPIER.Vector3(x, y, z);
    });
  }

  /** Not measured: its pieces are bodies of their own, which have no closed surface. */
  volumeErrorPercent(): number {
    return 0;
  }

  hash(): string {
    return '';
  }

  figures() {
    return { particles: this.particles, parts: this.parts, maxVolumeErrorPercent: null, hash: null };
  }

  dispose(): void {
    this.world?.free();
  }
}
