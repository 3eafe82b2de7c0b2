// Bodies that lie in each other deeper than contact looks are moved apart around each pocket. Mirrors src/contact/soft/overlap.ts; what
// is to be done is found pair by pair, and done afterwards in the order of the pairs.

import * as tuning from '../../../src/contact/soft/tuning';
import {
  BODY_COUNT, BODY_DEEP, BODY_EDGE, BODY_FLAGS, BODY_MASS, BODY_MASS_SHARES, BODY_NORMALS, BODY_PINNED, BODY_POSITIONS,
  BODY_SIZE, BODY_SLOW_TIME, BODY_STARTS, BODY_TREE, BODY_TREE_BOXES, BODY_TREE_TRIANGLES, BODY_SUBTREE_PARTICLES, BODY_SUBTREES,
  BODY_VELOCITIES, FLAG_ASLEEP, NODE_BYTES, NODE_COUNT, NODE_LINK, NODE_SPAN, NODE_SUBTREE, PAIR_A, PAIR_B, PAIR_DEEP, PAIR_POCKET, PAIR_WAY, SUBTREE_COUNT,
  SUBTREE_PARTICLES, SUBTREE_SHARE, SUBTREE_STARTS,
} from '../../layout';
import { add4, div4, dot3, madd4, mul4, select4, splat4, splatZ4, sub4, vector30, w4, x4, y4, yzx4, z4 } from '../../simd/lanes';
import { candidateOf, FACE, HEIGHT, isTouched, keepDeep, keepExit, LOST, particleList, scratch, touchedA, touchedB, touchedVertex, TIME } from '../narrow-phase/candidates';
import { offsetOf, overlaps, SUBTREE } from '../narrow-phase/detection';
import { loadTriangles, metByRay, rayB, rayC, rayShare } from '../narrow-phase/vertex-triangle';
import { FAR, findWays, gatherPockets, INSIDE, INSIDE_OF_EIGHT, middleAt, NEAR, othersFrom, wayAt, widenPockets } from './pockets';

/** How fast they are moved apart, in sizes of the smaller body per second, and the time [s] that it takes at least. */
const SPEED: f32 = <f32>tuning.SPEED;
const LEAVE_TIME: f32 = <f32>tuning.LEAVE_TIME;
const STUCK_FOR: f32 = <f32>tuning.STUCK_FOR;
const STUCK_DEPTH: f32 = <f32>tuning.STUCK_DEPTH;
const HURRY: f32 = <f32>tuning.HURRY;
const HURRIED: f32 = <f32>tuning.HURRIED;
/** Furthest that deep vertices may have to go, in sizes of the smaller body, to be stopped one by one. */
const EXIT: f32 = <f32>tuning.EXIT;
/** Share of both bodies' vertices that have to be deep before two that come fast are let through each other; see the reference. */
const DEEP_SHARE: f32 = <f32>tuning.DEEP_SHARE;
/** Fast is who gets further than this share of the smaller body's size within this time [s], see the reference. */
const SLOW_SHARE: f32 = <f32>tuning.SLOW_SHARE;
const IMPACT_TIME: f32 = <f32>tuning.IMPACT_TIME;
/** Height over a triangle, in mean edges, up to which a vertex is not outside. */
const SURFACE: f32 = <f32>tuning.SURFACE;
/** Cosine of the angle between two surfaces from which they face the same way. */
const SAME_WAY: f32 = <f32>tuning.SAME_WAY;
/** Vertices per body, pair and step that are asked whether they lie deep inside the other. */
const PROBES: u32 = <u32>tuning.PROBES;
/** One step in so many all vertices are asked. */
const LOOKS: u32 = <u32>tuning.LOOKS;
// Rays lie near an axis, but in no coordinate plane and along no edge of a regular mesh.
const TILT: f32 = 0.0713;
const OTHER_TILT: f32 = 0.1137;

/** The ray by which a point leaves a box soonest: fewest boxes below it lie on its way. */
function shortestRay(point: v128, low: v128, high: v128): v128 {
  const down = sub4(point, low);
  const up = sub4(high, point);
  const least = f32x4.pmin(down, up);
  const signs = select4(f32x4.lt(down, up), splat4(-1), splat4(1));
  if (x4(least) <= y4(least) && x4(least) <= z4(least)) return vector30(x4(signs), TILT, OTHER_TILT);
  if (y4(least) <= z4(least)) return vector30(OTHER_TILT, y4(signs), TILT);
  return vector30(TILT, OTHER_TILT, z4(signs));
}

