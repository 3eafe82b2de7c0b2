// Where two bodies lie in each other: pockets, connected parts of what of each is inside the other. Each has a way of its own on which
// the first body leaves the second there. Mirrors src/contact/soft/pockets.ts.

import * as tuning from '../../../src/contact/soft/tuning';
import { BODY_COUNT, BODY_EDGE, BODY_NORMALS, BODY_RING_OFFSETS, BODY_RINGS, BODY_STARTS } from '../../layout';
import { add4, dot3, mul4, splat4, sub4 } from '../../simd/lanes';
import { candidateOf, particleList, POCKETS, scratch, secondList, touchedA, touchedB, touchedVertex, TRIANGLE } from '../narrow-phase/candidates';
import { offsetOf } from '../narrow-phase/detection';

/** Share of the surface inside whose normals cancel: no way out can be told by them. */
const NO_DIRECTION: f32 = <f32>tuning.NO_DIRECTION;
/** Marks of vertices: inside the other, near its surface, far in; above them the number of the pocket, from 1 on. */
export const INSIDE: u8 = <u8>tuning.INSIDE;
export const NEAR: u8 = <u8>tuning.NEAR;
export const FAR: u8 = <u8>tuning.FAR;
const NUMBER: u32 = 3;
/** The first of eight marks of vertices inside. */
export const INSIDE_OF_EIGHT: u64 = 0x0101010101010101;
/** Most pockets of a pair; what is beyond belongs to the last. */
const MOST: u32 = 31;

// A pocket: its box in the first body's frame; Σ n̄ of the second body's vertices less the first's, later the way, with Σ |n̄| behind it;
// how many vertices are far in, the pocket that it is one with, how far the deepest has to go.
const LOW: usize = 0;
const HIGH: usize = 16;
const WAY: usize = 32;
const AREA: usize = 44;
const DEEP: usize = 48;
const ROOT: usize = 52;
const DEPTH: usize = 56;
const POCKET_BYTES: usize = 64;

let count: u32 = 0;

// @ts-ignore: decorator
@inline function pocketAt(number: u32): usize {
  return scratch + POCKETS + <usize>number * POCKET_BYTES;
}

/** Gathers the pockets of a pair from the marks of its vertices. */
export function gatherPockets(a: usize, b: usize): void {
  count = 0;
  gatherSide(a, 0, splat4(0));
  gatherSide(b, 1, offsetOf(a, b));
  joinPockets(splat4(<f32>max(load<f64>(a + BODY_EDGE), load<f64>(b + BODY_EDGE))));
}

function gatherSide(body: usize, side: i32, shift: v128): void {
  const marks = particleList(side);
  const end: usize = load<u32>(body + BODY_COUNT);
  for (let i: usize = 0; i < end; i += 8) {
    for (let left = load<u64>(marks + i) & INSIDE_OF_EIGHT; left != 0; left &= left - 1) {
      const first = i + (<usize>ctz(left) >> 3);
      if (load<u8>(marks + first) >> <u8>NUMBER == 0) gatherFrom(body, side, first, shift);
    }
  }
}

