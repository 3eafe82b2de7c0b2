// The state of a body from the nodes before a change of its forest to those after it, with the same momenta: parts move with
// the frame of the node that they were part of, wholes with the mean of their parts.

import { solveSymmetric } from '../../math/mat3.js';
import { MOMENT_STRIDE } from '../moments.js';
import type { ForestChange } from './change.js';
import type { OctreeForest } from './forest.js';
import type { OctreeNode } from './node.js';
import { OctreeDynamics } from './octree-dynamics.js';
import { normaliseFlow } from './plasticity.js';
import { buildRegionRest } from './region-rest.js';

/** A node in motion. */
interface NodeState {
  /** m in voxels. */
  readonly mass: number;
  readonly x: Float64Array;
  readonly v: Float64Array;
  readonly rotation: Float64Array;
  readonly flow: Float64Array;
}

/** The least that a group of nodes may resist a turn, relative to how it resists the others, to be given one. */
const LEAST_INERTIA = 1e-3;

/** The body after a change, from what it was before. `before` must be as of the forest before the change. */
export function transferState(before: OctreeDynamics, forest: OctreeForest, change: ForestChange): OctreeDynamics {
  before.writeFrames();
  const states = new Map<OctreeNode, NodeState>();
  const frames = new Map<OctreeNode, Float64Array>();
  const total = before.rest.leaves.reduce((sum, _, i) => sum + before.rest.masses[i], 0);
  const voxels = forest.roots.reduce((sum, { mass }) => sum + mass, 0);
  const numbers = new Map(before.rest.leaves.map((leaf, i) => [leaf, i]));
  // Of the others nothing is asked but to be copied.
  const asked = new Set([...change.created.values()].flat());
  for (const { debris, into } of change.absorbed) asked.add(debris).add(into);
  for (const leaf of asked) {
    const i = numbers.get(leaf);
    if (i === undefined) continue;
    const part = (list: Float64Array, stride: number) => list.slice(stride * i, stride * (i + 1));
    const mass = (before.rest.masses[i] * voxels) / total;
    const [x, v] = [part(before.positions, 3), part(before.velocities, 3)];
    states.set(leaf, { mass, x, v, rotation: part(before.quaternions, 4), flow: part(before.flows, 9) });
    frames.set(leaf, part(before.frames, MOMENT_STRIDE));
  }
  const missing: { readonly at: OctreeNode; readonly angular: Float64Array }[] = [];
  const bornOf = new Map<OctreeNode, NodeState>();
  const own = withoutDebris(change);
  for (const [leaf, sources] of change.created) {
    const [first] = sources;
    if (sources.length === 1) {
      const from = states.get(first) as NodeState;
      bornOf.set(leaf, split(from, frames.get(first) as Float64Array, own, leaf, first));
      continue;
    }
    const parts = sources.map((source) => states.get(source) as NodeState);
    const whole = merge(parts);
    bornOf.set(leaf, whole);
    missing.push({ at: leaf, angular: angularDifference(parts, [whole]) });
  }
  for (const [leaf, state] of bornOf) states.set(leaf, state);
  for (const { debris, into, mass } of change.absorbed) {
    const [crumb, old] = [{ ...(states.get(debris) as NodeState), mass }, states.get(into) as NodeState];
    const joined = mass + old.mass;
    const v = old.v.map((speed, c) => (old.mass * speed + mass * crumb.v[c]) / joined);
    const x = old.x.map((at, c) => (old.mass * at + mass * crumb.x[c]) / joined);
    const state = { ...old, mass: joined, x, v };
    states.set(into, state);
    missing.push({ at: into, angular: angularDifference([crumb, old], [state]) });
  }
  const after = new OctreeDynamics(buildRegionRest(forest));
  const copy = (from: Float64Array, to: Float64Array, stride: number, source: number, target: number): void => {
    for (let c = 0; c < stride; c++) to[stride * target + c] = from[stride * source + c];
  };
  after.rest.leaves.forEach((leaf, i) => {
    const state = states.get(leaf);
    if (state) {
      after.positions.set(state.x, 3 * i);
      after.velocities.set(state.v, 3 * i);
      after.quaternions.set(state.rotation, 4 * i);
      after.flows.set(state.flow, 9 * i);
      return;
    }
    const number = numbers.get(leaf) as number;
    copy(before.positions, after.positions, 3, number, i);
    copy(before.velocities, after.velocities, 3, number, i);
    copy(before.quaternions, after.quaternions, 4, number, i);
    copy(before.flows, after.flows, 9, number, i);
  });
  const places = new Map(after.rest.leaves.map((leaf, i) => [leaf, i]));
  for (const { at, angular } of missing)
    giveSpin(
      after,
      places,
      at,
      angular.map((l) => l / voxels),
    );
  return after;
}

