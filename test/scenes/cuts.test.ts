// Cuts in scene files: along planes, in a box only, by a blade at once and by one that goes while the scene runs.

import { expect, it } from 'vitest';
import { checkScene, playScene, runScene } from '../../src/scenes/index.js';

const bar = {
  name: 'bar',
  mesh: { shape: 'box', size: [2, 0.5, 0.5], divisions: [8, 2, 2] },
  solver: { type: 'octree', cells: 8, levels: 1 },
};
const sceneOf = (cuts: readonly object[], steps = 20) =>
  checkScene({ isochore: 1, gravity: [0, 0, 0], steps, bodies: [bar], cuts });

/** Volumes at rest of the parts after every step. */
async function partsOf(cuts: readonly object[]): Promise<number[][]> {
  const parts: number[][] = [];
  for await (const { bodies } of playScene(sceneOf(cuts), { backend: 'reference' }))
    parts.push(bodies[0].parts.map(({ restVolume }) => restVolume).sort((a, b) => b - a));
  return parts;
}

const plane = { point: [0.2, 0, 0], normal: [2, 0, 0] };
/** Both parts of a bar of half a cubic metre that is cut at x = 0.2. */
const PARTS = [0.3, 0.2];

it('along a plane, with the step that its time lies in', async () => {
  const parts = await partsOf([{ body: 'bar', time: 0.05, plane }]);
  expect(parts.map(({ length }) => length)).toEqual([...new Array(11).fill(1), ...new Array(10).fill(2)]);
  for (const [n, volume] of parts[20].entries()) expect(Math.abs(volume - PARTS[n])).toBeLessThan(1e-6);
});

it.each([
  [
    [
      [-9, -9, -9],
      [9, 9, 9],
    ],
    2,
  ],
  [
    [
      [-9, -9, -9],
      [9, 0, 9],
    ],
    1,
  ],
  [
    [
      [1, -9, -9],
      [9, 9, 9],
    ],
    1,
  ],
])('in a box only: %j leaves %i', async (box, count) => {
  const parts = await partsOf([{ body: 'bar', time: 0.01, plane, within: { box } }]);
  expect(parts[20]).toHaveLength(count);
});

it.each([
  ['at once', undefined],
  ['while it goes', 0.06],
])('by a blade %s', async (_, until) => {
  const path = [
    [0.2, -1, -1],
    [0.2, 1, -1],
  ];
  const parts = await partsOf([{ body: 'bar', time: 0.02, until, path, blade: [0, 0, 2] }]);
  expect(parts[4]).toHaveLength(1);
  expect(parts[20]).toHaveLength(2);
  for (const [n, volume] of parts[20].entries()) expect(Math.abs(volume - PARTS[n])).toBeLessThan(1e-4);
});

it('stand in the report, part by part', async () => {
  const { bodies } = await runScene(sceneOf([{ body: 'bar', time: 0, plane }], 3), { backend: 'reference' });
  expect(bodies[0]).toMatchObject({ solver: 'octree', maxVolumeErrorPercent: expect.any(Number) });
  expect(bodies[0].nodes).toBeGreaterThan(30);
  expect(bodies[0].parts).toHaveLength(2);
  expect(bodies[0].parts[0].restVolume).toBeGreaterThan(bodies[0].parts[1].restVolume);
  expect(bodies[0].maxVolumeErrorPercent).toBeLessThan(1e-9);
});

it.each([
  [{ body: 'bar', time: 0 }, 'cuts[0]: expected an object with a plane, or with a path and a blade, got an object'],
  [{ body: 'bar', time: 0, plane, within: 3 }, 'cuts[0].within: expected an object, got 3'],
  [{ body: 'bar', time: -1, plane }, 'cuts[0].time: expected a number of at least 0, got -1'],
])('%j is refused in one line', (cut, message) => {
  expect(() => sceneOf([cut])).toThrow(message);
});
