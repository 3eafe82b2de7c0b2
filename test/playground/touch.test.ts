// Mouse, finger and keys: the body goes with the hand, the camera does not fight it, and the keys do what the help says.

import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../browser/chromium.js';
import type { PageServer } from '../browser/page-server.js';
import type { WatchedPage } from '../browser/watched-page.js';
import { centreOf, openPlayground, screenOf, servePlayground, stepsOf } from './playground-page.js';

let browser: Browser;
let server: PageServer;
let opened: WatchedPage;
beforeAll(async () => {
  server = await servePlayground();
  browser = await launchChromium();
  // Cubes at rest in free space.
  opened = await openPlayground(browser, `${server.url}#scene=recover`);
});
afterEach(() => expect(opened.faults).toEqual([]));
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

/** The cube that starts undeformed. */
const CUBE = 0;

const camera = (page: Page) =>
  page.evaluate('playground.stage.camera.position.toArray()') as Promise<[number, number, number]>;
const pinCount = (page: Page) => page.evaluate('playground.pins.handles.length') as Promise<number>;
const distance = (a: readonly number[], b: readonly number[]) => Math.hypot(...a.map((x, k) => x - b[k]));

async function reset(page: Page): Promise<void> {
  const worlds = await page.evaluate('playground.worlds');
  await page.keyboard.press('r');
  await page.waitForFunction(`playground.worlds > ${worlds} && playground.stepsHere > 0`);
  await page.waitForTimeout(200);
}

describe('the hand', () => {
  it('moves and throws a body with the mouse, and leaves the camera alone', async () => {
    const { page } = opened;
    const [start, eye] = [await centreOf(page, CUBE), await camera(page)];
    const { x, y } = await screenOf(page, CUBE);
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (let k = 1; k <= 8; k++) {
      await page.mouse.move(x + 4 * k, y - 6 * k);
      await page.waitForTimeout(40);
    }
    const held = await centreOf(page, CUBE);
    expect(held[1] - start[1]).toBeGreaterThan(0.3);
    await page.mouse.up();
    await page.waitForTimeout(400);
    // Without gravity what was thrown flies on.
    expect((await centreOf(page, CUBE))[1]).toBeGreaterThan(held[1] + 0.05);
    expect(distance(await camera(page), eye)).toBeLessThan(1e-9);
    expect(await pinCount(page)).toBe(0);
  });

  it('turns the camera beside a body, and leaves the body alone', async () => {
    const { page } = opened;
    await reset(page);
    const [start, eye] = [await centreOf(page, CUBE), await camera(page)];
    const { x, y } = await screenOf(page, CUBE);
    await page.mouse.move(x + 20, y + 110);
    await page.mouse.down();
    await page.mouse.move(x + 80, y + 90, { steps: 5 });
    await page.mouse.up();
    await page.waitForTimeout(200);
    expect(distance(await camera(page), eye)).toBeGreaterThan(0.1);
    // Single precision's rest drifts by micrometres.
    expect(distance(await centreOf(page, CUBE), start)).toBeLessThan(1e-3);
  });

  it('moves a body with a finger', async () => {
    const { page } = opened;
    await reset(page);
    const start = await centreOf(page, CUBE);
    const { x, y } = await screenOf(page, CUBE);
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: true });
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: points });
    await touch('touchStart', [{ x, y }]);
    for (let k = 1; k <= 6; k++) {
      await touch('touchMove', [{ x, y: y - 8 * k }]);
      await page.waitForTimeout(40);
    }
    expect((await centreOf(page, CUBE))[1] - start[1]).toBeGreaterThan(0.3);
    await touch('touchEnd', []);
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: false });
    await session.detach();
  });

  it('pokes, pins and twists', async () => {
    const { page } = opened;
    await reset(page);
    const start = await centreOf(page, CUBE);
    await page.keyboard.press('2');
    const poked = await screenOf(page, CUBE);
    await page.mouse.click(poked.x, poked.y);
    await page.waitForTimeout(300);
    expect(distance(await centreOf(page, CUBE), start)).toBeGreaterThan(0.1);

    await reset(page);
    await page.keyboard.press('3');
    const at = await screenOf(page, CUBE);
    await page.mouse.click(at.x, at.y);
    await page.waitForFunction('playground.pins.handles.length === 1');
    // A pinned body does not fly away.
    await page.keyboard.press('2');
    await page.mouse.click(at.x + 14, at.y + 14);
    await page.waitForTimeout(500);
    expect(distance(await centreOf(page, CUBE), start)).toBeLessThan(1);

    await reset(page);
    await page.keyboard.press('4');
    const twisted = await screenOf(page, CUBE);
    await page.mouse.move(twisted.x, twisted.y);
    await page.mouse.down();
    await page.mouse.move(twisted.x + 120, twisted.y, { steps: 4 });
    await page.waitForFunction('playground.figures?.energy > 1');
    await page.mouse.up();
    await page.keyboard.press('1');
  });

  it('adds a plate and presses with it', async () => {
    const { page } = opened;
    await reset(page);
    await page.keyboard.press('p');
    await page.waitForFunction(`document.getElementById('press').getAttribute('aria-pressed') === 'true'`);
    const plate = 'playground.obstacles.meshes.at(-1).position';
    await page.waitForFunction(`${plate}.y > 0`);
    const before = (await page.evaluate(`${plate}.y`)) as number;
    const { x, y } = (await page.evaluate(`(() => {
      const at = ${plate}.clone().project(playground.stage.camera);
      const box = playground.stage.canvas.getBoundingClientRect();
      return { x: box.left + (0.5 + 0.5 * at.x) * box.width, y: box.top + (0.5 - 0.5 * at.y) * box.height };
    })()`)) as { x: number; y: number };
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y + 25, { steps: 5 });
    await page.waitForFunction(`${plate}.y < ${before} - 0.2`);
    await page.mouse.up();
    await page.keyboard.press('p');
    await page.waitForFunction(`document.getElementById('press').getAttribute('aria-pressed') === 'false'`);
  });
});

