// The packed package in pages: built by every bundler, in a real browser, with and without cross-origin isolation, to the
// same bits as in plain Node.

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../browser/chromium.js';
import { type PageServer, servePages } from '../browser/page-server.js';
import { openPage } from '../browser/watched-page.js';
import { BUILDS, serveWithVite } from './bundlers.js';
import { type Outcome, type PageScope, simulateInNode } from './outcome.js';
import { installConsumer } from './packed-package.js';

let project: string;
let browser: Browser;
let expected: Outcome;
beforeAll(async () => {
  project = installConsumer();
  [browser, expected] = await Promise.all([launchChromium(), simulateInNode(project, { threads: 1 })]);
});
afterAll(async () => {
  await browser?.close();
  rmSync(project, { recursive: true, force: true });
});

/** Runs the consumer on a page with two threads, large and small; the page must stay clean. */
async function expectCleanRun(server: PageServer, isolated: boolean): Promise<void> {
  try {
    const { page, faults, close } = await openPage(browser, server.url);
    let workers = 0;
    page.on('worker', () => workers++);
    const large = await page.evaluate(() => (globalThis as unknown as PageScope).simulate({ threads: 2 }));
    const capabilities = { backend: 'wasm', precision: 'single', threads: isolated ? 2 : 1 };
    expect(large).toEqual({ ...expected, capabilities, threadedSteps: isolated ? 20 : 0 });
    const small = await page.evaluate(() =>
      (globalThis as unknown as PageScope).simulate({ threads: 2, divisions: 8 }),
    );
    expect(small.threadedSteps).toBe(0);
    expect(workers, 'only the large world starts one').toBe(isolated ? 1 : 0);
    // A world that was disposed of keeps no worker.
    await expect.poll(() => page.workers().length).toBe(0);
    expect(faults).toEqual([]);
    await close();
  } finally {
    await server.close();
  }
}

const PAGES = [
  [true, 'uses threads'],
  [false, 'falls back to one thread'],
] as const;

describe.each(Object.keys(BUILDS))('%s', (name) => {
  let target: string;
  beforeAll(() => {
    target = join(project, 'built', name);
    mkdirSync(target, { recursive: true });
  });

  it('builds without a warning', async () => {
    expect(await BUILDS[name](project, target)).toEqual([]);
  });

  it.each(PAGES)('isolated %s: %s, silently and to the same bits', async (isolated) => {
    await expectCleanRun(await servePages(target, { isolated }), isolated);
  });
});

describe("vite's development server", () => {
  it.each(PAGES)('isolated %s: %s, silently and to the same bits', async (isolated) => {
    const warnings: string[] = [];
    await expectCleanRun(await serveWithVite(project, isolated, warnings), isolated);
    expect(warnings).toEqual([]);
  });
});
