// The memory of one body's kernels: how much of it there is to be, and the arrays in it, by the fields of its record.

import * as layout from './kernel-layout.js';
import type { OctreeDynamics } from './octree-dynamics.js';
import type { OctreeSurface } from './octree-surface.js';

/** Arrays lie at multiples of this many bytes, one or two vectors. */
const ALIGNMENT = 16;

/** Contents or a length in numbers, by field. */
type Plan = readonly (readonly [field: number, given: ArrayLike<number> | number])[];

const lengthOf = (given: ArrayLike<number> | number): number => (typeof given === 'number' ? given : given.length);

const bytesOf = (plan: Plan, size: number): number =>
  plan.reduce((sum, [, given]) => sum + ALIGNMENT * Math.ceil((size * lengthOf(given)) / ALIGNMENT), 0);

export class KernelMemory {
  private readonly counts: readonly (readonly [field: number, count: number])[];
  private readonly integers: Plan;
  private readonly floats: Plan;

  /** Plans a memory for nodes and a surface, with their constants and their state. */
  constructor({ rest, damping, ...nodes }: OctreeDynamics, { binding, ...surface }: OctreeSurface) {
    const { tree } = rest.sums;
    const { skin, matrix, walk } = binding;
    const { byNode } = walk;
    const [nodeCount, vertexCount] = [rest.masses.length, skin.massShares.length];
    const ones = new Float64Array(nodeCount).fill(1);
    this.counts = [
      [layout.NODE_COUNT, nodeCount],
      [layout.TREE_COUNT, tree.nodeCount],
      [layout.VERTEX_COUNT, vertexCount],
      [layout.PART_COUNT, rest.partCount],
    ];
    this.integers = [
      [layout.PARENTS, tree.parents],
      [layout.MEMBER_OFFSETS, tree.offsets],
      [layout.MEMBERS, tree.members],
      [layout.PARTS, rest.parts],
      [layout.WALK, walk.vertices],
      [layout.SKIN_OFFSETS, walk.offsets],
      [layout.SKIN_NODES, walk.nodes],
      [layout.CARRIED_OFFSETS, byNode.offsets],
      [layout.CARRIED_VERTICES, byNode.vertices],
      [layout.MATRIX_OFFSETS, matrix.offsets],
      [layout.MATRIX_COLUMNS, matrix.columns],
      [layout.HELD, Math.ceil(vertexCount / 4)],
    ];
    this.floats = [
      [layout.MASSES, rest.masses],
      [layout.REGION_MASSES, rest.regionMasses],
      [layout.REST_POSITIONS, rest.positions],
      [layout.REGION_TOTALS, rest.regionTotals],
      [layout.REGION_CENTRES, rest.regionCentres],
      [layout.REST_MATRICES, rest.restMatrices],
      [layout.REST_MOMENTS, rest.restMoments],
      [layout.GOAL_WEIGHTS, rest.goalWeights],
      [layout.GOAL_LOADS, rest.goalLoads],
      [layout.REGION_LOADS, rest.regionLoads],
      [layout.DAMPING_FACTORS, rest.dampings?.factors ?? ones],
      [layout.DAMPING_MEANS, rest.dampings?.means ?? ones],
      [layout.PART_MASSES, damping.partMasses],
      [layout.PART_MOMENTS, damping.partMoments],
      [layout.WEIGHTS, walk.weights],
      [layout.CARRIED_WEIGHTS, byNode.weights],
      [layout.SKIN_LOADS, skin.loads],
      [layout.MASS_SHARES, skin.massShares],
      [layout.POINTS, walk.points],
      [layout.MATRIX_ENTRIES, matrix.entries],
      [layout.POSITIONS, nodes.positions],
      [layout.VELOCITIES, nodes.velocities],
      [layout.QUATERNIONS, nodes.quaternions],
      [layout.FLOWS, nodes.flows],
      [layout.FRAMES, nodes.frames],
      [layout.ORIGIN, nodes.origin],
      [layout.PULLS, nodes.pulls],
      [layout.CARRIED, surface.carried],
      [layout.CARRIED_VELOCITIES, surface.carriedVelocities],
      [layout.STARTS, surface.starts],
      [layout.SHELL_POSITIONS, 3 * vertexCount],
      [layout.SHELL_VELOCITIES, 3 * vertexCount],
      [layout.CHANGES, vertexCount],
      [layout.SUMS, layout.ROW * nodeCount],
      [layout.TREE, layout.ROW * tree.nodeCount],
      [layout.PLACES, 3 * nodeCount],
      [layout.PART_SUMS, layout.ROW * rest.partCount],
      [layout.PART_FIELDS, 6 * rest.partCount],
      [layout.BLENDS, 16 * nodeCount],
      [layout.VERTEX_MISSING, 6 * vertexCount],
      [layout.MISSING, 6 * nodeCount],
      [layout.PASS_MOVES, 6 * nodeCount],
      [layout.MOVES, 6 * nodeCount],
      [layout.MOMENTA, 16],
      [layout.FIELD, 18],
      [layout.SCRATCH, layout.SCRATCH_SIZE],
    ];
  }

  get bytes(): number {
    return layout.ARRAYS + bytesOf(this.integers, 4) + bytesOf(this.floats, 8);
  }

  /** Writes the record and the arrays; returns the arrays of doubles by field. */
  fill(buffer: ArrayBuffer): (field: number) => Float64Array {
    const record = new Uint32Array(buffer);
    for (const [field, count] of this.counts) record[field / 4] = count;
    const views = new Map<number, Float64Array>();
    let at = layout.ARRAYS;
    for (const [field, given] of this.integers) {
      record[field / 4] = at;
      if (typeof given !== 'number') new Int32Array(buffer, at, given.length).set(given);
      at += bytesOf([[field, given]], 4);
    }
    for (const [field, given] of this.floats) {
      record[field / 4] = at;
      const view = new Float64Array(buffer, at, lengthOf(given));
      if (typeof given !== 'number') view.set(given);
      views.set(field, view);
      at += bytesOf([[field, given]], 8);
    }
    return (field) => views.get(field) as Float64Array;
  }
}
