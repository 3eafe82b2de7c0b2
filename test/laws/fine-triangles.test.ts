// Law: triangles may be of any size within a body. The moments of a region go with the fourth power of its edges, and products
// of three of them with the twelfth: of a sphere of 1 m whose edges shrink to 0.1 mm at one pole they left single precision,
// and the body with it. It falls on a floor, spinning; volume as of any other body.

import { expect, it } from 'vitest';
import { prepare, surface } from '../../src/index.js';
import { advance, BOTH_BACKENDS, VOLUME_TOLERANCE, worldOn } from '../both-backends.js';
import { gradedSphere } from './graded-sphere.js';

it.each(BOTH_BACKENDS)(
  'a sphere with edges from 0.1 mm to 0.1 m falls and keeps its volume, on %s',
  async (backend) => {
    const world = await worldOn(backend);
    world.addCollider({ shape: 'plane', normal: [0, 1, 0], friction: 0.5 });
    const ball = prepare(gradedSphere(2.5), surface({ regionSize: 2, damping: 0.5 }));
    const body = world.add(ball, { position: [0, 0.7, 0], spin: [0, 0, 3] });
    for (let step = 0; step < 60; step++) {
      await advance(world);
      expect(body.positions.every(Number.isFinite)).toBe(true);
      expect(Math.abs(body.volume() / body.restVolume - 1)).toBeLessThan(VOLUME_TOLERANCE[backend]);
    }
  },
);
