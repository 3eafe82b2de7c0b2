// Views of the solver's inner life come and go: what is on the screen afterwards is the scene as before, and it moves on.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchChromium } from '../browser/chromium.js';
import type { PageServer } from '../browser/page-server.js';
import { type Screenshot, takeScreenshot } from '../browser/screenshot.js';
import { openPlayground, servePlayground, showCanvasOnly } from './playground-page.js';

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

const turnTo = async (page: Page, view: string) => {
  await page.locator(`#views input[value="${view}"]`).check();
  const frames = (await page.evaluate('playground.frames')) as number;
  await page.waitForFunction(`playground.frames >= ${frames} && playground.soft?.view === '${view}'`);
};

/** Waits until two pictures one after the other are the same. */
async function takeStill(page: Page): Promise<Screenshot> {
  let last = await takeScreenshot(page, { selector: '#canvas' });
  for (let n = 0; n < 20; n++) {
    const next = await takeScreenshot(page, { selector: '#canvas' });
    if (next.difference(last) === 0) return next;
    last = next;
  }
  throw new Error('the picture never came to rest');
}

/** The scene after so many steps, seen as always. */
async function openAt(step: number) {
  const opened = await openPlayground(browser, `${server.url}#scene=squeeze&stop=${step}`, { seldomDrawn: true });
  await showCanvasOnly(opened.page);
  await opened.page.waitForFunction(`playground.figures?.steps === ${step}`);
  return { ...opened, still: await takeStill(opened.page) };
}

/**
 * Share of the pixels that are of another colour. The page draws fewer pixels where it is slow, so that edges are softer: that is
 * below this tolerance, or at less than one in a hundred. The balls are one in twelve.
 */
const otherColour = (one: Screenshot, other: Screenshot): number => one.difference(other, 60);

it.each(['paths', 'pairs'])('after the view %s the picture is as before, and moves on', async (view) => {
  const { page, faults, still: before, close } = await openAt(40);
  await turnTo(page, view);
  await turnTo(page, 'shaded');
  expect(otherColour(await takeStill(page), before)).toBeLessThan(0.01);
  await page.locator('#play').click();
  await page.waitForFunction('playground.figures?.steps > 160');
  await page.locator('#play').click();
  await page.waitForFunction('playground.figures?.hash !== undefined');
  const steps = (await page.evaluate('playground.figures.steps')) as number;
  const after = await takeStill(page);
  expect(faults).toEqual([]);
  await close();
  const fresh = await openAt(steps);
  await fresh.close();
  expect(otherColour(fresh.still, before)).toBeGreaterThan(0.015);
  expect(otherColour(after, fresh.still)).toBeLessThan(0.01);
});
