// The volume that the surface encloses, about the origin, which lies in the middle of the body: with its gradient, and as the cubic
// that it is along any motion.

/** Adds `scale` times the gradient of the volume to `out`. */
export function addVolumeGradient(p: Float64Array, triangles: Uint32Array, scale: number, out: Float64Array): void {
  const sixth = scale / 6;
  for (let i = 0; i < triangles.length; i += 3) {
    const a = 3 * triangles[i];
    const b = 3 * triangles[i + 1];
    const c = 3 * triangles[i + 2];
    const ax = p[a];
    const ay = p[a + 1];
    const az = p[a + 2];
    const bx = p[b];
    const by = p[b + 1];
    const bz = p[b + 2];
    const cx = p[c];
    const cy = p[c + 1];
    const cz = p[c + 2];
    out[a] += sixth * (by * cz - bz * cy);
    out[a + 1] += sixth * (bz * cx - bx * cz);
    out[a + 2] += sixth * (bx * cy - by * cx);
    out[b] += sixth * (cy * az - cz * ay);
    out[b + 1] += sixth * (cz * ax - cx * az);
    out[b + 2] += sixth * (cx * ay - cy * ax);
    out[c] += sixth * (ay * bz - az * by);
    out[c + 1] += sixth * (az * bx - ax * bz);
    out[c + 2] += sixth * (ax * by - ay * bx);
  }
}

export function volumeOf(p: ArrayLike<number>, triangles: Uint32Array): number {
  let sixVolume = 0;
  for (let i = 0; i < triangles.length; i += 3) {
    sixVolume += determinant(p, p, p, 3 * triangles[i], 3 * triangles[i + 1], 3 * triangles[i + 2]);
  }
  return sixVolume / 6;
}

/** Coefficients of the volume at p + t·d, from t⁰ to t³. */
export function volumeAlong(
  p: Float64Array,
  d: Float64Array,
  triangles: Uint32Array,
): readonly [number, number, number, number] {
  let [one, two, three, six] = [0, 0, 0, 0];
  for (let i = 0; i < triangles.length; i += 3) {
    const a = 3 * triangles[i];
    const b = 3 * triangles[i + 1];
    const c = 3 * triangles[i + 2];
    six += determinant(p, p, p, a, b, c);
    one += determinant(d, p, p, a, b, c) + determinant(p, d, p, a, b, c) + determinant(p, p, d, a, b, c);
    two += determinant(p, d, d, a, b, c) + determinant(d, p, d, a, b, c) + determinant(d, d, p, a, b, c);
    three += determinant(d, d, d, a, b, c);
  }
  return [six / 6, one / 6, two / 6, three / 6];
}

function determinant(
  p: ArrayLike<number>,
  q: ArrayLike<number>,
  r: ArrayLike<number>,
  a: number,
  b: number,
  c: number,
): number {
  return (
    p[a] * (q[b + 1] * r[c + 2] - q[b + 2] * r[c + 1]) +
    p[a + 1] * (q[b + 2] * r[c] - q[b] * r[c + 2]) +
    p[a + 2] * (q[b] * r[c + 1] - q[b + 1] * r[c])
  );
}
