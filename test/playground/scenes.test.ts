// Every scene of the gallery starts, moves and keeps its volume, without a word in the console.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { extraScenes } from '../../apps/playground/src/extra-scenes.js';
import { scenes } from '../../src/scenes/index.js';
import { launchChromium } from '../browser/chromium.js';
import type { PageServer } from '../browser/page-server.js';
import { type Screenshot, takeScreenshot } from '../browser/screenshot.js';
import type { WatchedPage } from '../browser/watched-page.js';
import {
  openPlayground,
  servePlayground,
  showCanvasOnly,
  stepsOf,
  volumeFigure,
  waitForScene,
} from './playground-page.js';

let browser: Browser;
let server: PageServer;
/** One page for all: scenes follow each other as when somebody clicks through the gallery. */
let opened: WatchedPage;
beforeAll(async () => {
  server = await servePlayground();
  browser = await launchChromium();
  opened = await openPlayground(browser, server.url, { seldomDrawn: true });
  await showCanvasOnly(opened.page);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const names = [...scenes, ...extraScenes].map(({ name }) => name);
/**
 * Like scenes that are run (finite elements like `drop` and `muscle`, crowds like the balls, a hand like the other, a deformer like `imprint`): other
 * bodies and obstacles, no other code of the page. The soak's walk has them all.
 */
const ALIKE = [
  ...['press', 'sphere-stairs', 'creature-stairs', 'creature-drop', 'tori-pile'],
  ...['ducks-and-tori', 'creatures', 'hand-stiffness', 'swallow'],
];

/** What the page promises [%]; finite elements, whose every one-ring keeps its own to a thousandth, keep theirs as well as that. */
const VOLUME_PROMISE = 0.01;
const ELEMENT_PROMISE = 0.1;
const ELEMENTS = ['drop', 'muscle'];

/** Colours that only bodies have: stage, floor and obstacles are greyish. */
const isColourful = (red: number, green: number, blue: number): boolean =>
  Math.max(red, green, blue) - Math.min(red, green, blue) > 60;

/** A picture of the stage at a standstill: while a crowded scene runs on, the browser takes up to 5 s for one. */
async function takeStill(page: Page): Promise<Screenshot> {
  await page.evaluate(() => document.getElementById('play')?.click());
  await page.waitForFunction('playground.figures?.hash !== undefined', undefined, { polling: 20 });
  const picture = await takeScreenshot(page, { selector: '#canvas' });
  await page.evaluate(() => document.getElementById('play')?.click());
  return picture;
}

/** Waits until so much time has passed in the scene [s], or twice as much of the clock: crowded scenes are slower here. */
async function runFor(page: Page, duration: number): Promise<void> {
  const passed = page.waitForFunction(
    `playground.figures?.time > ${await page.evaluate('playground.figures?.time ?? 0')} + ${duration}`,
    undefined,
    { polling: 50, timeout: 0 },
  );
  await Promise.race([passed, page.waitForTimeout(2000 * duration)]);
}

/** Clicks at a quarter of the timeline, which is to be seen: the scene is there then. */
async function scrub(page: Page): Promise<void> {
  const box = await page.locator('#timeline').boundingBox();
  if (!box) throw new Error('expected a timeline');
  await page.mouse.click(box.x + box.width / 4, box.y + box.height / 2);
  const duration = Number(await page.locator('#timeline').getAttribute('max'));
  // The knob is as wide as a twentieth of the whole.
  const isThere = `Math.abs(playground.figures?.time - ${duration / 4}) < ${duration / 20}`;
  await page.waitForFunction(isThere, undefined, { polling: 20 });
  // Seen as a visitor does, who has not hidden the buttons from pictures.
  const deck = page.locator('.deck');
  await deck.evaluate((node) => node.setAttribute('style', 'opacity: 1'));
  const timeline = await takeScreenshot(page, { selector: '#timeline' });
  await deck.evaluate((node) => node.removeAttribute('style'));
  expect(timeline.share(isColourful)).toBeGreaterThan(0.05);
}

describe('the gallery', () => {
  it('has a card for every scene, with a picture', async () => {
    const cards = await opened.page.locator('#gallery a').evaluateAll((nodes) =>
      nodes.map((node) => ({
        link: node.getAttribute('href'),
        picture: Boolean(node.querySelector('img')),
      })),
    );
    expect(cards.map(({ link }) => link)).toEqual(names.map((name) => `#scene=${name}`));
    expect(cards.filter(({ picture }) => !picture)).toEqual([]);
  });

  it.each(names.filter((name) => !ALIKE.includes(name)))('%s runs', async (name) => {
    const { page, faults } = opened;
    // In slow motion at first: a cube has found back to its shape before the first picture is taken.
    await page.locator('#speed').selectOption('0.02');
    await page.locator(`#gallery a[href="#scene=${name}"]`).click();
    await waitForScene(page, name);
    const early = await takeStill(page);
    await page.locator('#speed').selectOption('1');
    await runFor(page, 1);
    const late = await takeStill(page);
    // The smallest body, the ring on the stairs, covers 0.4 %; on a busy machine it is out of the picture in the end.
    expect(Math.max(early.share(isColourful), late.share(isColourful))).toBeGreaterThan(0.002);
    expect(early.difference(late)).toBeGreaterThan(0.0005);
    expect(await stepsOf(page)).toBeGreaterThan(2);
    const promise = ELEMENTS.includes(name) ? ELEMENT_PROMISE : VOLUME_PROMISE;
    expect(await volumeFigure(page)).toBeLessThanOrEqual(promise);
    if (name === 'imprint') await scrub(page);
    expect(faults).toEqual([]);
  });
});
