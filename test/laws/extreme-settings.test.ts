// Law: no setting breaks the simulation. Whatever the step size, stiffness, region size, density, speed and scale, the
// state stays finite, nothing is left inside the floor, and once the impact is over the volume is right.
// Bounds: penetration 0.1 % of the size, not to be seen; the body stays within what its speed, gravity and its own size allow.

import { describe, expect, it } from 'vitest';
import { box, prepare, surface, uvSphere } from '../../src/index.js';
import { advance, BOTH_BACKENDS, worldOn } from '../both-backends.js';

const steps = [1e-4, 1 / 15];
const stiffnesses = [0, 1];
const regionSizes = [1, 16];
const densities = [1e-3, 1e5];
const speeds = [5, 100];
const scales = [1e-3, 1, 1e3];

const materials = (['sphere', 'box'] as const).flatMap((shape) =>
  stiffnesses.flatMap((stiffness) => regionSizes.map((regionSize) => [shape, stiffness, regionSize] as const)),
);

describe.each(BOTH_BACKENDS.flatMap((backend) => steps.map((timeStep) => [backend, timeStep] as const)))(
  'on %s, steps of %f s',
  (backend, timeStep) => {
    it.each(materials)(
      'a %s of stiffness %f, region size %i: finite, outside the floor, right volume',
      async (shape, stiffness, regionSize) => {
        for (const scale of scales) {
          const mesh =
            shape === 'sphere' ? uvSphere({ segments: 10, radius: scale }) : box({ divisions: 4, size: 2 * scale });
          const prepared = prepare(mesh, surface({ regionSize, stiffness, damping: 0.1 }));
          for (const speed of speeds) {
            for (const density of densities) {
              const where = `${shape} scale ${scale} speed ${speed} density ${density}`;
              const world = await worldOn(backend, { timeStep });
              world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0 });
              const body = world.add(prepared, {
                position: [0, (shape === 'sphere' ? 1 : 1.01) * scale, 0],
                velocity: [0.3 * speed, -speed, 0],
                spin: [1, 2, 3],
                density,
              });
              // A second in long steps; and in short ones as many as the fastest body needs to the floor.
              const count = 15;
              let contacts = 0;
              for (let step = 0; step < count; step++) {
                await advance(world);
                contacts += body.contactCount;
              }
              // Down to the floor it is at most a hundredth of the size, if the time is long enough for that.
              if (speed * count * timeStep > 0.1 * scale) expect(contacts, where).toBeGreaterThan(0);
              const time = count * timeStep;
              const reach = 20 * scale + 2 * speed * time + 20 * 9.81 * time * time;
              for (const x of body.positions) if (!(Math.abs(x) <= reach)) throw new Error(`${where}: ${x}`);
              expect(world.penetration(body), where).toBeLessThan(1e-3 * body.prepared.volume.size);
              // 1e-3 relative: a body that was hit flatter than its correction can reach needs some steps to refill.
              const volumeError = Math.abs(body.volume() / body.restVolume - 1);
              expect(volumeError, where).toBeLessThan(1e-3);
            }
          }
        }
      },
    );
  },
);
