// Back from where a node's frame takes a vector to the vector.

/** Writes L⁻¹·(x, y, z), L the linear part of the frame at frames[row…], by Cramer's rule; zero where L is singular. */
export function applyInverse(
  frames: Float64Array,
  row: number,
  x: number,
  y: number,
  z: number,
  out: Float64Array,
  at = 0,
): void {
  const [a, b, c] = [frames[row], frames[row + 1], frames[row + 2]];
  const [d, e, f] = [frames[row + 4], frames[row + 5], frames[row + 6]];
  const [g, h, i] = [frames[row + 8], frames[row + 9], frames[row + 10]];
  const [p, q, r] = [e * i - f * h, f * g - d * i, d * h - e * g];
  const det = a * p + b * q + c * r;
  const scale = det === 0 ? 0 : 1 / det;
  out[at] = scale * (p * x + (c * h - b * i) * y + (b * f - c * e) * z);
  out[at + 1] = scale * (q * x + (a * i - c * g) * y + (c * d - a * f) * z);
  out[at + 2] = scale * (r * x + (b * g - a * h) * y + (a * e - b * d) * z);
}
