// Vertices of one body against triangles of another: two trees are descended together, and each vertex keeps the nearest
// triangle at the start of the step, and where it moves fast the first it meets on its way. Mirrors
// src/contact/narrow-phase/detection.ts. Each body has a frame of its own; `offset` leads from the first one's to the second's.

import * as tuning from '../../../src/contact/broad-phase/tuning';
import {
  BODY_EDGE, BODY_NEAR_LEAVES, BODY_NEAR_OFFSETS, BODY_ORIGIN, BODY_POSITIONS, BODY_STARTS, BODY_TREE, BODY_TREE_BOXES, BODY_TREE_MEMBERS,
  BODY_TREE_REST_BOXES, NODE_BYTES, NODE_COUNT, NODE_LINK, NODE_MEMBERS, NODE_OWNED, NODE_SPAN, SUBTREE_LEAVES,
} from '../../layout';
import { add4, dot3, splat4, sub4, vector30 } from '../../simd/lanes';
import { boxesOverlap, longestEdge, marginOf } from '../broad-phase/bvh';
import { noteLeaves, scratch } from './candidates';
import { beginPair, restNear, testVertex } from './leaf-test';
import { testSubtrees } from './subtree-test';

/** Points of one body nearer than this at rest, in mean edges, never touch: the surface between them bends. */
export const REST_NEAR: f32 = <f32>tuning.REST_NEAR;
/** Subtrees are branches of up to this size, in bytes of nodes. */
export const SUBTREE: u32 = (2 * SUBTREE_LEAVES - 1) * NODE_BYTES;
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
    if (spanA <= SUBTREE && spanB <= SUBTREE) {
      testSubtrees(a, i, b, j, offset);
      continue;
    }
    const splitsA = isSplitFirst(spanA, spanB);
    if (spanA > SUBTREE && spanB > SUBTREE) {
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

/** Whether of two branches, one of them no subtree, the first is split; by their sizes in bytes of nodes. */
// @ts-ignore: decorator
@inline function isSplitFirst(spanA: u32, spanB: u32): boolean {
  return spanB <= SUBTREE || (spanA > SUBTREE && spanA >= spanB);
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
