// Bounds how far particles get within a step, and how fast they are.

import type { Shell } from '../model.js';

export interface WayBound {
  /** [m/s] */
  readonly speed: number;
  /** [s] */
  readonly timeStep: number;
  /** How fast the obstacle and the other body are that a particle touches [m/s]. */
  readonly speedOfTouched: (particle: number) => number;
}

/**
 * Leaves no particle but pinned ones further than its way at this speed [m/s] from where it was at the start of the step, over that
 * of what it touches, and none that touches nothing faster. In contact velocities hold what presses.
 */
export function shortenWays(
  { positions, starts, velocities }: Shell,
  pinned: Uint8Array,
  colliding: Uint8Array,
  { speed, timeStep, speedOfTouched }: WayBound,
): void {
  for (let i = 0, k = 0; i < pinned.length; i++, k += 3) {
    if (pinned[i] !== 0) continue;
    const x = positions[k] - starts[k];
    const y = positions[k + 1] - starts[k + 1];
    const z = positions[k + 2] - starts[k + 2];
    const square = x * x + y * y + z * z;
    const way = timeStep * (speed + (colliding[i] !== 0 ? speedOfTouched(i) : 0));
    if (square > way * way) {
      const share = way / Math.sqrt(square);
      positions[k] = starts[k] + share * x;
      positions[k + 1] = starts[k + 1] + share * y;
      positions[k + 2] = starts[k + 2] + share * z;
    }
    if (colliding[i] !== 0) continue;
    const own = Math.sqrt(velocities[k] ** 2 + velocities[k + 1] ** 2 + velocities[k + 2] ** 2);
    if (own > speed) for (let c = k; c < k + 3; c++) velocities[c] *= speed / own;
  }
}
