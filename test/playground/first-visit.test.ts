// What somebody sees who comes for the first time: something moves, words at the bodies, a hint that they can be touched, materials by name.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MATERIALS } from '../../apps/playground/src/page/presets.js';
import { keptPercent, lostWords } from '../../apps/playground/src/page/volume-words.js';
import { launchChromium } from '../browser/chromium.js';
import type { PageServer } from '../browser/page-server.js';
import { openPlayground, servePlayground, waitForMotion } from './playground-page.js';

it('says volumes in words, always with as many digits', () => {
  expect([0, 2.4e-6, 8e-7, 2e-13].map((error) => keptPercent(error))).toEqual(Array(4).fill('100.00000 %'));
  expect([keptPercent(1.234), keptPercent(Number.NaN), keptPercent(0, 4)]).toEqual(['98.77 %', '–', '100.0000 %']);
  expect([-0.281, 0.034, 0.001].map(lostWords)).toEqual(['lost 28 %', 'gained 3 %', 'lost nothing yet']);
});

it('has the materials of the documentation', () => {
  const page = readFileSync(fileURLToPath(new URL('../../docs/guide/tuning.md', import.meta.url)), 'utf8');
  expect(Object.keys(MATERIALS)).toEqual(['Jelly', 'Rubber', 'Dough', 'Flesh']);
  for (const [name, { stiffness, damping }] of Object.entries(MATERIALS)) {
    expect(page).toContain(`| ${name} | \`stiffness: ${stiffness}, damping: ${damping}\` |`);
    expect(page).toContain(`${name.toLowerCase()}: surface({ stiffness: ${stiffness}, damping: ${damping} }),`);
  }
});

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

it('labels the bodies, and invites to touch until somebody does', async () => {
  const { page, faults, close } = await openPlayground(browser, server.url);
  await waitForMotion(page);
  await page.locator('.touch-hint').waitFor({ state: 'visible', timeout: 5000 });
  // Four spheres, of which one has no volume constraint.
  await expect.poll(() => page.locator('.label').count()).toBe(4);
  await expect.poll(() => page.locator('.label.lost').count()).toBe(1);
  expect(await page.locator('.label').first().textContent()).toMatch(/^volume kept (100\.0000|99\.99\d\d) %$/);
  await page.locator('#canvas').dispatchEvent('pointerdown', { pointerId: 1, clientX: 30, clientY: 300 });
  await page.locator('.touch-hint').waitFor({ state: 'hidden' });
  expect(faults).toEqual([]);
  await close();
});
