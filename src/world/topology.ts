// What holds a body follows it into a new topology: pins, grips and attachments, by the origin of its vertices.

import type { BackendBody } from '../backends/backend.js';
import { type BodyJoint, triangleFrame } from '../handles/body-joint.js';
import type { PatchGrip } from '../handles/grip.js';
import { Successors } from '../handles/successors.js';
import { add, dot, pointAt, scale, subtract, type Vec3 } from '../math/vec3.js';
import { type ClosestPoint, closestPoint, type TriangleTree } from '../mesh/triangle-tree.js';
import type { PartRest } from '../solvers/parts.js';
import type { Origin } from '../solvers/topology-change.js';
import type { Bond } from './bond.js';
import type { ResidentBody } from './resident-body.js';

/** A body that has just got a new topology. */
export interface ChangedBody {
  readonly resident: ResidentBody;
  readonly origin: Origin;
  /** Where its vertices were before it [m]. */
  readonly before: Float64Array;
}

/** Lets pins, grips and attachments follow; where nothing is left of what one held, it lets go. */
export function followTopology(changed: ChangedBody, bonds: readonly Bond[]): void {
  const { resident, origin, before } = changed;
  const { state } = resident;
  const successors = new Successors(origin, before, state.positions);
  for (const bond of bonds) {
    const { joint } = bond;
    if (joint && bond.target === resident) rebind(joint, changed);
    if (joint && bond.owner === resident && !followJoint(joint, successors)) bond.detach();
  }
  const held = state.pins.filter((pin) => pin.follow(successors));
  for (const bond of bonds) {
    const isLost = bond.owner === resident && !bond.joint && !held.some((pin) => pin === bond.link);
    if (isLost) bond.detach();
  }
  state.pins.splice(0, Infinity, ...held);
  const grips = state.grips.filter((grip) => followGrip(grip, successors, changed));
  state.grips.splice(0, Infinity, ...grips);
}

/** The first body's vertices of a joint; whether there are any left. */
function followJoint(joint: BodyJoint, successors: Successors): boolean {
  const found = successors.follow(joint.vertices);
  const triples = <A extends Uint32Array | Float64Array>(values: A, out: A): A => {
    found.forEach(({ place }, n) => {
      out.set(values.subarray(3 * place, 3 * place + 3), 3 * n);
    });
    return out;
  };
  const offsets = triples(joint.offsets, new Float64Array(3 * found.length));
  found.forEach(({ place, shift }, n) => {
    const [a, b, c] = cornersOf(joint, place, joint.second.positions);
    triangleFrame(a, b, c).forEach((axis, k) => {
      offsets[3 * n + k] += dot(shift, axis);
    });
  });
  joint.replace({
    vertices: Uint32Array.from(found, ({ vertex }) => vertex),
    corners: triples(joint.corners, new Uint32Array(3 * found.length)),
    weights: triples(joint.weights, new Float64Array(3 * found.length)),
    offsets,
  });
  return found.length > 0;
}

const cornersOf = ({ corners }: BodyJoint, n: number, positions: ArrayLike<number>) =>
  [0, 1, 2].map((corner) => pointAt(positions, corners[3 * n + corner]));

/** Binds a joint to the second body's new surface, at the points of it nearest to those before. */
function rebind(joint: BodyJoint, { resident, before }: ChangedBody): void {
  const { surface, state } = resident;
  const { vertices } = joint;
  const corners = joint.corners.slice();
  const weights = joint.weights.slice();
  const offsets = joint.offsets.slice();
  for (let n = 0; n < vertices.length; n++) {
    const [a, b, c] = cornersOf(joint, n, before);
    const [u, v, w] = joint.weights.subarray(3 * n, 3 * n + 3);
    const point = add(add(scale(a, u), scale(b, v)), scale(c, w));
    let place = point;
    triangleFrame(a, b, c).forEach((axis, k) => {
      place = add(place, scale(axis, joint.offsets[3 * n + k]));
    });
    const hit = nearest(surface, point);
    if (!hit) continue;
    const chosen = state.prepared.mesh.triangles.subarray(3 * hit.triangle, 3 * hit.triangle + 3);
    corners.set(chosen, 3 * n);
    weights.set(hit.barycentrics, 3 * n);
    const [p, q, r] = Array.from(chosen, (corner) => pointAt(state.positions, corner));
    const offset = subtract(place, hit.point);
    offsets.set(
      triangleFrame(p, q, r).map((axis) => dot(offset, axis)),
      3 * n,
    );
  }
  joint.replace({ vertices, corners, weights, offsets });
}

const nearest = (surface: TriangleTree, point: Vec3): ClosestPoint | null => closestPoint(surface, point);

/** A grip goes to the point of the new surface nearest to its own, with what is left of its patch in that part; whether any is. */
export function followGrip(grip: PatchGrip, successors: Successors, { resident, before }: ChangedBody): boolean {
  const { surface, state } = resident;
  const hit = nearest(surface, grip.pointOn(before));
  if (!hit) return false;
  const corners = state.prepared.mesh.triangles.slice(3 * hit.triangle, 3 * hit.triangle + 3);
  const part = partOf(state, corners[0]);
  const patch = new Map<number, number>();
  for (const { place, vertex } of successors.follow(grip.vertices)) {
    if (partOf(state, vertex) === part) patch.set(vertex, grip.weights[place]);
  }
  if (patch.size === 0) return false;
  corners.forEach((corner, n) => {
    patch.set(corner, Math.max(patch.get(corner) ?? 0, hit.barycentrics[n]));
  });
  grip.replace(corners, Float64Array.from(hit.barycentrics), patch);
  return true;
}

/** The closed part that a vertex belongs to. */
const partOf = ({ prepared, places }: BackendBody, vertex: number): PartRest | undefined =>
  prepared.parts.find(({ first, count }) => places[vertex] >= first && places[vertex] < first + count);
