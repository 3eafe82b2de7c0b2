// Laws: V = V₀ after every step, and no net flux ∮v·n = 0, free and in contact.
// The cubic's root is found to rounding: 6V sums m triangles of relative rounding ε each, √m·ε ≈ 1e-14; 1e-11 allows for
// cancellation in flattened bodies.

import { describe, expect, it } from 'vitest';
import { createWorld, duck, prepare, surface, torus, uvSphere, vertexNormals } from '../../src/index.js';

const volumeError = (body: { volume(): number; restVolume: number }) => Math.abs(body.volume() / body.restVolume - 1);

function fluxError(body: {
  positions: ArrayLike<number>;
  velocities: ArrayLike<number>;
  mesh: { triangles: Uint32Array };
}): number {
  const normals = vertexNormals(Float64Array.from(body.positions), body.mesh.triangles);
  let flux = 0;
  let scale = 0;
  for (let k = 0; k < normals.length; k++) {
    flux += normals[k] * body.velocities[k];
    scale += Math.abs(normals[k] * body.velocities[k]);
  }
  return scale > 0 ? Math.abs(flux) / scale : 0;
}

const settings = {
  global: { globalShare: 1, innerShare: 0 },
  local: { globalShare: 0.2, innerShare: 0.1 },
  'very local': { globalShare: 0, innerShare: 0.5 },
};

describe.each(Object.entries(settings))('%s weights', (_, volume) => {
  it('keep the volume of a free body exactly, and its flux at zero', async () => {
    const world = await createWorld({ gravity: [0, 0, 0] });
    const solver = surface({ regionSize: 2, stiffness: 0.6, damping: 0, volume });
    const body = world.add(prepare(duck({ vertices: 500 }), solver), { spin: [4, 6, 8] });
    for (let k = 0; k < body.positions.length; k += 3) body.positions[k] *= 1.4;
    body.changed();
    for (let step = 0; step < 100; step++) {
      world.step();
      expect(volumeError(body)).toBeLessThan(1e-11);
      expect(fluxError(body)).toBeLessThan(1e-11);
    }
  });

  it('keep the volume of bodies pressed between plates to a third of their height', async () => {
    const world = await createWorld();
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
      world.step();
      for (const body of [ball, ring]) {
        expect(volumeError(body)).toBeLessThan(1e-11);
        // Contacts stay resolved: the bound of surface.md is 0.1 % of the body's size.
        expect(world.penetration(body)).toBeLessThan(1e-3 * body.prepared.volume.size);
      }
    }
    expect(ball.contactCount).toBeGreaterThan(20);
  });
});

describe.each([0, 0.5])('with friction %f', (friction) => {
  it('lets no net flux pass through a body in contact', async () => {
    // 1e-6 of the flux's own scale: particles that start or stop slipping bend the flux, and the secants end there.
    const world = await createWorld();
    world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0, friction });
    world.addCollider({
      shape: 'box',
      size: [4, 0.2, 4],
      friction,
      motion: [
        { time: 0, position: [0, 1.12, 0] },
        { time: 0.8, position: [0, 0.6, 0] },
      ],
    });
    const body = world.add(prepare(uvSphere({ segments: 16, radius: 0.5 }), surface({ regionSize: 2 })), {
      position: [0, 0.5, 0],
    });
    for (let step = 0; step < 200; step++) {
      world.step();
      expect(fluxError(body)).toBeLessThan(1e-6);
    }
  });
});
