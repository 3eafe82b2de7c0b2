// A particle at 100 m/s that grazes a plate of 2 cm went through it: sphere tracing used up its steps along the surface.

import { expect, it } from 'vitest';
import { Obstacle } from '../../src/contact/obstacles/obstacle.js';
import { resolveObstacles } from '../../src/contact/obstacles/obstacle-contact.js';
import { createParticleContacts } from '../../src/contact/particle-contacts.js';

it.each([0.5, 2, 3, 5, 7, 9, 12, 20, 45, 90])('stops a particle at 100 m/s that comes in at %d degrees', (degrees) => {
  const plate = new Obstacle({ shape: 'box', size: [4, 0.02, 4], friction: 0 });
  const angle = (degrees * Math.PI) / 180;
  for (const height of [0.0101, 0.012, 0.02]) {
    const starts = Float64Array.of(-0.3, height, 0.1);
    const velocities = Float64Array.of(100 * Math.cos(angle), -100 * Math.sin(angle), 0);
    const positions = starts.map((x, k) => x + 0.005 * velocities[k]);
    resolveObstacles([plate], positions, starts, velocities, new Uint8Array(1), 0.005, createParticleContacts(1));
    expect(positions[1]).toBeGreaterThan(0.01 - 1e-9);
  }
});
