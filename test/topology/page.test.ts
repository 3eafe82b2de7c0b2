// The bar in a real browser: what WebGL draws follows its topology, and buffers of those before are given back.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchChromium } from '../browser/chromium.js';
import { type PageServer, servePages } from '../browser/page-server.js';
import { takeScreenshot } from '../browser/screenshot.js';
import { openPage } from '../browser/watched-page.js';

let folder: string;
let browser: Browser;
let server: PageServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'isochore-topology-'));
  await build({
    configFile: false,
    root: fileURLToPath(new URL('./page/', import.meta.url)),
    logLevel: 'error',
    build: { outDir: folder, emptyOutDir: true, target: 'esnext', minify: false, chunkSizeWarningLimit: 4000 },
  });
  browser = await launchChromium();
  server = await servePages(folder);
}, 120_000);
afterAll(async () => {
  await server?.close();
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

const RED = [255, 0, 0];
const WHITE = [255, 255, 255];

interface PageScope {
  show?: (split: number, speed: number, steps: number) => number;
  memory(): { geometries: number };
}

it('comes apart before the eye, and is one again', async () => {
  const { page, faults, close } = await openPage(browser, server.url, { width: 300, height: 200 });
  await page.waitForFunction(() => (globalThis as unknown as PageScope).show !== undefined);
  const show = (split: number, speed: number, steps: number) =>
    page.evaluate(([a, b, c]) => (globalThis as unknown as Required<PageScope>).show(a, b, c), [
      split,
      speed,
      steps,
    ] as const);
  // 100 pixels a metre: the bar is 200 × 100 in the middle.
  expect(await show(0, 0, 1)).toBe(162);
  const one = await takeScreenshot(page);
  expect([one.at(150, 100), one.at(100, 100), one.at(45, 100)]).toEqual([RED, RED, WHITE]);
  // Each half goes 20 steps of 5 ms at 2 m/s: 20 pixels outwards.
  expect(await show(1, 2, 20)).toBe(196);
  const two = await takeScreenshot(page);
  expect([two.at(150, 100), two.at(135, 100), two.at(100, 100), two.at(45, 100)]).toEqual([WHITE, WHITE, RED, RED]);
  expect(Math.abs(two.share((_, green) => green < 128) - one.share((_, green) => green < 128))).toBeLessThan(0.02);
  expect(await show(0, 0, 60)).toBe(162);
  const again = await takeScreenshot(page);
  expect([again.at(150, 100), again.at(100, 100), again.at(45, 100)]).toEqual([RED, RED, WHITE]);
  expect(await page.evaluate(() => (globalThis as unknown as PageScope).memory().geometries)).toBe(1);
  expect(faults).toEqual([]);
  await close();
});
