// Fields: what accelerates the particles of all bodies, shell and inside, as gravity does, but by place, velocity and time. They are
// applied before a substep's stages, on the host: the same on every backend and for any number of threads.

import type { BackendBody, MovableParticles, Reals } from '../backends/backend.js';
import { showInput } from '../math/expect.js';
import type { Vec3 } from '../math/vec3.js';

/** Acceleration [m/s²] of a particle by its position [m], its velocity [m/s] and the time [s]. */
export type FieldFunction = (position: Vec3, velocity: Vec3, time: number) => Vec3;

/** A field without a call per vector: `write` adds the acceleration [m/s²] of one particle to three numbers. */
export interface ForceField {
  readonly write: (
    ...of: [x: number, y: number, z: number, vx: number, vy: number, vz: number, time: number, sum: Float64Array]
  ) => void;
}

const isForceField = (field: FieldFunction | ForceField): field is ForceField =>
  typeof (field as ForceField)?.write === 'function';

/** A field as the step uses it. */
export function readField(field: FieldFunction | ForceField): ForceField {
  if (isForceField(field)) return field;
  if (typeof field !== 'function') {
    throw new RangeError(
      `field: expected wind() or a function (position, velocity, time) => acceleration, got ${showInput(field)}`,
    );
  }
  return {
    write(x, y, z, vx, vy, vz, time, sum) {
      const acceleration = field([x, y, z], [vx, vy, vz], time);
      for (let c = 0; c < 3; c++) sum[c] += acceleration?.[c];
    },
  };
}

const sum = new Float64Array(3);

/** What fields add to the velocities of particles that are `stride` numbers apart, about an origin. Whether to any. */
function accelerate(
  fields: readonly ForceField[],
  time: number,
  timeStep: number,
  { positions: x, velocities: v, stride, origin }: MovableParticles,
): boolean {
  let any = false;
  const ox = origin[0];
  const oy = origin[1];
  const oz = origin[2];
  for (let k = 0; k < v.length; k += stride) {
    sum[0] = 0;
    sum[1] = 0;
    sum[2] = 0;
    for (let n = 0; n < fields.length; n++) {
      fields[n].write(ox + x[k], oy + x[k + 1], oz + x[k + 2], v[k], v[k + 1], v[k + 2], time, sum);
    }
    const ax = sum[0];
    const ay = sum[1];
    const az = sum[2];
    if (!Number.isFinite(ax + ay + az)) {
      throw new RangeError(`field: expected an acceleration of 3 finite numbers, got ${showInput(sum)}`);
    }
    any ||= ax !== 0 || ay !== 0 || az !== 0;
    v[k] += timeStep * ax;
    v[k + 1] += timeStep * ay;
    v[k + 2] += timeStep * az;
  }
  return any;
}

/**
 * Lets fields act on all bodies for a substep. What they act on does not sleep; a body that sleeps wakes as soon as one acts
 * on any of its vertices.
 */
export function applyFields(
  bodies: readonly BackendBody[],
  fields: readonly ForceField[],
  time: number,
  timeStep: number,
): void {
  if (fields.length === 0) return;
  for (const body of bodies) {
    if (body.asleep && !actOn(fields, body.positions, time)) continue;
    let acts = false;
    for (const particles of body.movable()) acts = accelerate(fields, time, timeStep, particles) || acts;
    if (acts) body.wake();
  }
}

/** Whether fields act on any of these points at rest. */
function actOn(fields: readonly ForceField[], x: Reals, time: number): boolean {
  for (let k = 0; k < x.length; k += 3) {
    sum.fill(0);
    for (const field of fields) field.write(x[k], x[k + 1], x[k + 2], 0, 0, 0, time, sum);
    if (sum[0] !== 0 || sum[1] !== 0 || sum[2] !== 0) return true;
  }
  return false;
}
