// Pictures of frames: of the size asked for, the same every time, with the bodies in sight and in their colours.

import { decode } from 'fast-png';
import { expect, it } from 'vitest';
import { bakeScene } from '../../src/bake/index.js';
import { spread, stillPictures } from '../../src/bake/still-pictures.js';
import { checkScene } from '../../src/scenes/index.js';

const SIZE = { width: 96, height: 64 };

it.each([
  [1, 4, [0]],
  [2, 4, [0, 1]],
  [61, 4, [0, 20, 40, 60]],
  [7, 3, [0, 3, 6]],
])('of %d frames takes %d: %j', (frames, count, wanted) => {
  expect(spread(frames, count)).toEqual(wanted);
});

it('shows bodies where they are, also behind a wall', async () => {
  const scene = checkScene({
    isochore: 1,
    steps: 40,
    bodies: [{ name: 'ball', mesh: { shape: 'icosphere', detail: 2, radius: 0.5 }, position: [0, 1.5, 0] }],
    colliders: [
      { name: 'floor', shape: 'plane' },
      { name: 'wall', shape: 'box', size: [4, 4, 0.1], position: [0, 1, 0.9] },
    ],
  });
  const baked = await bakeScene(scene, { fps: 30 });
  const pictures = await stillPictures(baked, { ...SIZE, count: 2 });
  expect(pictures.map(({ time }) => Math.round(1000 * time))).toEqual([0, 200]);
  expect(await stillPictures(baked, { ...SIZE, count: 2 })).toEqual(pictures);
  // It falls by 0.2 m: the middle of what is blue goes down in the picture.
  const heights = pictures.map(({ png }) => {
    const { width, height, data } = decode(png);
    expect({ width, height }).toEqual(SIZE);
    const rows: number[] = [];
    for (let k = 0; k < data.length; k += 4) if (data[k + 2] - data[k] > 45) rows.push(Math.floor(k / 4 / width));
    expect(rows.length).toBeGreaterThan(100);
    return rows.reduce((sum, row) => sum + row, 0) / rows.length;
  });
  expect(heights[1] - heights[0]).toBeGreaterThan(3);
});
