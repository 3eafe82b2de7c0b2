// Vertices of one body against triangles of another: two trees are descended together, and each vertex keeps the nearest
// triangle at the start of the step, and where it moves fast the first it meets on its way. Mirrors
// src/contact/detection.ts. Each body has a frame of its own; `offset` leads from the first one's to the second's.

import {
  BODY_BOX, BODY_CROSSED, BODY_EDGE, BODY_FRICTION, BODY_NEAR_LEAVES, BODY_NEAR_OFFSETS, BODY_NORMALS, BODY_ORIGIN, BODY_POSITIONS, BODY_REST_POSITIONS,
  BODY_RESTITUTION, BODY_SLOW, BODY_STARTS, BODY_TREE, BODY_TREE_BOXES, BODY_TREE_MEMBERS, BODY_TREE_REST_BOXES,
  BODY_TREE_TRIANGLES, CONTACT_BYTES, NODE_BYTES, NODE_COUNT, NODE_LINK, NODE_MEMBERS, NODE_OWNED, NODE_SPAN, PAIR_A, PAIR_B,
  PAIR_CONTACTS, PAIR_COUNT_A, PAIR_COUNT_B,
} from '../layout';
import { add4, dot3, mul4, splat4, splatX4, splatY4, splatZ4, sub4, vector30, x4, y4, z4 } from '../simd/lanes';
import { boxesOverlap, longestEdge, marginOf } from './bvh';
import {
  candidateOf, FACE, HEIGHT, keepMeeting, keepNearest, MET_B, MET_C, MET_NORMAL, MET_TRIANGLE, near, noteLeaves, SAME_DISTANCE, scratch, squareOf,
  squareToTriangle, TIME as MEETING, TWIG_BYTES, TWIG_LEAVES, TWIG_ROW, TWIGS, touchedA, touchedB, touchedVertex, TRIANGLE, VECTOR, WEIGHT_B, WEIGHT_C,
} from './candidates';
import { GAP, NORMAL, PARTICLES, RESTITUTION, SHIFT, THICKNESS as KEPT, TIME, WEIGHTS } from './contact-list';
import { loadTriangles, meetTriangle, NEAR_SQUARE, nearestOfFour } from './vertex-triangle';

/** Gap between surfaces in contact, in mean edges of the finer body: hides what vertices do not see of edges. */
export const THICKNESS: f32 = 0.05;
/** Points of one body nearer than this at rest, in mean edges, never touch: the surface between them bends. */
export const REST_NEAR: f32 = 3;
/** Cosine of the angle from which on a surface has a crease, and a way out does not follow its normal: 30°. */
const CREASE: f32 = 0.866;
/** Branches of up to this size, in bytes of nodes, are tested leaf by leaf. */
const TWIG: u32 = (2 * TWIG_LEAVES - 1) * NODE_BYTES;
/** Covers the rounding of distances and ways that are compared, squared. */
const WAY_SLACK: f32 = 1.001;
/** Share of the thickness below which a distance has no direction of its own. */
const NO_DISTANCE: f32 = 1e-3;

// What the pair has in common: gap to keep, squared distance within which triangles are looked at, whether vertices may
// be fast, motion that is slow, and squared distance at rest below which nothing touches (self-contact only).
let thickness: f32 = 0;
let range2: f32 = 0;
let fast: boolean = false;
let slow: f32 = 0;
let restNear: f32 = 0;

/** From a's frame to b's. */
export function offsetOf(a: usize, b: usize): v128 {
  return vector30(
    <f32>(load<f64>(b + BODY_ORIGIN) - load<f64>(a + BODY_ORIGIN)),
    <f32>(load<f64>(b + BODY_ORIGIN, 8) - load<f64>(a + BODY_ORIGIN, 8)),
    <f32>(load<f64>(b + BODY_ORIGIN, 16) - load<f64>(a + BODY_ORIGIN, 16)),
  );
}

function beginPair(a: usize, b: usize): void {
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
  restNear = 0;
}

