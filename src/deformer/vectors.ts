// Long vectors of the solver.

import type { SolverRoom } from './solver-room.js';

/** a·b in four sums that do not wait for each other; what is left over goes to the first. */
export function dot(room: SolverRoom, a: Float64Array, b: Float64Array): number {
  const kernels = room.kernelsFor(a, b);
  if (kernels) return kernels.dot(a.byteOffset, b.byteOffset, a.length);
  const whole = a.length - (a.length % 4);
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  for (let i = 0; i < whole; i += 4) {
    s0 += a[i] * b[i];
    s1 += a[i + 1] * b[i + 1];
    s2 += a[i + 2] * b[i + 2];
    s3 += a[i + 3] * b[i + 3];
  }
  for (let i = whole; i < a.length; i++) s0 += a[i] * b[i];
  return s0 + s1 + (s2 + s3);
}

/** a ← a + scale·b */
export function addScaled(room: SolverRoom, a: Float64Array, b: Float64Array, scale: number): void {
  const kernels = room.kernelsFor(a, b);
  if (kernels) kernels.addScaled(a.byteOffset, b.byteOffset, scale, a.length);
  else for (let i = 0; i < a.length; i++) a[i] += scale * b[i];
}

/** Greatest absolute value; Infinity where one is not a number. */
export function greatest(values: Float64Array): number {
  let most = 0;
  for (let i = 0; i < values.length; i++) {
    const size = Math.abs(values[i]);
    if (size > most) most = size;
    else if (Number.isNaN(size)) return Infinity;
  }
  return most;
}
