// Settings by keyframes: what they are when, what is refused, and that bodies follow them.

import { expect, it } from 'vitest';
import { checkScene, playScene, SceneError, type SceneFile } from '../../src/scenes/index.js';
import { valueAt } from '../../src/scenes/setting-keys.js';

const KEYS = [
  { time: 0.02, value: 0.5 },
  { time: 0.06, value: 0.7 },
];

const muscle = (activation: unknown, fibres: unknown = { axis: [0, 2, 0] }): SceneFile => ({
  isochore: 1,
  gravity: [0, 0, 0],
  timeStep: 0.01,
  steps: 6,
  bodies: [
    {
      mesh: { shape: 'box', size: [0.4, 1, 0.4], divisions: 2 },
      solver: { type: 'tetrahedra', cells: 4, strength: 2e4, fibres, activation },
    },
  ],
});

it('is held outside of its keyframes, and linear between them', () => {
  expect([0, 0.02, 0.06, 1].map((time) => valueAt(KEYS, time))).toEqual([0.5, 0.5, 0.7, 0.7]);
  expect(Math.abs(valueAt(KEYS, 0.03) - 0.55)).toBeLessThan(1e-12);
});

it('leads a body: at each step what its keyframes say for the end of it', async () => {
  const seen: number[] = [];
  let height = 0;
  for await (const { bodies } of playScene(checkScene(muscle(KEYS)))) {
    seen.push((bodies[0].settings as unknown as { activation: number }).activation);
    const ys = bodies[0].positions.filter((_, k) => k % 3 === 1);
    height = Math.max(...ys) - Math.min(...ys);
  }
  expect(seen.map((value) => Math.round(1e9 * value) / 1e9)).toEqual([0.5, 0.5, 0.5, 0.55, 0.6, 0.65, 0.7]);
  expect(height).toBeLessThan(0.97);
});

it('leads what is in a group: the volume that a body is to have', async () => {
  const target = [
    { time: 0, value: 1 },
    { time: 0.05, value: 1.02 },
    { time: 0.1, value: 0.98 },
  ];
  const mesh = { shape: 'icosphere', detail: 1 } as const;
  const scene = checkScene({ isochore: 1, steps: 30, bodies: [{ mesh, solver: { volume: { target } } }] });
  const largest = { seen: 0, error: 0 };
  let last = 0;
  for await (const { step, bodies } of playScene(scene)) {
    last = bodies[0].volume() / bodies[0].restVolume;
    largest.seen = Math.max(largest.seen, last);
    if (step > 0) largest.error = Math.max(largest.error, Math.abs(last - valueAt(target, 0.005 * step)));
  }
  // It goes by at most 1 % in 5 ms, which is more than is asked for here. Single precision.
  expect(largest.error).toBeLessThan(1e-5);
  expect(Math.abs(largest.seen - 1.02)).toBeLessThan(1e-5);
  expect(Math.abs(last - 0.98)).toBeLessThan(1e-5);
});

it.each([
  [muscle([]), 'bodies[0].solver.activation: expected a list of 1 to 10000 keyframes, got []'],
  [muscle([{ time: 1, value: 2 }]), 'expected a number from 0 to 1'],
  [muscle([...KEYS, { time: 0.06, value: 0 }]), 'a time after 0.06'],
  [muscle(0, { axis: [0, 0, 0] }), 'fibres'],
  [muscle(0, 'y'), 'bodies[0].solver.fibres: expected an object or false'],
])('refuses what is none', (scene, words) => {
  expect(() => checkScene(scene)).toThrow(SceneError);
  expect(() => checkScene(scene)).toThrow(words);
});