/** Finds the candidates of a's vertices against b's triangles (side 0) and the other way round (side 1). */
export function findCandidates(a: usize, b: usize): void {
  beginPair(a, b);
  const offset = offsetOf(a, b);
  const nodesA: usize = load<u32>(a + BODY_TREE);
  const nodesB: usize = load<u32>(b + BODY_TREE);
  const boxesA: usize = load<u32>(a + BODY_TREE_BOXES);
  const boxesB: usize = load<u32>(b + BODY_TREE_BOXES);
  let top = push(scratch, 0, 0);
  while (top > scratch) {
    top -= 8;
    const i: usize = load<u32>(top);
    const j: usize = load<u32>(top, 4);
    const spanA = load<u32>(nodesA + i + NODE_SPAN);
    const spanB = load<u32>(nodesB + j + NODE_SPAN);
    if (spanA <= TWIG && spanB <= TWIG) {
      testTwigs(a, i, b, j, offset);
    } else if (spanB <= TWIG || (spanA > TWIG && spanA >= spanB)) {
      const low = add4(v128.load(boxesB + j), offset);
      const high = add4(v128.load(boxesB + j, 16), offset);
      const left = i + NODE_BYTES;
      const right: usize = load<u32>(nodesA + i + NODE_LINK);
      if (overlaps(boxesA + right, low, high)) top = push(top, <u32>right, <u32>j);
      if (overlaps(boxesA + left, low, high)) top = push(top, <u32>left, <u32>j);
    } else {
      const low = sub4(v128.load(boxesA + i), offset);
      const high = sub4(v128.load(boxesA + i, 16), offset);
      const left = j + NODE_BYTES;
      const right: usize = load<u32>(nodesB + j + NODE_LINK);
      if (overlaps(boxesB + right, low, high)) top = push(top, <u32>i, <u32>right);
      if (overlaps(boxesB + left, low, high)) top = push(top, <u32>i, <u32>left);
    }
  }
}

/** Whether a box has a point in common with the one from `low` to `high`. */
// @ts-ignore: decorator
@inline function overlaps(box: usize, low: v128, high: v128): boolean {
  const apart = v128.or(f32x4.gt(v128.load(box), high), f32x4.gt(low, v128.load(box, 16)));
  return (i32x4.bitmask(apart) & 7) == 0;
}

/** Vertices and leaves of two small branches against each other: of each body those that reach into the other's. */
function testTwigs(a: usize, i: usize, b: usize, j: usize, offset: v128): void {
  const boxesA: usize = load<u32>(a + BODY_TREE_BOXES);
  const rowsA = scratch + TWIGS;
  const rowsB = rowsA + TWIG_BYTES;
  const none = splat4(0);
  const countB = gatherLeaves(b, j, offset, v128.load(boxesA + i), v128.load(boxesA + i, 16), marginOf(a), rowsB);
  if (countB == 0) return;
  const countA = gatherLeaves(a, i, none, gatheredLow, gatheredHigh, marginOf(b), rowsA);
  if (countA == 0) return;
  testVertices(a, none, rowsA, countA, b, offset, rowsB, countB, 0);
  testVertices(b, offset, rowsB, countB, a, none, rowsA, countA, 1);
}

// Bounds of the leaves gathered last.
let gatheredLow: v128 = i64x2.splat(0);
let gatheredHigh: v128 = i64x2.splat(0);

/**
 * Lists the leaves of a branch that reach into a box of the first body's frame, to which `offset` leads; returns their number.
 * In `rows`: their nodes, then the bounds of their boxes and `margin` beyond, to be tested four at a time.
 */
function gatherLeaves(body: usize, branch: usize, offset: v128, low: v128, high: v128, margin: f32, rows: usize): usize {
  const nodes: usize = load<u32>(body + BODY_TREE);
  const boxes: usize = load<u32>(body + BODY_TREE_BOXES);
  const end = branch + <usize>load<u32>(nodes + branch + NODE_SPAN);
  const margin4 = splat4(margin);
  let least = splat4(Infinity);
  let most = splat4(-Infinity);
  let count: usize = 0;
  for (let node = branch; node < end; node += NODE_BYTES) {
    if (load<u32>(nodes + node + NODE_COUNT) == 0) continue;
    const from = add4(v128.load(boxes + node), offset);
    const to = add4(v128.load(boxes + node, 16), offset);
    const apart = v128.or(f32x4.gt(low, to), f32x4.gt(from, high));
    if ((i32x4.bitmask(apart) & 7) != 0) continue;
    least = f32x4.pmin(least, from);
    most = f32x4.pmax(most, to);
    const wideFrom = sub4(from, margin4);
    const wideTo = add4(to, margin4);
    const at = rows + (count << 2);
    store<u32>(at, <u32>node);
    store<f32>(at, x4(wideFrom), TWIG_ROW);
    store<f32>(at, y4(wideFrom), 2 * TWIG_ROW);
    store<f32>(at, z4(wideFrom), 3 * TWIG_ROW);
    store<f32>(at, x4(wideTo), 4 * TWIG_ROW);
    store<f32>(at, y4(wideTo), 5 * TWIG_ROW);
    store<f32>(at, z4(wideTo), 6 * TWIG_ROW);
    count++;
  }
  gatheredLow = least;
  gatheredHigh = most;
  return count;
}

