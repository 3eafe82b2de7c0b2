// Posed bodies: where they are is a function of time; others lie on them and are pushed by them.

import { expect, it } from 'vitest';
import { createWorld, generateShape, posed, prepare, signedVolume } from '../../src/index.js';

const slab = generateShape({ shape: 'box', size: [2, 0.4, 2], divisions: [8, 2, 8] });
const ball = generateShape({ shape: 'icosphere', detail: 2, radius: 0.4 });

/** A slab whose top sinks in the middle and that rises by 0.2 m/s for a second. */
function slabAt(time: number): Float64Array {
  const out = slab.positions.slice();
  const rise = 0.2 * Math.min(time, 1);
  for (let k = 0; k < out.length; k += 3) {
    const dent = out[k + 1] > 0.1 ? 0.1 * Math.min(1, time) * Math.max(0, 1 - out[k] ** 2 - out[k + 2] ** 2) : 0;
    out[k + 1] += rise - dent;
  }
  return out;
}

it.each(['wasm', 'reference'] as const)('a ball lies on a posed slab and goes with it, on %s', async (backend) => {
  const world = await createWorld({ backend });
  const floor = world.add(prepare(slab, posed()), { name: 'slab' });
  floor.pose(slabAt);
  const rider = world.add(prepare(ball), { position: [0, 0.61, 0] });
  const volume = signedVolume(ball.positions, ball.triangles);
  for (let n = 0; n < 300; n++) world.step();
  const expected = slabAt(world.time);
  // Single precision, of numbers up to 1.
  floor.positions.forEach((x, k) => {
    expect(Math.abs(x - expected[k])).toBeLessThan(2e-7);
  });
  // It has risen with the slab and lies in its dent: 0.2 + 0.2 − 0.1 is the lowest place of the top.
  const heights = Array.from(rider.positions).filter((_, k) => k % 3 === 1);
  const lowest = Math.min(...heights);
  expect(lowest).toBeGreaterThan(0.29);
  expect(lowest).toBeLessThan(0.33);
  expect(Math.abs(rider.centreOfMass()[0])).toBeLessThan(0.02);
  expect(Math.abs(rider.volume() / volume - 1)).toBeLessThan(1e-3);
  world.dispose();
});

it('goes on from a snapshot with the same bits', async () => {
  const world = await createWorld();
  world.add(prepare(slab, posed())).pose(slabAt);
  const rider = world.add(prepare(ball), { position: [0, 0.61, 0] });
  for (let n = 0; n < 40; n++) world.step();
  const snapshot = world.snapshot();
  for (let n = 0; n < 20; n++) world.step();
  const after = rider.positions.slice();
  world.restore(snapshot);
  for (let n = 0; n < 20; n++) world.step();
  expect(rider.positions).toEqual(after);
  world.dispose();
});

it('refuses poses that are none in one line', async () => {
  const world = await createWorld();
  const body = world.add(prepare(slab, posed()));
  expect(() => body.pose(() => [1, 2, 3])).toThrow(/^pose: expected 582 numbers, got \[1, 2, 3\]/);
  body.pose((time) => (time > 0 ? slab.positions.map(() => Number.NaN) : slab.positions));
  expect(() => world.step()).toThrow(/^pose: expected finite numbers at 0.005 s, got NaN at vertex 0/);
  world.dispose();
});
