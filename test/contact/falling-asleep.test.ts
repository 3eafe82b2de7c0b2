// When islands fall asleep: bodies that still lie deep in another are left some time to get out of it, as nothing moves what sleeps.

import { expect, it } from 'vitest';
import { Sleep, type SleepingBody, updateSleep } from '../../src/contact/sleep.js';

/** A power of two: times add up without rounding, and steps can be counted. */
const TIME_STEP = 1 / 128;
const SIZE = 1;
/** In steps. */
const HALF_SECOND = 64;

/** A body of 32 vertices that lies still, so far from the way out of another, and so deep under its surface [m]. */
function still(deepBy: number, sunkBy = 0): SleepingBody & { deepBy: number } {
  return {
    sleep: new Sleep(),
    contactRest: { size: SIZE },
    positions: new Float64Array(96),
    motion: 0,
    deepBy,
    sunkBy,
    kinematic: false,
    fallAsleep() {},
  };
}

/** After how many steps the first of some bodies sleeps, of which those side by side press each other. */
function stepsAwake(bodies: readonly SleepingBody[], change = (_: number) => {}): number {
  const pressed = bodies.flatMap((_, n) => (n > 0 ? [n - 1, n] : []));
  let step = 0;
  while (step < 1000 && !bodies[0].sleep.asleep) {
    change(++step);
    updateSleep(bodies, pressed, 9.81, TIME_STEP);
  }
  return step;
}

it('a body that lies still sleeps after half a second, also with its surface in another', () => {
  expect(stepsAwake([still(0)])).toBe(HALF_SECOND);
  expect(stepsAwake([still(0.01 * SIZE, 0.01 * SIZE)])).toBe(HALF_SECOND);
});

it('one that lies deep in another keeps its neighbours awake for three seconds more, and no longer', () => {
  expect(stepsAwake([still(0), still(0), still(0.03 * SIZE)])).toBe(7 * HALF_SECOND);
});

it('one whose surface lies deep under another keeps them awake for half a second more', () => {
  expect(stepsAwake([still(0), still(0), still(0, 0.03 * SIZE)])).toBe(2 * HALF_SECOND);
  expect(stepsAwake([still(0), still(0), still(0.03 * SIZE, 0.03 * SIZE)])).toBe(8 * HALF_SECOND);
});

it('they sleep at once when it has come out', () => {
  const leaving = still(0.03 * SIZE);
  const comeOut = (step: number) => {
    if (step === 150) leaving.deepBy = 0;
  };
  expect(stepsAwake([still(0), leaving], comeOut)).toBe(150);
});
