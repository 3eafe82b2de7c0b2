// The brush: what a stroke paints is seen at once, the body goes on with it, and the scene file holds it.

import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildScene, parseScene } from '../../src/scenes/index.js';
import { launchChromium } from '../browser/chromium.js';
import type { PageServer } from '../browser/page-server.js';
import { centreOf, openPlayground, screenOf, servePlayground, stepsOf } from './playground-page.js';

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

/** The scene file that the page gives. */
async function sceneFile(page: Page): Promise<string> {
  await page.locator('#tab-keep').click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.locator('[data-export="scene.json"]').click(),
  ]);
  return readFileSync(await download.path(), 'utf8');
}

const colourCount = (page: Page) =>
  page.evaluate('new Set(playground.soft.colours.map((c) => Math.round(100 * c))).size') as Promise<number>;

/** A stroke over the middle of a body, and the world that follows it. */
async function stroke(page: Page, body: number): Promise<void> {
  const worlds = await page.evaluate('playground.worlds');
  const { x, y } = await screenOf(page, body);
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let k = 1; k <= 4; k++) await page.mouse.move(x + 2 * k, y);
  await page.mouse.up();
  await page.waitForFunction(`playground.worlds > ${worlds} && playground.stepsHere > 0`);
}

it('a stroke is shown, moves nothing, and ends in the scene file; wiping takes it off', async () => {
  const { page, faults } = await openPlayground(browser, `${server.url}#scene=squeeze&stop=20`, { seldomDrawn: true });
  await page.waitForFunction('playground.figures?.steps === 20');
  await page.keyboard.press('5');
  await page.waitForFunction(`playground.soft?.view === 'painted'`);
  // Its colours come with the frame after, or are there already: of a scene that stands still no other comes then.
  const frames = (await page.evaluate('playground.frames')) as number;
  const another = page.waitForFunction(`playground.frames > ${frames}`).catch(() => undefined);
  await Promise.race([another, page.waitForTimeout(2000)]);
  const [plain, before] = [await colourCount(page), await centreOf(page, 0)];
  await stroke(page, 0);
  await page.waitForFunction(`new Set(playground.soft.colours.map((c) => Math.round(100 * c))).size > ${plain + 5}`);
  expect(await stepsOf(page)).toBe(20);
  expect(await centreOf(page, 0)).toEqual(before);

  const painted = parseScene(await sceneFile(page));
  const map = painted.bodies[0].maps?.stiffness?.[0];
  if (!map || !('values' in map)) throw new Error('nothing painted in the scene file');
  const count = await page.evaluate('playground.soft.bodies[0].count');
  expect(map.values.length).toBe(count);
  // Several dabs of half the way to a tenth of the stiffness, most in the middle; far away as before.
  expect(Math.min(...map.values)).toBeGreaterThanOrEqual(0.1);
  expect(Math.min(...map.values)).toBeLessThan(0.5);
  expect(Math.max(...map.values)).toBe(1);
  expect(painted.bodies.slice(1).map(({ maps }) => maps)).toEqual([undefined, undefined, undefined]);
  const { world, bodies } = await buildScene(painted, { backend: 'reference' });
  expect([...(bodies[0].prepared.maps.stiffness ?? [])]).toEqual(map.values);
  world.dispose();

  // The link and the program that the page gives hold the same.
  await page.waitForFunction(`location.hash.includes('paint=')`);
  expect(await page.locator('#code').inputValue()).toContain(JSON.stringify(map.values));
  const linked = await openPlayground(browser, page.url(), { seldomDrawn: true });
  await linked.page.waitForFunction('playground.figures?.steps > 0');
  expect(parseScene(await sceneFile(linked.page)).bodies[0].maps).toEqual(painted.bodies[0].maps);
  await linked.page.close();

  await page.locator('#tab-change').click();
  await page.locator('#brush-map').selectOption('friction');
  // Of another map nothing is painted.
  await page.waitForFunction(`new Set(playground.soft.colours.map((c) => Math.round(100 * c))).size === ${plain}`);
  const worlds = await page.evaluate('playground.worlds');
  await page.locator('#brush-wipe').click();
  await page.waitForFunction(`playground.worlds > ${worlds}`);
  expect(parseScene(await sceneFile(page)).bodies[0].maps).toBeUndefined();
  expect(faults).toEqual([]);
});
