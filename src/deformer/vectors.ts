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

/** a ← a + scale·b; returns the new a·c, as `dot` does. */
export function addScaledDot(
  room: SolverRoom,
  a: Float64Array,
  b: Float64Array,
  scale: number,
  c: Float64Array,
): number {
  const kernels = room.kernelsFor(a, b, c);
  if (kernels) return kernels.addScaledDot(a.byteOffset, b.byteOffset, scale, c.byteOffset, a.length);
  addScaled(room, a, b, scale);
  return dot(room, a, c);
}

/** out ← a + scale·b */
export function writeSum(room: SolverRoom, out: Float64Array, a: Float64Array, b: Float64Array, scale: number): void {
  const kernels = room.kernelsFor(out, a, b);
  if (kernels) kernels.writeSum(out.byteOffset, a.byteOffset, b.byteOffset, scale, a.length);
  else for (let i = 0; i < a.length; i++) out[i] = a[i] + scale * b[i];
}

/** out ← a + scale·b; returns out·out, as `dot` does. */
export function writeSumDot(
  room: SolverRoom,
  out: Float64Array,
  a: Float64Array,
  b: Float64Array,
  scale: number,
): number {
  const kernels = room.kernelsFor(out, a, b);
  if (kernels) return kernels.writeSumDot(out.byteOffset, a.byteOffset, b.byteOffset, scale, a.length);
  writeSum(room, out, a, b, scale);
  return dot(room, out, out);
}

/** out ← scale·a */
export function writeScaled(room: SolverRoom, out: Float64Array, a: Float64Array, scale: number): void {
  const kernels = room.kernelsFor(out, a);
  if (kernels) kernels.writeScaled(out.byteOffset, a.byteOffset, scale, a.length);
  else for (let i = 0; i < a.length; i++) out[i] = scale * a[i];
}

/** Greatest absolute value; Infinity where one is not a number. */
export function greatest(room: SolverRoom, values: Float64Array): number {
  const kernels = room.kernelsFor(values);
  if (kernels) {
    const most = kernels.greatest(values.byteOffset, values.length);
    return Number.isNaN(most) ? Infinity : most;
  }
  let most = 0;
  for (let i = 0; i < values.length; i++) {
    const size = Math.abs(values[i]);
    if (size > most) most = size;
    else if (Number.isNaN(size)) return Infinity;
  }
  return most;
}
