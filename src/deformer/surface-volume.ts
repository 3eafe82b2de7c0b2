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

export function volumeOf(p: Float64Array, triangles: Uint32Array): number {
  let sixVolume = 0;
  for (let i = 0; i < triangles.length; i += 3) {
    const a = 3 * triangles[i];
    const b = 3 * triangles[i + 1];
    const c = 3 * triangles[i + 2];
    sixVolume +=
      p[a] * (p[b + 1] * p[c + 2] - p[b + 2] * p[c + 1]) +
      p[a + 1] * (p[b + 2] * p[c] - p[b] * p[c + 2]) +
      p[a + 2] * (p[b] * p[c + 1] - p[b + 1] * p[c]);
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
    const [bx, by, bz] = [p[b], p[b + 1], p[b + 2]];
    const [cx, cy, cz] = [p[c], p[c + 1], p[c + 2]];
    const [ex, ey, ez] = [d[b], d[b + 1], d[b + 2]];
    const [fx, fy, fz] = [d[c], d[c + 1], d[c + 2]];
    // (b + t·e) × (c + t·f)
    const x0 = by * cz - bz * cy;
    const y0 = bz * cx - bx * cz;
    const z0 = bx * cy - by * cx;
    const x1 = by * fz - bz * fy + (ey * cz - ez * cy);
    const y1 = bz * fx - bx * fz + (ez * cx - ex * cz);
    const z1 = bx * fy - by * fx + (ex * cy - ey * cx);
    const x2 = ey * fz - ez * fy;
    const y2 = ez * fx - ex * fz;
    const z2 = ex * fy - ey * fx;
    six += p[a] * x0 + p[a + 1] * y0 + p[a + 2] * z0;
    one += d[a] * x0 + d[a + 1] * y0 + d[a + 2] * z0 + (p[a] * x1 + p[a + 1] * y1 + p[a + 2] * z1);
    two += d[a] * x1 + d[a + 1] * y1 + d[a + 2] * z1 + (p[a] * x2 + p[a + 1] * y2 + p[a + 2] * z2);
    three += d[a] * x2 + d[a + 1] * y2 + d[a + 2] * z2;
  }
  return [six / 6, one / 6, two / 6, three / 6];
}
