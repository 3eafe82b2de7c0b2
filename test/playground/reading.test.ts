// Everybody can read and reach the page: contrast of all its words in both themes (WCAG 2.2, 1.4.3), names that are read aloud, and all
// controls by the tabulator, on a desk and on a phone.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

/** Words with less contrast to what is behind them than they should have: 4.5, large ones 3. Runs in the page. */
function faintWords(): string[] {
  const context = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', {
    willReadFrequently: true,
  }) as CanvasRenderingContext2D;
  const rgba = (colour: string): number[] => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data].map((value) => value / 255);
  };
  const over = ([r, g, b, a]: number[], below: number[]): number[] =>
    [r, g, b].map((value, k) => a * value + (1 - a) * below[k]);
  const behind = (node: Element | null): number[] => {
    if (!node) return [1, 1, 1];
    const colour = rgba(getComputedStyle(node).backgroundColor);
    return colour[3] === 1 ? colour : over(colour, behind(node.parentElement));
  };
  const luminance = (colour: number[]): number => {
    const [r, g, b] = colour.map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const found: string[] = [];
  const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (words.nextNode()) {
    const node = words.currentNode.parentElement as HTMLElement;
    if (
      !words.currentNode.textContent?.trim() ||
      !node.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    )
      continue;
    const { color, fontSize, fontWeight } = getComputedStyle(node);
    const back = behind(node);
    const [light, dark] = [luminance(over(rgba(color), back)), luminance(back)].sort((a, b) => b - a);
    const contrast = (light + 0.05) / (dark + 0.05);
    const size = Number.parseFloat(fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700);
    if (contrast < (isLarge ? 3 : 4.5))
      found.push(`${words.currentNode.textContent.trim().slice(0, 30)}: ${contrast.toFixed(2)}`);
  }
  return [...new Set(found)];
}

/** What the tabulator stops at, in its order, once round. */
async function tabStops(page: Page): Promise<string[]> {
  const stops: string[] = [];
  for (let n = 0; n < 120; n++) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => {
      const node = document.activeElement as HTMLInputElement;
      // The browser's own, between the last and the first.
      if (node === document.body) return '';
      const framed = [node, node.closest('label')].some((one) => one && getComputedStyle(one).outlineStyle !== 'none');
      const { id, name, dataset } = node;
      const label = id || name || node.getAttribute('href') || dataset.tab || dataset.export;
      return framed ? `${label}` : `${label} without a frame`;
    });
    if (stops.length > 0 && at === stops[0]) break;
    if (at !== '') stops.push(at);
  }
  return stops;
}

describe.each([
  ['a desk', 1280, 800],
  ['a phone', 390, 844],
])('on %s', (_, width, height) => {
  it('words can be read in both themes, and everything can be reached', async () => {
    const { page, close } = await openPlayground(browser, `${server.url}#scene=squeeze`, {
      ...{ width, height },
      seldomDrawn: true,
    });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.waitForFunction(`document.documentElement.dataset.theme === '${colorScheme}'`);
      for (const tab of ['see', 'change', 'keep']) {
        await page.evaluate((id) => document.getElementById(`tab-${id}`)?.click(), tab);
        expect(await page.evaluate(faintWords), `${colorScheme}, ${tab}`).toEqual([]);
      }
    }
    const stops = await tabStops(page);
    for (const id of ['theme', 'help-open', 'canvas', 'play', 'step', 'reset', 'speed', 'tool', 'press', 'tab-keep'])
      expect(stops.join(), `the tabulator does not stop at ${id}`).toContain(id);
    expect(stops.filter((stop) => stop.endsWith('without a frame') && !stop.startsWith('canvas'))).toEqual([]);
    // What a screen reader says of tools whose words are not shown.
    const tree = await page.locator('#tools').ariaSnapshot();
    for (const tool of ['Grab', 'Poke', 'Pin', 'Twist', 'Paint', 'Cut']) expect(tree).toContain(`radio "${tool}"`);
    await close();
  });
});
