// The moving picture at the top of the README, taken from the playground in a real browser: `npm run pictures:moving`.

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import type { SceneFile } from '../src/scenes/index.js';
import { launchChromium } from '../test/browser/chromium.js';
import { servePages } from '../test/browser/page-server.js';
import { openPage } from '../test/browser/watched-page.js';
import { dropFiles, waitForScene } from '../test/playground/playground-page.js';
import { type WebpFrame, writeAnimatedWebp } from './animated-webp.js';

const root = fileURLToPath(new URL('../', import.meta.url));
const target = `${root}docs/pictures/pressed.webp`;
const [WIDTH, HEIGHT] = [800, 290];
/** Steps of 5 ms between two frames, which are shown as long. */
const STRIDE = 8;
/** Steps until it looks as in the beginning. */
const LENGTH = 720;
const QUALITY = 0.72;

const keep = { regionRadius: 0.3, stiffness: 0.9, damping: 0.3 };
const SCENE: SceneFile = {
  isochore: 1,
  bodies: [
    { name: 'cube', mesh: { shape: 'box', size: 1.3, divisions: 16 }, position: [-3.45, 0.65, 0], solver: keep },
    {
      name: 'ring',
      mesh: { shape: 'torus', majorRadius: 0.46, minorRadius: 0.26, majorSegments: 48, minorSegments: 24 },
      position: [-1.15, 0.72, 0],
      rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
      solver: keep,
    },
    { name: 'ball', mesh: { shape: 'icosphere', detail: 4, radius: 0.72 }, position: [1.15, 0.72, 0], solver: keep },
    {
      name: 'ball without',
      mesh: { shape: 'icosphere', detail: 4, radius: 0.72 },
      position: [3.45, 0.72, 0],
      solver: { ...keep, volume: false },
    },
  ],
  colliders: [
    { name: 'floor', shape: 'plane', normal: [0, 1, 0], offset: 0, friction: 0.8 },
    {
      name: 'plate',
      shape: 'box',
      size: [9, 0.1, 1.8],
      position: [0, 1.75, 0],
      friction: 0.8,
      motion: [
        { time: 0.2, position: [0, 1.75, 0] },
        { time: 1.4, position: [0, 0.62, 0] },
        { time: 1.9, position: [0, 0.62, 0] },
        { time: 2.7, position: [0, 1.75, 0] },
      ],
    },
  ],
};

/** The stage and the words at the bodies, without the rest of the page. */
const STAGE_ONLY = `body { display: block } #stage { position: fixed; inset: 0 }
  .brand, .side, #scenes, #stage > :not(canvas, .labels), .touch-hint { display: none !important }`;

/** Compresses a part of a PNG. */
async function toWebp(page: Page, png: Buffer, { x, y, width, height }: Box): Promise<Buffer> {
  const address = await page.evaluate(
    async ([data, quality, box]) => {
      const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
      const canvas = Object.assign(document.createElement('canvas'), { width: box.width, height: box.height });
      canvas.getContext('2d')?.drawImage(picture, -box.x, -box.y);
      return canvas.toDataURL('image/webp', quality);
    },
    [png.toString('base64'), QUALITY, { x, y, width, height }] as const,
  );
  return Buffer.from(address.split(',')[1], 'base64');
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** How far compression blurs what is at the edge of a frame [px]: the side of its blocks. */
const BLOCK = 16;

/** The box around what differs, its corner at even numbers; undefined where nothing does. */
function changedBox(before: PNG | undefined, now: PNG): Box | undefined {
  const { width, height, data } = now;
  if (!before) return { x: 0, y: 0, width, height };
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let k = 0; k < data.length; k++) {
    if (Math.abs(data[k] - before.data[k]) <= 2) continue;
    const [x, y] = [(k >> 2) % width, Math.floor((k >> 2) / width)];
    [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)];
  }
  if (right < 0) return undefined;
  const [x, y] = [Math.max(0, left - BLOCK) & ~1, Math.max(0, top - BLOCK) & ~1];
  return { x, y, width: Math.min(width, right + BLOCK) - x, height: Math.min(height, bottom + BLOCK) - y };
}

const browser = await launchChromium();
const server = await servePages(`${root}apps/playground/dist`, { isolated: true });
try {
  const { page } = await openPage(browser, `${server.url}?full`, {
    ...{ width: WIDTH, height: HEIGHT },
    withoutPolicy: true,
  });
  page.setDefaultTimeout(60_000);
  await page.addStyleTag({ content: STAGE_ONLY });
  await page.waitForFunction('globalThis.playground?.figures !== undefined');
  await page.evaluate(`playground.stage.insets = () => ({ bottom: 0.06 })`);
  await dropFiles(page, [{ name: 'pressed.json', bytes: new TextEncoder().encode(JSON.stringify(SCENE)) }]);
  await waitForScene(page, 'pressed.json');
  await page.evaluate(`playground.stop = 1; playground.open(playground.opened.source, playground.controls.settings);`);
  const frames: WebpFrame[] = [];
  let last: PNG | undefined;
  for (let step = 1; step < LENGTH; step += STRIDE) {
    if (step > 1) await page.evaluate(`playground.world.step(${STRIDE})`);
    await page.waitForFunction(`playground.figures?.hash !== undefined && playground.figures.steps === ${step}`);
    // Drawn, and on the screen.
    const drawn = (await page.evaluate('playground.stage.invalidate(); playground.frames')) as number;
    await page.waitForFunction(`playground.frames >= ${drawn + 1} && !playground.stage.isDrawing()`);
    const png = await page.screenshot();
    const now = PNG.sync.read(png);
    const box = changedBox(last, now);
    last = now;
    const duration = 5 * STRIDE;
    if (box) frames.push({ webp: await toWebp(page, png, box), ...box, duration });
    else {
      const still = frames.pop() as WebpFrame;
      frames.push({ ...still, duration: still.duration + duration });
    }
  }
  const bytes = writeAnimatedWebp(WIDTH, HEIGHT, frames);
  writeFileSync(target, bytes);
  console.log(target.slice(root.length), frames.length, 'frames,', bytes.length, 'bytes');
} finally {
  await browser.close();
  await server.close();
}
