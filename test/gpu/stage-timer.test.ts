// What timestamps that came back say of the stages.

import { expect, it } from 'vitest';
import { StageTimer } from '../../src/backends/webgpu/stage-timer.js';

const read = (...stamps: bigint[]) => StageTimer.read(BigUint64Array.from(stamps).buffer);

it('milliseconds by stage: of nanoseconds, of a stage within a tick of the clock, of one that no dispatch belongs to', () => {
  const stamps = [100n, 2_000_100n, 2_000_100n, 2_000_100n, 2_000_200n, 2_500_200n, 3_000_000n, 4_000_000n];
  const times = read(...stamps, 4_000_000n, 14_000_000n, 0n, 0n);
  expect(times).toEqual({ predict: 2, match: 0, damp: 0.5, contact: 1, conserve: 10 });
});

it('a stage that ends before it begins has no time', () => {
  const times = read(100n, 50n, 200n, 1_000_200n, 0n, 0n, 0n, 0n, 0n, 0n, 0n, 0n);
  expect(times).toEqual({ match: 1 });
});