/**
 * Whether a box of a body's frame can leave the body's on its shortest way along an axis without meeting a leaf: then all of it
 * is outside. Asks less of each node than a ray does, and nearly all that is not near the surface is free.
 */
function isFree(body: usize, boxes: usize, low: v128, high: v128): boolean {
  const down = sub4(high, v128.load(boxes));
  const up = sub4(v128.load(boxes, 16), low);
  const least = f32x4.pmin(down, up);
  const isX = x4(least) <= y4(least) && x4(least) <= z4(least);
  const isY = !isX && y4(least) <= z4(least);
  const axis = isX ? i32x4(-1, 0, 0, 0) : isY ? i32x4(0, -1, 0, 0) : i32x4(0, 0, -1, 0);
  const goesDown = f32x4.lt(down, up);
  const from = select4(v128.and(axis, goesDown), splat4(-Infinity), low);
  const to = select4(v128.andnot(axis, goesDown), splat4(Infinity), high);
  const nodes: usize = load<u32>(body + BODY_TREE);
  const end: usize = load<u32>(nodes + NODE_SPAN);
  for (let node: usize = 0; node < end; ) {
    if (!overlaps(boxes + node, from, to)) {
      node += load<u32>(nodes + node + NODE_SPAN);
      continue;
    }
    if (load<u32>(nodes + node + NODE_COUNT) > 0) return false;
    node += NODE_BYTES;
  }
  return true;
}

/** Whether a point of a body's frame is inside it at the start of the step: a ray meets the surface an odd number of times. */
// @ts-ignore: decorator
@inline function isInside(body: usize, boxes: usize, point: v128): boolean {
  const apart = v128.or(f32x4.lt(point, v128.load(boxes)), f32x4.gt(point, v128.load(boxes, 16)));
  return (i32x4.bitmask(apart) & 7) == 0 && !isFree(body, boxes, point, point) && leavesOddly(body, boxes, point);
}

/** Whether a ray from a point within a body's box meets its surface an odd number of times. */
function leavesOddly(body: usize, boxes: usize, point: v128): boolean {
  const nodes: usize = load<u32>(body + BODY_TREE);
  const starts: usize = load<u32>(body + BODY_STARTS);
  const triangles: usize = load<u32>(body + BODY_TREE_TRIANGLES);
  const ray = shortestRay(point, v128.load(boxes), v128.load(boxes, 16));
  // The fourth lane says that the ray begins at 0.
  const inverse = f32x4.replace_lane(div4(splat4(1), ray), 3, 0);
  const end: usize = load<u32>(nodes + NODE_SPAN);
  let hits = 0;
  for (let node: usize = 0; node < end; ) {
    const one = mul4(sub4(v128.load(boxes + node), point), inverse);
    const other = mul4(sub4(v128.load(boxes + node, 16), point), inverse);
    const enters = f32x4.pmin(one, other);
    const leaves = f32x4.pmax(one, other);
    const entersLate = f32x4.pmax(enters, v128.shuffle<f32>(enters, enters, 2, 3, 0, 1));
    const last = f32x4.pmax(entersLate, yzx4(entersLate));
    const first = f32x4.pmin(leaves, f32x4.pmin(yzx4(leaves), splatZ4(leaves)));
    if ((i32x4.bitmask(f32x4.gt(last, first)) & 1) != 0) {
      node += load<u32>(nodes + node + NODE_SPAN);
      continue;
    }
    const count: i32 = load<i32>(nodes + node + NODE_COUNT);
    if (count > 0) {
      loadTriangles(starts, triangles + <usize>load<u32>(nodes + node + NODE_LINK) * 12, count);
      hits += popcnt(metByRay(point, ray) & ((1 << count) - 1));
    }
    node += NODE_BYTES;
  }
  return (hits & 1) == 1;
}

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

