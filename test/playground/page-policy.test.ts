// The page under its own content security policy: in the page for any server of files, and in the headers of `npm start`, which
// workers obey too. It runs, with threads, and what the policy forbids is refused.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchChromium } from '../browser/chromium.js';
import type { PageServer } from '../browser/page-server.js';
import { openPage } from '../browser/watched-page.js';
import { playgroundFolder, servePlayground } from './playground-page.js';

const { servePlayground: serveAsStart } = await import(new URL('../../scripts/serve.mjs', import.meta.url).href);

let browser: Browser;
let files: PageServer;
let start: { address: string; close(): void };
beforeAll(async () => {
  files = await servePlayground();
  start = await serveAsStart(playgroundFolder, 0);
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await files?.close();
  start?.close();
});

/** Asks until a text that the page shows is as wanted; without eval, which the policy forbids to those who look in as well. */
async function waitForText(page: Page, selector: string, wanted: RegExp): Promise<string> {
  for (let n = 0; n < 300; n++) {
    const text = (await page.locator(selector).first().textContent()) ?? '';
    if (wanted.test(text)) return text;
    await page.waitForTimeout(100);
  }
  throw new Error(`${selector} never said ${wanted}`);
}

it.each(['files', 'start'])('runs with threads and without a complaint, served by %s', async (kind) => {
  const address = kind === 'files' ? files.url : start.address;
  const { page, faults, close } = await openPage(browser, `${address}#scene=squeeze&stop=30&threads=2`, {
    width: 900,
  });
  await waitForText(page, '[data-figure="steps"]', /^30$/);
  expect(await waitForText(page, '[data-figure="backend"]', /thread/)).toContain('2 threads');
  await page.locator('#views input[value="strain"]').check();
  // Pictures of the gallery, plots, a file to take away.
  const download = page.waitForEvent('download');
  await page.evaluate(() => document.getElementById('screenshot')?.click());
  await download;
  expect(faults).toEqual([]);
  await close();
});

it('forbids scripts and connections that are not its own', async () => {
  const { page, faults, close } = await openPage(browser, `${files.url}#scene=squeeze&stop=1`);
  await waitForText(page, '[data-figure="steps"]', /^1$/);
  const tried = await page.evaluate(async () => {
    const results: string[] = [];
    const script = document.createElement('script');
    script.textContent = 'globalThis.wasRun = true';
    document.head.append(script);
    results.push(String('wasRun' in globalThis));
    // Later, as the page would: what is asked from outside may do more.
    const evaluated = new Promise<string>((resolve) => {
      setTimeout(() => {
        try {
          resolve(String(new Function('return 1')()));
        } catch (error) {
          resolve((error as Error).name);
        }
      });
    });
    results.push(await evaluated);
    results.push(await fetch('https://example.com/').then(String, (error: Error) => error.name));
    return results;
  });
  expect(tried).toEqual(['false', 'EvalError', 'TypeError']);
  expect(faults.length).toBeGreaterThan(0);
  for (const fault of faults) expect(fault).toMatch(/Content Security Policy|violates/);
  await close();
});
