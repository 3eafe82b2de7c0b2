// The same bits, run after run. The scene holds only arithmetic and square roots, which are exact to the bit on every
// machine; sin and cos, which are not, stay out of it. A commit that changes a hash says why.

import { expect, it } from 'vitest';
import { checkScene, runScene } from '../../src/scenes/index.js';

const scene = () =>
  checkScene({
    isochore: 1,
    steps: 120,
    bodies: [
      {
        name: 'a',
        mesh: { shape: 'box', size: [1, 1, 1], divisions: 6 },
        position: [0, 1, 0],
        rotation: [0.5, 0.5, 0.5, 0.5],
        velocity: [0.5, -2, 0],
        spin: [1, 2, 3],
        solver: { type: 'surface', regionSize: 2 },
      },
      {
        name: 'b',
        mesh: { shape: 'box', size: [2, 1, 1], divisions: [8, 4, 4] },
        position: [4, 0.5, 0],
        solver: { type: 'surface', regionSize: 3, volume: { globalShare: 0.1, innerShare: 0.3 } },
        deform: 'random',
      },
    ],
    colliders: [
      { shape: 'plane', normal: [0, 1, 0], offset: 0 },
      { shape: 'sphere', radius: 0.5, position: [0.3, 0, 0] },
    ],
  });

it('runs to the same bits twice, and to the recorded ones', async () => {
  const first = await runScene(scene(), {});
  const second = await runScene(scene(), {});
  expect(second.hash).toBe(first.hash);
  expect(first.hash).toBe('a21d1937ab664aec');
});