/** A new pocket: all inside vertices that are connected with one by others. */
function gatherFrom(body: usize, side: i32, first: usize, shift: v128): void {
  const marks = particleList(side);
  const queue = secondList(side);
  const starts: usize = load<u32>(body + BODY_STARTS);
  const normals: usize = load<u32>(body + BODY_NORMALS);
  const rings: usize = load<u32>(body + BODY_RINGS);
  const ringOffsets: usize = load<u32>(body + BODY_RING_OFFSETS);
  if (count < MOST) beginPocket(++count);
  const pocket = pocketAt(count);
  const number = <u8>(count << NUMBER);
  const sign = splat4(side == 0 ? -1 : 1);
  let low = v128.load(pocket + LOW);
  let high = v128.load(pocket + HIGH);
  let sum = v128.load(pocket + WAY);
  let area = load<f32>(pocket + AREA);
  let deep: u32 = load<u32>(pocket + DEEP);
  store<u8>(marks + first, load<u8>(marks + first) | number);
  store<u32>(queue, <u32>first);
  let last = queue + 4;
  for (let at = queue; at < last; at += 4) {
    const i: usize = load<u32>(at);
    const point = add4(v128.load(starts + (i << 4)), shift);
    const normal = v128.load(normals + (i << 4));
    low = f32x4.pmin(low, point);
    high = f32x4.pmax(high, point);
    sum = add4(sum, mul4(sign, normal));
    area += sqrt(dot3(normal, normal));
    if ((load<u8>(marks + i) & FAR) != 0) deep++;
    let e = rings + (<usize>load<u32>(ringOffsets + (i << 2)) << 2);
    const end = rings + (<usize>load<u32>(ringOffsets + (i << 2), 4) << 2);
    for (; e < end; e += 4) {
      const j = <usize>load<u32>(e) >> 4;
      const mark = load<u8>(marks + j);
      if ((mark & INSIDE) == 0 || mark >> <u8>NUMBER != 0) continue;
      store<u8>(marks + j, mark | number);
      store<u32>(last, <u32>j);
      last += 4;
    }
  }
  v128.store(pocket + LOW, low);
  v128.store(pocket + HIGH, high);
  v128.store(pocket + WAY, sum);
  store<f32>(pocket + AREA, area);
  store<u32>(pocket + DEEP, deep);
}

function beginPocket(number: u32): void {
  const pocket = pocketAt(number);
  v128.store(pocket + LOW, splat4(Infinity));
  v128.store(pocket + HIGH, splat4(-Infinity));
  v128.store(pocket + WAY, splat4(0));
  v128.store(pocket + DEEP, splat4(0));
  store<u32>(pocket + ROOT, number);
}

/** Pockets whose boxes have a point in common, `reach` allowed for, are one: the first of them. */
function joinPockets(reach: v128): void {
  for (let n: u32 = 2; n <= count; n++) {
    const low = sub4(v128.load(pocketAt(n) + LOW), reach);
    const high = add4(v128.load(pocketAt(n) + HIGH), reach);
    for (let m: u32 = 1; m < n; m++) {
      const apart = v128.or(f32x4.gt(v128.load(pocketAt(m) + LOW), high), f32x4.lt(v128.load(pocketAt(m) + HIGH), low));
      if ((i32x4.bitmask(apart) & 7) == 0) join(rootOf(m), rootOf(n));
    }
  }
}

function rootOf(number: u32): u32 {
  let root = number;
  while (load<u32>(pocketAt(root) + ROOT) != root) root = load<u32>(pocketAt(root) + ROOT);
  return root;
}

function join(one: u32, other: u32): void {
  if (one == other) return;
  const to = pocketAt(min(one, other));
  const from = pocketAt(max(one, other));
  store<u32>(from + ROOT, min(one, other));
  const area = load<f32>(to + AREA) + load<f32>(from + AREA);
  v128.store(to + WAY, f32x4.replace_lane(add4(v128.load(to + WAY), v128.load(from + WAY)), 3, area));
  store<u32>(to + DEEP, load<u32>(to + DEEP) + load<u32>(from + DEEP));
}

/** Finds the way out of each pocket, `otherwise` where none can be told; 0 where nothing is far in. */
export function findWays(otherwise: v128): void {
  for (let n: u32 = 2; n <= count; n++) {
    const root = pocketAt(rootOf(n));
    v128.store(root + LOW, f32x4.pmin(v128.load(root + LOW), v128.load(pocketAt(n) + LOW)));
    v128.store(root + HIGH, f32x4.pmax(v128.load(root + HIGH), v128.load(pocketAt(n) + HIGH)));
  }
  for (let n: u32 = 1; n <= count; n++) {
    const pocket = pocketAt(n);
    if (load<u32>(pocket + ROOT) != n) continue;
    const sum = v128.load(pocket + WAY);
    const length = sqrt(dot3(sum, sum));
    let way = otherwise;
    if (load<u32>(pocket + DEEP) == 0) way = splat4(0);
    else if (length > NO_DIRECTION * load<f32>(pocket + AREA)) way = mul4(splat4(<f32>1 / length), sum);
    v128.store(pocket + WAY, f32x4.replace_lane(way, 3, 0));
  }
}

