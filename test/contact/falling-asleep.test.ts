// When islands fall asleep: bodies that still lie deep in another are left some time to get out of it, as nothing moves what sleeps.

import { expect, it } from 'vitest';
import { Sleep, type SleepingBody, updateSleep } from '../../src/contact/sleep.js';

/** A power of two: times add up without rounding, and steps can be counted. */
const TIME_STEP = 1 / 128;
const SIZE = 1;
/** In steps. */
const HALF_SECOND = 64;

/** A body of 32 vertices that lies still, so far from the way out of another, and so deep under its surface [m]. */
function still(deepBy: number, sunkBy = 0): SleepingBody & { deepBy: number; wentBack?: boolean } {
  return {
    sleep: new Sleep(),
    contactRest: { size: SIZE },
    positions: new Float64Array(96),
    motion: 0,
    deepBy,
    sunkBy,
    kinematic: false,
    fallAsleep(goesBack) {
      Object.assign(this, { wentBack: goesBack });
    },
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

it('so does one whose surface lies deep under another, whatever else lies deep', () => {
  expect(stepsAwake([still(0), still(0), still(0, 0.03 * SIZE)])).toBe(7 * HALF_SECOND);
  expect(stepsAwake([still(0), still(0), still(0.03 * SIZE, 0.03 * SIZE)])).toBe(7 * HALF_SECOND);
});

it('one that is in and out by turns is waited for until it is out', () => {
  const [trembling, stuck] = [still(0), still(0.03 * SIZE)];
  // Two steps of three in it: when the other is not waited for any more, after seven half seconds, it is in.
  const tremble = (step: number) => {
    trembling.deepBy = step % 3 === 0 ? 0 : 0.03 * SIZE;
  };
  expect((7 * HALF_SECOND) % 3).not.toBe(0);
  expect(stepsAwake([still(0), trembling, stuck], tremble)).toBe(7 * HALF_SECOND + 2);
});

it('those that are never out in the same step are waited for half a second', () => {
  const [one, other] = [still(0), still(0)];
  const tremble = (step: number) => {
    one.deepBy = step % 2 === 0 ? 0 : 0.03 * SIZE;
    other.deepBy = step % 2 === 1 ? 0 : 0.03 * SIZE;
  };
  // One step more, in which the second is in and has not been out before.
  expect(stepsAwake([still(0), one, other], tremble)).toBe(2 * HALF_SECOND + 1);
});

it('they sleep at once when it has come out', () => {
  const leaving = still(0.03 * SIZE);
  const comeOut = (step: number) => {
    if (step === 150) leaving.deepBy = 0;
  };
  expect(stepsAwake([still(0), leaving], comeOut)).toBe(150);
});

it('who sleeps in an island with one that lies in another goes back to where it was when that was told, and nobody else', () => {
  const [shallow, beside, alone] = [still(0, 0.001 * SIZE), still(0), still(0)];
  for (let step = 0; step < HALF_SECOND; step++) updateSleep([shallow, beside, alone], [0, 1], 9.81, TIME_STEP);
  expect([shallow, beside, alone].map(({ wentBack }) => wentBack)).toEqual([true, true, false]);
});
