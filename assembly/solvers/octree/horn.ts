// The rotation of a 3×3 matrix by the largest eigenvector of Horn's 4×4 matrix: see src/solvers/rotation.ts. Rare, so one at a time.

/**
 * Writes the quaternion (its numbers `stride` bytes apart) of the nine numbers at m, unless they are zero or not finite. `scratch` has
 * room for 32 numbers.
 */
export function horn(m: usize, q: usize, stride: usize, scratch: usize): void {
  let size: f64 = 0;
  for (let c: usize = 0; c < 9; c++) size = max(size, abs(load<f64>(m + 8 * c)));
  if (!(size > 0) || !isFinite(size)) return;
  const n = scratch;
  const vectors = scratch + 128;
  const m0 = load<f64>(m);
  const m1 = load<f64>(m, 8);
  const m2 = load<f64>(m, 16);
  const m3 = load<f64>(m, 24);
  const m4 = load<f64>(m, 32);
  const m5 = load<f64>(m, 40);
  const m6 = load<f64>(m, 48);
  const m7 = load<f64>(m, 56);
  const m8 = load<f64>(m, 64);
  store<f64>(n, (m0 - m4 - m8) / size);
  store<f64>(n, (m4 - m0 - m8) / size, 40);
  store<f64>(n, (m8 - m0 - m4) / size, 80);
  store<f64>(n, (m0 + m4 + m8) / size, 120);
  storeTwice(n, 1, 4, (m1 + m3) / size);
  storeTwice(n, 2, 8, (m2 + m6) / size);
  storeTwice(n, 6, 9, (m5 + m7) / size);
  storeTwice(n, 3, 12, (m7 - m5) / size);
  storeTwice(n, 7, 13, (m2 - m6) / size);
  storeTwice(n, 11, 14, (m3 - m1) / size);
  memory.fill(vectors, 0, 128);
  for (let d: usize = 0; d < 4; d++) store<f64>(vectors + 40 * d, 1);
  for (let sweep: i32 = 0; sweep < 12; sweep++) {
    let off: f64 = 0;
    for (let r: usize = 0; r < 3; r++) {
      for (let c = r + 1; c < 4; c++) {
        off = max(off, abs(load<f64>(n + 8 * (4 * r + c))));
        rotate(n, vectors, r, c);
      }
    }
    if (off < 1e-15) break;
  }
  let best: usize = 0;
  for (let d: usize = 1; d < 4; d++) if (load<f64>(n + 40 * d) > load<f64>(n + 40 * best)) best = d;
  for (let d: usize = 0; d < 4; d++) store<f64>(q + stride * d, load<f64>(vectors + 8 * (4 * d + best)));
}

function storeTwice(n: usize, a: usize, b: usize, value: f64): void {
  store<f64>(n + 8 * a, value);
  store<f64>(n + 8 * b, value);
}

/** Zeroes n[r][c] by a plane rotation, which the vectors take as well. */
function rotate(n: usize, vectors: usize, r: usize, c: usize): void {
  const pivot = load<f64>(n + 8 * (4 * r + c));
  if (pivot === 0) return;
  const theta = (load<f64>(n + 40 * c) - load<f64>(n + 40 * r)) / (2 * pivot);
  const sign: f64 = theta >= 0 ? 1 : -1;
  const t = sign / (abs(theta) + sqrt(theta * theta + 1));
  const cosine = 1 / sqrt(t * t + 1);
  const sine = t * cosine;
  for (let k: usize = 0; k < 4; k++) turn(n + 8 * (4 * k + r), n + 8 * (4 * k + c), cosine, sine);
  for (let k: usize = 0; k < 4; k++) {
    turn(n + 8 * (4 * r + k), n + 8 * (4 * c + k), cosine, sine);
    turn(vectors + 8 * (4 * k + r), vectors + 8 * (4 * k + c), cosine, sine);
  }
}

/** (u, v) ← (cosine·u − sine·v, sine·u + cosine·v) */
function turn(a: usize, b: usize, cosine: f64, sine: f64): void {
  const u = load<f64>(a);
  const v = load<f64>(b);
  store<f64>(a, cosine * u - sine * v);
  store<f64>(b, sine * u + cosine * v);
}
