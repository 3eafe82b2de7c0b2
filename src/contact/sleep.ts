// Bodies that have come to rest sleep: no stage touches them until something moves them. A pile sleeps as a whole, since
// a body stays awake while one that touches it moves.

import type { Collider } from './collider.js';
import type { ContactList } from './contact-list.js';

/** Speed below which a body is quiet, as a share of that of a fall through its own size: 6 cm/s for a metre. */
const QUIET_SPEED = 0.02;
/** How long a body has to be quiet [s]. */
const QUIET_TIME = 0.5;

/** Whether a body sleeps, and for how long it has been quiet. */
export class Sleep {
  asleep = false;
  /** [s] */
  quietTime = 0;

  wake(): void {
    this.asleep = false;
    this.quietTime = 0;
  }
}

export interface SleepingBody {
  readonly sleep: Sleep;
  readonly contactRest: { readonly size: number };
  readonly particles: { readonly positions: Float64Array };
  /** ½ Σ m v² of how its particles moved, per mass [J/kg]. */
  readonly motion: number;
  /** Whether a pin or an obstacle leads it. */
  readonly led: boolean;
  /** Holds still from here on. */
  fallAsleep(): void;
}

/** Counts how long bodies have been quiet, wakes those that something moves, and puts piles that are quiet to sleep. */
export function updateSleep(
  bodies: readonly SleepingBody[],
  list: ContactList,
  gravity: number,
  timeStep: number,
): void {
  for (const body of bodies) {
    const { sleep } = body;
    if (sleep.asleep) {
      if (body.led) sleep.wake();
      continue;
    }
    const limit = 0.5 * QUIET_SPEED * QUIET_SPEED * gravity * body.contactRest.size;
    sleep.quietTime = body.motion < limit && !body.led ? sleep.quietTime + timeStep : 0;
  }
  const restless = bodies.map(({ sleep }) => !sleep.asleep && sleep.quietTime < QUIET_TIME);
  const disturbed = restless.slice();
  for (let contact = 0; contact < list.count; contact++) {
    if (list.pressures[contact] === 0) continue;
    const i = list.bodies[2 * contact];
    const j = list.bodies[2 * contact + 1];
    if (bodies[i].sleep.asleep && isMoving(bodies[j])) bodies[i].sleep.wake();
    if (bodies[j].sleep.asleep && isMoving(bodies[i])) bodies[j].sleep.wake();
    if (restless[i]) disturbed[j] = true;
    if (restless[j]) disturbed[i] = true;
  }
  bodies.forEach((body, index) => {
    if (disturbed[index] || body.sleep.asleep) return;
    body.sleep.asleep = true;
    body.fallAsleep();
  });
}

const isMoving = ({ sleep }: SleepingBody): boolean => !sleep.asleep && sleep.quietTime === 0;

const point = { distance: 0, nx: 0, ny: 0, nz: 0 };

/** Wakes the bodies that a moving obstacle comes near. */
export function wakeByColliders(bodies: readonly SleepingBody[], colliders: readonly Collider[]): void {
  for (const collider of colliders) {
    if (!collider.isMoving) continue;
    for (const body of bodies) {
      if (!body.sleep.asleep) continue;
      // Anywhere in the body will do: nothing of it is further away than its size.
      const { positions } = body.particles;
      collider.measure(positions[0], positions[1], positions[2], point);
      if (point.distance < 1.5 * body.contactRest.size) body.sleep.wake();
    }
  }
}
