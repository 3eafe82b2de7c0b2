// Pairs of triangles of one mesh that cross each other.
// Based on: J. R. Shewchuk, Adaptive precision floating-point arithmetic and fast robust geometric predicates, 1997
// (the error bound of the first stage only). A sign that the rounding of arithmetic or of the positions themselves leaves
// in doubt counts as touching, and touching is not crossing; exact signs would call touching bodies crossing once turned.

import { boundsOf } from './measure.js';
import { buildTriangleTree, overlappingPairs } from './triangle-tree.js';

/** Pairs of triangles that pass through each other. */
export interface SelfIntersections {
  /** Crossing pairs found. */
  readonly count: number;
  /** The first of them, at most `PAIRS_LISTED`, the lower triangle first. */
  readonly pairs: readonly (readonly [number, number])[];
  /** False where the search ended early: at the limit, or where too much lies in one place to try all pairs. */
  readonly complete: boolean;
}

export const PAIRS_LISTED = 1000;

/** A surface that is no heap has some 10–20 pairs of overlapping boxes per triangle; a heap must not take for ever. */
const testsAllowed = (triangleCount: number) => 2_000_000 + 40 * triangleCount;

/** Shewchuk's bound (7 + 56ε)ε for the determinant below, ε = 2⁻⁵³. */
const SIGN_BOUND = 7.8e-16;

/**
 * Positions that were moved or turned are off by up to about four roundings of the largest coordinate M, 4.4e-16 M. The
 * determinant's 9 entries are differences of two and enter with factors up to 2 L², L being the largest entry, so it
 * is off by up to 36 × 4.4e-16 M L².
 */
const POSITION_BOUND = 1.6e-14;

/**
 * Side of the plane abc on which d lies: +1, −1, or 0 where rounding leaves it open. Corners are places of their x;
 * `noise` is `POSITION_BOUND` times the largest coordinate.
 */
function side(p: ArrayLike<number>, a: number, b: number, c: number, d: number, noise: number): number {
  const ax = p[a] - p[d];
  const ay = p[a + 1] - p[d + 1];
  const az = p[a + 2] - p[d + 2];
  const bx = p[b] - p[d];
  const by = p[b + 1] - p[d + 1];
  const bz = p[b + 2] - p[d + 2];
  const cx = p[c] - p[d];
  const cy = p[c + 1] - p[d + 1];
  const cz = p[c + 2] - p[d + 2];
  const bxcy = bx * cy;
  const cxby = cx * by;
  const cxay = cx * ay;
  const axcy = ax * cy;
  const axby = ax * by;
  const bxay = bx * ay;
  const determinant = az * (bxcy - cxby) + bz * (cxay - axcy) + cz * (axby - bxay);
  const size =
    (Math.abs(bxcy) + Math.abs(cxby)) * Math.abs(az) +
    (Math.abs(cxay) + Math.abs(axcy)) * Math.abs(bz) +
    (Math.abs(axby) + Math.abs(bxay)) * Math.abs(cz);
  const reach = Math.max(
    Math.max(Math.abs(ax), Math.abs(ay), Math.abs(az)),
    Math.max(Math.abs(bx), Math.abs(by), Math.abs(bz)),
    Math.max(Math.abs(cx), Math.abs(cy), Math.abs(cz)),
  );
  const bound = SIGN_BOUND * size + noise * reach * reach;
  return determinant > bound ? 1 : determinant < -bound ? -1 : 0;
}

/** Whether the line pq, which crosses the plane of abc, does so inside the triangle. */
function passesInside(
  x: ArrayLike<number>,
  p: number,
  q: number,
  a: number,
  b: number,
  c: number,
  noise: number,
): boolean {
  const turn = side(x, p, q, a, b, noise);
  return turn !== 0 && side(x, p, q, b, c, noise) === turn && side(x, p, q, c, a, noise) === turn;
}

/** Whether three signs hold both +1 and −1. */
const areSplit = (a: number, b: number, c: number) => a * b < 0 || b * c < 0 || c * a < 0;

/**
 * Whether two triangles cross. Neighbours over an edge are never said to; triangles with one common vertex cross
 * where the side opposite to it in one of them pierces the other, as the sides at the vertex begin in the other's plane.
 * Surfaces that meet exactly in sides and corners, as regular grids may, only touch; so do coplanar ones.
 */
