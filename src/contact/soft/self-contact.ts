// A body against itself: whether its surface is in order, so that it may be kept from passing through itself. A body that
// was turned inside out, collapsed or scrambled is let through itself until nothing crosses any more.

import { signedVolume } from '../../mesh/measure.js';
import { positionNoise, trianglesCross } from '../../mesh/self-intersections.js';
import { boxesOverlap, longestEdge, refitBvh } from '../broad-phase/bvh.js';
import { isNearLeaf, nearLeavesOf } from '../broad-phase/near-leaves.js';
import { REST_NEAR } from '../broad-phase/tuning.js';
import type { ContactBody, SelfContact } from '../contact-body.js';
import { nearestOfTriangle } from '../narrow-phase/vertex-triangle.js';

/** A body whose volume is off by more than this share is no longer in order. */
const VOLUME_LOST = 0.5;
/** Steps between two looks at a tangled body. */
const LOOK_EVERY = 4;

/** A body as it is looked at: its particles, and room for the boxes of its tree. */
type LookedAt = Pick<ContactBody, 'contactRest' | 'bounds'> & { particles: { readonly starts: Float64Array } };

/** Looks at the body at the start of a step; whether it is to be kept from passing through itself. */
export function isInOrder(body: ContactBody): boolean {
  if (!body.contactSettings.selfContact) return false;
  const { volume, mesh } = body.contactRest;
  const share = signedVolume(body.particles.starts, mesh.triangles) / (body.inflation.factor * volume);
  return isUntangled(body.selfContact, share, () => crossesItself(body));
}

/** Whether a body with this share of its volume is in order; one that was not is looked at from time to time. */
export function isUntangled(selfContact: SelfContact, share: number, crosses: () => boolean): boolean {
  const keepsVolume = Math.abs(share - 1) < VOLUME_LOST;
  if (!keepsVolume) selfContact.tangled = true;
  if (selfContact.tangled && keepsVolume && selfContact.looks++ % LOOK_EVERY === 0) {
    selfContact.tangled = crosses();
  }
  if (selfContact.tangled) selfContact.crossed.fill(0);
  return !selfContact.tangled;
}

/** The body was put somewhere else from outside. */
export function resetSelfContact(selfContact: SelfContact, tangled: boolean): void {
  selfContact.tangled = tangled;
  selfContact.looks = 0;
  selfContact.crossed.fill(0);
}

let stack = new Uint32Array(256);

/** Calls back with pairs of leaves whose boxes overlap and that were not near at rest; ends where it returns true. */
export function visitSelfPairs(
  body: Pick<ContactBody, 'contactRest'>,
  bounds: Float64Array,
  visit: (leaf: number, other: number) => boolean,
): void {
  const { bvh, edge } = body.contactRest;
  const nearLeaves = nearLeavesOf(body.contactRest);
  const near = (REST_NEAR * edge) ** 2;
  if (stack.length < 6 * (bvh.depth + 2)) stack = new Uint32Array(12 * (bvh.depth + 2));
  let top = 0;
  stack[top++] = 0;
  stack[top++] = 0;
  while (top > 0) {
    const j = stack[--top];
    const i = stack[--top];
    if (unionSquare(bvh.restBounds, i, j) < near || !boxesOverlap(bounds, i, bounds, j)) continue;
    const leafI = bvh.nodeCounts[i] > 0;
    const leafJ = bvh.nodeCounts[j] > 0;
    if (leafI && leafJ) {
      if (!isNearLeaf(nearLeaves, i, j) && visit(i, j)) return;
    } else if (i === j) {
      const right = bvh.nodeLinks[i];
      stack[top++] = right;
      stack[top++] = right;
      stack[top++] = i + 1;
      stack[top++] = right;
      stack[top++] = i + 1;
      stack[top++] = i + 1;
    } else if (leafJ || (!leafI && longestEdge(bounds, i) >= longestEdge(bounds, j))) {
      stack[top++] = bvh.nodeLinks[i];
      stack[top++] = j;
      stack[top++] = i + 1;
      stack[top++] = j;
    } else {
      stack[top++] = i;
      stack[top++] = bvh.nodeLinks[j];
      stack[top++] = i;
      stack[top++] = j + 1;
    }
  }
}

/** Squared diagonal of the box around boxes i and j [m²]. */
function unionSquare(bounds: Float64Array, i: number, j: number): number {
  let square = 0;
  for (let c = 0; c < 3; c++) {
    const low = Math.min(bounds[6 * i + c], bounds[6 * j + c]);
    const high = Math.max(bounds[6 * i + 3 + c], bounds[6 * j + 3 + c]);
    square += (high - low) * (high - low);
  }
  return square;
}

/** Whether any two triangles that were not near at rest cross at the start of the step. */
export function crossesItself(body: LookedAt): boolean {
  const { bvh, mesh } = body.contactRest;
  const { starts } = body.particles;
  refitBvh(bvh, mesh.triangles, starts, starts, 0, body.bounds);
  const noise = positionNoise(starts);
  let crossing = false;
  visitSelfPairs(body, body.bounds, (i, j) => {
    for (let m = bvh.nodeLinks[i]; m < bvh.nodeLinks[i] + bvh.nodeCounts[i]; m++) {
      for (let n = bvh.nodeLinks[j]; n < bvh.nodeLinks[j] + bvh.nodeCounts[j]; n++) {
        const [t, u] = [bvh.order[m], bvh.order[n]];
        if (t === u || nearAtRest(body, t, u) || !trianglesCross(starts, mesh.triangles, t, u, noise)) continue;
        crossing = true;
        return true;
      }
    }
    return false;
  });
  return crossing;
}

/** Whether a corner of triangle t lies near triangle u at rest. */
function nearAtRest({ contactRest }: Pick<ContactBody, 'contactRest'>, t: number, u: number): boolean {
  const { mesh, edge } = contactRest;
  const { positions, triangles } = mesh;
  const near = (REST_NEAR * edge) ** 2;
  for (let c = 0; c < 3; c++) {
    const square = nearestOfTriangle(
      positions,
      3 * triangles[3 * t + c],
      positions,
      3 * triangles[3 * u],
      3 * triangles[3 * u + 1],
      3 * triangles[3 * u + 2],
    );
    if (square < near) return true;
  }
  return false;
}
