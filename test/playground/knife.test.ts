// The knife: a drag across a body cuts it along the way that the blade goes; also while bodies are coloured by their cells.

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

it('cuts a hand in two, from outside to outside', async () => {
  const address = `${server.url}#scene=hand&view=cells`;
  const { page, faults, close } = await openPlayground(browser, address, { seldomDrawn: true });
  await page.waitForFunction("playground.soft?.view === 'cells'");
  const vertices = (await page.evaluate('playground.soft.bodies[0].count')) as number;
  await page.keyboard.press('6');
  const { x, y } = (await page.evaluate('playground.project(0)')) as { x: number; y: number };
  await page.mouse.move(x - 200, y + 12);
  await page.mouse.down();
  await page.mouse.move(x + 200, y + 12, { steps: 12 });
  await page.mouse.up();
  await page.waitForFunction(`playground.soft.bodies[0].count > ${vertices}`, undefined, { timeout: 60_000 });
  expect(faults).toEqual([]);
  await close();
});
