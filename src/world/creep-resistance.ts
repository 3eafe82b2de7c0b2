// Brakes bodies that creep past each other: contacts that last hold better than new ones, as those of real things do. Between two
// steps, on both backends in double precision. What one body loses of momentum the other gets.
//
// (Contacts of soft bodies come and go while these tremble, and friction begins anew each time: in piles of thirty single bodies crept
// on between their neighbours at 2 to 6 cm/s for seconds. One that has been slow for a second is driven by less than a thirtieth of
// its weight, or it would be fast by now, so this much of friction is not missed where something slides by Coulomb's law.)

import type { BackendBody } from '../backends/backend.js';
import { massOf } from '../handles/rigid-handle.js';

/** How long both have been slow before it acts [s]. */
const SLOW_FOR = 1;
/** It acts at intervals [s], for all of each. */
const INTERVAL = 0.04;
/** Deceleration, in that of gravity and coefficients of friction: a twentieth of the weight for the usual coefficient of ½. */
const HOLD = 0.1;

const change = new Float64Array(3);

/** Takes of the relative motion of slow bodies that press each other; `pressed` are pairs of these, by their places in `bodies`. */
export function resistCreep(
  bodies: readonly BackendBody[],
  pressed: readonly number[],
  gravity: number,
  timeStep: number,
): void {
  if (!bodies.some((body) => isDue(body, timeStep))) return;
  const pairs = new Set<number>();
  for (let n = 0; n < pressed.length; n += 2) {
    const [a, b] = [Math.min(pressed[n], pressed[n + 1]), Math.max(pressed[n], pressed[n + 1])];
    const first = bodies[a].asleep ? bodies[b] : bodies[a];
    if (a !== b && isDue(first, timeStep) && isSlow(bodies[a]) && isSlow(bodies[b])) pairs.add(bodies.length * a + b);
  }
  for (const pair of pairs) {
    brake(bodies[Math.floor(pair / bodies.length)], bodies[pair % bodies.length], HOLD * gravity * INTERVAL);
  }
}

/** What is pinned is held already, and parts move each on its own. */
const isSlow = ({ asleep, sleep, pins, prepared }: BackendBody): boolean =>
  asleep || (sleep.slowTime >= SLOW_FOR && pins.length === 0 && prepared.parts.length === 1);

function isDue(body: BackendBody, timeStep: number): boolean {
  const { slowTime } = body.sleep;
  return (
    !body.asleep &&
    slowTime >= SLOW_FOR &&
    Math.floor(slowTime / INTERVAL) !== Math.floor((slowTime - timeStep) / INTERVAL)
  );
}

/** Takes at most `most` [m/s], per coefficient of friction, of how two bodies drift against each other, and never more than half. */
function brake(a: BackendBody, b: BackendBody, most: number): void {
  let square = 0;
  for (let c = 0; c < 3; c++) {
    change[c] = (a.asleep ? 0 : a.sleep.drift[c]) - (b.asleep ? 0 : b.sleep.drift[c]);
    square += change[c] * change[c];
  }
  const speed = Math.sqrt(square);
  if (!(speed > 0)) return;
  const friction = Math.sqrt(a.contactSettings.friction * b.contactSettings.friction);
  const taken = Math.min(0.5, (most * friction) / speed);
  const [massA, massB] = [a, b].map((body) => (body.asleep ? Number.POSITIVE_INFINITY : massOf(body)));
  const shareA = massB === Number.POSITIVE_INFINITY ? 1 : massB / (massA + massB);
  if (!a.asleep) push(a, -taken * shareA);
  if (!b.asleep) push(b, taken * (1 - shareA));
}

/** Adds a share of the change to the velocity of a body. It moves less than before: no reason to be awake. */
function push(body: BackendBody, share: number): void {
  const { quietTime, slowTime, drift } = body.sleep;
  body.push({
    linear: [share * change[0], share * change[1], share * change[2]],
    angular: [0, 0, 0],
    about: [0, 0, 0],
  });
  Object.assign(body.sleep, { quietTime, slowTime });
  // The next of its pairs sees what is left.
  for (let c = 0; c < 3; c++) drift[c] += share * change[c];
}