/** The vertices of gathered leaves of one body against the triangles of the other's; offsets lead to the pair's frame. */
function testVertices(
  body: usize, offset: v128, rows: usize, count: usize, other: usize, otherOffset: v128, otherRows: usize, otherCount: usize, side: i32,
): void {
  const nodes: usize = load<u32>(body + BODY_TREE);
  const members: usize = load<u32>(body + BODY_TREE_MEMBERS);
  const starts: usize = load<u32>(body + BODY_STARTS);
  const ends: usize = load<u32>(body + BODY_POSITIONS);
  const shift = sub4(offset, otherOffset);
  for (let n: usize = 0; n < count; n++) {
    const node = nodes + <usize>load<u32>(rows + (n << 2));
    let member = members + (<usize>load<u32>(node + NODE_MEMBERS) << 2);
    const last = member + (<usize>load<u32>(node + NODE_OWNED) << 2);
    for (; member < last; member += 4) {
      const k: usize = load<u32>(member);
      const start = v128.load(starts + k);
      const end = v128.load(ends + k);
      const low = add4(f32x4.pmin(start, end), offset);
      const high = add4(f32x4.pmax(start, end), offset);
      const lowX = splatX4(low);
      const lowY = splatY4(low);
      const lowZ = splatZ4(low);
      const highX = splatX4(high);
      const highY = splatY4(high);
      const highZ = splatZ4(high);
      for (let m: usize = 0; m < otherCount; m += 4) {
        const at = otherRows + (m << 2);
        const alongX = v128.or(f32x4.gt(lowX, v128.load(at, 4 * TWIG_ROW)), f32x4.gt(v128.load(at, TWIG_ROW), highX));
        const alongY = v128.or(f32x4.gt(lowY, v128.load(at, 5 * TWIG_ROW)), f32x4.gt(v128.load(at, 2 * TWIG_ROW), highY));
        const alongZ = v128.or(f32x4.gt(lowZ, v128.load(at, 6 * TWIG_ROW)), f32x4.gt(v128.load(at, 3 * TWIG_ROW), highZ));
        const listed = otherCount - m >= 4 ? 15 : (1 << <i32>(otherCount - m)) - 1;
        let reached = ~i32x4.bitmask(v128.or(alongX, v128.or(alongY, alongZ))) & listed;
        for (; reached != 0; reached &= reached - 1) {
          const leaf: usize = load<u32>(at + (<usize>ctz(reached) << 2));
          testVertex(k, add4(start, shift), add4(end, shift), other, leaf, side);
        }
      }
    }
  }
}

// @ts-ignore: decorator
@inline export function push(top: usize, i: u32, j: u32): usize {
  store<u32>(top, i);
  store<u32>(top, j, 4);
  return top + 8;
}

