// What cannot be had is said, and the frame is the best there is: colliders that cover all of the body, pairs that leave no room, meshes
// with a border.

import { expect, it } from 'vitest';
import { createDeformer, type DeformerCollider } from '../../src/deformer/index.js';
import { generateShape } from '../../src/mesh/index.js';

const ball = generateShape({ shape: 'icosphere', detail: 1 });
const deformer = createDeformer(ball, { tolerance: 1e-3, depth: 2 });

it.each<[string, DeformerCollider, (x: number, y: number, z: number) => number]>([
  [
    'a ball',
    { shape: 'sphere', radius: 4, position: [0, -1, 0] },
    (x, y, z) => Math.sqrt(x * x + (y + 1) ** 2 + z * z) - 4,
  ],
  ['a ball about its middle', { shape: 'sphere', radius: 3 }, (x, y, z) => Math.sqrt(x * x + y * y + z * z) - 3],
  ['a plane', { shape: 'plane', normal: [0, 1, 0], offset: 9 }, (_, y) => y - 9],
  [
    'a box',
    { shape: 'box', size: [6, 5, 7] },
    (x, y, z) => Math.max(Math.abs(x) - 3, Math.abs(y) - 2.5, Math.abs(z) - 3.5),
  ],
])('leaves %s that has swallowed it as a whole, and says so', (_, collider, distance) => {
  const { positions, report } = deformer.at({ colliders: [collider] });
  expect(report.flags).toContain('swallowed');
  expect(report.invertedTetrahedra).toBe(0);
  expect(Math.abs(report.volumeAfter / report.volumeTarget - 1)).toBeLessThan(1e-12);
  for (let k = 0; k < positions.length; k += 3)
    expect(distance(positions[k], positions[k + 1], positions[k + 2])).toBeGreaterThan(-1e-12);
  // As a whole: it is no larger than before but for what the collider presses in.
  expect(report.strain).toBeLessThan(1);
});

it('stays between colliders that leave no room, with nearly all of its volume', () => {
  const planes = [1, -1].map((y): DeformerCollider => ({ shape: 'plane', normal: [0, y, 0], offset: 0.3 }));
  const { positions, report } = deformer.at({ colliders: planes });
  expect(report.flags).toEqual(expect.arrayContaining(['still-inside', 'volume-not-reached']));
  expect(report.depthAfter).toBeGreaterThan(0.1);
  // The minimum holds the volume as one of three that contradict each other; the finish, which would be flat, is not taken.
  expect(Math.abs(report.volumeAfter / report.volumeTarget - 1)).toBeLessThan(0.1);
  expect(positions.every(Number.isFinite)).toBe(true);
});

it('feels the thickness of a mesh with a border, and says so', () => {
  const sheet = {
    positions: Float64Array.of(-2, 0.9, -2, 2, 0.9, -2, 2, 0.9, 2, -2, 0.9, 2),
    triangles: Uint32Array.of(0, 2, 1, 0, 3, 2),
  };
  const { report } = deformer.at({ colliders: [{ shape: 'mesh', mesh: sheet, margin: 0.05 }] });
  expect(report.flags).toContain('open-collider');
  expect(report.depthAfter).toBeLessThan(1e-12);
});
