// Law: what rolls slowly stops, by the torque c·m·g·R of rolling friction, and sleeps; what rolls fast is left alone. The mass is on
// the surface, I = ⅔ m R², so a ball that rolls without slip slows by a = c·g / (1 + ⅔) = 0.29 m/s² for c = 0.05: from 0.25 m/s
// it stops within 0.85 s and 11 cm, after the half second (13 cm) in which it is watched. Bounds: the flattened ball of a coarse mesh
// rolls over its triangles, which takes of its speed or gives to it what they lift it by; half as far again, and twice the time.

import { describe, expect, it } from 'vitest';
import { icosphere, prepare, surface } from '../../src/index.js';
import { advance, BOTH_BACKENDS, type TestedBackend, worldOn } from '../both-backends.js';

const RADIUS = 0.5;
const ball = prepare(icosphere({ detail: 2, radius: RADIUS }), surface({ regionSize: 2 }));

/** A ball that has come to rest on the floor and is then set rolling along x at this speed [m/s]. */
async function rollingBall(backend: TestedBackend, speed: number) {
  const world = await worldOn(backend);
  world.addCollider({ shape: 'plane', normal: [0, 1, 0], friction: 0.8 });
  const body = world.add(ball, { position: [0, RADIUS, 0] });
  await advance(world, 200);
  body.setMotion([speed, 0, 0], [0, 0, -speed / RADIUS]);
  return { world, body, start: body.centreOfMass()[0] };
}

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  it('a ball at 0.25 m/s stops after a while and sleeps', async () => {
    const { world, body, start } = await rollingBall(backend, 0.25);
    const watched = 0.25 * 0.5;
    const slowed = 0.25 ** 2 / (2 * 0.29);
    for (let step = 0; step < 540 && !body.asleep; step++) await advance(world);
    expect(body.asleep).toBe(true);
    expect(body.centreOfMass()[0] - start).toBeLessThan(1.5 * (watched + slowed));
    world.dispose();
  });

  it('a ball at 1.5 m/s rolls on', async () => {
    const { world, body } = await rollingBall(backend, 1.5);
    await advance(world, 100);
    const before = body.momentum()[0];
    await advance(world, 200);
    // With the torque it would lose 0.29 m/s in that second, a fifth.
    expect(body.momentum()[0] / before).toBeGreaterThan(0.9);
    world.dispose();
  });
});
