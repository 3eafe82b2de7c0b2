// The simulation of a hand's nodes alone (sums, rotations, damping), without surface, volume and contact: what [SOG08 §7] compares when it
// says 88 times. There a lattice of 35 000 nodes with fast sums took 400 ms (2.5 fps) and 661 adaptive ones 4.5 ms (222 fps), both
// without low-level optimisation: so the loops in TypeScript are here beside the kernels, and the fast lattice beside the naive one.

import { lattice, octree, prepare, signedVolume, type TriangleMesh, vertexCount } from '../src/index.js';
import { StateHash } from '../src/math/hash.js';
import { dampVelocities } from '../src/solvers/lattice/damping.js';
import { interpolate } from '../src/solvers/lattice/embedding.js';
import { LatticeModel } from '../src/solvers/lattice/lattice-model.js';
import { fastSums, naiveSums } from '../src/solvers/lattice/sums.js';
import { createInKernels } from '../src/solvers/octree/kernel-octree.js';
import { OctreeModel } from '../src/solvers/octree/octree-model.js';
import { DAMPING_STRIDE } from '../src/solvers/region-damping.js';
import { dampingPerStep, stiffnessPerStep } from '../src/solvers/step-scaling.js';
import type { Contender, Runner } from './interleave.js';

export const CELLS = 4;
export const LEVELS = 4;
/** Of a region in finest cells: half a base cell, the octree's default. */
export const REGION_SIZE = (1 << LEVELS) / 2;
const TIME_STEP = 0.005;
/** How fast it is twisted at the start [rad/s per m]: rotations have something to find. */
const TWIST = 4;

interface Nodes {
  readonly positions: Float64Array;
  readonly velocities: Float64Array;
}

function twist({ positions, velocities }: Nodes): void {
  for (let k = 0; k < positions.length; k += 3) {
    const turn = TWIST * positions[k + 1];
    velocities[k] = turn * positions[k + 2];
    velocities[k + 2] = -turn * positions[k];
  }
}

/** Nodes that are stepped; the surface that they carry is only placed to measure its volume. */
abstract class NodesRunner implements Runner {
  private readonly surface: Float64Array;

  constructor(private readonly mesh: TriangleMesh) {
    this.surface = mesh.positions.slice();
  }

  protected abstract readonly nodes: Nodes;
  abstract step(): void;
  protected abstract place(out: Float64Array): void;

  volumeErrorPercent(): number {
    const { positions, triangles } = this.mesh;
    this.place(this.surface);
    return 100 * Math.abs(signedVolume(this.surface, triangles) / signedVolume(positions, triangles) - 1);
  }

  hash(): string {
    const hash = new StateHash();
    hash.update(this.nodes.positions);
    return hash.digest();
  }

  figures() {
    return { nodes: this.nodes.positions.length / 3 };
  }

  dispose(): void {}
}

class OctreeNodes extends NodesRunner {
  private readonly model: OctreeModel;

  constructor(mesh: TriangleMesh, kernels: boolean) {
    super(mesh);
    const { octree: rest, solver } = prepare(mesh, octree({ cells: CELLS, levels: LEVELS }));
    this.model = new OctreeModel(rest, solver.settings);
    twist(this.model.dynamics);
    if (!kernels) return;
    const inside = createInKernels(this.model.dynamics, this.model.surface);
    if (!inside) throw new Error('this engine has no kernels');
    Object.assign(this.model, inside);
  }

  protected get nodes(): Nodes {
    return this.model.dynamics;
  }

  step(): void {
    this.model.dynamics.step(this.model.settings, TIME_STEP);
  }

  protected place(out: Float64Array): void {
    this.model.writeByNodes(out);
  }
}

class LatticeNodes extends NodesRunner {
  protected readonly nodes: LatticeModel;
  private readonly sums;
  private readonly starts: Float64Array;
  private readonly goals: Float64Array;
  private readonly buffers: Parameters<typeof dampVelocities>[6];

  constructor(mesh: TriangleMesh, summation: 'fast' | 'naive') {
    super(mesh);
    const prepared = prepare(mesh, lattice({ regionSize: REGION_SIZE, resolution: CELLS << LEVELS }));
    this.nodes = new LatticeModel(prepared.lattice, prepared.solver.settings, summation);
    const grid = prepared.lattice.lattice;
    this.sums = summation === 'fast' ? fastSums(grid, DAMPING_STRIDE) : naiveSums(grid);
    this.starts = new Float64Array(3 * grid.count);
    this.goals = new Float64Array(3 * grid.count);
    const scratch = () => new Float64Array(DAMPING_STRIDE * grid.count);
    this.buffers = { middles: this.goals, values: scratch(), sums: scratch() };
    twist(this.nodes);
  }

  step(): void {
    const { nodes, starts, goals } = this;
    const { rest, positions, velocities, settings } = nodes;
    const share = stiffnessPerStep(settings.stiffness, TIME_STEP) / TIME_STEP;
    starts.set(positions);
    nodes.writeGoals(positions, goals);
    for (let k = 0; k < goals.length; k++) velocities[k] += share * (goals[k] - positions[k]);
    const damping = dampingPerStep(settings.damping, TIME_STEP);
    dampVelocities(rest, this.sums, starts, velocities, TIME_STEP, damping, this.buffers);
    for (let k = 0; k < positions.length; k++) positions[k] += TIME_STEP * velocities[k];
  }

  protected place(out: Float64Array): void {
    interpolate(this.nodes.rest.embedding, this.nodes.positions, out);
  }
}

const head = (mesh: TriangleMesh, method: string, backend: string, regionSize: number | null) => ({
  ...{ name: 'hand-nodes', method, backend, threads: 1, particles: vertexCount(mesh), regionSize },
});

/** The hand's nodes in kernels and in loops, and the lattice whose cells are the octree's finest, with regions as wide. */
export const nodesContenders = (mesh: TriangleMesh): Contender[] => [
  { row: head(mesh, 'octree', 'wasm', null), build: () => new OctreeNodes(mesh, true) },
  { row: head(mesh, 'octree-loops', 'reference', null), build: () => new OctreeNodes(mesh, false) },
  { row: head(mesh, 'fast-lsm', 'reference', REGION_SIZE), build: () => new LatticeNodes(mesh, 'fast') },
];

export const naiveNodesContender = (mesh: TriangleMesh): Contender => ({
  row: head(mesh, 'lsm', 'reference', REGION_SIZE),
  build: () => new LatticeNodes(mesh, 'naive'),
});
