// Forces and stiffness of elements from their modes, two at a time: `assembleOne` of src/solvers/tetrahedra/elements.ts.

import { WIDTH } from './layout';
import { CROSSED, G, H, SAME, V } from './modes';
import { add2, dot2, gather2, load2, mul2, splat2, store2 } from './pairs';

/**
 * Scratch of two tetrahedra, numbers of the two side by side: ten blocks of 9 (0 0, 1 1, 2 2, 3 3, 0 1, 0 2, 0 3, 1 2, 1 3, 2 3), ∇N of the
 * corners 1 to 3 in the frame of V, and what they pull with.
 */
const TURNED: usize = 90 << 4;
const PULLS: usize = 99 << 4;

/** Adds forces [N] and `factor` times the stiffness [N/m] of so many tetrahedra, the first's before the second's. */
export function addElements(
  first: i32,
  count: i32,
  tetrahedra: usize,
  gradients: usize,
  scales: usize,
  slots: usize,
  batch: usize,
  blocks: usize,
  forces: usize,
  values: usize,
  factor: f64,
): void {
  const turned = blocks + TURNED;
  const pulls = blocks + PULLS;
  for (let t = 0; t < count; t += 2, batch += WIDTH << 4) {
    const a = <usize>(first + t);
    const isPair = t + 1 < count;
    const b = isPair ? a + 1 : a;
    let scale = gather2(scales + (a << 3), scales + (b << 3));
    const gp = gradients + 96 * a + 24;
    const gq = gradients + 96 * b + 24;
    writePull(gp, gq, scale, batch, turned, pulls);
    writePull(gp + 24, gq + 24, scale, batch, turned + 48, pulls + 48);
    writePull(gp + 48, gq + 48, scale, batch, turned + 96, pulls + 96);
    scale = mul2(scale, splat2(factor));
    writeBlock(blocks + 1 * 144, turned + 0 * 48, turned + 0 * 48, scale, batch, true);
    writeBlock(blocks + 2 * 144, turned + 1 * 48, turned + 1 * 48, scale, batch, true);
    writeBlock(blocks + 3 * 144, turned + 2 * 48, turned + 2 * 48, scale, batch, true);
    writeBlock(blocks + 7 * 144, turned + 0 * 48, turned + 1 * 48, scale, batch, false);
    writeBlock(blocks + 8 * 144, turned + 0 * 48, turned + 2 * 48, scale, batch, false);
    writeBlock(blocks + 9 * 144, turned + 1 * 48, turned + 2 * 48, scale, batch, false);
    writeFirst(blocks);
    scatter(blocks, false, tetrahedra + (a << 4), slots + 40 * a, forces, values);
    if (isPair) scatter(blocks, true, tetrahedra + (b << 4), slots + 40 * b, forces, values);
  }
}

/** ∇N of one corner in the frame of V, and V⁰ P ∇N. */
// @ts-ignore: decorator
@inline function writePull(gp: usize, gq: usize, scale: v128, batch: usize, turned: usize, pull: usize): void {
  const x = gather2(gp, gq);
  const y = gather2(gp + 8, gq + 8);
  const z = gather2(gp + 16, gq + 16);
  const q0 = dot2(x, load2(batch, V), y, load2(batch, V + 3), z, load2(batch, V + 6));
  const q1 = dot2(x, load2(batch, V + 1), y, load2(batch, V + 4), z, load2(batch, V + 7));
  const q2 = dot2(x, load2(batch, V + 2), y, load2(batch, V + 5), z, load2(batch, V + 8));
  store2(turned, 0, q0);
  store2(turned, 1, q1);
  store2(turned, 2, q2);
  const p0 = mul2(load2(batch, G), mul2(scale, q0));
  const p1 = mul2(load2(batch, G + 1), mul2(scale, q1));
  const p2 = mul2(load2(batch, G + 2), mul2(scale, q2));
  store2(pull, 0, dot2(load2(batch, 0), p0, load2(batch, 1), p1, load2(batch, 2), p2));
  store2(pull, 1, dot2(load2(batch, 3), p0, load2(batch, 4), p1, load2(batch, 5), p2));
  store2(pull, 2, dot2(load2(batch, 6), p0, load2(batch, 7), p1, load2(batch, 8), p2));
}