/** Marks what of a body lies inside the other, keeps what is deeper than contact looks; returns how many vertices are far in. */
function markInside(body: usize, other: usize, side: i32, farFrom: f32): i32 {
  const normals: usize = load<u32>(body + BODY_NORMALS);
  const count: usize = load<u32>(body + BODY_COUNT);
  const marks = particleList(side);
  memory.fill(marks, 0, (count + 7) & ~7);
  markTouched(other, side, marks);
  markDeep(body, other, marks);
  let far = 0;
  for (let i: usize = 0; i < count; i += 8) {
    // Marks of eight, most of them none; in the order of the particles, as sums depend on it.
    for (let left = load<u64>(marks + i) & INSIDE_OF_EIGHT; left != 0; left &= left - 1) {
      const k = (i + (<usize>ctz(left) >> 3)) << 4;
      const mark = load<u8>(marks + (k >> 4));
      const isNear = mark != INSIDE;
      const normal = v128.load(normals + k);
      if (!isNear) keepDeep(side, k);
      if (isNear && !reachesFar(candidateOf(side, k), normal, farFrom)) continue;
      store<u8>(marks + (k >> 4), mark | FAR);
      far++;
    }
  }
  return far;
}

/** Whether a vertex near the other's surface is far in; see the reference. */
// @ts-ignore: decorator
@inline function reachesFar(candidate: usize, normal: v128, farFrom: f32): boolean {
  if (dot3(v128.load(candidate + FACE), normal) > SAME_WAY * sqrt(dot3(normal, normal))) return true;
  return load<f32>(candidate + HEIGHT) < -farFrom;
}

/** Marks the vertices that are near the other's surface, and those of them that are not outside. */
function markTouched(other: usize, side: i32, marks: usize): void {
  const surface = SURFACE * <f32>load<f64>(other + BODY_EDGE);
  const touched = side == 0 ? touchedA : touchedB;
  for (let n = 0; n < touched; n++) {
    const vertex = touchedVertex(side, n);
    const isOutside = load<f32>(candidateOf(side, vertex) + HEIGHT) > surface;
    store<u8>(marks + (vertex >> 4), isOutside ? NEAR : NEAR | INSIDE);
  }
}

/** Marks the vertices inside the other that are not near its surface. */
function markDeep(body: usize, other: usize, marks: usize): void {
  const nodes: usize = load<u32>(body + BODY_TREE);
  const boxes: usize = load<u32>(body + BODY_TREE_BOXES);
  const otherBoxes: usize = load<u32>(other + BODY_TREE_BOXES);
  const shift = sub4(splat4(0), offsetOf(body, other));
  const low = sub4(v128.load(otherBoxes), shift);
  const high = sub4(v128.load(otherBoxes, 16), shift);
  const end: usize = load<u32>(nodes + NODE_SPAN);
  for (let at: usize = 0; at < end; ) {
    const span: usize = load<u32>(nodes + at + NODE_SPAN);
    const isApart = !overlaps(boxes + at, low, high);
    if (!isApart && span <= SUBTREE) markSubtree(body, load<u32>(nodes + at + NODE_SUBTREE), other, shift, marks);
    at += isApart || span <= SUBTREE ? span : NODE_BYTES;
  }
}

