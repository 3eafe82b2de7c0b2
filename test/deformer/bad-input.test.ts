// What cannot be had is said, and the frame is the best there is: colliders that cover all of the body, pairs that leave no room, meshes
// with a border, numbers that are none.

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

it('gets along without numbers that are none, where it is asked to, and says so', () => {
  const dent: DeformerCollider = { shape: 'sphere', radius: 0.5, position: [0, 1.2, 0] };
  const lost: DeformerCollider[] = [
    { shape: 'sphere', radius: 0.5, position: [Number.NaN, 0, 0] },
    { shape: 'box', size: [1, 1, 1], rotation: [0, 0, Number.NaN, 1] },
    { shape: 'capsule', radius: 0.1, height: Infinity },
  ];
  // A quarter turn about y and a shift; two vertices have got lost.
  const moved = ball.positions.map((_, i) => {
    const [x, y, z] = ball.positions.subarray(i - (i % 3));
    return [z + 4, y, -x][i % 3];
  });
  const broken = moved.slice();
  broken[3 * 7 + 1] = Number.NaN;
  broken.fill(Infinity, 3 * 20, 3 * 21);
  const collider = { ...dent, position: [4, 1.2, 0] as const };
  const mended = deformer.at({ colliders: [...lost, collider], input: broken, mend: true });
  expect(mended.report.flags).toEqual(expect.arrayContaining(['collider-left-out', 'input-mended']));
  expect(mended.report.colliders.map(({ tookPart }) => tookPart)).toEqual([false, false, false, true]);
  const whole = deformer.at({ colliders: [collider], input: moved, mend: true });
  expect(whole.report.flags).toEqual([]);
  mended.positions.forEach((x, k) => {
    expect(Math.abs(x - whole.positions[k])).toBeLessThan(1e-9);
  });
  // Nothing of the input is left: the bound mesh stands for it.
  const none = deformer.at({ colliders: [], input: broken.map(() => Number.NaN), mend: true });
  expect(none.positions).toEqual(ball.positions);
  expect(none.report.flags).toEqual(['input-mended']);
});

it('names the colliders that something is wrong with, in the order of the frame', () => {
  const sheet = {
    positions: Float64Array.of(-2, 0.95, -2, 2, 0.95, -2, 2, 0.95, 2, -2, 0.95, 2),
    triangles: Uint32Array.of(0, 2, 1, 0, 3, 2),
  };
  const { report } = deformer.at({
    colliders: [
      { shape: 'sphere', radius: 9, name: 'off', enabled: false },
      { shape: 'plane', normal: [0, 1, 0], offset: 0.3, name: 'floor' },
      { shape: 'mesh', mesh: sheet, name: 'sheet' },
      { shape: 'plane', normal: [0, -1, 0], offset: 0.3, name: 'ceiling' },
      { shape: 'sphere', radius: 0.2, position: [0, 0, 5], direction: [0, 0, -1] },
      { shape: 'sphere', radius: Number.NaN, name: 'nowhere' },
    ],
    mend: true,
  });
  const named = (flag: string) =>
    report.colliders.filter(({ flags }) => (flags as string[]).includes(flag)).map(({ name }) => name);
  expect(report.colliders.map(({ name }) => name)).toEqual(['off', 'floor', 'sheet', 'ceiling', 'sphere', 'nowhere']);
  expect(named('still-inside')).toEqual(expect.arrayContaining(['floor', 'ceiling']));
  expect(named('open-collider')).toEqual(['sheet']);
  expect(named('collider-left-out')).toEqual(['nowhere']);
  expect(Math.abs((report.colliders[1].direction?.[1] ?? 0) - 1)).toBeLessThan(1e-12);
  expect(report.colliders[4]).toMatchObject({ tookPart: true, depthBefore: 0, depthAfter: 0, flags: [] });
  // Nothing was in the last one, so it pushed nowhere.
  expect(report.colliders[4].direction).toBeUndefined();
  expect(report.depthAfter).toBe(Math.max(...report.colliders.map(({ depthAfter }) => depthAfter)));
});