describe('the keys', () => {
  it('pause, step, reset, slow down and help', async () => {
    const { page } = opened;
    await page.keyboard.press(' ');
    await page.waitForFunction('playground.figures?.hash !== undefined');
    const paused = await stepsOf(page);
    await page.waitForTimeout(200);
    expect(await stepsOf(page)).toBe(paused);
    await page.keyboard.press('.');
    await page.waitForFunction(`playground.figures?.steps === ${paused + 1}`);
    await page.keyboard.press('Shift+.');
    await page.waitForFunction(`playground.figures?.steps === ${paused + 11}`);
    await page.keyboard.press('r');
    await page.waitForFunction('playground.figures?.steps === 0');
    await page.keyboard.press('s');
    expect(await page.inputValue('#speed')).toBe('0.1');
    await page.keyboard.press('s');
    await page.keyboard.press('h');
    expect(await page.locator('#help').isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    expect(await page.locator('#help').isVisible()).toBe(false);
    await page.keyboard.press(' ');
    await page.waitForFunction('playground.figures?.steps > 5');
  });

  it('reach everything by name', async () => {
    const nameless = await opened.page.locator('button, input, select, textarea, #canvas, a').evaluateAll((nodes) =>
      nodes
        .filter((node) => {
          const labels = (node as HTMLInputElement).labels ?? [];
          const by = (node.getAttribute('aria-labelledby') ?? '').split(' ');
          const texts = [
            node.getAttribute('aria-label'),
            node.tagName === 'BUTTON' || node.tagName === 'A' ? node.textContent : '',
            ...[...labels].map((label) => label.textContent),
            ...by.map((id) => document.getElementById(id)?.textContent),
          ];
          return !texts.some((text) => text?.trim());
        })
        .map((node) => node.outerHTML.slice(0, 120)),
    );
    expect(nameless).toEqual([]);
  });
});

describe('what is broken', () => {
  it.each(['mirror', 'flatten', 'line', 'point', 'random'])('%s recovers', async (name) => {
    const { page } = opened;
    await page.locator('#tab-change').click();
    await page.locator(`[data-break="${name}"]`).click();
    await page.waitForFunction('playground.figures?.volumeError < 0.01 && playground.figures?.steps > 20');
  });
});
