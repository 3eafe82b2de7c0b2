// Edges against edges, of two bodies or of one: what vertices and triangles do not see of thin or sharp parts that cross.
// Mirrors src/contact/narrow-phase/edge-detection.ts. Each body has a frame of its own; `offset` leads from the first's to the second's.

import * as tuning from '../../../src/contact/narrow-phase/tuning';
import {
  BODY_EDGE, BODY_NORMALS, BODY_PAIR_LENGTHS, BODY_POSITIONS, BODY_REST_POSITIONS, BODY_STARTS, BODY_TREE,
  BODY_TREE_BOXES, BODY_TREE_EDGES, NODE_BYTES, NODE_COUNT, NODE_EDGE_COUNT, NODE_EDGES, NODE_LINK,
  NODE_SHARP, PAIR_A, PAIR_B, PAIR_COUNT_EDGES,
} from '../../layout';
import { add4, dot3, madd4, splat4, sub4 } from '../../simd/lanes';
import { boxesOverlap, longestEdge, marginOf } from '../broad-phase/bvh';
import { leafPairs, leafPairsEnd, scratch } from './candidates';
import { GAP, PARTICLES, THICKNESS as KEPT, TIME, WEIGHTS } from '../response/feature-contacts';
import { offsetOf, overlaps, push, pushIf, REST_NEAR } from './detection';
import { crossEdges, crossGap, crossNormal, crossS, crossT, crossTime, flipCrossing, meetEdges } from './edge-edge';
import { THICKNESS } from './leaf-test';
import { wayAt } from '../soft/pockets';
import { newContact, paintFriction, putNormal } from './vertex-contacts';

/** Gap between edges, in that between vertices and triangles: where those keep theirs, edges have nothing to do. */
const EDGE_GAP: f32 = <f32>tuning.EDGE_GAP;
/** Cosine between the normal of two edges and the outward normals of their bodies from which the bodies face each other. */
const FACING: f32 = <f32>tuning.FACING;
/** Edges of one body are opposite walls up to this distance at rest, in ways through the body there. */
const WALL: f32 = <f32>tuning.WALL;

// What the pair has in common: the gap to keep, how far to look, squared distance at rest below which nothing touches
// (self-contact only), from the first one's frame to the second's and back; and contacts found.
let kept: f32 = 0;
let reach: f32 = 0;
let restNear: f32 = 0;
let offset: v128 = i64x2.splat(0);
let shift: v128 = i64x2.splat(0);
let found: i32 = 0;
/** Whether the two lie deep in each other: edges in pockets are left alone. */
let hasPockets: boolean = false;

// The edge of the first body at the start and at the end of the step, that of the second in the same frame.
let p: v128 = i64x2.splat(0);
let q: v128 = i64x2.splat(0);
let pEnd: v128 = i64x2.splat(0);
let qEnd: v128 = i64x2.splat(0);
let r: v128 = i64x2.splat(0);
let u: v128 = i64x2.splat(0);
let rEnd: v128 = i64x2.splat(0);
let uEnd: v128 = i64x2.splat(0);

/** Makes contacts of the edges of a pair, after those of its vertices; of two that lie deep in each other not in pockets. */
export function listEdges(pair: usize, isDeep: boolean): void {
  hasPockets = isDeep;
  const a: usize = load<u32>(pair + PAIR_A);
  const b: usize = load<u32>(pair + PAIR_B);
  found = 0;
  if (a == b) findSelfEdges(a);
  else if (isSharp(a) && isSharp(b)) findEdges(a, b);
  store<i32>(pair + PAIR_COUNT_EDGES, found);
}

/** Whether a body has sharp edges. */
// @ts-ignore: decorator
@inline function isSharp(body: usize): boolean {
  return load<u16>(<usize>load<u32>(body + BODY_TREE) + NODE_SHARP) != 0;
}

