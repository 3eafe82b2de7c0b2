// Moves two bodies that lie in each other apart, around the deepest of their pockets.

import type { ContactBody } from '../contact-body.js';
import { HURRIED, HURRY, LEAVE_TIME, SPEED } from './tuning.js';

/** The middle of a pocket, half its extent, and how far from the middle nothing is moved any more [m]. */
export interface PocketSurroundings {
  readonly middle: readonly number[];
  readonly inner: number;
  readonly outer: number;
}

/**
 * Moves bodies apart around a pocket, where they are nearest to it as it is and less and less beyond: a limb leaves as a limb. (Moved as wholes for
 * the sake of a finger, bodies lifted what lay on them in every step, and no pile of real meshes slept.)
 */
export function separate(
  a: ContactBody,
  b: ContactBody,
  way: Float64Array,
  around: PocketSurroundings,
  depth: number,
  size: number,
  timeStep: number,
): void {
  const [localA, localB] = [meanAround(a, around), meanAround(b, around)];
  const massA = a.sleep.asleep ? Infinity : localA.mass;
  const massB = b.sleep.asleep ? Infinity : localB.mass;
  const shareA = massB === Infinity ? 1 : massA === Infinity ? 0 : massB / (massA + massB);
  const approach = localB.velocity.reduce((sum, v, c) => sum + (v - localA.velocity[c]) * way[c], 0);
  const stop = Math.max(0, approach);
  const hurry = Math.min(HURRIED, 1 + HURRY * Math.min(a.sleep.slowTime, b.sleep.slowTime));
  const shift = (Math.min(SPEED * size, (hurry * depth) / LEAVE_TIME) + stop) * timeStep;
  move(a, around, way, shareA * shift, shareA * stop);
  move(b, around, way, (shareA - 1) * shift, (shareA - 1) * stop);
}

/** By how much a particle is moved with a pocket: 1 within it, 0 far away. */
function weightAt(points: Float64Array, k: number, { middle, inner, outer }: PocketSurroundings): number {
  const [x, y, z] = [points[k] - middle[0], points[k + 1] - middle[1], points[k + 2] - middle[2]];
  const t = Math.min(1, Math.max(0, (outer - Math.sqrt(x * x + y * y + z * z)) / (outer - inner)));
  return t * t * (3 - 2 * t);
}

/** Mass of a body around a pocket [kg], and its mean velocity. */
function meanAround({ particles }: ContactBody, around: PocketSurroundings): { mass: number; velocity: Float64Array } {
  const { starts, velocities, masses } = particles;
  const velocity = new Float64Array(3);
  let [mass, total] = [0, 0];
  for (let i = 0, k = 0; i < masses.length; i++, k += 3) {
    const weight = masses[i] * weightAt(starts, k, around);
    mass += weight;
    total += masses[i];
    for (let c = 0; c < 3; c++) velocity[c] += weight * velocities[k + c];
  }
  // A coarse body may have no particle there.
  mass = Math.max(mass, 1e-6 * total);
  return { mass, velocity: velocity.map((sum) => sum / mass) };
}

function move(
  { particles, pinned }: ContactBody,
  around: PocketSurroundings,
  way: Float64Array,
  shift: number,
  speed: number,
): void {
  const { starts, positions, velocities } = particles;
  for (let i = 0, k = 0; k < positions.length; i++, k += 3) {
    if (pinned[i] !== 0) continue;
    const weight = weightAt(starts, k, around);
    for (let c = 0; c < 3; c++) {
      positions[k + c] += weight * shift * way[c];
      velocities[k + c] += weight * speed * way[c];
    }
  }
}
