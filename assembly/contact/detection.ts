// Vertices of one body against triangles of another: two trees are descended together, and each vertex keeps the nearest
// triangle at the start of the step, and where it moves fast the first it meets on its way. Mirrors
// src/contact/detection.ts. Each body has a frame of its own; `offset` leads from the first one's to the second's.

import {
  BODY_CROSSED, BODY_EDGE, BODY_FRICTION, BODY_NEAR_LEAVES, BODY_NEAR_OFFSETS, BODY_NORMALS, BODY_ORIGIN, BODY_POSITIONS, BODY_RESTITUTION,
  BODY_STARTS, BODY_TREE, BODY_TREE_BOXES, BODY_TREE_MEMBERS, BODY_TREE_REST_BOXES, CONTACT_BYTES, NODE_BYTES, NODE_COUNT, NODE_LINK,
  NODE_MEMBERS, NODE_OWNED, NODE_SPAN, PAIR_A, PAIR_B, PAIR_CONTACTS, PAIR_COUNT_A, PAIR_COUNT_B, TWIG_LEAVES,
} from '../layout';
import { add4, div4, dot3, mul4, splat4, splatX4, splatY4, splatZ4, sub4, vector30, vector4 } from '../simd/lanes';
import { boxesOverlap, longestEdge, marginOf } from './bvh';
import {
  candidateOf, FACE, HEIGHT, MET_B, MET_C, MET_NORMAL, MET_TRIANGLE, noteLeaves, scratch, squareOf, TIME as MEETING, touchedA, touchedB,
  touchedVertex, TRIANGLE, VECTOR, WEIGHT_B, WEIGHT_C,
} from './candidates';
import { GAP, NORMAL, PARTICLES, RESTITUTION, SHIFT, THICKNESS as KEPT, TIME, WEIGHTS } from './contact-list';
import { beginPair, restNear, testVertex, thickness } from './leaf-test';
import { testTwigs } from './twigs';

/** Points of one body nearer than this at rest, in mean edges, never touch: the surface between them bends. */
export const REST_NEAR: f32 = 3;
/** Cosine of the angle from which on a surface has a crease, and a way out does not follow its normal: 30°. */
const CREASE: f32 = 0.866;
/** Twigs are branches of up to this size, in bytes of nodes. */
const TWIG: u32 = (2 * TWIG_LEAVES - 1) * NODE_BYTES;
/** Share of the thickness below which a distance has no direction of its own. */
const NO_DISTANCE: f32 = 1e-3;

/** From a's frame to b's. */
export function offsetOf(a: usize, b: usize): v128 {
  return vector30(
    <f32>(load<f64>(b + BODY_ORIGIN) - load<f64>(a + BODY_ORIGIN)),
    <f32>(load<f64>(b + BODY_ORIGIN, 8) - load<f64>(a + BODY_ORIGIN, 8)),
    <f32>(load<f64>(b + BODY_ORIGIN, 16) - load<f64>(a + BODY_ORIGIN, 16)),
  );
}

