// A few changes of view and scene: no picture is frozen, none is of another view than asked for. test/soak/playground-walk takes 200, over all of them.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchChromium } from '../browser/chromium.js';
import type { PageServer } from '../browser/page-server.js';
import { openPlayground, servePlayground, showCanvasOnly } from './playground-page.js';
import { walkViews, watchDrawing } from './view-walk.js';

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

it('views and scenes in any order show what was asked for, and move', async () => {
  const { page, faults } = await openPlayground(browser, `${server.url}?full`, { width: 480, height: 320 });
  await showCanvasOnly(page);
  await watchDrawing(page);
  const found = await walkViews(page, { scenes: ['squeeze', 'twist', 'stairs'], changes: 6, seed: 4 });
  expect(found).toEqual([]);
  expect(faults).toEqual([]);
});
