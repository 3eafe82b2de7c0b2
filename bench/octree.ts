// The octree solver: a hand beside a uniform lattice of the same finest cell, its nodes alone and in whole steps; flowers; cuts. One
// thread unless said. Kernels are beside the loops in TypeScript, as the lattice has no kernels: like is to be compared with like.

import type { Skin } from '../src/embedding/skin.js';
import { createWorld, hand, octree, prepare, vertexCount } from '../src/index.js';
import type { TriangleMesh } from '../src/mesh/triangle-mesh.js';
import type { OctreeSolver } from '../src/solvers/octree/octree-solver.js';
import type { Benchmark } from './benchmark.js';
import { type Contender, interleave } from './interleave.js';
import { LatticeRunner } from './lattice-runner.js';
import { CUTS, cutRows } from './octree-cut.js';
import { flowersContender, petalContender } from './octree-flowers.js';
import { CELLS, LEVELS, naiveNodesContender, nodesContenders, REGION_SIZE } from './octree-nodes.js';
import { strokeRows } from './octree-stroke.js';
import { WorldRunner } from './world-runner.js';

const STEPS = 200;
/** Of nodes alone: the fast lattice takes a tenth of a second. */
const NODES_STEPS = 100;
/** The lattice with sums member by member takes seconds for a step. */
const LATTICE_STEPS = 4;
const PETALS = 20;
const FLOOR = { shape: 'plane', normal: [0, 1, 0], friction: 0.5 } as const;

export interface OctreeBenchOptions {
  readonly handVertices: number;
  /** Of a hand that carries the finer one as a visible skin. */
  readonly shellVertices: number;
  readonly flowers: number;
  readonly steps: number;
  readonly nodesSteps: number;
  readonly latticeSteps: number;
  readonly petals: number;
  readonly cuts: number;
}

export const OCTREE_BENCH: OctreeBenchOptions = {
  handVertices: 8000,
  shellVertices: 2500,
  flowers: 40,
  steps: STEPS,
  nodesSteps: NODES_STEPS,
  latticeSteps: LATTICE_STEPS,
  petals: PETALS,
  cuts: CUTS,
};

export async function octreeRows(options: OctreeBenchOptions, onStep?: (done: number, total: number) => void) {
  const mesh = hand({ vertices: options.handVertices });
  const handSolver = octree({ cells: CELLS, levels: LEVELS });
  const worlds = [
    skinContender(hand({ vertices: options.shellVertices }), mesh, handSolver),
    worldContender(mesh, handSolver, 'wasm'),
    worldContender(mesh, handSolver, 'reference'),
    flowersContender(options.flowers, 1),
    flowersContender(options.flowers, 2),
  ];
  const lattices = [naiveNodesContender(mesh), latticeContender(mesh, 'fast'), latticeContender(mesh, 'naive')];
  return [
    ...(await interleave(nodesContenders(mesh), { steps: options.nodesSteps })),
    ...(await interleave(worlds, { steps: options.steps, onStep })),
    ...(await interleave([petalContender()], { steps: options.petals, stepsPerTurn: 1 })),
    ...(await interleave(lattices, { steps: options.latticeSteps, stepsPerTurn: 1 })),
    ...(await cutRows(options.cuts)),
    ...(await strokeRows(Math.ceil(options.cuts / 3))),
  ];
}

/** A hand that falls on a floor. */
function worldContender(mesh: TriangleMesh, solver: OctreeSolver, backend: 'wasm' | 'reference'): Contender {
  const method = backend === 'wasm' ? 'octree' : 'octree-loops';
  return {
    row: { name: 'hand', method, backend, threads: 1, particles: vertexCount(mesh), regionSize: null },
    async build() {
      const world = await createWorld({ backend, threads: 1 });
      const prepared = prepare(mesh, solver);
      world.addCollider(FLOOR);
      const body = world.add(prepared, { position: [0, 0.05, 0] });
      return new WorldRunner({ world, bodies: [body] }, { nodes: prepared.innerCount ?? 0 });
    },
  };
}

/** A coarser hand, whose contact and volume are its own, with the fine one as the skin that is seen; a step brings it up to date. */
function skinContender(shell: TriangleMesh, visible: TriangleMesh, solver: OctreeSolver): Contender {
  const { row } = worldContender(shell, solver, 'wasm');
  return {
    row: { ...row, name: 'hand-with-skin' },
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