/** Finds the candidates of a's vertices against b's triangles (side 0) and the other way round (side 1). */
export function findCandidates(a: usize, b: usize): void {
  beginPair(a, b, 0);
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
      continue;
    }
    const splitsA = isSplitFirst(spanA, spanB);
    if (spanA > TWIG && spanB > TWIG) {
      const leftA = i + NODE_BYTES;
      const rightA: usize = load<u32>(nodesA + i + NODE_LINK);
      const leftB = j + NODE_BYTES;
      const rightB: usize = load<u32>(nodesB + j + NODE_LINK);
      // Where the halves of the one are followed by those of the other, all four pairs of halves are tested at once.
      const bothSplit = splitsA
        ? !isSplitFirst(load<u32>(nodesA + leftA + NODE_SPAN), spanB) && !isSplitFirst(load<u32>(nodesA + rightA + NODE_SPAN), spanB)
        : isSplitFirst(spanA, load<u32>(nodesB + leftB + NODE_SPAN)) && isSplitFirst(spanA, load<u32>(nodesB + rightB + NODE_SPAN));
      if (bothSplit) {
        const lowLeft = sub4(v128.load(boxesA + leftA), offset);
        const highLeft = sub4(v128.load(boxesA + leftA, 16), offset);
        const lowRight = sub4(v128.load(boxesA + rightA), offset);
        const highRight = sub4(v128.load(boxesA + rightA, 16), offset);
        top = pushIf(overlaps(boxesB + rightB, lowRight, highRight), top, <u32>rightA, <u32>rightB);
        const leftRight = overlaps(boxesB + rightB, lowLeft, highLeft);
        const rightLeft = overlaps(boxesB + leftB, lowRight, highRight);
        if (splitsA) {
          top = pushIf(rightLeft, top, <u32>rightA, <u32>leftB);
          top = pushIf(leftRight, top, <u32>leftA, <u32>rightB);
        } else {
          top = pushIf(leftRight, top, <u32>leftA, <u32>rightB);
          top = pushIf(rightLeft, top, <u32>rightA, <u32>leftB);
        }
        top = pushIf(overlaps(boxesB + leftB, lowLeft, highLeft), top, <u32>leftA, <u32>leftB);
        continue;
      }
    }
    if (splitsA) {
      const low = add4(v128.load(boxesB + j), offset);
      const high = add4(v128.load(boxesB + j, 16), offset);
      const left = i + NODE_BYTES;
      const right: usize = load<u32>(nodesA + i + NODE_LINK);
      top = pushIf(overlaps(boxesA + right, low, high), top, <u32>right, <u32>j);
      top = pushIf(overlaps(boxesA + left, low, high), top, <u32>left, <u32>j);
    } else {
      const low = sub4(v128.load(boxesA + i), offset);
      const high = sub4(v128.load(boxesA + i, 16), offset);
      const left = j + NODE_BYTES;
      const right: usize = load<u32>(nodesB + j + NODE_LINK);
      top = pushIf(overlaps(boxesB + right, low, high), top, <u32>i, <u32>right);
      top = pushIf(overlaps(boxesB + left, low, high), top, <u32>i, <u32>left);
    }
  }
}

/** Whether of two branches, one of them no twig, the first is split; by their sizes in bytes of nodes. */
// @ts-ignore: decorator
@inline function isSplitFirst(spanA: u32, spanB: u32): boolean {
  return spanB <= TWIG || (spanA > TWIG && spanA >= spanB);
}

/** Pushes where the condition holds; without a branch, as half of them do not. */
// @ts-ignore: decorator
@inline export function pushIf(condition: boolean, top: usize, i: u32, j: u32): usize {
  store<u32>(top, i);
  store<u32>(top, j, 4);
  return top + (<usize>condition << 3);
}

/** Whether a box has a point in common with the one from `low` to `high`. */
// @ts-ignore: decorator
@inline export function overlaps(box: usize, low: v128, high: v128): boolean {
  const apart = v128.or(f32x4.gt(v128.load(box), high), f32x4.gt(low, v128.load(box, 16)));
  return (i32x4.bitmask(apart) & 7) == 0;
}

// @ts-ignore: decorator
@inline export function push(top: usize, i: u32, j: u32): usize {
  store<u32>(top, i);
  store<u32>(top, j, 4);
  return top + 8;
}

/** Finds the candidates of a body's vertices against its own triangles, but for those that were near at rest. */
export function findSelfCandidates(body: usize): void {
  beginPair(body, body, REST_NEAR * <f32>load<f64>(body + BODY_EDGE));
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
  const last = member + (<usize>load<u16>(node + NODE_OWNED) << 2);
  for (; member < last; member += 4) {
    const k: usize = load<u32>(member);
    const start = v128.load(starts + k);
    const end = v128.load(ends + k);
    const apart = v128.or(f32x4.lt(f32x4.pmax(start, end), low), f32x4.gt(f32x4.pmin(start, end), high));
    if ((i32x4.bitmask(apart) & 7) == 0) testVertex(k, start, end, body, j, 0, 0);
  }
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
  const first = v128.load(normals + <usize>load<u32>(triangle));
  const second = v128.load(normals + <usize>load<u32>(triangle, 4));
  const third = v128.load(normals + <usize>load<u32>(triangle, 8));
  // A vertex without a normal gets none.
  const lengths = f32x4.sqrt(vector4(dot3(first, first), dot3(second, second), dot3(third, third)));
  const scales = v128.and(div4(splat4(1), lengths), f32x4.gt(lengths, splat4(0)));
  let smooth = mul4(splat4(<f32>1 - wb - wc), smoothed(mul4(splatX4(scales), first), face));
  smooth = add4(smooth, mul4(splat4(wb), smoothed(mul4(splatY4(scales), second), face)));
  smooth = add4(smooth, mul4(splat4(wc), smoothed(mul4(splatZ4(scales), third), face)));
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

/** The unit normal of a vertex, or the triangle's own where the two are too different. */
// @ts-ignore: decorator
@inline function smoothed(unit: v128, face: v128): v128 {
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
