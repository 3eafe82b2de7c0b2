// Pictures of a bake, as `isochore bake --frames DIR` draws them: a file per frame, in which the body is where it was.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bakeScene } from '../../src/bake/index.js';
import { checkPictures, writePictures } from '../../src/cli/frame-pictures.js';
import { readLook, readMesh } from '../../src/mesh/index.js';
import { checkScene } from '../../src/scenes/index.js';
import { seamedBall } from '../bake/seamed-ball.js';
import { launchChromium } from './chromium.js';
import { Screenshot } from './screenshot.js';

let folder: string;
let browser: Browser;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'isochore-pictures-'));
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

it('draws every frame', async () => {
  const scene = checkScene({
    isochore: 1,
    steps: 40,
    gravity: [0, 0, 0],
    bodies: [
      {
        name: 'ball',
        mesh: { shape: 'icosphere', detail: 2, radius: 0.3 },
        position: [-1, 0.5, 0],
        velocity: [10, 0, 0],
      },
    ],
    colliders: [{ shape: 'plane' }],
  });
  const baked = await bakeScene(scene, { fps: 10, threads: 1 });
  const done: number[] = [];
  await writePictures(browser, baked, folder, 'move', (n) => done.push(n));
  expect(done).toEqual([1, 2, 3]);
  const names = ['move.0001.png', 'move.0002.png', 'move.0003.png'];
  expect(readdirSync(folder).sort()).toEqual(names);
  /** Mean place of what is blue, as a share of the width. */
  const places = names.map((name) => {
    const { width, height, pixels } = new Screenshot(readFileSync(join(folder, name)));
    expect([width, height]).toEqual([1280, 720]);
    let [sum, count] = [0, 0];
    for (let k = 0; k < pixels.length; k += 4) {
      if (pixels[k + 2] < pixels[k] + 50) continue;
      sum += (k / 4) % width;
      count++;
    }
    expect(count / (width * height)).toBeGreaterThan(0.003);
    return sum / count / width;
  });
  // From the left to the right, in the middle half-way.
  expect(places[0]).toBeLessThan(0.4);
  expect(Math.abs(places[1] - 0.5)).toBeLessThan(0.05);
  expect(places[2]).toBeGreaterThan(0.6);
  await expect(checkPictures(folder, false)).rejects.toThrow(
    'there are pictures in it; --force replaces those of the same names',
  );
  await expect(checkPictures(join(folder, names[0]), true)).rejects.toThrow('expected a directory, got a file');
});

it('draws bodies of files with their textures and materials', async () => {
  const ball = await seamedBall();
  const scene = checkScene({ isochore: 1, steps: 0, bodies: [{ name: 'ball', mesh: 'ball.glb' }] });
  const baked = await bakeScene(scene, {
    loadMesh: () => readMesh(ball.bytes, 'ball.glb'),
    loadLook: () => readLook(ball.bytes, 'ball.glb'),
  });
  const textured = join(folder, 'textured');
  await writePictures(browser, baked, textured, 'ball', () => {});
  const picture = new Screenshot(readFileSync(join(textured, 'ball.0001.png')));
  const background = picture.at(2, 2);
  const isBall = (colour: readonly number[]) => colour.some((x, k) => Math.abs(x - background[k]) > 12);
  const total = picture.share((...colour) => isBall(colour));
  expect(total).toBeGreaterThan(0.05);
  // The upper half has checks of red and near white, the lower one is blue glass.
  expect(picture.share((r, g, b) => r > g + 60 && r > b + 60) / total).toBeGreaterThan(0.03);
  expect(picture.share((r, _, b) => b > r + 20) / total).toBeGreaterThan(0.1);
});