function begin(a: usize, b: usize): void {
  kept = EDGE_GAP * THICKNESS * min(<f32>load<f64>(a + BODY_EDGE), <f32>load<f64>(b + BODY_EDGE));
  reach = marginOf(a) + marginOf(b);
  offset = offsetOf(a, b);
  shift = sub4(splat4(0), offset);
  restNear = 0;
}

/** The sharp edges of two bodies. */
function findEdges(a: usize, b: usize): void {
  begin(a, b);
  const nodesA: usize = load<u32>(a + BODY_TREE);
  const nodesB: usize = load<u32>(b + BODY_TREE);
  const boxesA: usize = load<u32>(a + BODY_TREE_BOXES);
  const boxesB: usize = load<u32>(b + BODY_TREE_BOXES);
  if (!boxesOverlap(boxesA, boxesB, offset)) return;
  let top = push(scratch, 0, 0);
  while (top > scratch) {
    top -= 8;
    const m: usize = load<u32>(top);
    const n: usize = load<u32>(top, 4);
    const leafA = load<u32>(nodesA + m + NODE_COUNT) > 0;
    const leafB = load<u32>(nodesB + n + NODE_COUNT) > 0;
    if (leafA && leafB) {
      testLeaves(a, nodesA + m, b, nodesB + n, boxesB + n, NODE_SHARP);
    } else if (leafB || (!leafA && longestEdge(boxesA + m) >= longestEdge(boxesB + n))) {
      const low = add4(v128.load(boxesB + n), offset);
      const high = add4(v128.load(boxesB + n, 16), offset);
      const left = m + NODE_BYTES;
      const right: usize = load<u32>(nodesA + m + NODE_LINK);
      top = pushIf(isSharpWithin(nodesA + right, boxesA + right, low, high), top, <u32>right, <u32>n);
      top = pushIf(isSharpWithin(nodesA + left, boxesA + left, low, high), top, <u32>left, <u32>n);
    } else {
      const low = sub4(v128.load(boxesA + m), offset);
      const high = sub4(v128.load(boxesA + m, 16), offset);
      const left = n + NODE_BYTES;
      const right: usize = load<u32>(nodesB + n + NODE_LINK);
      top = pushIf(isSharpWithin(nodesB + right, boxesB + right, low, high), top, <u32>m, <u32>right);
      top = pushIf(isSharpWithin(nodesB + left, boxesB + left, low, high), top, <u32>m, <u32>left);
    }
  }
}

/** Whether a branch has sharp edges and its box a point in common with the one from `low` to `high`. */
// @ts-ignore: decorator
@inline function isSharpWithin(node: usize, box: usize, low: v128, high: v128): boolean {
  return (<i32>(load<u16>(node + NODE_SHARP) != 0) & <i32>overlaps(box, low, high)) != 0;
}

/** All edges of a body, but for those that were near at rest, in the leaves that its vertices were tested in. */
function findSelfEdges(body: usize): void {
  begin(body, body);
  const near = REST_NEAR * <f32>load<f64>(body + BODY_EDGE);
  restNear = near * near;
  const nodes: usize = load<u32>(body + BODY_TREE);
  const boxes: usize = load<u32>(body + BODY_TREE_BOXES);
  for (let at = leafPairs; at < leafPairsEnd; at += 8) {
    const m: usize = load<u32>(at);
    const n: usize = load<u32>(at, 4);
    testLeaves(body, nodes + m, body, nodes + n, boxes + n, NODE_EDGE_COUNT);
  }
}

