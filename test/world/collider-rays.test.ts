// Rays that obstacles stop.

import { expect, it } from 'vitest';
import { box, type ColliderOptions, createWorld, icosphere, prepare, surface, type Vec3 } from '../../src/index.js';

const half = Math.SQRT1_2;
const cases: readonly [string, ColliderOptions, Vec3, Vec3, number | null, Vec3?][] = [
  ['a plane', { shape: 'plane', normal: [0, 2, 0], offset: -1 }, [0, 2, 0], [0, -3, 0], 3, [0, 1, 0]],
  ['a plane that it leaves', { shape: 'plane', normal: [0, 1, 0] }, [0, 2, 0], [0, 1, 0], null],
  ['a sphere', { shape: 'sphere', radius: 1, position: [5, 0, 0] }, [0, 0, 0], [1, 0, 0], 4, [-1, 0, 0]],
  ['a sphere beside it', { shape: 'sphere', radius: 1, position: [5, 1.01, 0] }, [0, 0, 0], [1, 0, 0], null],
  ['a sphere around it', { shape: 'sphere', radius: 9 }, [0, 0, 0], [1, 0, 0], null],
  [
    'a turned box',
    {
      shape: 'box',
      size: [2, 2, 2],
      position: [6, 0, 0],
      rotation: [0, Math.sin(Math.PI / 8), 0, Math.cos(Math.PI / 8)],
    },
    [0, 0, 0.5],
    [1, 0, 0],
    6 - Math.SQRT2 + 0.5,
    [-half, 0, half],
  ],
  ['a capsule', { shape: 'capsule', radius: 0.5, height: 3 }, [0, 5, 0], [0, -1, 0], 3.5, [0, 1, 0]],
  ['a cylinder', { shape: 'cylinder', radius: 0.5, height: 3 }, [3, 0, 0], [-1, 0, 0], 2.5, [1, 0, 0]],
  [
    'a closed mesh',
    { shape: 'mesh', mesh: box({ divisions: 2 }), position: [0, 0, 3] },
    [0.1, 0.2, 0],
    [0, 0, 1],
    2.5,
    [0, 0, -1],
  ],
  [
    'a landscape',
    {
      shape: 'heightfield',
      size: [4, 4],
      heights: [
        [0, 0, 0],
        [1, 1, 1],
        [2, 2, 2],
      ],
    },
    [0.3, 5, 0.5],
    [0, -1, 0],
    3.75,
    [0, 2 / Math.sqrt(5), -1 / Math.sqrt(5)],
  ],
];

it.each(cases)('a ray meets %s where geometry says', async (_, options, origin, direction, distance, normal) => {
  const world = await createWorld({ backend: 'reference' });
  const collider = world.addCollider(options);
  const hit = world.raycast(origin, direction, { colliders: true });
  if (distance === null) {
    expect(hit).toBeNull();
    return;
  }
  if (!hit || !('collider' in hit)) throw new Error('no obstacle');
  expect(hit.collider).toBe(collider);
  // Sphere tracing ends within 1e-9 of the way.
  expect(Math.abs(hit.distance - distance)).toBeLessThan(1e-8);
  (normal as Vec3).forEach((n, c) => {
    expect(Math.abs(hit.normal[c] - n)).toBeLessThan(1e-9);
  });
  expect(world.raycast(origin, direction, { colliders: true, maxDistance: distance - 0.01 })).toBeNull();
  expect(world.raycast(origin, direction, { colliders: true, groups: 2 })).toBeNull();
  expect(world.raycast(origin, direction)).toBeNull();
});

it('the nearer of a body and an obstacle is met; sensors let rays through', async () => {
  const world = await createWorld({ backend: 'reference' });
  const body = world.add(prepare(icosphere({ detail: 1, radius: 0.5 }), surface({ regionSize: 2 })));
  world.addCollider({ shape: 'sphere', radius: 0.2, position: [0, 2, 0], sensor: true });
  const lid = world.addCollider({ shape: 'box', size: [1, 0.1, 1], position: [0, -2, 0] });
  const down = world.raycast([0, 3, 0], [0, -1, 0], { colliders: true });
  expect(down && 'body' in down && down.body).toBe(body);
  const up = world.raycast([0, -3, 0], [0, 1, 0], { colliders: true });
  expect(up && 'collider' in up && up.collider).toBe(lid);
});
