// Divergence, gradient and volume over one-rings: src/solvers/tetrahedra/ring-operator.ts and ring-sums.ts.

import { add2, div2, mul2, pair2, splat2 } from './pairs';

// @ts-ignore: decorator
@inline function nodeAt(x: usize, tetrahedra: usize, corner: usize): usize {
  return x + 24 * <usize>load<u32>(tetrahedra + (corner << 2));
}

/** d_kj [m²], four numbers each, along the neighbours k of each j. */
export function ringVectors(x: usize, tetrahedra: usize, slots: usize, count: i32, out: usize, entries: i32): void {
  memory.fill(out, 0, <usize>entries << 5);
  addRingVectors(x, tetrahedra, slots, 0, count, out);
}

/** Adds what the tetrahedra from `first` to `end` have of them. */
export function addRingVectors(x: usize, tetrahedra: usize, slots: usize, first: i32, end: i32, out: usize): void {
  tetrahedra += (<usize>first) << 4;
  slots += (<usize>first) << 6;
  for (let t = first; t < end; t++, tetrahedra += 16, slots += 64) {
    const o = nodeAt(x, tetrahedra, 0);
    const a = nodeAt(x, tetrahedra, 1);
    const b = nodeAt(x, tetrahedra, 2);
    const c = nodeAt(x, tetrahedra, 3);
    const ox = load<f64>(o);
    const oy = load<f64>(o, 8);
    const oz = load<f64>(o, 16);
    const ax = load<f64>(a) - ox;
    const ay = load<f64>(a, 8) - oy;
    const az = load<f64>(a, 16) - oz;
    const bx = load<f64>(b) - ox;
    const by = load<f64>(b, 8) - oy;
    const bz = load<f64>(b, 16) - oz;
    const cx = load<f64>(c) - ox;
    const cy = load<f64>(c, 8) - oy;
    const cz = load<f64>(c, 16) - oz;
    const six = splat2(6);
    const pxy = div2(pair2(by * cz - bz * cy, bz * cx - bx * cz), six);
    const qxy = div2(pair2(cy * az - cz * ay, cz * ax - cx * az), six);
    const rxy = div2(pair2(ay * bz - az * by, az * bx - ax * bz), six);
    const pqz = div2(pair2(bx * cy - by * cx, cx * ay - cy * ax), six);
    const pz = f64x2.extract_lane(pqz, 0);
    const qz = f64x2.extract_lane(pqz, 1);
    const rz = (ax * by - ay * bx) / 6;
    addVector(out, slots, f64x2.neg(add2(add2(pxy, qxy), rxy)), -(pz + qz + rz));
    addVector(out, slots + 16, pxy, pz);
    addVector(out, slots + 32, qxy, qz);
    addVector(out, slots + 48, rxy, rz);
  }
}

/** Adds a quarter of b_tj for the four neighbours of j in t. */
// @ts-ignore: decorator
@inline function addVector(out: usize, slots: usize, bxy: v128, bz: f64): void {
  const xy = mul2(bxy, splat2(0.25));
  const z = 0.25 * bz;
  addTo(out + ((<usize>load<u32>(slots)) << 5), xy, z);
  addTo(out + ((<usize>load<u32>(slots, 4)) << 5), xy, z);
  addTo(out + ((<usize>load<u32>(slots, 8)) << 5), xy, z);
  addTo(out + ((<usize>load<u32>(slots, 12)) << 5), xy, z);
}

// @ts-ignore: decorator
@inline function addTo(to: usize, xy: v128, z: f64): void {
  v128.store(to, add2(v128.load(to), xy));
  store<f64>(to, load<f64>(to, 16) + z, 16);
}

/** (div v)ₖ [m³/s]. */
export function divergence(starts: usize, columns: usize, vectors: usize, nodes: i32, v: usize, out: usize): void {
  memory.fill(out, 0, <usize>nodes << 3);
  let s = load<u32>(starts);
  for (let j = 0; j < nodes; j++, v += 24) {
    const end = load<u32>(starts + ((<usize>j) << 2), 4);
    addAlong(columns, vectors, s, end, load<f64>(v), load<f64>(v, 8), load<f64>(v, 16), out);
    s = end;
  }
}

