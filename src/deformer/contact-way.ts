// How a vertex leaves a collider: along the collider's way, to where that leaves it, and not to the nearest point of its surface, which
// lies on the other side as soon as the collider is in by more than half. This is what makes frames follow each other smoothly.

import type { SurfacePoint } from '../contact/obstacles/surface-point.js';
import type { Vec3 } from '../math/vec3.js';
import type { FrameCollider } from './frame-collider.js';

/** Depth that is rounding, not penetration [half sizes]: vertices that lie on a collider must not be told apart by it. */
export const ROUNDING = 1e-13;
/** How far outside the normal is taken [half sizes]: on an edge itself rounding would choose one of its two faces. */
const OUTSIDE = 1e-6;
/** Shortest stride along the way [half sizes]. */
const STRIDE = 2e-3;
/** Where the way leaves the collider is found to this [half sizes]: a hundredth of what counts as penetration. */
const EXACT = 1e-15;
/** Trials for that at most; on smooth surfaces there are four to six. */
const TRIALS = 60;
/** Longest way out [half sizes]: twice through the body and as far again; of a collider that has swallowed it some depths more. */
const LONGEST = 8;
const LONGEST_DEPTHS = 4;
/** Contact planes stand across the way at least this much (cosine): along a wall the plane would push sideways without end. */
const ACROSS = 0.25;
/** Below this share of its members' sum a mean normal is none: they cancel. */
const CANCELLED = 0.02;

const seen: SurfacePoint = { distance: 0, nx: 0, ny: 0, nz: 0 };

/** A point outside of the collider and the plane there that a vertex must stay in front of. */
export interface ContactPlane {
  x: number;
  y: number;
  z: number;
  nx: number;
  ny: number;
  nz: number;
}

/**
 * The mean normal of the surface inside a collider, a unit vector: it comes from there. Undefined where the normals cancel.
 * @param distances of the sites to the collider. @param normals area × normal per site.
 */
export function findApproach(distances: Float64Array, normals: Float64Array): Vec3 | undefined {
  let [sx, sy, sz, size] = [0, 0, 0, 0];
  for (let v = 0; v < distances.length; v++) {
    if (!(distances[v] < -ROUNDING)) continue;
    const nx = normals[3 * v];
    const ny = normals[3 * v + 1];
    const nz = normals[3 * v + 2];
    sx += nx;
    sy += ny;
    sz += nz;
    size += Math.sqrt(nx * nx + ny * ny + nz * nz);
  }
  const length = Math.sqrt(sx * sx + sy * sy + sz * sz);
  return length > CANCELLED * size ? [sx / length, sy / length, sz / length] : undefined;
}

/**
 * Of a collider that covers everything, whose normals cancel: the way out of it from the body's middle, which all of the body then takes,
 * and the longest that it may be [half sizes]. Undefined where something is outside.
 * @param distances of the sites to the collider, +∞ for those that do not collide.
 */
export function findWayOut(
  collider: FrameCollider,
  positions: Float64Array,
  distances: Float64Array,
): { readonly approach: Vec3; readonly longest: number } | undefined {
  const middle = [0, 0, 0];
  let [count, depth] = [0, 0];
  for (let v = 0; v < distances.length; v++) {
    if (distances[v] === Infinity) continue;
    if (!(distances[v] < -ROUNDING)) return undefined;
    depth = Math.max(depth, -distances[v]);
    for (let k = 0; k < 3; k++) middle[k] += positions[3 * v + k];
    count++;
  }
  if (count === 0) return undefined;
  collider.measure(middle[0] / count, middle[1] / count, middle[2] / count, seen);
  const length = Math.sqrt(seen.nx * seen.nx + seen.ny * seen.ny + seen.nz * seen.nz);
  // In the very middle of a ball every way is as good.
  const approach: Vec3 = length > 0.5 ? [-seen.nx / length, -seen.ny / length, -seen.nz / length] : [0, -1, 0];
  return { approach, longest: LONGEST + LONGEST_DEPTHS * depth };
}

/**
 * The way out of a collider from a point along the unit vector (wx, wy, wz). Writes the first point outside; false where the
 * way does not end. With `late` the point may lie before the collider, and the way out is that behind it.
 */
export function walkOut(
  collider: FrameCollider,
  x: number,
  y: number,
  z: number,
  wx: number,
  wy: number,
  wz: number,
  out: ContactPlane,
  late = false,
  longest = LONGEST,
): boolean {
  let inside = 0;
  let along = 0;
  let entered = !late;
  let low = 0;
  for (;;) {
    collider.measure(x + along * wx, y + along * wy, z + along * wz, seen);
    if (seen.distance >= 0 && entered) break;
    if (seen.distance < 0) {
      entered = true;
      inside = along;
      low = seen.distance;
    }
    along += Math.max(Math.abs(seen.distance), STRIDE);
    if (!(along <= longest)) return false;
  }
  // False position in its Illinois form: a side that stays counts half, so that the other cannot stay for ever.
  let high = seen.distance;
  let side = 0;
  for (let n = 0; n < TRIALS && high > 0 && along - inside > EXACT; n++) {
    // Never so near an end that rounding could leave the interval as it is.
    const rim = 0.01 * Math.min(EXACT, along - inside);
    const guess = (inside * high - along * low) / (high - low);
    const middle = n > TRIALS / 3 ? (inside + along) / 2 : Math.min(along - rim, Math.max(inside + rim, guess));
    collider.measure(x + middle * wx, y + middle * wy, z + middle * wz, seen);
    if (seen.distance < 0) {
      inside = middle;
      low = seen.distance;
      if (side < 0) high /= 2;
      side = -1;
    } else {
      along = middle;
      high = seen.distance;
      if (side > 0) low /= 2;
      side = 1;
    }
    if (seen.distance >= 0 && seen.distance <= EXACT) break;
  }
  out.x = x + along * wx;
  out.y = y + along * wy;
  out.z = z + along * wz;
  collider.measure(out.x + OUTSIDE * wx, out.y + OUTSIDE * wy, out.z + OUTSIDE * wz, seen);
  writeAcross(seen, wx, wy, wz, out);
  return true;
}

/** The normal, tilted towards the way where it stands too steeply against it. */
function writeAcross({ nx, ny, nz }: SurfacePoint, wx: number, wy: number, wz: number, out: ContactPlane): void {
  const along = nx * wx + ny * wy + nz * wz;
  out.nx = nx;
  out.ny = ny;
  out.nz = nz;
  if (along >= ACROSS) return;
  const sx = nx - along * wx;
  const sy = ny - along * wy;
  const sz = nz - along * wz;
  const size = Math.sqrt(sx * sx + sy * sy + sz * sz);
  const side = size > 1e-9 ? Math.sqrt(1 - ACROSS * ACROSS) / size : 0;
  const forward = size > 1e-9 ? ACROSS : 1;
  out.nx = forward * wx + side * sx;
  out.ny = forward * wy + side * sy;
  out.nz = forward * wz + side * sz;
}

/** The nearest point of the collider's surface and the plane there, for a point that was just measured. */
export function writeNearest(x: number, y: number, z: number, from: SurfacePoint, out: ContactPlane): void {
  out.nx = from.nx;
  out.ny = from.ny;
  out.nz = from.nz;
  out.x = x - from.distance * from.nx;
  out.y = y - from.distance * from.ny;
  out.z = z - from.distance * from.nz;
}
