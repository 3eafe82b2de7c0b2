// Bodies that lie in each other deeper than contact looks: their pockets, the ways out of them, and which is the deepest. Mirrors
// src/contact/soft/overlap.ts; what is to be done is found pair by pair, and done (separation.ts) afterwards in the order of the pairs.

import * as tuning from '../../../src/contact/soft/tuning';
import {
  BODY_COUNT, BODY_DEEP, BODY_EDGE, BODY_MASS_SHARES, BODY_SIZE, BODY_STARTS, BODY_TREE_BOXES, BODY_VELOCITIES, PAIR_A,
  PAIR_B, PAIR_DEEP, PAIR_POCKET, PAIR_SUNK, PAIR_WAY,
} from '../../layout';
import { add4, dot3, madd4, mul4, select4, splat4, sub4, vector30, w4 } from '../../simd/lanes';
import { candidateOf, HEIGHT, isTouched, LOST, TIME, touchedA, touchedB, touchedVertex } from '../narrow-phase/candidates';
import { offsetOf } from '../narrow-phase/detection';
import { findExit, isInside, markInside, resetSunk, sunk, SURFACE } from './inside';
import { findWays, gatherPockets, middleAt, othersFrom, wayAt, widenPockets } from './pockets';

/** Furthest that deep vertices may have to go, in sizes of the smaller body, to be stopped one by one. */
const EXIT: f32 = <f32>tuning.EXIT;
/** How far around a pocket bodies are moved with what is in it, in sizes of the smaller one. */
const AROUND: f32 = <f32>tuning.AROUND;
/** The same at least, where another pocket is near. */
const AROUND_LEAST: f32 = <f32>tuning.AROUND_LEAST;
/** The extent of a pocket around which bodies are moved as wholes, in the same unit. */
const EVERYWHERE: f32 = <f32>tuning.EVERYWHERE;
/** Share of both bodies' vertices that have to be deep before two that come fast are let through each other; see the reference. */
const DEEP_SHARE: f32 = <f32>tuning.DEEP_SHARE;
/** Fast is who gets further than this share of the smaller body's size within this time [s], see the reference. */
const SLOW_SHARE: f32 = <f32>tuning.SLOW_SHARE;
const IMPACT_TIME: f32 = <f32>tuning.IMPACT_TIME;
/** Vertices per body, pair and step that are asked whether they lie deep inside the other. */
const PROBES: u32 = <u32>tuning.PROBES;
/** One step in so many all vertices are asked. */
const LOOKS: u32 = <u32>tuning.LOOKS;

/** Whether it is this pair's turn to be looked at whole, told by where the bodies are. */
function isDue(a: usize, b: usize): boolean {
  const choice: u32 = (load<u32>(load<u32>(a + BODY_STARTS)) + load<u32>(load<u32>(b + BODY_STARTS))) * 2654435761;
  return (choice >> 8) % LOOKS == 0;
}

/** Whether a vertex of a (side 0) or b is seen to lie inside the other: of those near its surface all, of the others a few. */
function mayOverlap(a: usize, b: usize, side: i32): boolean {
  const surface = SURFACE * <f32>load<f64>(b + BODY_EDGE);
  const touched = side == 0 ? touchedA : touchedB;
  for (let n = 0; n < touched; n++) {
    if (load<f32>(candidateOf(side, touchedVertex(side, n)) + HEIGHT) < surface) return true;
  }
  const starts: usize = load<u32>(a + BODY_STARTS);
  const count: u32 = load<u32>(a + BODY_COUNT);
  const shift = sub4(splat4(0), offsetOf(a, b));
  const boxes: usize = load<u32>(b + BODY_TREE_BOXES);
  // Others in every step, told by where the body is: what is remembered of no step before cannot be forgotten.
  let choice: u32 = load<u32>(starts) * 2654435761 + load<u32>(starts, 4);
  for (let n: u32 = 0; n < PROBES; n++) {
    choice = choice * 1664525 + 1013904223;
    const vertex = <usize>((choice >> 8) % count) << 4;
    if (!isTouched(candidateOf(side, vertex)) && isInside(b, boxes, add4(v128.load(starts + vertex), shift))) return true;
  }
  return false;
}

/** Mean of a vector over a body's particles, by mass. */
function meanOf(body: usize, vectors: usize): v128 {
  const shares: usize = load<u32>(body + BODY_MASS_SHARES);
  const count: usize = load<u32>(body + BODY_COUNT);
  let sum = splat4(0);
  for (let i: usize = 0; i < count; i++) {
    sum = madd4(v128.load32_splat(shares + (i << 2)), v128.load(vectors + (i << 4)), sum);
  }
  return sum;
}