/** Masses and centroids of new leaves before debris came or went, and the centroids of all parts of what each was. */
function withoutDebris({ created, absorbed }: ForestChange) {
  const parts = new Map<OctreeNode, { mass: number; rest: Float64Array }>();
  for (const leaf of created.keys()) parts.set(leaf, { mass: leaf.mass, rest: leaf.rest.slice() });
  // The last to come is the first to go.
  for (const { debris, into, mass } of [...absorbed].reverse()) {
    const crumb = parts.get(debris);
    if (crumb) crumb.mass = mass;
    const part = parts.get(into);
    if (!part) continue;
    const left = part.mass - mass;
    part.rest = part.rest.map((x, c) => (part.mass * x - mass * debris.rest[c]) / left);
    part.mass = left;
  }
  const centres = new Map<OctreeNode, { mass: number; sum: Float64Array }>();
  for (const [leaf, [source]] of created) {
    const { mass, rest } = parts.get(leaf) as { mass: number; rest: Float64Array };
    const known = centres.get(source) ?? { mass: 0, sum: new Float64Array(3) };
    centres.set(source, { mass: known.mass + mass, sum: known.sum.map((x, c) => x + mass * rest[c]) });
  }
  return { parts, centres };
}

/** A part of a node: moves with its frame, at its velocity; all parts together have its centre and momenta. */
function split(
  from: NodeState,
  frame: Float64Array,
  { parts, centres }: ReturnType<typeof withoutDebris>,
  leaf: OctreeNode,
  source: OctreeNode,
): NodeState {
  const { mass, rest } = parts.get(leaf) as { mass: number; rest: Float64Array };
  const centre = centres.get(source) as { mass: number; sum: Float64Array };
  const arm = rest.map((x, c) => x - centre.sum[c] / centre.mass);
  const x = from.x.map((at, c) => at + frame[4 * c] * arm[0] + frame[4 * c + 1] * arm[1] + frame[4 * c + 2] * arm[2]);
  return { mass, x, v: from.v.slice(), rotation: from.rotation.slice(), flow: from.flow.slice() };
}

/** Parts as one: means by mass; the rotation is the heaviest one's, from which the next step finds its own. */
function merge(parts: readonly NodeState[]): NodeState {
  const mass = parts.reduce((sum, part) => sum + part.mass, 0);
  const mean = (list: (part: NodeState) => Float64Array): Float64Array =>
    list(parts[0]).map((_, c) => parts.reduce((sum, part) => sum + part.mass * list(part)[c], 0) / mass);
  const heaviest = parts.reduce((most, part) => (part.mass > most.mass ? part : most));
  let flow = mean((part) => part.flow);
  if (!normaliseFlow(flow, 0)) flow = heaviest.flow.slice();
  return { mass, x: mean((part) => part.x), v: mean((part) => part.v), rotation: heaviest.rotation.slice(), flow };
}

/** Σ m x×v of some nodes less that of others. */
function angularDifference(before: readonly NodeState[], after: readonly NodeState[]): Float64Array {
  const sum = new Float64Array(3);
  // About one of them, so that the difference keeps its digits; both have the same linear momentum.
  const origin = before[0].x;
  const addAll = (nodes: readonly NodeState[], sign: number): void => {
    for (const { mass, x, v } of nodes) {
      const r = x.map((at, c) => at - origin[c]);
      for (let c = 0; c < 3; c++) {
        const [d, e] = [(c + 1) % 3, (c + 2) % 3];
        sum[c] += sign * mass * (r[d] * v[e] - r[e] * v[d]);
      }
    }
  };
  addAll(before, 1);
  addAll(after, -1);
  return sum;
}

/** Turns a leaf and its neighbours, as many rings of them as can carry it, so that they have more angular momentum. */
function giveSpin(
  { positions, velocities, rest }: OctreeDynamics,
  places: ReadonlyMap<OctreeNode, number>,
  leaf: OctreeNode,
  angular: Float64Array,
): void {
  const group = new Set([leaf]);
  const turn = new Float64Array(3);
  const centre = new Float64Array(3);
  for (let size = 0; size < group.size; ) {
    size = group.size;
    for (const near of [...group]) for (const next of near.edges.keys()) group.add(next);
    const list = [...group].map((near) => places.get(near) as number);
    const mass = list.reduce((sum, i) => sum + rest.masses[i], 0);
    for (let c = 0; c < 3; c++)
      centre[c] = list.reduce((sum, i) => sum + rest.masses[i] * positions[3 * i + c], 0) / mass;
    const inertia = new Float64Array(6);
    for (const i of list) {
      const [x, y, z] = [0, 1, 2].map((c) => positions[3 * i + c] - centre[c]);
      const own = [y * y + z * z, -x * y, -x * z, x * x + z * z, -y * z, x * x + y * y];
      for (let c = 0; c < 6; c++) inertia[c] += rest.masses[i] * own[c];
    }
    const least = LEAST_INERTIA * (inertia[0] + inertia[3] + inertia[5]);
    if (!solveSymmetric(inertia, 0, angular, turn, least)) continue;
    for (const i of list) {
      const [x, y, z] = [0, 1, 2].map((c) => positions[3 * i + c] - centre[c]);
      velocities[3 * i] += turn[1] * z - turn[2] * y;
      velocities[3 * i + 1] += turn[2] * x - turn[0] * z;
      velocities[3 * i + 2] += turn[0] * y - turn[1] * x;
    }
    return;
  }
}
