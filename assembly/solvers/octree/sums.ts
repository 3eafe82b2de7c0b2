// Sums over all regions at once, and their transpose: see src/solvers/octree/sums.ts. Values of the leaves are written to the
// tree's own rows and read from there. A row is of 6, 12 or 16 numbers.

import { add2 } from '../../simd/doubles';
import { MEMBER_OFFSETS, MEMBERS, NODE_COUNT, PARENTS, TREE, TREE_COUNT } from './layout';

/** Bytes of the longest row. */
const LONGEST = 128;

/** Row of the first leaf. */
export function leafRows(bytes: usize): usize {
  const inner = load<u32>(TREE_COUNT) - load<u32>(NODE_COUNT);
  return load<u32>(TREE) + bytes * inner;
}

/** Adds the rows of nodes to those above them, from the leaves up; those above begin with nothing. */
function sumUp(bytes: usize): void {
  const tree: usize = load<u32>(TREE);
  const parents: usize = load<u32>(PARENTS);
  memory.fill(tree, 0, leafRows(bytes) - tree);
  for (let i: i32 = load<i32>(TREE_COUNT) - 1; i >= 0; i--) {
    const parent = load<i32>(parents + 4 * i);
    if (parent < 0) continue;
    const to = tree + bytes * parent;
    const from = tree + bytes * i;
    for (let at: usize = 0; at < bytes; at += 16) {
      v128.store(to + at, add2(v128.load(to + at), v128.load(from + at)));
    }
  }
}

/** out[r] = Σ of the rows of the leaves in region r, 12 numbers each. */
export function sumMembers12(out: usize): void {
  sumUp(96);
  const tree: usize = load<u32>(TREE);
  const offsets: usize = load<u32>(MEMBER_OFFSETS);
  const members: usize = load<u32>(MEMBERS);
  const count: usize = load<u32>(NODE_COUNT);
  let m: usize = members;
  for (let r: usize = 0; r < count; r++, out += 96) {
    const end = members + 4 * load<u32>(offsets + 4 * r + 4);
    let a = f64x2.splat(0);
    let b = a;
    let c = a;
    let d = a;
    let e = a;
    let f = a;
    for (; m < end; m += 4) {
      const from = tree + 96 * load<u32>(m);
      a = add2(a, v128.load(from));
      b = add2(b, v128.load(from, 16));
      c = add2(c, v128.load(from, 32));
      d = add2(d, v128.load(from, 48));
      e = add2(e, v128.load(from, 64));
      f = add2(f, v128.load(from, 80));
    }
    v128.store(out, a);
    v128.store(out, b, 16);
    v128.store(out, c, 32);
    v128.store(out, d, 48);
    v128.store(out, e, 64);
    v128.store(out, f, 80);
  }
}

/** The same with 16 numbers each. */
export function sumMembers16(out: usize): void {
  sumUp(LONGEST);
  const tree: usize = load<u32>(TREE);
  const offsets: usize = load<u32>(MEMBER_OFFSETS);
  const members: usize = load<u32>(MEMBERS);
  const count: usize = load<u32>(NODE_COUNT);
  let m: usize = members;
  for (let r: usize = 0; r < count; r++, out += LONGEST) {
    const end = members + 4 * load<u32>(offsets + 4 * r + 4);
    let a = f64x2.splat(0);
    let b = a;
    let c = a;
    let d = a;
    let e = a;
    let f = a;
    let g = a;
    let h = a;
    for (; m < end; m += 4) {
      const from = tree + LONGEST * load<u32>(m);
      a = add2(a, v128.load(from));
      b = add2(b, v128.load(from, 16));
      c = add2(c, v128.load(from, 32));
      d = add2(d, v128.load(from, 48));
      e = add2(e, v128.load(from, 64));
      f = add2(f, v128.load(from, 80));
      g = add2(g, v128.load(from, 96));
      h = add2(h, v128.load(from, 112));
    }
    v128.store(out, a);
    v128.store(out, b, 16);
    v128.store(out, c, 32);
    v128.store(out, d, 48);
    v128.store(out, e, 64);
    v128.store(out, f, 80);
    v128.store(out, g, 96);
    v128.store(out, h, 112);
  }
}

/** Adds the rows of nodes to those below them. */
function sumDown(bytes: usize): void {
  const tree: usize = load<u32>(TREE);
  const parents: usize = load<u32>(PARENTS);
  const count: i32 = load<i32>(TREE_COUNT);
  for (let i: i32 = 0; i < count; i++) {
    const parent = load<i32>(parents + 4 * i);
    if (parent < 0) continue;
    const from = tree + bytes * parent;
    const to = tree + bytes * i;
    for (let at: usize = 0; at < bytes; at += 16) {
      v128.store(to + at, add2(v128.load(to + at), v128.load(from + at)));
    }
  }
}

/** Leaf i's row = Σ of the values of the regions that hold it, 12 numbers each. */
export function sumRegions12(values: usize): void {
  const tree: usize = load<u32>(TREE);
  memory.fill(tree, 0, 96 * load<u32>(TREE_COUNT));
  const offsets: usize = load<u32>(MEMBER_OFFSETS);
  const members: usize = load<u32>(MEMBERS);
  const count: usize = load<u32>(NODE_COUNT);
  let m: usize = members;
  for (let r: usize = 0; r < count; r++, values += 96) {
    const end = members + 4 * load<u32>(offsets + 4 * r + 4);
    const a = v128.load(values);
    const b = v128.load(values, 16);
    const c = v128.load(values, 32);
    const d = v128.load(values, 48);
    const e = v128.load(values, 64);
    const f = v128.load(values, 80);
    for (; m < end; m += 4) {
      const to = tree + 96 * load<u32>(m);
      v128.store(to, add2(v128.load(to), a));
      v128.store(to, add2(v128.load(to, 16), b), 16);
      v128.store(to, add2(v128.load(to, 32), c), 32);
      v128.store(to, add2(v128.load(to, 48), d), 48);
      v128.store(to, add2(v128.load(to, 64), e), 64);
      v128.store(to, add2(v128.load(to, 80), f), 80);
    }
  }
  sumDown(96);
}

/** The same with 6 numbers each. */
export function sumRegions6(values: usize): void {
  const tree: usize = load<u32>(TREE);
  memory.fill(tree, 0, 48 * load<u32>(TREE_COUNT));
  const offsets: usize = load<u32>(MEMBER_OFFSETS);
  const members: usize = load<u32>(MEMBERS);
  const count: usize = load<u32>(NODE_COUNT);
  let m: usize = members;
  for (let r: usize = 0; r < count; r++, values += 48) {
    const end = members + 4 * load<u32>(offsets + 4 * r + 4);
    const a = v128.load(values);
    const b = v128.load(values, 16);
    const c = v128.load(values, 32);
    for (; m < end; m += 4) {
      const to = tree + 48 * load<u32>(m);
      v128.store(to, add2(v128.load(to), a));
      v128.store(to, add2(v128.load(to, 16), b), 16);
      v128.store(to, add2(v128.load(to, 32), c), 32);
    }
  }
  sumDown(48);
}
