// Detail by camera: bodies with levels get finer where the camera is near, as far as the setting in the link says.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchChromium } from '../browser/chromium.js';
import type { PageServer } from '../browser/page-server.js';
import { openPlayground, servePlayground } from './playground-page.js';

let browser: Browser;
let server: PageServer;
beforeAll(async () => {
  server = await servePlayground();
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

it('halves the cells of a hand that look larger than asked for, and shows how they are linked', async () => {
  const address = `${server.url}#scene=hand&cellPixels=15`;
  const { page, faults, close } = await openPlayground(browser, address, { seldomDrawn: true });
  // At rest it has 450.
  await page.waitForFunction('playground.figures?.nodes > 600', undefined, { timeout: 60_000 });
  const shown = await page.locator('[data-figure="nodes"]').textContent();
  expect(Number(shown?.replace(/\D/g, ''))).toBeGreaterThan(600);
  // What links them is to be seen as well: more edges than nodes.
  await page.locator('#views input[value="graph"]').check();
  await page.waitForFunction('playground.soft?.inner.edgeCount > playground.figures.nodes');
  expect(faults).toEqual([]);
  await close();
});
