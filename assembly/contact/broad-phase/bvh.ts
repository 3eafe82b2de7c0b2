// The tree of boxes over a body's triangles, fitted anew in every step. Mirrors src/contact/broad-phase/bvh.ts: a box is two vectors,
// and a leaf knows its particles, so that each is read once.

import * as tuning from '../../../src/contact/broad-phase/tuning';
import {
  BODY_EDGE, BODY_FLAGS, BODY_POSITIONS, BODY_STARTS, BODY_TREE, BODY_TREE_BOXES, BODY_TREE_MEMBERS, BODY_TREE_NODES,
  BODY_SUBTREE_ROWS, FLAG_SELF, NODE_BYTES, NODE_COUNT, NODE_LINK, NODE_MEMBER_COUNT, NODE_MEMBERS, NODE_SUBTREE, SUBTREE_MOTIONS, SUBTREE_ROW, SUBTREE_ROWS_BYTES,
} from '../../layout';
import { add4, splat4, sub4, x4, y4, z4 } from '../../simd/lanes';

/** How far beyond its triangles a body looks for others, in its mean edges; further where it looks for itself. */
const MARGIN: f32 = <f32>tuning.MARGIN;
const SELF_MARGIN: f32 = <f32>tuning.SELF_MARGIN;

/** The same in metres. */
// @ts-ignore: decorator
@inline export function marginOf(body: usize): f32 {
  const looksForItself = (load<u32>(body + BODY_FLAGS) & FLAG_SELF) != 0;
  return (looksForItself ? SELF_MARGIN : MARGIN) * <f32>load<f64>(body + BODY_EDGE);
}

/** Fits the boxes to where the triangles are from the start to the end of the step, and the margin beyond. */
export function refitTree(body: usize): void {
  const nodes: usize = load<u32>(body + BODY_TREE);
  const boxes: usize = load<u32>(body + BODY_TREE_BOXES);
  const members: usize = load<u32>(body + BODY_TREE_MEMBERS);
  const starts: usize = load<u32>(body + BODY_STARTS);
  const ends: usize = load<u32>(body + BODY_POSITIONS);
  const rows: usize = load<u32>(body + BODY_SUBTREE_ROWS);
  const margin = f32x4.replace_lane(splat4(marginOf(body)), 3, 0);
  // Children come after their parent.
  for (let at = <usize>load<u32>(body + BODY_TREE_NODES) * NODE_BYTES; at > 0; ) {
    at -= NODE_BYTES;
    const node = nodes + at;
    const box = boxes + at;
    if (load<u32>(node + NODE_COUNT) == 0) {
      const left = box + NODE_BYTES;
      const right = boxes + <usize>load<u32>(node + NODE_LINK);
      v128.store(box, f32x4.pmin(v128.load(left), v128.load(right)));
      v128.store(box, f32x4.pmax(v128.load(left, 16), v128.load(right, 16)), 16);
      continue;
    }
    let member = members + (<usize>load<u32>(node + NODE_MEMBERS) << 2);
    const last = member + (<usize>load<u16>(node + NODE_MEMBER_COUNT) << 2);
    let low = splat4(Infinity);
    let high = splat4(-Infinity);
    let least = splat4(Infinity);
    let most = splat4(-Infinity);
    for (; member < last; member += 4) {
      const k: usize = load<u32>(member);
      const a = v128.load(starts + k);
      const b = v128.load(ends + k);
      low = f32x4.pmin(low, f32x4.pmin(a, b));
      high = f32x4.pmax(high, f32x4.pmax(a, b));
      const motion = sub4(b, a);
      least = f32x4.pmin(least, motion);
      most = f32x4.pmax(most, motion);
    }
    low = sub4(low, margin);
    high = add4(high, margin);
    v128.store(box, low);
    v128.store(box, high, 16);
    const lane = rows + <usize>load<u32>(node + NODE_SUBTREE);
    v128.store_lane<f32>(lane, low, 0);
    v128.store_lane<f32>(lane, low, 1, SUBTREE_ROW);
    v128.store_lane<f32>(lane, low, 2, 2 * SUBTREE_ROW);
    v128.store_lane<f32>(lane, high, 0, 3 * SUBTREE_ROW);
    v128.store_lane<f32>(lane, high, 1, 4 * SUBTREE_ROW);
    v128.store_lane<f32>(lane, high, 2, 5 * SUBTREE_ROW);
    const motions = motionsAt(rows, load<u32>(node + NODE_SUBTREE));
    v128.store(motions, least);
    v128.store(motions, most, 16);
  }
}

/** Where the lowest and the highest displacement of a leaf are, by its place in the subtrees' rows. */
// @ts-ignore: decorator
@inline export function motionsAt(rows: usize, leaf: usize): usize {
  const lane = leaf & (SUBTREE_ROWS_BYTES - 1);
  return rows + leaf - lane + SUBTREE_MOTIONS + (lane << 3);
}

/** Whether two boxes have a point in common, `offset` from the first one's frame to the second's. */
// @ts-ignore: decorator
@inline export function boxesOverlap(a: usize, b: usize, offset: v128): boolean {
  const apart = v128.or(
    f32x4.gt(v128.load(a), add4(v128.load(b, 16), offset)),
    f32x4.gt(add4(v128.load(b), offset), v128.load(a, 16)),
  );
  return (i32x4.bitmask(apart) & 7) == 0;
}

/** Longest edge of a box [m]. */
// @ts-ignore: decorator
@inline export function longestEdge(box: usize): f32 {
  const edge = sub4(v128.load(box, 16), v128.load(box));
  return max(x4(edge), max(y4(edge), z4(edge)));
}