export function trianglesCross(
  x: ArrayLike<number>,
  triangles: ArrayLike<number>,
  t: number,
  u: number,
  noise: number,
): boolean {
  let shared = 0;
  for (let i = 3 * t; i < 3 * t + 3; i++) {
    for (let j = 3 * u; j < 3 * u + 3; j++) if (triangles[i] === triangles[j]) shared++;
  }
  if (shared > 1) return false;
  const a = 3 * triangles[3 * t];
  const b = 3 * triangles[3 * t + 1];
  const c = 3 * triangles[3 * t + 2];
  const p = 3 * triangles[3 * u];
  const q = 3 * triangles[3 * u + 1];
  const r = 3 * triangles[3 * u + 2];
  // Each triangle must have corners on both sides of the other's plane.
  const sideP = side(x, a, b, c, p, noise);
  const sideQ = side(x, a, b, c, q, noise);
  const sideR = side(x, a, b, c, r, noise);
  if (!areSplit(sideP, sideQ, sideR)) return false;
  const sideA = side(x, p, q, r, a, noise);
  const sideB = side(x, p, q, r, b, noise);
  const sideC = side(x, p, q, r, c, noise);
  if (!areSplit(sideA, sideB, sideC)) return false;
  return (
    (sideP * sideQ < 0 && passesInside(x, p, q, a, b, c, noise)) ||
    (sideQ * sideR < 0 && passesInside(x, q, r, a, b, c, noise)) ||
    (sideR * sideP < 0 && passesInside(x, r, p, a, b, c, noise)) ||
    (sideA * sideB < 0 && passesInside(x, a, b, p, q, r, noise)) ||
    (sideB * sideC < 0 && passesInside(x, b, c, p, q, r, noise)) ||
    (sideC * sideA < 0 && passesInside(x, c, a, p, q, r, noise))
  );
}

/** How much rounding of the positions to allow for in `trianglesCross`. */
export function positionNoise(positions: ArrayLike<number>): number {
  let largest = 0;
  for (const corner of boundsOf(positions)) for (const value of corner) largest = Math.max(largest, Math.abs(value));
  return POSITION_BOUND * largest;
}

/** Triangles that span an area at all: a collapsed one has no inside to cross, and heaps of them cost dearly. */
function listSpanning(positions: ArrayLike<number>, triangles: ArrayLike<number>): Uint32Array {
  const spanning: number[] = [];
  for (let t = 0; 3 * t + 2 < triangles.length; t++) {
    const a = 3 * triangles[3 * t];
    const b = 3 * triangles[3 * t + 1];
    const c = 3 * triangles[3 * t + 2];
    let area = 0;
    for (let k = 0; k < 3; k++) {
      const l = (k + 1) % 3;
      const cross =
        (positions[b + k] - positions[a + k]) * (positions[c + l] - positions[a + l]) -
        (positions[b + l] - positions[a + l]) * (positions[c + k] - positions[a + k]);
      area += Math.abs(cross);
    }
    if (area > 0) spanning.push(t);
  }
  return Uint32Array.from(spanning);
}

/**
 * Counts crossing pairs, at most `limit` of them. Takes any state, collapsed and non-finite ones too.
 * @example
 * ```ts
 * const { positions, triangles } = icosphere();
 * console.log(findSelfIntersections(positions, triangles).pairs.length);
 * ```
 */
export function findSelfIntersections(
  positions: ArrayLike<number>,
  triangles: ArrayLike<number>,
  limit = Infinity,
): SelfIntersections {
  const spanning = listSpanning(positions, triangles);
  const corners = new Uint32Array(3 * spanning.length);
  for (let i = 0; i < corners.length; i++) corners[i] = triangles[3 * spanning[Math.floor(i / 3)] + (i % 3)];
  const pairs: [number, number][] = [];
  const noise = positionNoise(positions);
  let count = 0;
  let tests = testsAllowed(spanning.length);
  let complete = true;
  overlappingPairs(buildTriangleTree(positions, corners), (a, b) => {
    if (tests-- <= 0 || count >= limit) {
      complete = false;
      return false;
    }
    if (trianglesCross(positions, corners, a, b, noise)) {
      count++;
      if (pairs.length < PAIRS_LISTED) pairs.push([spanning[a], spanning[b]]);
    }
    return true;
  });
  return { count, pairs, complete };
}
