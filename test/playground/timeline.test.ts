// The timeline of posed scenes: any moment, in any order, with the same bits.

import { expect, it } from 'vitest';
import { NO_SETTINGS } from '../../apps/playground/src/settings.js';
import { openSource } from '../../apps/playground/src/worker/open-source.js';
import { Simulation } from '../../apps/playground/src/worker/simulation.js';
import type { SceneFile } from '../../src/scenes/index.js';

/** A ball pressed by another one that comes down. */
const scene: SceneFile = {
  isochore: 1,
  timeStep: 1 / 30,
  steps: 9,
  bodies: [{ mesh: { shape: 'icosphere', detail: 1 }, solver: { type: 'deformer', tolerance: 1e-3 } }],
  colliders: [
    {
      shape: 'sphere',
      radius: 0.6,
      motion: [
        { time: 0, position: [0, 1.7, 0] },
        { time: 0.3, position: [0, 1.2, 0] },
      ],
    },
  ],
};

const open = async () =>
  Simulation.create(await openSource({ kind: 'scene', name: 'pressed', scene }), {
    ...NO_SETTINGS,
    world: { backend: 'reference', threads: 1 },
  });

it('goes to any moment and shows what playing shows there', async () => {
  const played = await open();
  expect(played.duration).toBe(0.3);
  for (let n = 0; n < 9; n++) played.step();
  const sought = await open();
  sought.seek(0.1);
  const early = sought.hash();
  sought.seek(0.3);
  expect(sought.hash()).toBe(played.hash());
  const poses = played.writePoses(1);
  // Single precision, of numbers up to 2.
  sought.writePoses(1).forEach((x, k) => {
    expect(Math.abs(x - poses[k])).toBeLessThan(3e-7);
  });
  expect(Math.abs(sought.time - 0.3)).toBeLessThan(1e-12);
  expect(sought.steps).toBe(9);
  sought.seek(0.1);
  expect(sought.hash()).toBe(early);
  // And goes on from there.
  for (let n = 0; n < 6; n++) sought.step();
  expect(sought.hash()).toBe(played.hash());
  expect(sought.volumeErrors().kept).toBeLessThan(1e-10);
  // With other settings it is still that moment.
  const again = await Simulation.create(played.opened, played.settings, played.painting, played);
  again.step();
  played.step();
  expect(again.hash()).toBe(played.hash());
  for (const one of [played, sought, again]) one.world.dispose();
});