/** Root mean square, by mass, of how fast particles move against a velocity. */
function speedAgainst(body: usize, velocity: v128): f32 {
  const shares: usize = load<u32>(body + BODY_MASS_SHARES);
  const velocities: usize = load<u32>(body + BODY_VELOCITIES);
  const count: usize = load<u32>(body + BODY_COUNT);
  let sum: f32 = 0;
  for (let i: usize = 0; i < count; i++) {
    const relative = sub4(v128.load(velocities + (i << 4)), velocity);
    sum += load<f32>(shares + (i << 2)) * dot3(relative, relative);
  }
  return sqrt(sum);
}

/** Finds whether the bodies of a pair lie deep in each other, and if so on which way a leaves b and how far it has to go. */
export function findDeep(pair: usize): boolean {
  const a: usize = load<u32>(pair + PAIR_A);
  const b: usize = load<u32>(pair + PAIR_B);
  store<u32>(pair + PAIR_DEEP, 0);
  store<u32>(pair + PAIR_SUNK, 0);
  const before = load<u32>(a + BODY_DEEP) != 0 && load<u32>(b + BODY_DEEP) != 0;
  if (!before && !isDue(a, b) && !mayOverlap(a, b, 0) && !mayOverlap(b, a, 1)) return false;
  const size = <f32>min(load<f64>(a + BODY_SIZE), load<f64>(b + BODY_SIZE));
  resetSunk();
  const far = markInside(a, b, 0, size) + markInside(b, a, 1, size);
  store<f32>(pair + PAIR_SUNK, sunk);
  if (far == 0) return false;
  const velocityA = meanOf(a, load<u32>(a + BODY_VELOCITIES));
  const velocityB = meanOf(b, load<u32>(b + BODY_VELOCITIES));
  const isFast = IMPACT_TIME * max(speedAgainst(a, velocityB), speedAgainst(b, velocityA)) > SLOW_SHARE * size;
  const few: f32 = before || !isFast ? 0 : DEEP_SHARE * <f32>(load<i32>(a + BODY_COUNT) + load<i32>(b + BODY_COUNT));
  if (<f32>far <= few) return false;
  gatherPockets(a, b);
  findWays(wayBetween(a, b, size));
  widenPockets(a, 0);
  widenPockets(b, 1);
  deepest = <f32>1e-6 * size;
  deepestWay = splat4(0);
  deepestMiddle = splat4(0);
  deepestOthers = Infinity;
  findExits(a, b, 0, EXIT * size);
  findExits(b, a, 1, EXIT * size);
  store<f32>(pair + PAIR_DEEP, deepest);
  const inner = isFast ? EVERYWHERE * size : w4(deepestMiddle);
  const around = isFast ? AROUND * size : max(AROUND_LEAST * size, min(AROUND * size, deepestOthers - inner));
  v128.store(pair + PAIR_WAY, f32x4.replace_lane(deepestWay, 3, inner + around));
  v128.store(pair + PAIR_POCKET, f32x4.replace_lane(deepestMiddle, 3, inner));
  return true;
}

/** From the centre of one body to that of the other, as a unit vector. */
function wayBetween(a: usize, b: usize, size: f32): v128 {
  const way = sub4(meanOf(a, load<u32>(a + BODY_STARTS)), add4(meanOf(b, load<u32>(b + BODY_STARTS)), offsetOf(a, b)));
  const length = sqrt(dot3(way, way));
  return length > <f32>1e-6 * size ? mul4(splat4(<f32>1 / length), way) : vector30(0, 1, 0);
}

// How far the deepest vertex of a pair has to go, the way of its pocket, its middle and half its extent, and how far from it others begin.
let deepest: f32 = 0;
let deepestWay: v128 = i64x2.splat(0);
let deepestMiddle: v128 = i64x2.splat(0);
let deepestOthers: f32 = 0;

/** Finds where the deep vertices of a body come out of the other on the ways of their pockets. */
function findExits(body: usize, other: usize, side: i32, furthest: f32): void {
  const starts: usize = load<u32>(body + BODY_STARTS);
  const shift = sub4(splat4(0), offsetOf(body, other));
  const touched = side == 0 ? touchedA : touchedB;
  for (let n = 0; n < touched; n++) {
    const vertex = touchedVertex(side, n);
    const candidate = candidateOf(side, vertex);
    const way = wayAt(side, vertex);
    if (!v128.any_true(way)) continue;
    let depth = -load<f32>(candidate + HEIGHT);
    if (load<f32>(candidate + TIME) == LOST) {
      const out = side == 0 ? way : sub4(splat4(0), way);
      // No direction is quite along an axis: boxes are divided by it.
      const ray = f32x4.replace_lane(select4(f32x4.lt(f32x4.abs(out), splat4(1e-5)), splat4(1e-5), out), 3, 0);
      depth = findExit(candidate, other, add4(v128.load(starts + vertex), shift), ray, furthest);
    }
    if (depth <= deepest) continue;
    deepest = depth;
    deepestWay = way;
    deepestMiddle = middleAt(side, vertex);
    deepestOthers = othersFrom(side, vertex, deepestMiddle);
  }
}
