// Divergence, gradient and volume over one-rings: src/solvers/tetrahedra/ring-operators.ts.

// @ts-ignore: decorator
@inline function nodeAt(x: usize, tetrahedra: usize, corner: usize): usize {
  return x + 24 * <usize>load<u32>(tetrahedra + (corner << 2));
}

/** b_j [m²] of the corners of all tetrahedra. */
export function faceVectors(x: usize, tetrahedra: usize, count: i32, out: usize): void {
  for (let t = 0; t < count; t++, tetrahedra += 16, out += 96) {
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
    const px = (by * cz - bz * cy) / 6;
    const py = (bz * cx - bx * cz) / 6;
    const pz = (bx * cy - by * cx) / 6;
    const qx = (cy * az - cz * ay) / 6;
    const qy = (cz * ax - cx * az) / 6;
    const qz = (cx * ay - cy * ax) / 6;
    const rx = (ay * bz - az * by) / 6;
    const ry = (az * bx - ax * bz) / 6;
    const rz = (ax * by - ay * bx) / 6;
    store<f64>(out, -(px + qx + rx));
    store<f64>(out, -(py + qy + ry), 8);
    store<f64>(out, -(pz + qz + rz), 16);
    store<f64>(out, px, 24);
    store<f64>(out, py, 32);
    store<f64>(out, pz, 40);
    store<f64>(out, qx, 48);
    store<f64>(out, qy, 56);
    store<f64>(out, qz, 64);
    store<f64>(out, rx, 72);
    store<f64>(out, ry, 80);
    store<f64>(out, rz, 88);
  }
}

// @ts-ignore: decorator
@inline function along(b: usize, v: usize): f64 {
  return load<f64>(b) * load<f64>(v) + load<f64>(b, 8) * load<f64>(v, 8) + load<f64>(b, 16) * load<f64>(v, 16);
}

// @ts-ignore: decorator
@inline function addAt(out: usize, tetrahedra: usize, corner: usize, value: f64): void {
  const at = out + ((<usize>load<u32>(tetrahedra + (corner << 2))) << 3);
  store<f64>(at, load<f64>(at) + value);
}

/** (div v)ₖ [m³/s]. */
export function divergence(b: usize, tetrahedra: usize, count: i32, v: usize, out: usize, nodes: i32): void {
  memory.fill(out, 0, <usize>nodes << 3);
  for (let t = 0; t < count; t++, tetrahedra += 16, b += 96) {
    let sum = along(b, nodeAt(v, tetrahedra, 0));
    sum += along(b + 24, nodeAt(v, tetrahedra, 1));
    sum += along(b + 48, nodeAt(v, tetrahedra, 2));
    sum += along(b + 72, nodeAt(v, tetrahedra, 3));
    sum /= 4;
    addAt(out, tetrahedra, 0, sum);
    addAt(out, tetrahedra, 1, sum);
    addAt(out, tetrahedra, 2, sum);
    addAt(out, tetrahedra, 3, sum);
  }
}

// @ts-ignore: decorator
@inline function addScaled(b: usize, mean: f64, to: usize): void {
  store<f64>(to, load<f64>(to) + load<f64>(b) * mean);
  store<f64>(to, load<f64>(to, 8) + load<f64>(b, 8) * mean, 8);
  store<f64>(to, load<f64>(to, 16) + load<f64>(b, 16) * mean, 16);
}

/** −grad p [N]. */
export function pressureForce(b: usize, tetrahedra: usize, count: i32, p: usize, out: usize, nodes: i32): void {
  memory.fill(out, 0, <usize>nodes * 24);
  for (let t = 0; t < count; t++, tetrahedra += 16, b += 96) {
    const o = <usize>load<u32>(tetrahedra);
    const a = <usize>load<u32>(tetrahedra, 4);
    const c = <usize>load<u32>(tetrahedra, 8);
    const d = <usize>load<u32>(tetrahedra, 12);
    const mean = (load<f64>(p + (o << 3)) + load<f64>(p + (a << 3)) + load<f64>(p + (c << 3)) + load<f64>(p + (d << 3))) / 4;
    addScaled(b, mean, out + 24 * o);
    addScaled(b + 24, mean, out + 24 * a);
    addScaled(b + 48, mean, out + 24 * c);
    addScaled(b + 72, mean, out + 24 * d);
  }
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
