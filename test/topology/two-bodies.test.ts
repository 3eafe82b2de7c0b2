// A body of two parts moves as two bodies do, one for each of them: in free fall, on the floor, under pins of one of them.

import { describe, expect, it } from 'vitest';
import { type Body, box, prepare, type World } from '../../src/index.js';
import { BOTH_BACKENDS, type PerBackend, worldOn } from '../both-backends.js';
import { halves } from './bar-meshes.js';
import { bar } from './halves.js';

/**
 * How far they are from each other [m]. In double precision what differs is the rounding of masses, which an impact amplifies by some
 * 1e5 (both-backends.ts). In single precision the frame is another, about the middle of both.
 */
const TOLERANCE: PerBackend = { reference: 1e-11, wasm: 5e-6 };

const STEPS = 100;
const SIDES = [-1, 1] as const;

/** The same box twice: as a body of two parts, and as two bodies that do not touch each other. */
async function drop(backend: 'reference' | 'wasm', spin: number, pinned: boolean) {
  const build = async (add: (world: World) => Body[]) => {
    const world = await worldOn(backend);
    world.addCollider({ shape: 'plane', normal: [0, 1, 0], friction: 0.4 });
    return { world, bodies: add(world) };
  };
  const together = await build((world) => [world.add(prepare(halves(), bar({ split: 1 })), { position: [0, 0.8, 0] })]);
  const half = prepare(box({ size: 1, divisions: 4 }), bar());
  const apart = await build((world) =>
    SIDES.map((side) => world.add(half, { position: [0.5 * side, 0.8, 0], collidesWith: 1, group: 2 })),
  );
  const count = apart.bodies[0].particleCount;
  for (const { bodies } of [together, apart]) {
    for (let n = 0; n < 2 * count; n++) {
      const body = bodies.length > 1 ? bodies[n < count ? 0 : 1] : bodies[0];
      const k = 3 * (bodies.length > 1 ? n % count : n);
      // Turning about its own middle, the one faster than the other.
      const [x, y] = [body.positions[k] - (n < count ? -0.5 : 0.5), body.positions[k + 1] - 0.8];
      const rate = n < count ? spin : 2 * spin;
      body.velocities[k] = -rate * y;
      body.velocities[k + 1] = rate * x;
    }
    for (const body of bodies) body.changed();
    if (pinned) bodies[0].pin([0, 1, 2, 3].map((n) => 3 * n));
  }
  return { together, apart, count };
}

/** How deep vertices of the one part come into the other, which lies to the right of it [m]. */
const overlap = (body: Body): number => {
  const [left, right] = body.parts
    .map(({ vertices }) => Array.from(vertices, (vertex) => body.positions[3 * vertex]))
    .sort((a, b) => a[0] - b[0]);
  return Math.max(...left) - Math.min(...right);
};

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  it.each([true, false])(
    'parts that meet stop each other where the body has contact with itself (%s)',
    async (selfContact) => {
      const world = await worldOn(backend, { gravity: [0, 0, 0] });
      const body = world.add(prepare(halves(), bar({ split: 1 })), { selfContact });
      const half = body.particleCount / 2;
      for (let n = 0; n < body.particleCount; n++) {
        // 0.4 m apart, one against the other at 2 m/s, a little aside.
        const side = n < half ? -1 : 1;
        body.positions[3 * n] += 0.2 * side;
        body.positions[3 * n + 1] += 0.1 * side;
        body.velocities[3 * n] = -side;
      }
      body.changed();
      let deepest = 0;
      let worst = 0;
      for (let n = 0; n < 120; n++) {
        world.step();
        deepest = Math.max(deepest, overlap(body));
        worst = Math.max(worst, ...body.parts.map((part) => Math.abs(part.volume() / part.restVolume - 1)));
      }
      if (selfContact) expect(deepest).toBeLessThan(0.02);
      else expect(deepest).toBeGreaterThan(0.5);
      expect(worst).toBeLessThan(2e-5);
      // Their push is equal and opposite: momentum is rounding of 1000 kg at 1 m/s.
      for (const p of body.momentum()) expect(Math.abs(p)).toBeLessThan(backend === 'wasm' ? 0.02 : 1e-9);
    },
  );

  it.each([
    ['falls and lands', 0.5, false],
    ['falls and lands while one part hangs on pins', 0.3, true],
  ] as const)('%s as two bodies do', async (_, spin, pinned) => {
    const { together, apart, count } = await drop(backend, spin, pinned);
    const [body] = together.bodies;
    let furthest = 0;
    for (let n = 0; n < STEPS; n++) {
      together.world.step();
      apart.world.step();
      apart.bodies.forEach((half, side) => {
        half.positions.forEach((x, k) => {
          furthest = Math.max(furthest, Math.abs(x - body.positions[3 * count * side + k]));
        });
      });
    }
    expect(body.contactCount).toBeGreaterThan(0);
    expect(furthest).toBeLessThan(TOLERANCE[backend]);
  });
});