/** The edges of leaf m of a, as many as its field `count` says, against those of leaf n of b. */
function testLeaves(a: usize, m: usize, b: usize, n: usize, boxB: usize, count: usize): void {
  const edgesA: usize = load<u32>(a + BODY_TREE_EDGES);
  const edgesB: usize = load<u32>(b + BODY_TREE_EDGES);
  const startsA: usize = load<u32>(a + BODY_STARTS);
  const endsA: usize = load<u32>(a + BODY_POSITIONS);
  const startsB: usize = load<u32>(b + BODY_STARTS);
  const endsB: usize = load<u32>(b + BODY_POSITIONS);
  const rest: usize = load<u32>(a + BODY_REST_POSITIONS);
  const low = add4(v128.load(boxB), offset);
  const high = add4(v128.load(boxB, 16), offset);
  const gap = splat4(kept);
  let e = edgesA + (<usize>load<u32>(m + NODE_EDGES) << 3);
  const lastE = e + (<usize>load<u16>(m + count) << 3);
  const firstF = edgesB + (<usize>load<u32>(n + NODE_EDGES) << 3);
  const lastF = firstF + (<usize>load<u16>(n + count) << 3);
  for (; e < lastE; e += 8) {
    const i: usize = load<u32>(e);
    const j: usize = load<u32>(e, 4);
    p = v128.load(startsA + i);
    q = v128.load(startsA + j);
    pEnd = v128.load(endsA + i);
    qEnd = v128.load(endsA + j);
    const lowE = sub4(f32x4.pmin(f32x4.pmin(p, q), f32x4.pmin(pEnd, qEnd)), gap);
    const highE = add4(f32x4.pmax(f32x4.pmax(p, q), f32x4.pmax(pEnd, qEnd)), gap);
    if ((i32x4.bitmask(v128.or(f32x4.gt(lowE, high), f32x4.lt(highE, low))) & 7) != 0) continue;
    const restP = v128.load(rest + i);
    const restQ = v128.load(rest + j);
    for (let f = a == b && m == n ? e + 8 : firstF; f < lastF; f += 8) {
      const k: usize = load<u32>(f);
      const l: usize = load<u32>(f, 4);
      if (restNear > 0 && isNear(restP, v128.load(rest + k), restNear)) continue;
      r = add4(v128.load(startsB + k), offset);
      u = add4(v128.load(startsB + l), offset);
      rEnd = add4(v128.load(endsB + k), offset);
      uEnd = add4(v128.load(endsB + l), offset);
      const lowF = f32x4.pmin(f32x4.pmin(r, u), f32x4.pmin(rEnd, uEnd));
      const highF = f32x4.pmax(f32x4.pmax(r, u), f32x4.pmax(rEnd, uEnd));
      if ((i32x4.bitmask(v128.or(f32x4.gt(lowE, highF), f32x4.lt(highE, lowF))) & 7) != 0) continue;
      if (restNear > 0) {
        const restK = v128.load(rest + k);
        const restL = v128.load(rest + l);
        if (isNear(restQ, restK, restNear) || isNear(restP, restL, restNear) || isNear(restQ, restL, restNear)) continue;
      }
      if (hasPockets && (isInPocket(0, i) || isInPocket(0, j) || isInPocket(1, k) || isInPocket(1, l))) continue;
      if (a == b ? findSelfCrossing(a, i, j, k, l) : findCrossing(a, i, j, b, k, l)) add(a, i, j, b, k, l);
    }
  }
}

// @ts-ignore: decorator
@inline function isInPocket(side: i32, vertex: usize): boolean {
  return v128.any_true(wayAt(side, vertex));
}

// @ts-ignore: decorator
@inline function isNear(a: v128, b: v128, square: f32): boolean {
  const d = sub4(a, b);
  return dot3(d, d) < square;
}

/** Distance at the end of the step between the points that crossed at its start, along their normal. */
function endGap(): f32 {
  const first = madd4(splat4(crossS), sub4(qEnd, pEnd), pEnd);
  const second = madd4(splat4(crossT), sub4(uEnd, rEnd), rEnd);
  return dot3(crossNormal, sub4(first, second));
}