/** Finds the candidates of a body's vertices against its own triangles, but for those that were near at rest. */
export function findSelfCandidates(body: usize): void {
  beginPair(body, body);
  const reach = REST_NEAR * <f32>load<f64>(body + BODY_EDGE);
  restNear = reach * reach;
  const none = splat4(0);
  const nodes: usize = load<u32>(body + BODY_TREE);
  const boxes: usize = load<u32>(body + BODY_TREE_BOXES);
  const rest: usize = load<u32>(body + BODY_TREE_REST_BOXES);
  let top = push(scratch, 0, 0);
  while (top > scratch) {
    top -= 8;
    const i: usize = load<u32>(top);
    const j: usize = load<u32>(top, 4);
    if (unionSquare(rest + i, rest + j) < restNear || !boxesOverlap(boxes + i, boxes + j, none)) continue;
    const leafI = load<u32>(nodes + i + NODE_COUNT) > 0;
    const leafJ = load<u32>(nodes + j + NODE_COUNT) > 0;
    if (leafI && leafJ) {
      if (isNearLeaf(body, i, j)) continue;
      noteLeaves(i, j);
      testLeaf(body, i, j);
      if (i != j) testLeaf(body, j, i);
    } else if (i == j) {
      const left = <u32>(i + NODE_BYTES);
      const right: u32 = load<u32>(nodes + i + NODE_LINK);
      top = push(top, right, right);
      top = push(top, left, right);
      top = push(top, left, left);
    } else if (leafJ || (!leafI && longestEdge(boxes + i) >= longestEdge(boxes + j))) {
      top = push(top, load<u32>(nodes + i + NODE_LINK), <u32>j);
      top = push(top, <u32>(i + NODE_BYTES), <u32>j);
    } else {
      top = push(top, <u32>i, load<u32>(nodes + j + NODE_LINK));
      top = push(top, <u32>i, <u32>(j + NODE_BYTES));
    }
  }
}

/** Whether all of leaf j was near all of leaf i at rest, which comes before it in the tree. */
function isNearLeaf(body: usize, i: usize, j: usize): boolean {
  const offsets = <usize>load<u32>(body + BODY_NEAR_OFFSETS) + (i >> 3);
  const list: usize = load<u32>(body + BODY_NEAR_LEAVES);
  const last = list + (<usize>load<u32>(offsets, 4) << 2);
  for (let at = list + (<usize>load<u32>(offsets) << 2); at < last; at += 4) if (load<u32>(at) == <u32>j) return true;
  return false;
}

/** Squared diagonal of the box around two boxes [m²]. */
function unionSquare(a: usize, b: usize): f32 {
  const diagonal = sub4(f32x4.pmax(v128.load(a, 16), v128.load(b, 16)), f32x4.pmin(v128.load(a), v128.load(b)));
  return dot3(diagonal, diagonal);
}

/** The vertices of a body's leaf i against the triangles of its leaf j. */
function testLeaf(body: usize, i: usize, j: usize): void {
  const node = <usize>load<u32>(body + BODY_TREE) + i;
  const starts: usize = load<u32>(body + BODY_STARTS);
  const ends: usize = load<u32>(body + BODY_POSITIONS);
  const reach = splat4(marginOf(body));
  const box = <usize>load<u32>(body + BODY_TREE_BOXES) + j;
  const low = sub4(v128.load(box), reach);
  const high = add4(v128.load(box, 16), reach);
  let member = <usize>load<u32>(body + BODY_TREE_MEMBERS) + (<usize>load<u32>(node + NODE_MEMBERS) << 2);
  const last = member + (<usize>load<u32>(node + NODE_OWNED) << 2);
  for (; member < last; member += 4) {
    const k: usize = load<u32>(member);
    const start = v128.load(starts + k);
    const end = v128.load(ends + k);
    const apart = v128.or(f32x4.lt(f32x4.pmax(start, end), low), f32x4.gt(f32x4.pmin(start, end), high));
    if ((i32x4.bitmask(apart) & 7) == 0) testVertex(k, start, end, body, j, 0);
  }
}

/** A vertex on its way, in the frame of the body b, against the triangles of b's leaf. */
function testVertex(k: usize, start: v128, end: v128, b: usize, leaf: usize, side: i32): void {
  const node = <usize>load<u32>(b + BODY_TREE) + leaf;
  const count: i32 = load<i32>(node + NODE_COUNT);
  const triangles = <usize>load<u32>(b + BODY_TREE_TRIANGLES) + <usize>load<u32>(node + NODE_LINK) * 12;
  loadTriangles(load<u32>(b + BODY_STARTS), triangles, count);
  const squares = nearestOfFour(x4(start), y4(start), z4(start), near);
  let found = i32x4.bitmask(f32x4.le(squares, splat4(range2))) & ((1 << count) - 1);
  if (found == 0) return;
  if (restNear > 0) {
    for (let left = found; left != 0; left &= left - 1) {
      const lane = ctz(left);
      if (wasNear(b, k, triangles + <usize>lane * 12)) found &= ~(1 << lane);
      else keepNearest(side, k, triangles + <usize>lane * 12, lane);
    }
  } else {
    // Of those in reach only the nearest count.
    for (let left = found & i32x4.bitmask(f32x4.le(squares, nearestLimit(squares))); left != 0; left &= left - 1) {
      const lane = ctz(left);
      keepNearest(side, k, triangles + <usize>lane * 12, lane);
    }
  }
  if (!fast) return;
  for (; found != 0; found &= found - 1) {
    const lane = <usize>ctz(found);
    tryMeeting(b, k, triangles + lane * 12, start, end, side, load<f32>(near + (lane << 2), NEAR_SQUARE));
  }
}

