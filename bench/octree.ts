// The octree solver: a hand whose fingers are as fine as a uniform lattice of the same finest cell beside it, forty flowers, and cuts.
// One thread. Kernels are beside the loops in TypeScript, as the lattice has no kernels: like is to be compared with like.

import type { Skin } from '../src/embedding/skin.js';
import { createWorld, flower, hand, octree, prepare, vertexCount } from '../src/index.js';
import type { TriangleMesh } from '../src/mesh/triangle-mesh.js';
import type { OctreeSolver } from '../src/solvers/octree/octree-solver.js';
import type { Benchmark } from './benchmark.js';
import { type Contender, interleave } from './interleave.js';
import { LatticeRunner } from './lattice-runner.js';
import { CUTS, cutRows } from './octree-cut.js';
import { WorldRunner } from './world-runner.js';

const CELLS = 4;
const LEVELS = 4;
/** Of a region in finest cells: half a base cell, the octree's default. */
const REGION_SIZE = (1 << LEVELS) / 2;
const STEPS = 200;
/** The lattice with sums member by member takes seconds for a step. */
const LATTICE_STEPS = 4;
const FLOOR = { shape: 'plane', normal: [0, 1, 0], friction: 0.5 } as const;

export interface OctreeBenchOptions {
  readonly handVertices: number;
  /** Of a hand that carries the finer one as a visible skin. */
  readonly shellVertices: number;
  readonly flowers: number;
  readonly steps: number;
  readonly latticeSteps: number;
  readonly cuts: number;
}

export const OCTREE_BENCH: OctreeBenchOptions = {
  handVertices: 8000,
  shellVertices: 2500,
  flowers: 40,
  steps: STEPS,
  latticeSteps: LATTICE_STEPS,
  cuts: CUTS,
};

export async function octreeRows(options: OctreeBenchOptions, onStep?: (done: number, total: number) => void) {
  const mesh = hand({ vertices: options.handVertices });
  const handSolver = octree({ cells: CELLS, levels: LEVELS });
  const worlds = [
    worldContender('hand', mesh, handSolver, 'wasm', 1),
    skinContender(hand({ vertices: options.shellVertices }), mesh, handSolver),
    worldContender('hand', mesh, handSolver, 'reference', 1),
    worldContender('flowers', flower({ vertices: 700 }), octree({ cells: 4, levels: 3 }), 'wasm', options.flowers),
  ];
  const lattices = (['fast', 'naive'] as const).map((method) => latticeContender(mesh, method));
  return [
    ...(await interleave(worlds, { steps: options.steps, onStep })),
    ...(await interleave(lattices, { steps: options.latticeSteps, stepsPerTurn: 1 })),
    ...(await cutRows(options.cuts)),
  ];
}

/** Copies of a body that fall on a floor side by side. */
function worldContender(
  name: string,
  mesh: TriangleMesh,
  solver: OctreeSolver,
  backend: 'wasm' | 'reference',
  copies: number,
): Contender {
  const method = backend === 'wasm' ? 'octree' : 'octree-loops';
  return {
    row: { name, method, backend, threads: 1, particles: copies * vertexCount(mesh), regionSize: null },
    async build() {
      const world = await createWorld({ backend, threads: 1 });
      const prepared = prepare(mesh, solver);
      world.addCollider(FLOOR);
      const bodies = Array.from({ length: copies }, (_, n) =>
        world.add(prepared, { position: [1.5 * (n % 8), 0.05, 1.5 * Math.trunc(n / 8)] }),
      );
      return new WorldRunner({ world, bodies }, { nodes: copies * (prepared.innerCount ?? 0) });
    },
  };
}

/** A coarser hand, whose contact and volume are its own, with the fine one as the skin that is seen; a step brings it up to date. */
function skinContender(shell: TriangleMesh, visible: TriangleMesh, solver: OctreeSolver): Contender {
  const { row } = worldContender('hand-with-skin', shell, solver, 'wasm', 1);
  return {
    row,
    async build() {
      const world = await createWorld({ backend: 'wasm', threads: 1 });
      const prepared = prepare(shell, solver);
      world.addCollider(FLOOR);
      const body = world.add(prepared, { position: [0, 0.05, 0] });
      const skin = body.embed(visible);
      const figures = { nodes: prepared.innerCount ?? 0, skinVertices: vertexCount(visible) };
      return new SkinnedRunner({ world, bodies: [body] }, figures, skin);
    },
  };
}

class SkinnedRunner extends WorldRunner {
  constructor(
    scene: ConstructorParameters<typeof WorldRunner>[0],
    figures: Readonly<Record<string, number>>,
    private readonly skin: Skin,
  ) {
    super(scene, figures);
  }

  override step(): void {
    super.step();
    this.skin.update();
  }
}

/** A lattice whose cells are the octree's finest, with regions as wide. */
function latticeContender(mesh: TriangleMesh, method: 'fast' | 'naive'): Contender {
  return {
    row: {
      name: 'hand',
      method: method === 'fast' ? 'fast-lsm' : 'lsm',
      backend: 'reference',
      threads: 1,
      particles: vertexCount(mesh),
      regionSize: REGION_SIZE,
    },
    build() {
      const runner = new LatticeRunner(mesh, REGION_SIZE, CELLS << LEVELS, method);
      return Object.assign(runner, { figures: () => ({ nodes: runner.nodeCount }) });
    },
  };
}

export const octreeBench: Benchmark = (progress) => octreeRows(OCTREE_BENCH, progress.update);
