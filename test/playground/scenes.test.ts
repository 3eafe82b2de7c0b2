// Every scene of the gallery starts, moves and keeps its volume, without a word in the console.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { extraScenes } from '../../apps/playground/src/extra-scenes.js';
import { scenes } from '../../src/scenes/index.js';
import { launchChromium } from '../browser/chromium.js';
import type { PageServer } from '../browser/page-server.js';
import { takeScreenshot } from '../browser/screenshot.js';
import { openPlayground, servePlayground, showCanvasOnly, stepsOf, volumeFigure } from './playground-page.js';

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

/** What the page promises [%]. */
const VOLUME_PROMISE = 0.01;

/** Colours that only bodies have: stage, floor and obstacles are greyish. */
const isColourful = (red: number, green: number, blue: number): boolean =>
  Math.max(red, green, blue) - Math.min(red, green, blue) > 60;

describe('the scene', () => {
  it.each([...scenes, ...extraScenes].map(({ name }) => name))('%s runs for two seconds', async (name) => {
    const { page, faults, close } = await openPlayground(browser, `${server.url}#scene=${name}`);
    await showCanvasOnly(page);
    const early = await takeScreenshot(page, { selector: '#canvas' });
    await page.waitForTimeout(2000);
    const late = await takeScreenshot(page, { selector: '#canvas' });
    expect(late.share(isColourful)).toBeGreaterThan(0.005);
    expect(early.difference(late)).toBeGreaterThan(0.0005);
    expect(await stepsOf(page)).toBeGreaterThan(2);
    expect(await volumeFigure(page)).toBeLessThanOrEqual(VOLUME_PROMISE);
    expect(faults).toEqual([]);
    await close();
  });

  it('has a card in the gallery each, with a picture', async () => {
    const { page, close } = await openPlayground(browser, server.url);
    const cards = await page.locator('#gallery a').evaluateAll((nodes) =>
      nodes.map((node) => ({
        link: node.getAttribute('href'),
        picture: Boolean(node.querySelector('img')),
      })),
    );
    expect(cards.map(({ link }) => link)).toEqual([...scenes, ...extraScenes].map(({ name }) => `#scene=${name}`));
    expect(cards.filter(({ picture }) => !picture)).toEqual([]);
    await close();
  });
});
