// A soft ball on a hand that the deformer poses: it rolls over the flat palm and off along a finger, and stays where a fist has dented it.

import { expect, it } from 'vitest';
import { generateShape } from '../../src/mesh/index.js';
import { buildScene, checkScene, type SceneFile } from '../../src/scenes/index.js';
import { surfaceDistance } from '../surface-distance.js';

const HAND = { shape: 'hand', vertices: 900 } as const;

/** The palm upwards; the fist presses the hand only, and the ball touches the hand only. */
const scene = (isDented: boolean): SceneFile => ({
  isochore: 1,
  timeStep: 1 / 120,
  bodies: [
    {
      name: 'hand',
      mesh: HAND,
      position: [0, 0, 0.3],
      rotation: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2],
      solver: { type: 'deformer', cells: 16, tolerance: 1e-3 },
    },
    {
      name: 'ball',
      mesh: { shape: 'icosphere', detail: 2, radius: 0.09 },
      position: [0, 0.2, 0],
      group: 2,
      collidesWith: 1,
    },
  ],
  colliders: isDented
    ? [{ name: 'fist', shape: 'sphere', radius: 0.13, position: [0, 0.15, 0], group: 4, collidesWith: 1 }]
    : [],
});

it.each([
  [false, 'rolls off a flat palm'],
  [true, 'rests in a dent'],
])('dented: %s: the ball %s', async (isDented) => {
  const { world, bodies } = await buildScene(checkScene(scene(isDented)));
  const [hand, ball] = bodies;
  const volume = ball.volume();
  for (let n = 0; n < 180; n++) {
    world.step();
    expect(Math.abs(ball.volume() / volume - 1)).toBeLessThan(1e-5);
  }
  const [x, y, z] = ball.centreOfMass();
  if (isDented) {
    expect(Math.sqrt(x * x + z * z)).toBeLessThan(0.02);
    // Lower than a ball of its radius lies on the palm at 0.02 m, as the fist is in by 0.03.
    expect(y).toBeLessThan(0.1);
  } else expect(z).toBeLessThan(-0.3);
  const { triangles } = generateShape(HAND);
  const distance = surfaceDistance({ positions: Float64Array.from(hand.positions), triangles });
  for (let k = 0; k < ball.positions.length; k += 3)
    expect(distance(ball.positions.subarray(k, k + 3))).toBeGreaterThan(-1e-3);
  world.dispose();
});
