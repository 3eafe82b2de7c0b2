// Laws: V = V₀ after every step, and no net flux ∮v·n = 0, free and in contact.
// The cubic's root is found to rounding: 6V sums m triangles of relative rounding ε each, √m·ε ≈ 1e-14; 1e-11 allows for
// cancellation in flattened bodies. In single precision the positions' own rounding remains, see both-backends.ts. The
// flux is relative to the size of its terms, each of which single precision rounds by some 1e-7.

import { describe, expect, it } from 'vitest';
import { Obstacle } from '../../src/contact/obstacles/obstacle.js';
import { box, duck, prepare, signedVolume, surface, torus, uvSphere, type Vec3 } from '../../src/index.js';
import { advance, BOTH_BACKENDS, type PerBackend, VOLUME_TOLERANCE, worldOn } from '../both-backends.js';
import { fluxError, lookInside } from '../inner-state.js';

/** Pressed to a third, the mesh folds: the sums cancel. */
const PRESSED_TOLERANCE: PerBackend = { reference: 1e-9, wasm: 1e-6 };
/** In single precision normals are known up to a last step of 1e-6 of the body's size, a hundredth of a thousandth of an edge. */
const FLUX_TOLERANCE: PerBackend = { reference: 1e-11, wasm: 2e-6 };
/**
 * Particles that start or stop slipping bend the flux, and the secants end there. In single precision the last step of the
 * positions in contact, after which normals are not found anew, is up to 1e-5 of the body's size.
 */
const CONTACT_FLUX_TOLERANCE: PerBackend = { reference: 1e-6, wasm: 1e-5 };

const volumeError = (body: { volume(): number; restVolume: number }) => Math.abs(body.volume() / body.restVolume - 1);

const settings = {
  global: { globalShare: 1, innerShare: 0 },
  local: { globalShare: 0.2, innerShare: 0.1 },
  'very local': { globalShare: 0, innerShare: 0.5 },
};

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  describe.each(Object.entries(settings))('%s weights', (_, volume) => {
    it('keep the volume of a free body exactly, and its flux at zero', async () => {
      const solver = surface({ regionSize: 2, stiffness: 0.6, damping: 0, volume });
      const prepared = prepare(duck({ vertices: 500 }), solver);
      const { body, step, inner } = await lookInside(backend, prepared, 0, []);
      for (let k = 0; k < body.positions.length; k += 3) {
        body.velocities[k + 2] = 4 * body.positions[k];
        body.positions[k] *= 1.4;
      }
      body.load();
      for (let n = 0; n < 100; n++) {
        await step([0, 0, 0]);
        const error = signedVolume(body.positions, prepared.mesh.triangles) / prepared.volume.volume - 1;
        expect(Math.abs(error)).toBeLessThan(VOLUME_TOLERANCE[backend]);
        expect(fluxError(await inner(), prepared.particles.mesh.triangles)).toBeLessThan(FLUX_TOLERANCE[backend]);
      }
    });

    it('keep the volume of bodies pressed between plates to a third of their height', async () => {
      const world = await worldOn(backend);
      world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0 });
      world.addCollider({
        shape: 'box',
        size: [9, 0.2, 4],
        motion: [
          { time: 0, position: [0, 1.12, 0] },
          { time: 0.8, position: [0, 0.45, 0] },
        ],
      });
      const solver = surface({ regionSize: 2, stiffness: 0.9, damping: 0.3, volume });
      const ball = world.add(prepare(uvSphere({ segments: 16, radius: 0.5 }), solver), { position: [-2, 0.5, 0] });
      const ring = world.add(
        prepare(torus({ majorRadius: 0.7, minorRadius: 0.25, majorSegments: 24, minorSegments: 12 }), solver),
        { position: [1.5, 0.26, 0] },
      );
      for (let step = 0; step < 200; step++) {
        await advance(world);
        for (const body of [ball, ring]) {
          expect(volumeError(body)).toBeLessThan(VOLUME_TOLERANCE[backend]);
          // Contacts stay resolved: to 0.1 % of the body's size, which is not to be seen.
          expect(world.penetration(body)).toBeLessThan(1e-3 * body.prepared.volume.size);
        }
      }
      expect(ball.contactCount).toBeGreaterThan(20);
    });
  });

  describe.each([0, 0.5])('with friction %f', (friction) => {
    it('lets no net flux pass through a body in contact', async () => {
      const motion = [
        { time: 0, position: [0, 1.12, 0] as Vec3 },
        { time: 0.8, position: [0, 0.6, 0] as Vec3 },
      ];
      const colliders = [
        new Obstacle({ shape: 'plane', normal: [0, 1, 0], offset: 0, friction }),
        new Obstacle({ shape: 'box', size: [4, 0.2, 4], friction, motion }),
      ];
      const prepared = prepare(uvSphere({ segments: 16, radius: 0.5 }), surface({ regionSize: 2 }));
      const { body, step, inner } = await lookInside(backend, prepared, 0.5, colliders);
      for (let n = 0; n < 200; n++) {
        await step([0, -9.81, 0]);
        expect(fluxError(await inner(), prepared.particles.mesh.triangles)).toBeLessThan(
          CONTACT_FLUX_TOLERANCE[backend],
        );
      }
      expect(body.contactCount).toBeGreaterThan(20);
    });
  });

  describe.each([
    ['torus', torus(), 0.4, 0.8],
    ['box', box(), 0.5, 1],
    ['sphere', uvSphere({ segments: 20, radius: 0.5 }), 0.5, 1],
  ] as const)('a %s of default settings', (_, mesh, height, tall) => {
    it('keeps its volume pressed to 35 % of its height, and stays between the plates', async () => {
      const world = await worldOn(backend);
      world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0 });
      const motion = [
        { time: 0, position: [0, tall + 0.102, 0] as Vec3 },
        { time: 1, position: [0, 0.35 * tall + 0.1, 0] as Vec3 },
      ];
      world.addCollider({ shape: 'box', size: [12, 0.2, 12], motion });
      const body = world.add(prepare(mesh), { position: [0, height, 0] });
      // A second on the way down, half of one there.
      for (let step = 0; step < 300; step++) {
        await advance(world);
        expect(volumeError(body)).toBeLessThan(PRESSED_TOLERANCE[backend]);
        expect(world.penetration(body)).toBeLessThan(1e-3 * body.prepared.volume.size);
      }
    });
  });
});