/** Adds d_kj·v for the neighbours of a node. */
// @ts-ignore: decorator
@inline function addAlong(columns: usize, vectors: usize, s: u32, end: u32, vx: f64, vy: f64, vz: f64, out: usize): void {
  for (; s < end; s++) {
    const d = vectors + ((<usize>s) << 5);
    const to = out + ((<usize>load<u32>(columns + ((<usize>s) << 2))) << 3);
    store<f64>(to, load<f64>(to) + (load<f64>(d) * vx + load<f64>(d, 8) * vy + load<f64>(d, 16) * vz));
  }
}

/** −grad p [N]. */
export function pressureForce(starts: usize, columns: usize, vectors: usize, nodes: i32, p: usize, out: usize): void {
  writeForces(starts, columns, vectors, 0, nodes, p, out);
}

/** The same at the nodes from `first` to `end`. */
export function writeForces(starts: usize, columns: usize, vectors: usize, first: i32, end: i32, p: usize, out: usize): void {
  let s = load<u32>(starts + ((<usize>first) << 2));
  out += 24 * <usize>first;
  for (let j = first; j < end; j++, out += 24) {
    const last = load<u32>(starts + ((<usize>j) << 2), 4);
    let xy = splat2(0);
    let z: f64 = 0;
    for (; s < last; s++) {
      const d = vectors + ((<usize>s) << 5);
      const value = load<f64>(p + ((<usize>load<u32>(columns + ((<usize>s) << 2))) << 3));
      xy = add2(xy, mul2(v128.load(d), splat2(value)));
      z += load<f64>(d, 16) * value;
    }
    v128.store(out, xy);
    store<f64>(out, z, 16);
  }
}

// @ts-ignore: decorator
@inline function addAt(out: usize, tetrahedra: usize, corner: usize, value: f64): void {
  const at = out + ((<usize>load<u32>(tetrahedra + (corner << 2))) << 3);
  store<f64>(at, load<f64>(at) + value);
}

/** V of each tetrahedron [m³], signed. */
export function volumes(x: usize, tetrahedra: usize, count: i32, out: usize): void {
  for (let t = 0; t < count; t++, tetrahedra += 16, out += 8) {
    const o = nodeAt(x, tetrahedra, 0);
    const a = nodeAt(x, tetrahedra, 1);
    const b = nodeAt(x, tetrahedra, 2);
    const c = nodeAt(x, tetrahedra, 3);
    const ox = load<f64>(o);
    const oy = load<f64>(o, 8);
    const oz = load<f64>(o, 16);
    const bx = load<f64>(b) - ox;
    const by = load<f64>(b, 8) - oy;
    const bz = load<f64>(b, 16) - oz;
    const cx = load<f64>(c) - ox;
    const cy = load<f64>(c, 8) - oy;
    const cz = load<f64>(c, 16) - oz;
    store<f64>(
      out,
      ((load<f64>(a) - ox) * (by * cz - bz * cy) +
        (load<f64>(a, 8) - oy) * (bz * cx - bx * cz) +
        (load<f64>(a, 16) - oz) * (bx * cy - by * cx)) /
        6,
    );
  }
}

/** A quarter of each value per tetrahedron, at each of its nodes. */
export function ringSums(tetrahedra: usize, perTetra: usize, count: i32, out: usize, nodes: i32): void {
  memory.fill(out, 0, <usize>nodes << 3);
  for (let t = 0; t < count; t++, tetrahedra += 16, perTetra += 8) {
    const quarter = load<f64>(perTetra) / 4;
    addAt(out, tetrahedra, 0, quarter);
    addAt(out, tetrahedra, 1, quarter);
    addAt(out, tetrahedra, 2, quarter);
    addAt(out, tetrahedra, 3, quarter);
  }
}
