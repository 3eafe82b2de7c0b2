// Loops over long vectors, each pass doing what one iteration of a solver needs; kernels do them in the same order.

/** a·b, in four sums that do not wait for each other. */
export function dot(a: Float64Array, b: Float64Array): number {
  const length = a.length;
  let [p, q, r, s] = [0, 0, 0, 0];
  let k = 0;
  for (; k + 3 < length; k += 4) {
    p += a[k] * b[k];
    q += a[k + 1] * b[k + 1];
    r += a[k + 2] * b[k + 2];
    s += a[k + 3] * b[k + 3];
  }
  let sum = p + r + (q + s);
  for (; k < length; k++) sum += a[k] * b[k];
  return sum;
}

/** v = factor·y. */
export function scaleInto(y: Float64Array, factor: number, v: Float64Array): void {
  for (let k = 0; k < y.length; k++) v[k] = y[k] * factor;
}

/** y −= factor·r₁; v·y. */
export function lanczos(y: Float64Array, v: Float64Array, r1: Float64Array, factor: number): number {
  for (let k = 0; k < y.length; k++) y[k] -= factor * r1[k];
  return dot(v, y);
}

/** y −= factor·r₂; r₁ ← r₂; r₂ ← y. */
export function shift(y: Float64Array, r1: Float64Array, r2: Float64Array, factor: number): void {
  for (let k = 0; k < y.length; k++) {
    y[k] -= factor * r2[k];
    r1[k] = r2[k];
    r2[k] = y[k];
  }
}

/** w₁ ← w₂ ← w; w = scale·(v − before·w₁ − delta·w₂); x += phi·w. */
export function advance(
  v: Float64Array,
  w: Float64Array,
  w1: Float64Array,
  w2: Float64Array,
  x: Float64Array,
  before: number,
  delta: number,
  scale: number,
  phi: number,
): void {
  for (let k = 0; k < x.length; k++) {
    w1[k] = w2[k];
    w2[k] = w[k];
    w[k] = (v[k] - before * w1[k] - delta * w2[k]) * scale;
    x[k] += phi * w[k];
  }
}

/** residual = keep·residual + add·r; its square. */
export function blend(residual: Float64Array, r: Float64Array, keep: number, add: number): number {
  for (let k = 0; k < residual.length; k++) residual[k] = keep * residual[k] + add * r[k];
  return dot(residual, residual);
}

/** x += step·d; r −= step·q; the square of r. */
export function descend(x: Float64Array, r: Float64Array, d: Float64Array, q: Float64Array, step: number): number {
  for (let k = 0; k < x.length; k++) {
    x[k] += step * d[k];
    r[k] -= step * q[k];
  }
  return dot(r, r);
}

/** d = z + share·d. */
export function turn(d: Float64Array, z: Float64Array, share: number): void {
  for (let k = 0; k < d.length; k++) d[k] = z[k] + share * d[k];
}
