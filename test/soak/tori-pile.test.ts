// Forty rings of finite elements that fall into a glass, on each other: every ring keeps its volume and every one-ring of nodes its
// own, in every step, and nothing is tangled at the end. The paper's rings kept theirs to 0.5 %.

import { expect, it } from 'vitest';
import { buildScene, checkScene, findScene } from '../../src/scenes/index.js';

const STEPS = 400;

it('keeps every volume of tori-pile', async () => {
  const file = findScene('tori-pile')?.make();
  const { world, bodies } = await buildScene(checkScene(file), { backend: 'wasm', threads: 1 });
  let [volume, ring] = [0, 0];
  for (let n = 0; n < STEPS; n++) {
    world.step();
    for (const body of bodies) {
      volume = Math.max(volume, 100 * Math.abs(body.volume() / body.targetVolume - 1));
      ring = Math.max(ring, body.figures().maxOneRingErrorPercent);
    }
  }
  expect(volume).toBeLessThan(0.5);
  // The solver's tolerance, and what single precision adds to it.
  expect(ring).toBeLessThan(0.105);
  for (const body of bodies) {
    expect(body.positions.every(Number.isFinite)).toBe(true);
    expect(body.figures().invertedTetrahedra).toBe(0);
    // A hundredth of a ring's width.
    expect(world.penetration(body)).toBeLessThan(0.01);
  }
  world.dispose();
});
