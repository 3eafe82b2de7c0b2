// The number of threads by the time that steps take, on machines made up of numbers.

import { describe, expect, it } from 'vitest';
import { ThreadChoice } from '../../src/kernels/thread-choice.js';
import { seededRandom } from '../../src/math/random.js';

/** Time of a step on so many threads [ms]. */
type Machine = (threads: number, step: number) => number;

/** Runs steps; what they took in all [ms], and how many threads each had. */
function run(most: number, steps: number, machine: Machine): { total: number; threads: number[] } {
  const choice = new ThreadChoice(most);
  const threads: number[] = [];
  let total = 0;
  for (let step = 0; step < steps; step++) {
    threads.push(choice.threads);
    const ms = machine(choice.threads, step);
    total += ms;
    choice.took(ms);
  }
  return { total, threads };
}

/** Steps that differ by a tenth, one in twenty of which loses its processor for three milliseconds. */
function noisy(machine: Machine): Machine {
  const random = seededRandom(7);
  return (threads, step) => machine(threads, step) * (0.95 + 0.1 * random()) + (random() < 0.05 ? 3 : 0);
}

const idle: Machine = (threads) => 4 / Math.min(threads, 2) + 0.2 * (threads - 1);
const busy: Machine = (threads) => 4 * threads;

describe.each([
  ['steady', (machine: Machine) => machine],
  ['noisy', noisy],
])('on a %s machine', (_, disturbed) => {
  it('two threads beside a busy neighbour take no longer than one', () => {
    const steps = 2000;
    const { total } = run(2, steps, disturbed(busy));
    const one = run(1, steps, disturbed(busy)).total;
    // The promise: a twentieth for trying the other number now and then.
    expect(total / one).toBeLessThan(1.05);
  });

  it('uses both processors of an idle machine', () => {
    const { total, threads } = run(2, 2000, disturbed(idle));
    const all = Array.from({ length: 2000 }).reduce((sum: number) => sum + idle(2, 0), 0);
    expect(threads.filter((count) => count === 2).length).toBeGreaterThan(0.95 * 2000);
    if (disturbed !== noisy) expect(total / all).toBeLessThan(1.02);
  });

  it('follows a neighbour that comes and goes', () => {
    const { threads } = run(
      2,
      3000,
      disturbed((count, step) => (step >= 1000 && step < 2000 ? busy(count, step) : idle(count, step))),
    );
    const share = (from: number, to: number, count: number) =>
      threads.slice(from, to).filter((used) => used === count).length / (to - from);
    expect(share(0, 1000, 2)).toBeGreaterThan(0.9);
    // It is seen within some tens of steps; that it has gone, at the latest after the longest time between two tries.
    expect(share(1060, 2000, 1)).toBeGreaterThan(0.9);
    expect(share(2600, 3000, 2)).toBeGreaterThan(0.9);
  });
});

it('finds the best of many numbers, and never more than there are', () => {
  // Four processors, more threads wait for each other.
  const four: Machine = (threads) => 8 / Math.min(threads, 4) + (threads > 4 ? 0.5 * threads : 0);
  const { threads } = run(12, 2000, four);
  expect(new Set(threads)).toEqual(new Set([12, 8, 4, 2]));
  expect(threads.slice(200).filter((count) => count === 4).length).toBeGreaterThan(0.95 * 1800);
});

it('does not try anything where all threads are wanted', () => {
  const choice = new ThreadChoice(3);
  choice.usesAll = true;
  for (let step = 0; step < 500; step++) {
    expect(choice.threads).toBe(3);
    choice.took(busy(3, step));
  }
});
