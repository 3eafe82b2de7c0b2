// The timeline of posed scenes: any moment, in any order, with the same bits.

import { expect, it } from 'vitest';
import { openSource } from '../../apps/playground/src/program/open-source.js';
import { Simulation } from '../../apps/playground/src/program/simulation.js';
import { NO_SETTINGS } from '../../apps/playground/src/settings.js';
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

/** As the playground's world takes a step. */
function step(one: Simulation): void {
  one.beforeStep();
  one.world.step();
  one.afterStep();
}

const placeOf = ({ obstacles, world }: Simulation) => obstacles.poseOf(0, world.time).position;

it('goes to any moment and shows what playing shows there', async () => {
  const played = await open();
  expect(played.duration).toBe(0.3);
  for (let n = 0; n < 9; n++) step(played);
  const sought = await open();
  sought.seek(0.1);
  const early = sought.hash();
  sought.seek(0.3);
  expect(sought.hash()).toBe(played.hash());
  const place = placeOf(played);
  placeOf(sought).forEach((x, k) => {
    expect(Math.abs(x - place[k])).toBeLessThan(1e-14);
  });
  expect(Math.abs(sought.time - 0.3)).toBeLessThan(1e-12);
  expect(sought.steps).toBe(9);
  sought.seek(0.1);
  expect(sought.hash()).toBe(early);
  // And goes on from there.
  for (let n = 0; n < 6; n++) step(sought);
  expect(sought.hash()).toBe(played.hash());
  expect(sought.volumeErrors().kept).toBeLessThan(1e-10);
  // With other settings it is still that moment.
  const again = await Simulation.create(played.opened, played.settings, played.painting, played);
  step(again);
  step(played);
  expect(again.hash()).toBe(played.hash());
  for (const one of [played, sought, again]) one.world.dispose();
});
