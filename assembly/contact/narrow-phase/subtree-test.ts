// Vertices and leaves of two subtrees, small branches of two bodies' trees, against each other. The leaves' boxes lie in rows,
// so that four are tested at a time, and vertices are sorted out without branches: where they lie cannot be foreseen.

import {
  BODY_FLAGS, BODY_POSITIONS, BODY_STARTS, BODY_TREE, BODY_TREE_BOXES, BODY_SUBTREE_PARTICLES, BODY_SUBTREE_ROWS, BODY_SUBTREES, FLAG_ASLEEP, NODE_SUBTREE,
  SUBTREE_COUNT, SUBTREE_MOTIONS, SUBTREE_NODES, SUBTREE_PARTICLES, SUBTREE_ROW, SUBTREE_SHARE, SUBTREE_STARTS,
} from '../../layout';
import { add4, high4, low4, splat4, splatX4, splatY4, splatZ4, sub4 } from '../../simd/lanes';
import { marginOf } from '../broad-phase/bvh';
import { scratch, SUBTREES } from './candidates';
import { testVertex } from './leaf-test';

const ROWS_BYTES: usize = 6 * SUBTREE_ROW;

/** Vertices and leaves of subtrees i and j against each other: of each body those that reach into the other's. */
export function testSubtrees(a: usize, i: usize, b: usize, j: usize, offset: v128): void {
  const boxesA: usize = load<u32>(a + BODY_TREE_BOXES);
  const placeA: usize = load<u32>(<usize>load<u32>(a + BODY_TREE) + i + NODE_SUBTREE);
  const placeB: usize = load<u32>(<usize>load<u32>(b + BODY_TREE) + j + NODE_SUBTREE);
  const subtreeA = <usize>load<u32>(a + BODY_SUBTREES) + placeA / SUBTREE_SHARE;
  const subtreeB = <usize>load<u32>(b + BODY_SUBTREES) + placeB / SUBTREE_SHARE;
  const rowsA = <usize>load<u32>(a + BODY_SUBTREE_ROWS) + placeA;
  const rowsB = <usize>load<u32>(b + BODY_SUBTREE_ROWS) + placeB;
  const wideA = scratch + SUBTREES;
  const wideB = wideA + ROWS_BYTES;
  const none = splat4(0);
  const marginA = splat4(marginOf(a));
  const marginB = splat4(marginOf(b));
  const leavesB = reachedLeaves(subtreeB, rowsB, offset, v128.load(boxesA + i), v128.load(boxesA + i, 16), marginA, wideB);
  if (leavesB == 0) return;
  const lowB = sub4(reachedLow, marginA);
  const highB = add4(reachedHigh, marginA);
  const leavesA = reachedLeaves(subtreeA, rowsA, none, reachedLow, reachedHigh, marginB, wideA);
  if (leavesA == 0) return;
  const lowA = sub4(reachedLow, marginB);
  const highA = add4(reachedHigh, marginB);
  const listA = wideB + ROWS_BYTES;
  const endA = listVertices(a, none, subtreeA, leavesA, lowB, highB, listA);
  if (endA > listA) testVertices(a, none, listA, endA, b, offset, subtreeB, rowsB, leavesB, wideB, 0);
  const endB = listVertices(b, offset, subtreeB, leavesB, lowA, highA, listA);
  if (endB > listA) testVertices(b, offset, listA, endB, a, none, subtreeA, rowsA, leavesA, wideA, 1);
}

// Bounds of the leaves found last.
let reachedLow: v128 = i64x2.splat(0);
let reachedHigh: v128 = i64x2.splat(0);

/**
 * The leaves of a subtree, as bits, that reach into a box of the first body's frame, to which `offset` leads; writes the bounds
 * of all of them and `margin` beyond, to be tested four at a time.
 */