/** The block of two corners, or of one and itself: in the principal frame, then U·that·Uᵀ. */
// @ts-ignore: decorator
@inline function writeBlock(to: usize, a: usize, b: usize, scale: v128, batch: usize, isOwn: bool): void {
  const p0 = mul2(scale, load2(a, 0));
  const p1 = mul2(scale, load2(a, 1));
  const p2 = mul2(scale, load2(a, 2));
  const q0 = load2(b, 0);
  const q1 = load2(b, 1);
  const q2 = load2(b, 2);
  const h3 = load2(batch, H + 3);
  const h4 = load2(batch, H + 4);
  const h5 = load2(batch, H + 5);
  const same0 = load2(batch, SAME);
  const same1 = load2(batch, SAME + 1);
  const same2 = load2(batch, SAME + 2);
  const crossed0 = load2(batch, CROSSED);
  const crossed1 = load2(batch, CROSSED + 1);
  const crossed2 = load2(batch, CROSSED + 2);
  const m0 = dot2(mul2(load2(batch, H), p0), q0, mul2(same0, p1), q1, mul2(same1, p2), q2);
  const m1 = add2(mul2(mul2(h3, p0), q1), mul2(mul2(crossed0, p1), q0));
  const m2 = add2(mul2(mul2(h4, p0), q2), mul2(mul2(crossed1, p2), q0));
  const m3 = add2(mul2(mul2(h3, p1), q0), mul2(mul2(crossed0, p0), q1));
  const m4 = dot2(mul2(load2(batch, H + 1), p1), q1, mul2(same0, p0), q0, mul2(same2, p2), q2);
  const m5 = add2(mul2(mul2(h5, p1), q2), mul2(mul2(crossed2, p2), q1));
  const m6 = add2(mul2(mul2(h4, p2), q0), mul2(mul2(crossed1, p0), q2));
  const m7 = add2(mul2(mul2(h5, p2), q1), mul2(mul2(crossed2, p1), q2));
  const m8 = dot2(mul2(load2(batch, H + 2), p2), q2, mul2(same1, p0), q0, mul2(same2, p1), q1);
  const u0 = load2(batch, 0);
  const u1 = load2(batch, 1);
  const u2 = load2(batch, 2);
  const u3 = load2(batch, 3);
  const u4 = load2(batch, 4);
  const u5 = load2(batch, 5);
  const u6 = load2(batch, 6);
  const u7 = load2(batch, 7);
  const u8 = load2(batch, 8);
  let x = dot2(u0, m0, u1, m3, u2, m6);
  let y = dot2(u0, m1, u1, m4, u2, m7);
  let z = dot2(u0, m2, u1, m5, u2, m8);
  const k1 = dot2(x, u3, y, u4, z, u5);
  const k2 = dot2(x, u6, y, u7, z, u8);
  store2(to, 0, dot2(x, u0, y, u1, z, u2));
  store2(to, 1, k1);
  store2(to, 2, k2);
  x = dot2(u3, m0, u4, m3, u5, m6);
  y = dot2(u3, m1, u4, m4, u5, m7);
  z = dot2(u3, m2, u4, m5, u5, m8);
  const k5 = dot2(x, u6, y, u7, z, u8);
  store2(to, 3, isOwn ? k1 : dot2(x, u0, y, u1, z, u2));
  store2(to, 4, dot2(x, u3, y, u4, z, u5));
  store2(to, 5, k5);
  x = dot2(u6, m0, u7, m3, u8, m6);
  y = dot2(u6, m1, u7, m4, u8, m7);
  z = dot2(u6, m2, u7, m5, u8, m8);
  store2(to, 6, isOwn ? k2 : dot2(x, u0, y, u1, z, u2));
  store2(to, 7, isOwn ? k5 : dot2(x, u3, y, u4, z, u5));
  store2(to, 8, dot2(x, u6, y, u7, z, u8));
}

/** −(a + b + c) of the numbers at three places. */
// @ts-ignore: decorator
@inline function minus2(to: usize, a: usize, b: usize, c: usize): v128 {
  const value = f64x2.neg(add2(add2(v128.load(a), v128.load(b)), v128.load(c)));
  v128.store(to, value);
  return value;
}

