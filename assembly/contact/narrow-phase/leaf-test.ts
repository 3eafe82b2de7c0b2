// A vertex on its way against the triangles of a leaf: which of them is nearest at the start of the step, and where it moves
// fast, which it meets first. Mirrors `testVertex` of src/contact/narrow-phase/detection.ts.

import * as tuning from '../../../src/contact/narrow-phase/tuning';
import {
  BODY_BOX, BODY_EDGE, BODY_POSITIONS, BODY_REST_POSITIONS, BODY_SLOW, BODY_STARTS, BODY_TREE, BODY_TREE_TRIANGLES, NODE_COUNT, NODE_LINK,
} from '../../layout';
import { add4, dot3, mul4, splat4, sub4 } from '../../simd/lanes';
import { marginOf } from '../broad-phase/bvh';
import { keepMeeting, keepNearest, near, nearestLimit, SAME_DISTANCE, squareToTriangle } from './candidates';
import { meetTriangle, NEAR_SQUARE, nearestOfFour } from './vertex-triangle';

/** Gap between surfaces in contact, in mean edges of the finer body: hides what vertices do not see of edges. */
export const THICKNESS: f32 = <f32>tuning.THICKNESS;
/** Covers the rounding of distances and ways that are compared, squared. */
const MOTION_SLACK: f32 = 1.001;
/** How far beyond the box of its ways a triangle may be met, in sizes of the box: more than rounding and overlap of neighbours. */
const BOX_SLACK: f32 = 1e-4;

// What the pair has in common: gap to keep, squared distance within which triangles are looked at, whether vertices may
// be fast, motion that is slow, and squared distance at rest below which nothing touches (self-contact only).
export let thickness: f32 = 0;
export let range2: f32 = 0;
export let fast: boolean = false;
export let slow: f32 = 0;
export let restNear: f32 = 0;

/** Turns to a pair; of one body, what was nearer than `reach` at rest never touches. */
export function beginPair(a: usize, b: usize, reach: f32): void {
  const edgeA = <f32>load<f64>(a + BODY_EDGE);
  const edgeB = <f32>load<f64>(b + BODY_EDGE);
  thickness = THICKNESS * min(edgeA, edgeB);
  slow = min(<f32>load<f64>(a + BODY_SLOW), <f32>load<f64>(b + BODY_SLOW));
  // The furthest that any particle of one moves against any of the other.
  const ahead = sub4(v128.load(a + BODY_BOX, 48), v128.load(b + BODY_BOX, 32));
  const behind = sub4(v128.load(b + BODY_BOX, 48), v128.load(a + BODY_BOX, 32));
  const furthest = f32x4.pmax(f32x4.abs(ahead), f32x4.abs(behind));
  const motion = sqrt(dot3(furthest, furthest));
  fast = motion > slow;
  const range = max(marginOf(a) + marginOf(b), thickness + motion);
  range2 = range * range;
  restNear = reach * reach;
}

/**
 * A vertex on its way, in the frame of the body b, against the triangles of b's leaf. At `motions` are bounds of the leaf's
 * displacement, 0 where they are not known.
 */
export function testVertex(k: usize, start: v128, end: v128, b: usize, leaf: usize, side: i32, motions: usize): void {
  const node = <usize>load<u32>(b + BODY_TREE) + leaf;
  const count: i32 = load<i32>(node + NODE_COUNT);
  const triangles = <usize>load<u32>(b + BODY_TREE_TRIANGLES) + <usize>load<u32>(node + NODE_LINK) * 12;
  const points: usize = load<u32>(b + BODY_STARTS);
  const squares = nearestOfFour(points, triangles, count, start, near);
  let found = i32x4.bitmask(f32x4.le(squares, splat4(range2))) & ((1 << count) - 1);
  if (found == 0) return;
  // Of those in reach only the nearest count, and only if the vertex has none that is nearer.
  let limit = splat4(nearestLimit(side, k));
  if (restNear > 0) {
    for (let left = found; left != 0; left &= left - 1) {
      if (wasNear(b, k, triangles + <usize>ctz(left) * 12)) found &= ~(left & -left);
    }
  } else {
    limit = f32x4.pmin(limit, leastOf(squares));
  }
  for (let left = found & i32x4.bitmask(f32x4.le(squares, limit)); left != 0; left &= left - 1) {
    const lane = <usize>ctz(left);
    keepNearest(side, k, start, points, triangles + lane * 12, lane);
  }
  if (!fast) return;
  if (motions != 0) {
    const displacement = sub4(end, start);
    const most = f32x4.pmax(f32x4.abs(sub4(displacement, v128.load(motions))), f32x4.abs(sub4(displacement, v128.load(motions, 16))));
    const furthest = dot3(most, most);
    if (furthest <= slow * slow * <f32>0.25) return;
    found &= i32x4.bitmask(f32x4.le(squares, splat4(furthest * MOTION_SLACK)));
  }
  for (; found != 0; found &= found - 1) {
    const lane = <usize>ctz(found);
    tryMeeting(b, k, triangles + lane * 12, start, end, side, load<f32>(near + (lane << 2), NEAR_SQUARE));
  }
}

