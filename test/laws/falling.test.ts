// Law: what falls on other bodies stays out of them. Five balls in a wide tube, three of which fall on the others from up to two
// of their sizes, flatten and fill the tube for a moment. The volume constraint may not make up for that by pushing them into
// each other while their free sides have room (with free particles kept to one size a second they lay in each other by a
// third of their size). Tolerance: a tenth of the size, which the deepest vertex is in for a few steps at most; it was 4 %.
// On wasm only, since double precision takes a minute.

import { expect, it } from 'vitest';
import { icosphere, prepare, surface } from '../../src/index.js';
import { advance, VOLUME_TOLERANCE, worldOn } from '../both-backends.js';

const RADIUS = 0.5;
const STEPS = 300;
const settings = surface({ regionSize: 2, damping: 0.9, volume: { globalShare: 0.5, innerShare: 0.1 } });

it('balls that fall on each other in a tube stay out of each other', async () => {
  const ball = prepare(icosphere({ detail: 3, radius: RADIUS }), settings);
  const world = await worldOn('wasm');
  world.addCollider({ shape: 'glass', radius: 1.3, height: 8, wall: 0.1, friction: 0.25 });
  const places: [number, number, number][] = [
    [0, 0.65, 0],
    [0.02, 1.7, 0],
    [0.01, 2.85, 0],
    [0.01, 3.9, 0],
    [0.01, 4.95, 0],
  ];
  const bodies = places.map((position) => world.add(ball, { position, friction: 0.25 }));
  let deepest = 0;
  for (let step = 1; step <= STEPS; step++) {
    await advance(world);
    for (const body of bodies)
      expect(Math.abs(body.volume() / body.restVolume - 1)).toBeLessThan(VOLUME_TOLERANCE.wasm);
    if (step % 10 === 0) deepest = Math.max(deepest, ...bodies.map((body) => world.penetration(body)));
  }
  expect(deepest).toBeLessThan(0.1 * 2 * RADIUS);
});