/** Whether edges of two bodies touch, and where, with the normal that leads out of the second body. */
function findCrossing(a: usize, i: usize, j: usize, b: usize, k: usize, l: usize): boolean {
  if (crossEdges(p, q, r, u) && abs(crossGap) <= reach) {
    const facing = face(a, i, j, b, k, l);
    if (facing < 0) flipCrossing();
    if (abs(facing) > FACING && endGap() < kept) return true;
  }
  return meetEdges(p, q, pEnd, qEnd, r, u, rEnd, uEnd) && face(a, i, j, b, k, l) >= FACING;
}

/** How much two bodies face each other along the normal of their edges, −1…1; negative against it, 0 if not at all. */
function face(a: usize, i: usize, j: usize, b: usize, k: usize, l: usize): f32 {
  const normalsA: usize = load<u32>(a + BODY_NORMALS);
  const normalsB: usize = load<u32>(b + BODY_NORMALS);
  const own = (<f32>1 - crossS) * along(normalsA + i) + crossS * along(normalsA + j);
  const other = (<f32>1 - crossT) * along(normalsB + k) + crossT * along(normalsB + l);
  if (other > 0 && own < 0) return min(other, -own);
  return other < 0 && own > 0 ? max(other, -own) : 0;
}

/** Cosine between the edges' normal and that of a vertex. */
// @ts-ignore: decorator
@inline function along(at: usize): f32 {
  const normal = v128.load(at);
  const length = sqrt(dot3(normal, normal));
  return length > 0 ? dot3(crossNormal, normal) / length : 0;
}

/** Whether edges of one body touch. What has passed through already is let back. */
function findSelfCrossing(body: usize, i: usize, j: usize, k: usize, l: usize): boolean {
  if (crossEdges(p, q, r, u) && abs(crossGap) <= reach) {
    if (crossGap < 0) flipCrossing();
    if (endGap() < kept && isKept(body, i, j, k, l)) return true;
  }
  return meetEdges(p, q, pEnd, qEnd, r, u, rEnd, uEnd) && isKept(body, i, j, k, l);
}

/** Whether edges of one body belong on the side where they are: facing each other from outside, or as opposite walls from within. */
function isKept(body: usize, i: usize, j: usize, k: usize, l: usize): boolean {
  const facing = face(body, i, j, body, k, l);
  if (facing > FACING) return true;
  if (facing > -FACING) return false;
  const lengths: usize = load<u32>(body + BODY_PAIR_LENGTHS);
  const thickness = WALL * min(
    min(load<f32>(lengths + (i >> 2)), load<f32>(lengths + (j >> 2))),
    min(load<f32>(lengths + (k >> 2)), load<f32>(lengths + (l >> 2))),
  );
  const rest: usize = load<u32>(body + BODY_REST_POSITIONS);
  const square = thickness * thickness;
  return (
    isNear(v128.load(rest + i), v128.load(rest + k), square) || isNear(v128.load(rest + i), v128.load(rest + l), square) ||
    isNear(v128.load(rest + j), v128.load(rest + k), square) || isNear(v128.load(rest + j), v128.load(rest + l), square)
  );
}

function add(a: usize, i: usize, j: usize, b: usize, k: usize, l: usize): void {
  found++;
  const contact = newContact(a, b);
  store<u32>(contact + PARTICLES, <u32>i);
  store<u32>(contact + PARTICLES, <u32>j, 4);
  store<u32>(contact + PARTICLES, <u32>k, 8);
  store<u32>(contact + PARTICLES, <u32>l, 12);
  store<f32>(contact + WEIGHTS, <f32>1 - crossS);
  store<f32>(contact + WEIGHTS, crossS, 4);
  store<f32>(contact + WEIGHTS, crossT - <f32>1, 8);
  store<f32>(contact + WEIGHTS, -crossT, 12);
  paintFriction(contact, a, b, 8);
  store<f32>(contact + KEPT, kept);
  store<f32>(contact + TIME, crossTime);
  store<f32>(contact + GAP, crossTime > 0 ? kept : crossGap);
  putNormal(contact, crossNormal, shift);
}
