// Lines where obstacles are: of every kind, while they move, come and go.

import { Box3, type BufferGeometry, type LineBasicMaterial, type LineSegments } from 'three';
import { expect, it } from 'vitest';
import { box, createWorld } from '../../src/index.js';
import { COLLIDER_VIEW_DEFAULTS, ColliderView } from '../../src/three/index.js';

type Lines = LineSegments<BufferGeometry, LineBasicMaterial>;

it.each([
  [{ shape: 'box', size: [1, 2, 3] }, [-0.5, -1, -1.5, 0.5, 1, 1.5]],
  [{ shape: 'sphere', radius: 2 }, [-2, -2, -2, 2, 2, 2]],
  [{ shape: 'capsule', radius: 1, height: 4 }, [-1, -2, -1, 1, 2, 1]],
  [{ shape: 'cylinder', radius: 1, height: 4 }, [-1, -2, -1, 1, 2, 1]],
  [{ shape: 'glass', radius: 1, height: 2, wall: 0.1 }, [-1, 0, -1, 1, 2, 1]],
  [{ shape: 'plane', normal: [0, 2, 0], offset: 1 }, [-10, 1, -10, 10, 1, 10]],
  [{ shape: 'mesh', mesh: box({ size: 2 }) }, [-1, -1, -1, 1, 1, 1]],
  [
    {
      shape: 'heightfield',
      heights: [
        [0, 1],
        [2, 3],
      ],
      size: [4, 6],
    },
    [-2, 0, -3, 2, 3, 3],
  ],
] as const)('shows $0.shape', async (shape, bounds) => {
  const world = await createWorld({ backend: 'reference' });
  world.addCollider(shape as never);
  const view = new ColliderView(world);
  const { min, max } = new Box3().setFromObject(view);
  // A round thing has corners all around: here on its axes.
  [...min.toArray(), ...max.toArray()].forEach((x, c) => {
    expect(Math.abs(x - bounds[c])).toBeLessThan(1e-5);
  });
});

it('follows what moves, comes and goes', async () => {
  const world = await createWorld({ backend: 'reference' });
  const plate = world.addCollider({ shape: 'box', size: [1, 1, 1], name: 'plate' });
  const view = new ColliderView(world, { color: 0x123456 });
  plate.moveTo([1, 2, 3], [0, 1, 0, 0]);
  const trap = world.addCollider({ shape: 'sphere', radius: 1, sensor: true, name: 'trap' });
  world.step();
  view.update();
  const [first, second] = view.children as Lines[];
  expect([first.name, second.name]).toEqual(['plate', 'trap']);
  expect([first.position.toArray(), first.quaternion.toArray()]).toEqual([
    [1, 2, 3],
    [0, 1, 0, 0],
  ]);
  expect([first, second].map(({ material }) => material.color.getHex())).toEqual([
    0x123456,
    COLLIDER_VIEW_DEFAULTS.sensorColor,
  ]);
  world.remove(plate);
  view.update();
  expect(view.children).toEqual([second]);
  expect(trap.sensor).toBe(true);
  view.dispose();
  expect(view.children).toEqual([]);
});
