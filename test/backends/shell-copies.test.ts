// The kernels that take a hosted shell from double to single precision and back, against the loops: the same bits.

import { expect, it } from 'vitest';
import { ShellCopies } from '../../src/backends/wasm/hosting/shell-copies.js';
import { seededRandom } from '../../src/math/random.js';

it.each([1, 2, 7, 100])('%i particles are given and taken alike', (count) => {
  const all = [true, false].map((withKernels) => {
    const random = seededRandom(count);
    const copies = new ShellCopies(count, withKernels);
    for (const list of [copies.positions, copies.velocities]) list.set(list.map(() => 10 * random() - 5));
    copies.starts.set(copies.positions);
    copies.fall(0.1, -0.05, 1e-9, 0.005);
    const [positions, starts, velocities] = [0, 1, 2].map(() => new Float32Array(4 * count));
    copies.give([1.1, -2.2, 3.3], positions, starts, velocities);
    const given = [positions, starts, velocities].map((list) => list.slice());
    const before = copies.positions.slice();
    copies.take([0, 0, 0], positions, velocities);
    // Nothing was changed, so nothing is rounded.
    expect(copies.positions).toEqual(before);
    for (const list of [positions, velocities]) list.set(list.map((x, k) => (k % 4 < 3 ? x + 0.01 * random() : 0)));
    copies.take([0.25, 0, -1e-3], positions, velocities);
    return [...given, copies.positions, copies.starts, copies.velocities];
  });
  expect(all[0]).toEqual(all[1]);
  // Single precision of what is relative to the origin.
  const [positions, , , world] = all[0];
  expect(positions).toHaveLength(4 * count);
  expect(world.every(Number.isFinite)).toBe(true);
});
