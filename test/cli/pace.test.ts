// How fast, and how long it will take: against rates that are known.

import { expect, it } from 'vitest';
import { Pace, showDuration } from '../../src/cli/pace.js';

/** So many steps, one every `ms`. */
function run(pace: Pace, steps: number, ms: number, from = { done: 0, at: 0 }) {
  for (let n = 0; n <= steps; n++) pace.note(from.done + n, from.at + n * ms);
  return { done: from.done + steps, at: from.at + steps * ms };
}

it('tells speed and time left once something is done', () => {
  const pace = new Pace();
  pace.note(0, 0);
  expect(pace.describe('step', 100)).toBe('');
  run(pace, 300, 4);
  expect(pace.describe('step', 1300)).toBe('250 steps/s, 0:04 left');
});

it('follows a change within seconds', () => {
  const pace = new Pace();
  const at = run(pace, 2000, 5);
  run(pace, 100, 100, at);
  expect(Math.abs((pace.speed as number) - 10)).toBeLessThan(0.2);
});

it('turns slow speeds over, and counts what was done before as done', () => {
  const pace = new Pace();
  run(pace, 4, 2500, { done: 50, at: 0 });
  expect(pace.describe('task', 60)).toBe('2.50 s per task, 0:15 left');
});

it.each([
  [0.2, '0:01'],
  [59.5, '1:00'],
  [3599, '59:59'],
  [3661, '1:01:01'],
])('shows %d s as %s', (seconds, text) => {
  expect(showDuration(seconds)).toBe(text);
});