/** The least of four squared distances, and what counts as the same, in all lanes. */
// @ts-ignore: decorator
@inline function nearestLimit(squares: v128): v128 {
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
  const way = sub4(end, start);
  const motion = sub4(way, sub4(aEnd, a));
  const motion2 = dot3(motion, motion);
  if (motion2 <= slow * slow * <f32>0.25) return;
  const b0 = v128.load(starts + q);
  const bEnd = v128.load(ends + q);
  const c0 = v128.load(starts + r);
  const cEnd = v128.load(ends + r);
  const motionB = sub4(way, sub4(bEnd, b0));
  const motionC = sub4(way, sub4(cEnd, c0));
  // No point of the triangle comes nearer than its corners do.
  if (max(motion2, max(dot3(motionB, motionB), dot3(motionC, motionC))) * WAY_SLACK < square) return;
  if (meetTriangle(start, end, a, b0, c0, aEnd, bEnd, cEnd, restNear > 0)) keepMeeting(side, k, triangle);
}

// Where the thread's contacts go.
let contactsAt: usize = 0;
let contactsEnd: usize = 0;

export function setContactRoom(from: usize, to: usize): void {
  contactsAt = from;
  contactsEnd = to;
}

/** Makes contacts of the candidates; a pair for which there is no room gets none, and what it wanted is counted. */
export function listContacts(pair: usize): i32 {
  const a: usize = load<u32>(pair + PAIR_A);
  const b: usize = load<u32>(pair + PAIR_B);
  const first = contactsAt;
  store<u32>(pair + PAIR_CONTACTS, <u32>first);
  const wanted = a == b ? listSide(a, a, 0) : 0;
  const countA = a == b ? wanted : listSide(a, b, 0);
  const countB = a == b ? 0 : listSide(b, a, 1);
  const fits = first + <usize>(countA + countB) * CONTACT_BYTES <= contactsEnd;
  if (!fits) contactsAt = contactsEnd;
  store<i32>(pair + PAIR_COUNT_A, countA);
  store<i32>(pair + PAIR_COUNT_B, countB);
  return countA + countB;
}

/** Lists the candidates of a's vertices against b's triangles; returns how many contacts they make. */
function listSide(a: usize, b: usize, side: i32): i32 {
  const touched = side == 0 ? touchedA : touchedB;
  const crossed: usize = load<u32>(a + BODY_CROSSED);
  const shift = sub4(splat4(0), offsetOf(a, b));
  let count = 0;
  for (let n = 0; n < touched; n++) {
    const vertex = touchedVertex(side, n);
    const candidate = candidateOf(side, vertex);
    const distance = sqrt(squareOf(candidate));
    // A body's own surface is kept on the side where it is, unless that is where it got to by passing through.
    const outside = a == b ? load<u8>(crossed + (vertex >> 4)) == 0 : load<f32>(candidate + HEIGHT) >= 0;
    if (a == b && distance <= NO_DISTANCE * thickness) continue;
    const triangle: usize = load<u32>(candidate + TRIANGLE);
    count++;
    let contact = addContact(a, b, vertex, triangle, load<f32>(candidate + WEIGHT_B), load<f32>(candidate + WEIGHT_C));
    if (contact != 0) writeNormal(b, candidate, distance, outside ? 1 : -1, contact, shift);
    const met: usize = load<u32>(candidate + MET_TRIANGLE);
    if (!outside || load<f32>(candidate + MEETING) > 1 || met == triangle) continue;
    count++;
    contact = addContact(a, b, vertex, met, load<f32>(candidate + MET_B), load<f32>(candidate + MET_C));
    if (contact == 0) continue;
    store<f32>(contact + GAP, thickness);
    store<f32>(contact + TIME, load<f32>(candidate + MEETING));
    putNormal(contact, v128.load(candidate + MET_NORMAL), shift);
  }
  return count;
}