/** The blocks of the first corner. */
// @ts-ignore: decorator
@inline function writeFirst(blocks: usize): void {
  for (let i: usize = 0; i < 3; i++) {
    for (let j: usize = 0; j < 3; j++) {
      const k = blocks + ((3 * i + j) << 4);
      const m = blocks + ((3 * j + i) << 4);
      minus2(k + 576, k + 144, m + 1008, m + 1152);
      minus2(k + 720, k + 1008, k + 288, m + 1296);
      minus2(k + 864, k + 1152, k + 1296, k + 432);
    }
  }
  for (let i: usize = 0; i < 3; i++) {
    for (let j: usize = i; j < 3; j++) {
      const k = blocks + ((3 * i + j) << 4);
      v128.store(blocks + ((3 * j + i) << 4), minus2(k, k + 576, k + 720, k + 864));
    }
  }
}

/** Adds the parts of the first tetrahedron, or of the second. */
function scatter(blocks: usize, isSecond: bool, corners: usize, slots: usize, forces: usize, values: usize): void {
  const lane: usize = isSecond ? 8 : 0;
  const o = forces + 24 * <usize>load<u32>(corners);
  const pulls = blocks + PULLS + lane;
  for (let i: usize = 0; i < 3; i++) {
    const a = load<f64>(pulls + (i << 4));
    const b = load<f64>(pulls + ((3 + i) << 4));
    const c = load<f64>(pulls + ((6 + i) << 4));
    store<f64>(o + (i << 3), load<f64>(o + (i << 3)) + (a + b + c));
    subtractAt(forces, corners + 4, i, a);
    subtractAt(forces, corners + 8, i, b);
    subtractAt(forces, corners + 12, i, c);
  }
  for (let pair: usize = 0; pair < 10; pair++, blocks += 144) {
    const slot = <usize>load<u32>(slots + (pair << 2));
    const to = values + 72 * (slot >> 1);
    // Where a block lies transposed, its rows are columns.
    if (slot & 1) addBlock(to, blocks, isSecond, 48, 96, 16, 64, 112, 32, 80);
    else addBlock(to, blocks, isSecond, 16, 32, 48, 64, 80, 96, 112);
    store<f64>(to, load<f64>(to, 64) + load<f64>(blocks + lane, 128), 64);
  }
}

/** Adds eight numbers of a block, two at a time: its first, and those at the places given [bytes]. */
// @ts-ignore: decorator
@inline function addBlock(
  to: usize,
  block: usize,
  isSecond: bool,
  b: usize,
  c: usize,
  d: usize,
  e: usize,
  f: usize,
  g: usize,
  h: usize,
): void {
  if (isSecond) {
    addPair(to, v128.shuffle<f64>(v128.load(block), v128.load(block + b), 1, 3));
    addPair(to + 16, v128.shuffle<f64>(v128.load(block + c), v128.load(block + d), 1, 3));
    addPair(to + 32, v128.shuffle<f64>(v128.load(block + e), v128.load(block + f), 1, 3));
    addPair(to + 48, v128.shuffle<f64>(v128.load(block + g), v128.load(block + h), 1, 3));
  } else {
    addPair(to, v128.shuffle<f64>(v128.load(block), v128.load(block + b), 0, 2));
    addPair(to + 16, v128.shuffle<f64>(v128.load(block + c), v128.load(block + d), 0, 2));
    addPair(to + 32, v128.shuffle<f64>(v128.load(block + e), v128.load(block + f), 0, 2));
    addPair(to + 48, v128.shuffle<f64>(v128.load(block + g), v128.load(block + h), 0, 2));
  }
}

// @ts-ignore: decorator
@inline function addPair(to: usize, pair: v128): void {
  v128.store(to, add2(v128.load(to), pair));
}

// @ts-ignore: decorator
@inline function subtractAt(forces: usize, corner: usize, i: usize, value: f64): void {
  const at = forces + 24 * <usize>load<u32>(corner) + (i << 3);
  store<f64>(at, load<f64>(at) - value);
}
