// The momenta of the surface in one pass, and the rigid field that gives them back after the nodes have moved it.

import type { LinearField } from '../linear-fields.js';
import type { RigidMotion } from '../rigid-motion.js';

/** Σ m, m·r (3), m·v (3), m·r×v (3), m·rrᵀ (6: xx, xy, xz, yy, yz, zz), r from the first particle. */
export const MOMENTUM_STRIDE = 16;

/** Writes the sums of particles. */
export function sumMomenta(
  positions: Float64Array,
  velocities: Float64Array,
  masses: Float64Array,
  out: Float64Array,
): void {
  const [ox, oy, oz] = [positions[0], positions[1], positions[2]];
  out.fill(0);
  for (let i = 0, k = 0; i < masses.length; i++, k += 3) {
    const m = masses[i];
    const x = positions[k] - ox;
    const y = positions[k + 1] - oy;
    const z = positions[k + 2] - oz;
    const u = velocities[k];
    const v = velocities[k + 1];
    const w = velocities[k + 2];
    const [mx, my, mz] = [m * x, m * y, m * z];
    out[0] += m;
    out[1] += mx;
    out[2] += my;
    out[3] += mz;
    out[4] += m * u;
    out[5] += m * v;
    out[6] += m * w;
    out[7] += my * w - mz * v;
    out[8] += mz * u - mx * w;
    out[9] += mx * v - my * u;
    out[10] += mx * x;
    out[11] += mx * y;
    out[12] += mx * z;
    out[13] += my * y;
    out[14] += my * z;
    out[15] += mz * z;
  }
}

/** The motion that the sums of particles are of; `origin` is the first of them. */
export function motionOf(sums: Float64Array, origin: ArrayLike<number>, out: RigidMotion): void {
  const mass = sums[0];
  const [x, y, z] = [sums[1] / mass, sums[2] / mass, sums[3] / mass];
  const [px, py, pz] = [sums[4], sums[5], sums[6]];
  out.mass = mass;
  out.centre[0] = origin[0] + x;
  out.centre[1] = origin[1] + y;
  out.centre[2] = origin[2] + z;
  out.linear[0] = px;
  out.linear[1] = py;
  out.linear[2] = pz;
  out.angular[0] = sums[7] - (y * pz - z * py);
  out.angular[1] = sums[8] - (z * px - x * pz);
  out.angular[2] = sums[9] - (x * py - y * px);
  const xx = sums[10] - mass * x * x;
  const yy = sums[13] - mass * y * y;
  const zz = sums[15] - mass * z * z;
  out.inertia[0] = yy + zz;
  out.inertia[1] = mass * x * y - sums[11];
  out.inertia[2] = mass * x * z - sums[12];
  out.inertia[3] = xx + zz;
  out.inertia[4] = mass * y * z - sums[14];
  out.inertia[5] = xx + yy;
}

/** v ← (x − xⁿ)/Δt */
export function findVelocities(
  starts: Float64Array,
  positions: Float64Array,
  timeStep: number,
  velocities: Float64Array,
): void {
  for (let k = 0; k < starts.length; k++) velocities[k] = (positions[k] - starts[k]) / timeStep;
}

/** Shifts where particles started, adds a field to their velocities, and moves them: x = xⁿ + Δt·v. */
export function moveByField(
  starts: Float64Array,
  velocities: Float64Array,
  positions: Float64Array,
  shift: ArrayLike<number>,
  { centre, mean, gradient: g }: LinearField,
  timeStep: number,
): void {
  for (let k = 0; k < starts.length; k += 3) {
    const sx = starts[k] + shift[0];
    const sy = starts[k + 1] + shift[1];
    const sz = starts[k + 2] + shift[2];
    const x = sx - centre[0];
    const y = sy - centre[1];
    const z = sz - centre[2];
    velocities[k] += mean[0] + g[0] * x + g[1] * y + g[2] * z;
    velocities[k + 1] += mean[1] + g[3] * x + g[4] * y + g[5] * z;
    velocities[k + 2] += mean[2] + g[6] * x + g[7] * y + g[8] * z;
    positions[k] = sx + timeStep * velocities[k];
    positions[k + 1] = sy + timeStep * velocities[k + 1];
    positions[k + 2] = sz + timeStep * velocities[k + 2];
  }
}
