// When islands fall asleep: bodies that still lie deep in another are left some time to get out of it, as nothing moves what sleeps.

import { expect, it } from 'vitest';
import { Sleep, type SleepingBody, updateSleep } from '../../src/contact/sleep.js';

const TIME_STEP = 0.005;
const SIZE = 1;

/** A body of 32 vertices that lies still, so deep in another [m]. */
function still(deepBy: number): SleepingBody & { deepBy: number } {
  return {
    sleep: new Sleep(),
    contactRest: { size: SIZE },
    positions: new Float64Array(96),
    motion: 0,
    deepBy,
    kinematic: false,
    fallAsleep() {},
  };
}

/** After how many seconds the first of some bodies sleeps, of which those side by side press each other. */
function secondsAwake(bodies: readonly SleepingBody[], change = (_: number) => {}): number {
  const pressed = bodies.flatMap((_, n) => (n > 0 ? [n - 1, n] : []));
  let step = 0;
  while (step < 1000 && !bodies[0].sleep.asleep) {
    change(++step * TIME_STEP);
    updateSleep(bodies, pressed, 9.81, TIME_STEP);
  }
  return step * TIME_STEP;
}

it('a body that lies still sleeps after half a second, also with its surface in another', () => {
  expect(secondsAwake([still(0)])).toBeCloseTo(0.5, 1);
  expect(secondsAwake([still(0.01 * SIZE)])).toBeCloseTo(0.5, 1);
});

it('one that lies deep in another keeps its neighbours awake for a second and a half more, and no longer', () => {
  expect(secondsAwake([still(0), still(0), still(0.03 * SIZE)])).toBeCloseTo(2, 1);
});

it('they sleep at once when it has come out', () => {
  const leaving = still(0.03 * SIZE);
  const comeOut = (seconds: number) => {
    if (seconds > 1.2) leaving.deepBy = 0;
  };
  expect(secondsAwake([still(0), leaving], comeOut)).toBeCloseTo(1.2, 1);
});