/** The least of four squared distances, and what counts as the same, in all lanes. */
// @ts-ignore: decorator
@inline function leastOf(squares: v128): v128 {
  const pairs = f32x4.pmin(squares, v128.shuffle<f32>(squares, squares, 2, 3, 0, 1));
  const least = f32x4.pmin(pairs, v128.shuffle<f32>(pairs, pairs, 1, 0, 3, 2));
  return mul4(least, splat4(<f32>1 + SAME_DISTANCE));
}

/** Whether a particle was near a triangle of its own body at rest. */
function wasNear(body: usize, k: usize, triangle: usize): boolean {
  const rest: usize = load<u32>(body + BODY_REST_POSITIONS);
  return squareToTriangle(rest, v128.load(rest + k), triangle) < restNear;
}

function tryMeeting(b: usize, k: usize, triangle: usize, start: v128, end: v128, side: i32, square: f32): void {
  const starts: usize = load<u32>(b + BODY_STARTS);
  const ends: usize = load<u32>(b + BODY_POSITIONS);
  const p: usize = load<u32>(triangle);
  const q: usize = load<u32>(triangle, 4);
  const r: usize = load<u32>(triangle, 8);
  const a = v128.load(starts + p);
  const aEnd = v128.load(ends + p);
  const displacement = sub4(end, start);
  const motion = sub4(displacement, sub4(aEnd, a));
  const motion2 = dot3(motion, motion);
  const b0 = v128.load(starts + q);
  const bEnd = v128.load(ends + q);
  const c0 = v128.load(starts + r);
  const cEnd = v128.load(ends + r);
  const motionB = sub4(displacement, sub4(bEnd, b0));
  const motionC = sub4(displacement, sub4(cEnd, c0));
  // No point of the triangle comes nearer than its corners do. One branch for all three, as none can be foreseen.
  const isSlow = motion2 <= slow * slow * <f32>0.25;
  const isFar =
    (motion2 * MOTION_SLACK < square) & (dot3(motionB, motionB) * MOTION_SLACK < square) & (dot3(motionC, motionC) * MOTION_SLACK < square);
  if (<i32>isSlow | <i32>isFar | <i32>!mayMeet(start, end, a, b0, c0, aEnd, bEnd, cEnd)) return;
  if (meetTriangle(start, end, a, b0, c0, aEnd, bEnd, cEnd, restNear > 0)) keepMeeting(side, k, triangle);
}

/** Whether a point on its way lies in the box of a triangle's corners on theirs, all seen from the point. */
// @ts-ignore: decorator
@inline function mayMeet(start: v128, end: v128, a: v128, b: v128, c: v128, aEnd: v128, bEnd: v128, cEnd: v128): boolean {
  const low = sub4(f32x4.pmin(a, f32x4.pmin(b, c)), start);
  const high = sub4(f32x4.pmax(a, f32x4.pmax(b, c)), start);
  const lowEnd = sub4(f32x4.pmin(aEnd, f32x4.pmin(bEnd, cEnd)), end);
  const highEnd = sub4(f32x4.pmax(aEnd, f32x4.pmax(bEnd, cEnd)), end);
  const least = f32x4.pmin(low, lowEnd);
  const most = f32x4.pmax(high, highEnd);
  const slack = mul4(splat4(BOX_SLACK), sub4(most, least));
  const apart = v128.or(f32x4.gt(sub4(least, slack), splat4(0)), f32x4.lt(add4(most, slack), splat4(0)));
  return (i32x4.bitmask(apart) & 7) == 0;
}
