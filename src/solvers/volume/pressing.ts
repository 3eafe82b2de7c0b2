// Bodies between obstacles that close on them. What such a body does is what they do to it, so there is a speed that its particles
// need not exceed: what is pressed out of a gap that closes at v, between areas A, leaves through its rim a at v·A/a. Crushed beyond its
// volume, matching (which pulls in) and the volume constraint (which pushes out) would else throw a few free particles to and fro
// by half a body size in every step.

import type { ParticleContacts } from '../../contact/particle-contacts.js';
import { length } from '../../math/vec3.js';
import {
  LEAVING,
  OPPOSED,
  PRESSED_CALM,
  PRESSED_FALL,
  PRESSED_FREE,
  PRESSED_MOST,
  PRESSED_RISE,
  PRESSED_SHARE,
  PRESSED_SPEEDS,
} from './tuning.js';

/**
 * Speed that particles of a body do not exceed [m/s], Infinity for any, after one step more; `before` is that of the step before. Where obstacles
 * do not press it from opposite sides it rises, and is above that of the body as a whole.
 */
export function nextPressedSpeed(
  { colliding, normals, surfaceVelocities }: ParticleContacts,
  masses: Float64Array,
  velocities: Float64Array,
  before: number,
  size: number,
  timeStep: number,
): number {
  const support: [number, number, number] = [0, 0, 0];
  const momentum: [number, number, number] = [0, 0, 0];
  let mass = 0;
  let touching = 0;
  let fastest2 = 0;
  for (let i = 0, k = 0; i < masses.length; i++, k += 3) {
    mass += masses[i];
    for (let c = 0; c < 3; c++) momentum[c] += masses[i] * velocities[k + c];
    if (colliding[i] === 0) continue;
    touching += masses[i];
    for (let c = 0; c < 3; c++) support[c] += masses[i] * normals[k + c];
    const [ux, uy, uz] = surfaceVelocities.subarray(k, k + 3);
    const square = ux * ux + uy * uy + uz * uz;
    const away = -(ux * normals[k] + uy * normals[k + 1] + uz * normals[k + 2]);
    if (!(away > LEAVING * Math.sqrt(square))) fastest2 = Math.max(fastest2, square);
  }
  const mean = length(momentum) / mass;
  if (touching < PRESSED_SHARE * mass || length(support) > OPPOSED * touching) {
    const risen = Math.max(before + PRESSED_RISE * size * timeStep, mean + PRESSED_CALM * size);
    return risen > PRESSED_FREE * size + mean ? Infinity : risen;
  }
  const speed = Math.max(Math.sqrt(fastest2), mean);
  const pressed = Math.min(PRESSED_SPEEDS * speed + PRESSED_CALM * size, speed + PRESSED_MOST * size);
  return before < Infinity ? Math.max(pressed, before / (1 + PRESSED_FALL * timeStep)) : pressed;
}

/**
 * Slows a body down of which particles are faster than `speed` [m/s]: all of it by one factor, once single ones are held to `most`.
 * Elasticity and volume stay in the same proportion at every place then, so the shape between obstacles is that of a body that is not
 * slowed down; with a bound for each particle what is strained most lost most of its elasticity, and the body flowed. Returns the speed of the
 * fastest as it was.
 */
export function slowDown(velocities: Float64Array, speed: number, most: number): number {
  let fastest2 = 0;
  for (let k = 0; k < velocities.length; k += 3) {
    const square = velocities[k] ** 2 + velocities[k + 1] ** 2 + velocities[k + 2] ** 2;
    fastest2 = Math.max(fastest2, Math.min(square, most * most));
    if (!(square > most * most)) continue;
    const share = most / Math.sqrt(square);
    for (let c = k; c < k + 3; c++) velocities[c] *= share;
  }
  const fastest = Math.sqrt(fastest2);
  if (!(fastest > speed)) return fastest;
  for (let k = 0; k < velocities.length; k++) velocities[k] *= speed / fastest;
  return fastest;
}

/**
 * Marks the candidates that are further than `reach` [m] from where they started in this step; returns how many were not marked.
 * `fits` gets the share of the way from `origins` that they may go, or what it has of those that were not `heldBefore`, if that is less.
 */
export function markFar(
  { starts, positions: origins }: { readonly starts: Float64Array; readonly positions: Float64Array },
  reach: number,
  candidates: Float64Array,
  heldBefore: Uint8Array,
  held: Uint8Array,
  fits: Float64Array,
): number {
  let marked = 0;
  for (let i = 0, k = 0; i < held.length; i++, k += 3) {
    if (heldBefore[i] !== 0) continue;
    let [far2, near2, along, way2] = [0, 0, 0, 0];
    for (let c = k; c < k + 3; c++) {
      const from = origins[c] - starts[c];
      const way = candidates[c] - origins[c];
      far2 += (from + way) ** 2;
      near2 += from * from;
      along += from * way;
      way2 += way * way;
    }
    if (!(far2 > reach * reach) || !(way2 > 0)) continue;
    // |from + t·way| = reach where it leaves; what began beyond comes as near as it can.
    const root = Math.sqrt(Math.max(0, along * along + way2 * (reach * reach - near2)));
    const fit = Math.min(1, Math.max(0, (root - along) / way2));
    fits[i] = held[i] === 0 ? fit : Math.min(fit, fits[i]);
    if (held[i] === 0) marked++;
    held[i] = 1;
  }
  return marked;
}
