// A body that gets a new topology: its new shell and model take over from those before.

import type { InnerMass } from '../solvers/inner-mass.js';
import type { Model, Shell } from '../solvers/model.js';
import {
  createRigidMotion,
  measureRigidMotion,
  type RigidMotion,
  restoreRigidMotion,
} from '../solvers/rigid-motion.js';
import { carryValues, type Origin } from '../solvers/topology-change.js';

/** A body's shell in the solver's order, and what moves it. */
export interface Succession {
  readonly shell: Shell;
  readonly model: Model;
  readonly innerMass?: InnerMass;
  /** The mesh's own vertex at each place of that order. */
  readonly order: Uint32Array;
}

/**
 * Gives the successor positions and velocities by origin; its model has the last word, but for momentum, which is kept. One that does not
 * succeed by itself follows as it follows any state from outside.
 */
export function succeed(before: Succession, after: Succession, origin: Origin): void {
  const kept = measureAll(before);
  const { shell, model, innerMass } = after;
  model.settings = before.model.settings;
  if (model.pending) model.pending = before.model.pending;
  const carry = (values: Float64Array) => gather(carryValues(origin, scatter(values, before.order), 3), after.order);
  const positions = carry(before.shell.positions);
  const velocities = carry(before.shell.velocities);
  if (!model.succeed) model.replace?.(shell, positions, velocities);
  shell.positions.set(positions);
  shell.velocities.set(velocities);
  model.succeed?.(before.model, shell);
  if (origin.isPart) {
    shell.starts.set(shell.positions);
    return;
  }
  keepMoment(kept, measureAll(after));
  if (innerMass) innerMass.restore(shell, kept);
  else restoreRigidMotion(shell.positions, shell.velocities, shell.masses, kept);
  shell.starts.set(shell.positions);
}

/** Where the mass has another centre, the angular momentum about that which is the same about any fixed point. */
function keepMoment({ angular, centre, linear }: RigidMotion, now: RigidMotion): void {
  const [dx, dy, dz] = centre.map((x, c) => x - now.centre[c]);
  angular[0] += dy * linear[2] - dz * linear[1];
  angular[1] += dz * linear[0] - dx * linear[2];
  angular[2] += dx * linear[1] - dy * linear[0];
}

const measureAll = ({ shell, innerMass }: Succession): RigidMotion =>
  innerMass
    ? innerMass.measure(shell, createRigidMotion())
    : measureRigidMotion(shell.positions, shell.velocities, shell.masses, createRigidMotion());

/** Vectors of vertices, in the order of places. */
export function gather(vectors: Float64Array, order: Uint32Array): Float64Array {
  const out = new Float64Array(vectors.length);
  order.forEach((vertex, place) => {
    for (let c = 0; c < 3; c++) out[3 * place + c] = vectors[3 * vertex + c];
  });
  return out;
}

/** Vectors of places, in the order of vertices. */
export function scatter(vectors: Float64Array, order: Uint32Array): Float64Array {
  const out = new Float64Array(vectors.length);
  order.forEach((vertex, place) => {
    for (let c = 0; c < 3; c++) out[3 * vertex + c] = vectors[3 * place + c];
  });
  return out;
}

/** Mass of the vertices that are left of a body [kg]. */
export const massOfPart = (masses: Float64Array, { corners }: Origin): number => {
  let sum = 0;
  for (let k = 0; k < corners.length; k += 3) sum += masses[corners[k]];
  return sum;
};
