// Settings in the page: what a solver's fields say is there to be moved, and moving it does it.

import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { launchChromium } from '../browser/chromium.js';
import type { PageServer } from '../browser/page-server.js';
import { openPlayground, servePlayground, volumeFigure } from './playground-page.js';

let browser: Browser;
let server: PageServer;
beforeAll(async () => {
  server = await servePlayground();
  browser = await launchChromium();
});
afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

/** Runs in the page: volume of the first body as it is drawn [m³], Σ a·(b×c)/6. */
const DRAWN_VOLUME = `(() => {
  const { positions, bodies: [{ triangles }] } = playground.soft;
  let six = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [[a, b, c], [d, e, f], [g, h, i]] = [0, 1, 2].map((n) => positions.subarray(3 * triangles[t + n], 3 * triangles[t + n] + 3));
    six += a * (e * i - f * h) + b * (f * g - d * i) + c * (d * h - e * g);
  }
  return six / 6;
})()`;

const shownSettings = (page: Page) =>
  page.evaluate(() => [
    ...new Set([...document.querySelectorAll('#controls [data-setting]')].map((e) => e.getAttribute('data-setting'))),
  ]);

it('a slider inflates a body, by just as much as it says', async () => {
  const { page, faults } = await openPlayground(browser, `${server.url}#scene=stairs`, { seldomDrawn: true });
  const before = (await page.evaluate(DRAWN_VOLUME)) as number;
  await page.locator('#tab-change').click();
  await page.locator('input[data-setting="target"]').fill('1.5');
  await page.keyboard.press('Enter');
  // Single precision of what is drawn, between two steps of which one may still grow.
  await page.waitForFunction(`Math.abs(${DRAWN_VOLUME} / ${before} - 1.5) < 1e-3`);
  await page.waitForFunction(() => location.hash.includes('target=1.5'));
  expect(await volumeFigure(page)).toBeLessThanOrEqual(0.01);
  expect(await page.inputValue('#code')).toContain('solver.volume.target = 1.5;');
  expect(faults).toEqual([]);
});

it('bodies show the settings of their own solver, and those of several all of them', async () => {
  const { page, faults } = await openPlayground(browser, `${server.url}#scene=lattice-against-surface`, {
    seldomDrawn: true,
  });
  await page.locator('#tab-change').click();
  const all = await shownSettings(page);
  for (const key of ['regionRadius', 'regionSize', 'resolution', 'stiffness', 'target', 'gravity']) {
    expect(all).toContain(key);
  }
  await page.locator('#target').selectOption({ index: 1 });
  expect(await shownSettings(page)).not.toContain('resolution');
  expect(await page.locator('.unset input[data-setting="regionRadius"]').count()).toBeGreaterThan(0);
  await page.locator('#target').selectOption({ index: 2 });
  const own = await shownSettings(page);
  expect(own).toContain('resolution');
  expect(own).not.toContain('regionRadius');
  expect(await page.inputValue('input[data-setting="resolution"]')).toBe('10');
  const worlds = await page.evaluate('playground.worlds');
  await page.locator('input[data-setting="resolution"]').fill('6');
  await page.keyboard.press('Enter');
  await page.waitForFunction(`playground.worlds > ${worlds} && location.hash.includes('resolution=6')`);
  expect(faults).toEqual([]);
});
