// A small part of the soak's random cuts, and blades that come again and again.

import { expect, it } from 'vitest';
import { box, icosphere, octree, prepare, type Vec3 } from '../../../src/index.js';
import { worldOn } from '../../both-backends.js';
import { cutAtRandom, cutInPile } from './random-cuts.js';

it('bent sheets leave closed meshes of the same volume, one by one and one after the other', () => {
  const single = cutAtRandom(icosphere({ detail: 2 }), 40, 1, 3);
  expect(single.cuts).toBeGreaterThan(25);
  expect(single.refused).toBe(0);
  const sequences = cutAtRandom(box({ divisions: 3 }), 5, 4, 4);
  expect(sequences.refused).toBe(0);
});

it('cuts in a pile leave parts with their volumes, and snapshots go on', async () => {
  const { splits, volumeError, finite, skinErrors, grips } = await cutInPile(4, 1);
  expect(finite).toBe(true);
  expect(splits).toBeGreaterThan(0);
  expect(volumeError).toBeLessThan(2e-5);
  expect(Math.max(...skinErrors)).toBeLessThan(1e-3);
  expect(grips).toBeGreaterThan(0);
});

it('blades that miss cost no memory, however many', async () => {
  const world = await worldOn('wasm', { gravity: [0, 0, 0] });
  const body = world.add(prepare(box({ divisions: 2 }), octree({ cells: 2, levels: 1 })));
  const { mesh } = body;
  const plane = { point: [5, 0, 0] as Vec3, normal: [1, 0, 0] as Vec3 };
  for (let n = 0; n < 100; n++) {
    body.cut({ plane });
    body.cut({
      path: [
        [5, 0, 0],
        [5, 0, 1],
      ],
      blade: [0, 1, 0],
    });
    world.step();
    world.step();
  }
  expect(body.mesh).toBe(mesh);
  expect(body.topologyVersion).toBe(0);
});
