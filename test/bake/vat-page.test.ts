// Vertex animation textures played in a real browser: what they show is what the baked positions show, shadow and all.

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

const root = fileURLToPath(new URL('../../', import.meta.url));
let folder: string;
let browser: Browser;
let server: PageServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'isochore-vat-'));
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

interface PageScope {
  show?: (frame: number, fromTextures: boolean) => Promise<number>;
  measure?: (frame: number) => Promise<number>;
}

it('shows what the baked positions show', async () => {
  const { page, faults, close } = await openPage(browser, server.url, { width: 320, height: 240 });
  await page.waitForFunction(() => (globalThis as unknown as PageScope).show !== undefined);
  const look = async (frame: number, fromTextures: boolean) => {
    const count = await page.evaluate(([n, how]) => (globalThis as unknown as Required<PageScope>).show(n, how), [
      frame,
      fromTextures,
    ] as const);
    expect(count).toBe(7);
    return takeScreenshot(page, { file: join(root, 'out', 'vat', `${frame}-${fromTextures}.png`) });
  };
  const pictures = [];
  for (const frame of [0, 2, 3.5, 6]) {
    const [played, plain] = [await look(frame, true), await look(frame, false)];
    // Pixels on the outline, where 16 bits and single precision are a hair apart; and shades where normals of mixed frames are not mixed normals.
    expect(played.difference(plain, 12), `frame ${frame}`).toBeLessThan(0.003);
    expect(played.share((r, g) => r > g + 60)).toBeGreaterThan(0.02);
    pictures.push(played);
  }
  // Frames do differ.
  for (let n = 1; n < pictures.length; n++) expect(pictures[n].difference(pictures[n - 1])).toBeGreaterThan(0.01);
  expect(faults).toEqual([]);
  // Half a step of 16 bits over some three metres, and single precision.
  for (const frame of [0, 3, 6]) {
    const off = await page.evaluate((n) => (globalThis as unknown as Required<PageScope>).measure(n), frame);
    expect(off, `frame ${frame}`).toBeLessThan(3e-5);
  }
  await close();
});