function reachedLeaves(subtree: usize, rows: usize, offset: v128, low: v128, high: v128, margin: v128, wide: usize): i32 {
  const count: usize = load<u32>(subtree + SUBTREE_COUNT);
  const offsetX = splatX4(offset), offsetY = splatY4(offset), offsetZ = splatZ4(offset);
  const lowX = splatX4(low), lowY = splatY4(low), lowZ = splatZ4(low);
  const highX = splatX4(high), highY = splatY4(high), highZ = splatZ4(high);
  let leastX = splat4(Infinity), leastY = leastX, leastZ = leastX;
  let mostX = splat4(-Infinity), mostY = mostX, mostZ = mostX;
  let reached = 0;
  for (let lane: usize = 0; lane < count; lane += 4) {
    const at = rows + (lane << 2);
    const to = wide + (lane << 2);
    const fromX = add4(v128.load(at), offsetX);
    const fromY = add4(v128.load(at, SUBTREE_ROW), offsetY);
    const fromZ = add4(v128.load(at, 2 * SUBTREE_ROW), offsetZ);
    const toX = add4(v128.load(at, 3 * SUBTREE_ROW), offsetX);
    const toY = add4(v128.load(at, 4 * SUBTREE_ROW), offsetY);
    const toZ = add4(v128.load(at, 5 * SUBTREE_ROW), offsetZ);
    const apartX = v128.or(f32x4.gt(lowX, toX), f32x4.gt(fromX, highX));
    const apartY = v128.or(f32x4.gt(lowY, toY), f32x4.gt(fromY, highY));
    const apartZ = v128.or(f32x4.gt(lowZ, toZ), f32x4.gt(fromZ, highZ));
    const unlisted = i32x4.ge_s(i32x4(0, 1, 2, 3), i32x4.splat(<i32>(count - lane)));
    // Lanes that are not reached become no numbers, which are neither less nor more.
    const apart = v128.or(v128.or(apartX, apartY), v128.or(apartZ, unlisted));
    reached |= (~i32x4.bitmask(apart) & 15) << <i32>lane;
    leastX = f32x4.pmin(leastX, v128.or(fromX, apart));
    leastY = f32x4.pmin(leastY, v128.or(fromY, apart));
    leastZ = f32x4.pmin(leastZ, v128.or(fromZ, apart));
    mostX = f32x4.pmax(mostX, v128.or(toX, apart));
    mostY = f32x4.pmax(mostY, v128.or(toY, apart));
    mostZ = f32x4.pmax(mostZ, v128.or(toZ, apart));
    v128.store(to, sub4(fromX, margin));
    v128.store(to, sub4(fromY, margin), SUBTREE_ROW);
    v128.store(to, sub4(fromZ, margin), 2 * SUBTREE_ROW);
    v128.store(to, add4(toX, margin), 3 * SUBTREE_ROW);
    v128.store(to, add4(toY, margin), 4 * SUBTREE_ROW);
    v128.store(to, add4(toZ, margin), 5 * SUBTREE_ROW);
  }
  // The least of four lanes of each row, as a vector.
  const leastXY = f32x4.pmin(low4(leastX, leastY), high4(leastX, leastY));
  const leastZZ = f32x4.pmin(low4(leastZ, leastZ), high4(leastZ, leastZ));
  reachedLow = f32x4.pmin(v128.shuffle<f32>(leastXY, leastZZ, 0, 1, 4, 5), v128.shuffle<f32>(leastXY, leastZZ, 2, 3, 6, 7));
  const mostXY = f32x4.pmax(low4(mostX, mostY), high4(mostX, mostY));
  const mostZZ = f32x4.pmax(low4(mostZ, mostZ), high4(mostZ, mostZ));
  reachedHigh = f32x4.pmax(v128.shuffle<f32>(mostXY, mostZZ, 0, 1, 4, 5), v128.shuffle<f32>(mostXY, mostZZ, 2, 3, 6, 7));
  return reached;
}

/** Lists at `list` the vertices of a subtree's leaves, from the first to the last given, that reach into a box; returns the end. */
function listVertices(body: usize, offset: v128, subtree: usize, leaves: i32, low: v128, high: v128, list: usize): usize {
  const starts: usize = load<u32>(body + BODY_STARTS);
  const ends: usize = load<u32>(body + BODY_POSITIONS);
  const particles = <usize>load<u32>(body + BODY_SUBTREE_PARTICLES) + <usize>load<u32>(subtree + SUBTREE_PARTICLES);
  const last = particles + (<usize>load<u8>(subtree + <usize>(32 - clz(leaves)) + SUBTREE_STARTS) << 2);
  for (let at = particles + (<usize>load<u8>(subtree + <usize>ctz(leaves) + SUBTREE_STARTS) << 2); at < last; at += 4) {
    const k: usize = load<u32>(at);
    const start = v128.load(starts + k);
    const end = v128.load(ends + k);
    const from = add4(f32x4.pmin(start, end), offset);
    const to = add4(f32x4.pmax(start, end), offset);
    store<u32>(list, <u32>k);
    list += <usize>((i32x4.bitmask(v128.or(f32x4.gt(from, high), f32x4.gt(low, to))) & 7) == 0) << 2;
  }
  return list;
}

/** Listed vertices of one body against the triangles of the other's leaves; offsets lead to the pair's frame. */
function testVertices(
  body: usize, offset: v128, list: usize, last: usize, other: usize, otherOffset: v128, subtree: usize, rows: usize, leaves: i32,
  wide: usize,
  side: i32,
): void {
  const starts: usize = load<u32>(body + BODY_STARTS);
  const ends: usize = load<u32>(body + BODY_POSITIONS);
  const shift = sub4(offset, otherOffset);
  const isAsleep = (load<u32>(other + BODY_FLAGS) & FLAG_ASLEEP) != 0;
  for (; list < last; list += 4) {
    const k: usize = load<u32>(list);
    const start = v128.load(starts + k);
    const end = v128.load(ends + k);
    const low = add4(f32x4.pmin(start, end), offset);
    const high = add4(f32x4.pmax(start, end), offset);
    let reached = (lanesReached(wide, low, high) | (lanesReached(wide + 16, low, high) << 4)) & leaves;
    for (; reached != 0; reached &= reached - 1) {
      const lane = <usize>ctz(reached);
      // A sleeping body's bounds are those of when it last moved.
      const motions = isAsleep ? 0 : rows + SUBTREE_MOTIONS + (lane << 5);
      testVertex(k, add4(start, shift), add4(end, shift), other, load<u32>(subtree + (lane << 2) + SUBTREE_NODES), side, motions);
    }
  }
}

/** Which of four boxes in rows have a point in common with one. */
// @ts-ignore: decorator
@inline function lanesReached(rows: usize, low: v128, high: v128): i32 {
  const apartX = v128.or(f32x4.gt(splatX4(low), v128.load(rows, 3 * SUBTREE_ROW)), f32x4.gt(v128.load(rows), splatX4(high)));
  const apartY = v128.or(f32x4.gt(splatY4(low), v128.load(rows, 4 * SUBTREE_ROW)), f32x4.gt(v128.load(rows, SUBTREE_ROW), splatY4(high)));
  const belowZ = f32x4.gt(splatZ4(low), v128.load(rows, 5 * SUBTREE_ROW));
  const apartZ = v128.or(belowZ, f32x4.gt(v128.load(rows, 2 * SUBTREE_ROW), splatZ4(high)));
  return ~i32x4.bitmask(v128.or(apartX, v128.or(apartY, apartZ))) & 15;
}