/** The same for a subtree: where the box of all that are in question is free, none of them is inside. */
function markSubtree(body: usize, place: usize, other: usize, shift: v128, marks: usize): void {
  const starts: usize = load<u32>(body + BODY_STARTS);
  const boxes: usize = load<u32>(other + BODY_TREE_BOXES);
  const subtree = <usize>load<u32>(body + BODY_SUBTREES) + place / SUBTREE_SHARE;
  let at = <usize>load<u32>(body + BODY_SUBTREE_PARTICLES) + <usize>load<u32>(subtree + SUBTREE_PARTICLES);
  const last = at + (<usize>load<u8>(subtree + <usize>load<u32>(subtree + SUBTREE_COUNT) + SUBTREE_STARTS) << 2);
  let low = splat4(Infinity);
  let high = splat4(-Infinity);
  let end = scratch;
  for (; at < last; at += 4) {
    const k: usize = load<u32>(at);
    const point = add4(v128.load(starts + k), shift);
    if (load<u8>(marks + (k >> 4)) != 0 || !overlaps(boxes, point, point)) continue;
    low = f32x4.pmin(low, point);
    high = f32x4.pmax(high, point);
    store<u32>(end, <u32>k);
    end += 4;
  }
  if (end == scratch || isFree(other, boxes, low, high)) return;
  for (let n = scratch; n < end; n += 4) {
    const k: usize = load<u32>(n);
    if (isInside(other, boxes, add4(v128.load(starts + k), shift))) store<u8>(marks + (k >> 4), INSIDE);
  }
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
  const before = load<u32>(a + BODY_DEEP) != 0 && load<u32>(b + BODY_DEEP) != 0;
  if (!before && !isDue(a, b) && !mayOverlap(a, b, 0) && !mayOverlap(b, a, 1)) return false;
  const size = <f32>min(load<f64>(a + BODY_SIZE), load<f64>(b + BODY_SIZE));
  const farFrom: f32 = slowTime(a, b) > STUCK_FOR ? STUCK_DEPTH * size : Infinity;
  const far = markInside(a, b, 0, farFrom) + markInside(b, a, 1, farFrom);
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

/** For how long both have been slow [s]. */
function slowTime(a: usize, b: usize): f32 {
  return min(load<f32>(a + BODY_SLOW_TIME), load<f32>(b + BODY_SLOW_TIME));
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

/** Finds where a vertex comes out of a body; returns how far it is, or `furthest`. */
function findExit(candidate: usize, body: usize, point: v128, ray: v128, furthest: f32): f32 {
  const nodes: usize = load<u32>(body + BODY_TREE);
  const boxes: usize = load<u32>(body + BODY_TREE_BOXES);
  const starts: usize = load<u32>(body + BODY_STARTS);
  const triangles: usize = load<u32>(body + BODY_TREE_TRIANGLES);
  const inverse = f32x4.replace_lane(div4(splat4(1), ray), 3, 0);
  const end: usize = load<u32>(nodes + NODE_SPAN);
  for (let node: usize = 0; node < end; ) {
    const one = mul4(sub4(v128.load(boxes + node), point), inverse);
    const other = mul4(sub4(v128.load(boxes + node, 16), point), inverse);
    const enters = f32x4.replace_lane(f32x4.pmin(one, other), 3, 0);
    const leaves = f32x4.replace_lane(f32x4.pmax(one, other), 3, furthest);
    const first = max(max(x4(enters), y4(enters)), max(z4(enters), w4(enters)));
    const last = min(min(x4(leaves), y4(leaves)), min(z4(leaves), w4(leaves)));
    if (first > last) {
      node += load<u32>(nodes + node + NODE_SPAN);
      continue;
    }
    const count: i32 = load<i32>(nodes + node + NODE_COUNT);
    if (count > 0) {
      const leaf = triangles + <usize>load<u32>(nodes + node + NODE_LINK) * 12;
      loadTriangles(starts, leaf, count);
      const hits = metByRay(point, ray) & ((1 << count) - 1);
      for (let lane = 0; lane < count; lane++) {
        if ((hits & (1 << lane)) == 0 || laneOf(rayShare, lane) >= furthest) continue;
        furthest = laneOf(rayShare, lane);
        keepExit(candidate, leaf + <usize>(12 * lane), laneOf(rayB, lane), laneOf(rayC, lane), furthest);
      }
    }
    node += NODE_BYTES;
  }
  return furthest;
}

// @ts-ignore: decorator
@inline function laneOf(v: v128, lane: i32): f32 {
  return lane < 2 ? (lane == 0 ? x4(v) : y4(v)) : lane == 2 ? z4(v) : w4(v);
}

/** How far around a pocket bodies are moved with what is in it, in sizes of the smaller one. */
const AROUND: f32 = <f32>tuning.AROUND;
/** The same at least, where another pocket is near. */
const AROUND_LEAST: f32 = <f32>tuning.AROUND_LEAST;
/** The extent of a pocket around which bodies are moved as wholes, in the same unit. */
const EVERYWHERE: f32 = <f32>tuning.EVERYWHERE;

/** Moves the two bodies of a deep pair apart around the deepest pocket, a bounded way per step, and takes their approach there. */
export function separate(pair: usize, timeStep: f32): void {
  const a: usize = load<u32>(pair + PAIR_A);
  const b: usize = load<u32>(pair + PAIR_B);
  const way = f32x4.replace_lane(v128.load(pair + PAIR_WAY), 3, 0);
  const middle = v128.load(pair + PAIR_POCKET);
  const middleB = sub4(middle, offsetOf(a, b));
  const size = <f32>min(load<f64>(a + BODY_SIZE), load<f64>(b + BODY_SIZE));
  const inner = w4(middle);
  const outer = load<f32>(pair + PAIR_WAY, 12);
  // Of the bodies as they are by now: others may have stopped them already.
  const velocityA = meanAround(a, middle, inner, outer);
  const velocityB = meanAround(b, middleB, inner, outer);
  const massA: f64 = isAsleep(a) ? Infinity : load<f64>(a + BODY_MASS) * w4(velocityA);
  const massB: f64 = isAsleep(b) ? Infinity : load<f64>(b + BODY_MASS) * w4(velocityB);
  const shareA: f32 = massB == Infinity ? 1 : massA == Infinity ? 0 : <f32>(massB / (massA + massB));
  const stop = max<f32>(0, dot3(sub4(velocityB, velocityA), way));
  const hurry = min<f32>(HURRIED, <f32>1 + HURRY * slowTime(a, b));
  const leave = min(SPEED * size, (hurry * load<f32>(pair + PAIR_DEEP)) / LEAVE_TIME);
  const shift = (leave + stop) * timeStep;
  move(a, middle, inner, outer, way, shareA * shift, shareA * stop);
  move(b, middleB, inner, outer, way, (shareA - 1) * shift, (shareA - 1) * stop);
}

/** By how much a particle at a squared distance from the middle of a pocket is moved with it: 1 within, 0 far away. */
// @ts-ignore: decorator
@inline function weightAt(point: v128, middle: v128, inner: f32, outer: f32): f32 {
  const d = sub4(point, middle);
  const t = min<f32>(1, max<f32>(0, (outer - sqrt(dot3(d, d))) / (outer - inner)));
  return t * t * (<f32>3 - <f32>2 * t);
}

/** Mean velocity of a body around a pocket, and the share of its mass that this is. */
function meanAround(body: usize, middle: v128, inner: f32, outer: f32): v128 {
  const starts: usize = load<u32>(body + BODY_STARTS);
  const shares: usize = load<u32>(body + BODY_MASS_SHARES);
  const velocities: usize = load<u32>(body + BODY_VELOCITIES);
  const count: usize = load<u32>(body + BODY_COUNT);
  let sum = splat4(0);
  let mass: f32 = 0;
  for (let i: usize = 0; i < count; i++) {
    const weight = load<f32>(shares + (i << 2)) * weightAt(v128.load(starts + (i << 4)), middle, inner, outer);
    sum = madd4(splat4(weight), v128.load(velocities + (i << 4)), sum);
    mass += weight;
  }
  mass = max<f32>(mass, 1e-6);
  return f32x4.replace_lane(mul4(splat4(<f32>1 / mass), sum), 3, mass);
}

// @ts-ignore: decorator
@inline export function isAsleep(body: usize): boolean {
  return (load<u32>(body + BODY_FLAGS) & FLAG_ASLEEP) != 0;
}

function move(body: usize, middle: v128, inner: f32, outer: f32, way: v128, shift: f32, speed: f32): void {
  if (shift == 0) return;
  const starts: usize = load<u32>(body + BODY_STARTS);
  const positions: usize = load<u32>(body + BODY_POSITIONS);
  const velocities: usize = load<u32>(body + BODY_VELOCITIES);
  const pinned: usize = load<u32>(body + BODY_PINNED);
  const count: usize = load<u32>(body + BODY_COUNT);
  for (let i: usize = 0; i < count; i++) {
    if (load<u8>(pinned + i) != 0) continue;
    const k = i << 4;
    const weight = weightAt(v128.load(starts + k), middle, inner, outer);
    v128.store(positions + k, madd4(splat4(weight * shift), way, v128.load(positions + k)));
    v128.store(velocities + k, madd4(splat4(weight * speed), way, v128.load(velocities + k)));
  }
}
