// The product that pressure solves repeat, in single precision: src/solvers/tetrahedra/ring-product.ts. Vectors are four f32, the last 0.

/** Vectors in single precision, along the neighbours of each node and the other way round. */
export function takeVectors(vectors: usize, mirror: usize, entries: i32, outward: usize, back: usize): void {
  for (let s = 0; s < entries; s++, vectors += 32, outward += 16, mirror += 4) {
    const xy = f32x4.demote_f64x2_zero(v128.load(vectors));
    const all = f32x4.replace_lane(xy, 2, <f32>load<f64>(vectors, 16));
    v128.store(outward, all);
    v128.store(back + ((<usize>load<u32>(mirror)) << 4), all);
  }
}

/** y = div P M⁻¹ divᵀ x: what pressures x do to velocities, then what these do to volumes. */
export function multiplyRings(
  starts: usize,
  columns: usize,
  outward: usize,
  back: usize,
  inverseMasses: usize,
  heldCounts: usize,
  held: usize,
  nodes: i32,
  x: usize,
  given: usize,
  change: usize,
  y: usize,
): void {
  for (let k: usize = 0; k < <usize>nodes; k++) store<f32>(given + (k << 2), <f32>load<f64>(x + (k << 3)));
  writeChanges(starts, columns, outward, inverseMasses, heldCounts, held, 0, nodes, given, change);
  writeRates(starts, columns, back, 0, nodes, change, y);
}

/** What pressures do to the velocities of the nodes from `first` to `end`. */
export function writeChanges(
  starts: usize,
  columns: usize,
  outward: usize,
  inverseMasses: usize,
  heldCounts: usize,
  held: usize,
  first: i32,
  end: i32,
  given: usize,
  change: usize,
): void {
  const from = <usize>load<u32>(starts + ((<usize>first) << 2));
  let column = columns + (from << 2);
  outward += from << 4;
  for (let j = <usize>first; j < <usize>end; j++) {
    const last = columns + ((<usize>load<u32>(starts + (j << 2), 4)) << 2);
    let sum = f32x4.splat(0);
    for (; column < last; column += 4, outward += 16) {
      const value = v128.load32_splat(given + ((<usize>load<u32>(column)) << 2));
      sum = f32x4.add(sum, f32x4.mul(v128.load(outward), value));
    }
    sum = f32x4.mul(sum, f32x4.splat(<f32>load<f64>(inverseMasses + (j << 3))));
    const count = <usize>load<u8>(heldCounts + j);
    if (count != 0) sum = release(sum, held + 72 * j, count);
    v128.store(change + (j << 4), sum);
  }
}

/** What velocities do to the volumes of the nodes from `first` to `end`. */
export function writeRates(
  starts: usize,
  columns: usize,
  back: usize,
  first: i32,
  end: i32,
  change: usize,
  y: usize,
): void {
  const from = <usize>load<u32>(starts + ((<usize>first) << 2));
  let column = columns + (from << 2);
  back += from << 4;
  for (let k = <usize>first; k < <usize>end; k++) {
    const last = columns + ((<usize>load<u32>(starts + (k << 2), 4)) << 2);
    let sum = f32x4.splat(0);
    for (; column < last; column += 4, back += 16) {
      sum = f32x4.add(sum, f32x4.mul(v128.load(back), v128.load(change + ((<usize>load<u32>(column)) << 4))));
    }
    const whole: f32 = f32x4.extract_lane(sum, 0) + f32x4.extract_lane(sum, 1) + f32x4.extract_lane(sum, 2);
    store<f64>(y + (k << 3), <f64>whole);
  }
}

/** Takes what a node is held along. */
function release(change: v128, held: usize, count: usize): v128 {
  for (const end = held + 24 * count; held < end; held += 24) {
    const xy = f32x4.demote_f64x2_zero(v128.load(held));
    const normal = f32x4.replace_lane(xy, 2, <f32>load<f64>(held, 16));
    const parts = f32x4.mul(change, normal);
    const along: f32 = f32x4.extract_lane(parts, 0) + f32x4.extract_lane(parts, 1) + f32x4.extract_lane(parts, 2);
    change = f32x4.sub(change, f32x4.mul(f32x4.splat(along), normal));
  }
  return change;
}
