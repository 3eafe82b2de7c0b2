// In a corner sharper than a right angle two passes over the obstacles left a fast particle centimetres inside one of them.

import { expect, it } from 'vitest';
import { Obstacle } from '../../src/contact/obstacles/obstacle.js';
import { deepestPenetration, resolveObstacles } from '../../src/contact/obstacles/obstacle-contact.js';
import { createParticleContacts } from '../../src/contact/particle-contacts.js';

it.each([60, 75, 90, 120])('leaves a fast particle outside both planes of a corner of %d degrees', (degrees) => {
  const half = (degrees * Math.PI) / 360;
  const planes = [-1, 1].map(
    (side) =>
      new Obstacle({ shape: 'plane', normal: [side * Math.cos(half), Math.sin(half), 0], offset: 0, friction: 0 }),
  );
  const starts = Float64Array.of(0.01, 0.1, 0);
  const velocities = Float64Array.of(20, -100, 0);
  const positions = starts.map((x, k) => x + 0.005 * velocities[k]);
  resolveObstacles(planes, positions, starts, velocities, new Uint8Array(1), 0.005, createParticleContacts(1));
  // Each pass shrinks the depth by cos² of the corner's angle: twelve passes leave 4⁻¹² of half a metre at 60°.
  expect(deepestPenetration(planes, positions)).toBeLessThan(1e-6);
});