/** The way on which the first body leaves the second where a vertex of a side is; 0 where it is in no pocket. */
export function wayAt(side: i32, vertex: usize): v128 {
  const number = <u32>load<u8>(particleList(side) + (vertex >> 4)) >> NUMBER;
  return number == 0 ? splat4(0) : v128.load(pocketAt(rootOf(number)) + WAY);
}

/** The middle of the pocket in which a vertex is, in the first body's frame, and half its extent. */
export function middleAt(side: i32, vertex: usize): v128 {
  const pocket = pocketAt(rootOf(<u32>load<u8>(particleList(side) + (vertex >> 4)) >> NUMBER));
  const low = v128.load(pocket + LOW);
  const high = v128.load(pocket + HIGH);
  const extent = f32x4.replace_lane(sub4(high, low), 3, 0);
  return f32x4.replace_lane(mul4(splat4(0.5), add4(low, high)), 3, <f32>0.5 * sqrt(dot3(extent, extent)));
}

/** How far from a point the nearest of the other pockets with something far in begins. */
export function othersFrom(side: i32, vertex: usize, middle: v128): f32 {
  const own = rootOf(<u32>load<u8>(particleList(side) + (vertex >> 4)) >> NUMBER);
  let nearest: f32 = Infinity;
  for (let n: u32 = 1; n <= count; n++) {
    const pocket = pocketAt(n);
    if (n == own || load<u32>(pocket + ROOT) != n || load<u32>(pocket + DEEP) == 0) continue;
    const below = sub4(v128.load(pocket + LOW), middle);
    const above = sub4(middle, v128.load(pocket + HIGH));
    const away = f32x4.replace_lane(f32x4.max(f32x4.max(below, above), splat4(0)), 3, 0);
    nearest = min(nearest, sqrt(dot3(away, away)));
  }
  return nearest;
}

/** Vertices that are outside, but near: they belong to the pocket of a neighbour, or of the triangle that they touch. */
export function widenPockets(body: usize, side: i32): void {
  const marks = particleList(side);
  const otherMarks = particleList(1 - side);
  const rings: usize = load<u32>(body + BODY_RINGS);
  const ringOffsets: usize = load<u32>(body + BODY_RING_OFFSETS);
  const touched = side == 0 ? touchedA : touchedB;
  for (let n = 0; n < touched; n++) {
    const vertex = touchedVertex(side, n);
    const i = vertex >> 4;
    if ((load<u8>(marks + i) & INSIDE) != 0) continue;
    let e = rings + (<usize>load<u32>(ringOffsets + (i << 2)) << 2);
    const end = rings + (<usize>load<u32>(ringOffsets + (i << 2), 4) << 2);
    let number: u8 = 0;
    for (; e < end && number == 0; e += 4) number = pocketOf(load<u8>(marks + (<usize>load<u32>(e) >> 4)));
    const triangle: usize = load<u32>(candidateOf(side, vertex) + TRIANGLE);
    for (let c: usize = 0; c < 12 && number == 0; c += 4) {
      number = pocketOf(load<u8>(otherMarks + (<usize>load<u32>(triangle + c) >> 4)));
    }
    store<u8>(marks + i, load<u8>(marks + i) | number);
  }
}

/** The pocket of a vertex that is inside, as it stands in a mark. */
// @ts-ignore: decorator
@inline function pocketOf(mark: u8): u8 {
  return (mark & INSIDE) != 0 ? mark & 0xf8 : 0;
}
