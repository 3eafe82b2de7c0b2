// The pressure operator as a sparse matrix: src/solvers/tetrahedra/pressure-matrix.ts. Rows are the lower triangle's, diagonal last;
// `starts` are u32, numbers f64.

/** A under the projection that holds nodes along `held`. */
export function pressureMatrix(
  starts: usize,
  pairStarts: usize,
  pairs: usize,
  vectors: usize,
  inverseMasses: usize,
  heldCounts: usize,
  held: usize,
  nodes: i32,
  values: usize,
  entries: i32,
): void {
  memory.fill(values, 0, <usize>entries << 3);
  addPairs(starts, pairStarts, pairs, vectors, inverseMasses, heldCounts, held, 0, nodes, values);
}

/** Adds what the velocities of the nodes from `start` to `stop` have of it. */
export function addPairs(
  starts: usize,
  pairStarts: usize,
  pairs: usize,
  vectors: usize,
  inverseMasses: usize,
  heldCounts: usize,
  held: usize,
  start: i32,
  stop: i32,
  values: usize,
): void {
  pairs += (<usize>load<u32>(pairStarts + ((<usize>start) << 2))) << 2;
  held += 72 * <usize>start;
  for (let j = start; j < stop; j++, held += 72) {
    const mass = load<f64>(inverseMasses + ((<usize>j) << 3));
    const first = vectors + ((<usize>load<u32>(starts + ((<usize>j) << 2))) << 5);
    const end = vectors + ((<usize>load<u32>(starts + ((<usize>j) << 2), 4)) << 5);
    const heldEnd = held + 24 * <usize>load<u8>(heldCounts + <usize>j);
    for (let k = first; k < end; k += 32) {
      let x = load<f64>(k);
      let y = load<f64>(k, 8);
      let z = load<f64>(k, 16);
      for (let h = held; h < heldEnd; h += 24) {
        const along = x * load<f64>(h) + y * load<f64>(h, 8) + z * load<f64>(h, 16);
        x -= along * load<f64>(h);
        y -= along * load<f64>(h, 8);
        z -= along * load<f64>(h, 16);
      }
      x *= mass;
      y *= mass;
      z *= mass;
      for (let l = first; l <= k; l += 32, pairs += 4) {
        const to = values + ((<usize>load<u32>(pairs)) << 3);
        store<f64>(to, load<f64>(to) + (x * load<f64>(l) + y * load<f64>(l, 8) + z * load<f64>(l, 16)));
      }
    }
  }
}