/** The normal and what it makes of the way between the frames: (x_a + shift − x_b)·n. */
// @ts-ignore: decorator
@inline export function putNormal(contact: usize, normal: v128, shift: v128): void {
  const friction = load<f32>(contact + NORMAL, 12);
  v128.store(contact + NORMAL, f32x4.replace_lane(normal, 3, friction));
  store<f32>(contact + SHIFT, dot3(normal, shift));
}

/** Normal of a contact and the gap along it, see the reference: smooth where the surface is, else from the nearest point. */
function writeNormal(other: usize, candidate: usize, distance: f32, sign: f32, contact: usize, shift: v128): void {
  const normals: usize = load<u32>(other + BODY_NORMALS);
  const triangle: usize = load<u32>(candidate + TRIANGLE);
  const face = v128.load(candidate + FACE);
  const wb = load<f32>(candidate + WEIGHT_B);
  const wc = load<f32>(candidate + WEIGHT_C);
  let smooth = mul4(splat4(<f32>1 - wb - wc), smoothed(v128.load(normals + <usize>load<u32>(triangle)), face));
  smooth = add4(smooth, mul4(splat4(wb), smoothed(v128.load(normals + <usize>load<u32>(triangle, 4)), face)));
  smooth = add4(smooth, mul4(splat4(wc), smoothed(v128.load(normals + <usize>load<u32>(triangle, 8)), face)));
  const length = sqrt(dot3(smooth, smooth));
  // The side of the triangle on which the vertex is to be.
  const side: f32 = load<f32>(candidate + HEIGHT) * sign < 0 ? -1 : 1;
  smooth = mul4(splat4(length > 0 ? side / length : 0), smooth);
  const vector = v128.load(candidate + VECTOR);
  const along = dot3(smooth, vector);
  store<f32>(contact + TIME, 0);
  if (distance <= NO_DISTANCE * thickness || along * sign > CREASE * distance) {
    putNormal(contact, smooth, shift);
    store<f32>(contact + GAP, along);
  } else {
    putNormal(contact, mul4(splat4(sign / distance), vector), shift);
    store<f32>(contact + GAP, sign * distance);
  }
}

/** The unit of a vertex normal, or the triangle's own where the two are too different. */
// @ts-ignore: decorator
@inline function smoothed(normal: v128, face: v128): v128 {
  const length = sqrt(dot3(normal, normal));
  const unit = mul4(splat4(length > 0 ? <f32>1 / length : 0), normal);
  return dot3(unit, face) > CREASE ? unit : face;
}

/** Room for a new contact with what its bodies have in common, or 0 where there is none. */
export function newContact(a: usize, b: usize): usize {
  const contact = contactsAt;
  if (contact + CONTACT_BYTES > contactsEnd) return 0;
  contactsAt += CONTACT_BYTES;
  store<f32>(contact + NORMAL, <f32>sqrt(load<f64>(a + BODY_FRICTION) * load<f64>(b + BODY_FRICTION)), 12);
  store<f32>(contact + RESTITUTION, <f32>max(load<f64>(a + BODY_RESTITUTION), load<f64>(b + BODY_RESTITUTION)));
  return contact;
}

/** A new contact, or 0 where there is no room. */
function addContact(a: usize, b: usize, vertex: usize, triangle: usize, wb: f32, wc: f32): usize {
  const contact = newContact(a, b);
  if (contact == 0) return 0;
  store<u32>(contact + PARTICLES, <u32>vertex);
  store<u32>(contact + PARTICLES, load<u32>(triangle), 4);
  store<u32>(contact + PARTICLES, load<u32>(triangle, 4), 8);
  store<u32>(contact + PARTICLES, load<u32>(triangle, 8), 12);
  store<f32>(contact + WEIGHTS, 1);
  store<f32>(contact + WEIGHTS, wb + wc - 1, 4);
  store<f32>(contact + WEIGHTS, -wb, 8);
  store<f32>(contact + WEIGHTS, -wc, 12);
  store<f32>(contact + KEPT, thickness);
  return contact;
}
