// The live examples of the documentation, run in a real browser as the site runs them: in its frame, with the built package. Each must
// draw something that moves, and say nothing of errors.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeBlocks } from '../house/page-programs.js';
import { launchChromium } from './chromium.js';
import { type PageServer, servePages } from './page-server.js';
import { takeScreenshot } from './screenshot.js';
import { openPage } from './watched-page.js';

const { buildLive } = await import(new URL('../../scripts/build-live.mjs', import.meta.url).href);
const { docsPages } = await import(new URL('../../scripts/docs-index.mjs', import.meta.url).href);
const docs = fileURLToPath(new URL('../../docs/', import.meta.url));
const examples = (docsPages(docs) as string[]).flatMap((page) =>
  codeBlocks(readFileSync(docs + page, 'utf8'), 'js live').map((code, index) => ({ page, index, code })),
);

/** What the site's component does with a frame. */
const PAGE = `<!doctype html><style>body { margin: 0 } iframe { border: 0; width: 480px; height: 360px }</style>
<iframe src="live/frame.html"></iframe>
<script>
  window.lines = [];
  addEventListener('message', ({ data, source }) => {
    if (data.kind === 'ready') source.postMessage({ run: window.code }, location.origin);
    else window.lines.push(data.text);
  });
</script>`;

let folder: string;
let browser: Browser;
let server: PageServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'isochore-live-'));
  await buildLive(join(folder, 'live'));
  browser = await launchChromium();
}, 120_000);
afterAll(async () => {
  await server?.close();
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('live examples', () => {
  it('are on several pages', () => {
    expect(new Set(examples.map(({ page }) => page)).size).toBeGreaterThan(2);
  });

  it.each(examples)('$page runs its example $index', async ({ code }) => {
    writeFileSync(
      join(folder, 'index.html'),
      PAGE.replace('window.lines = [];', `window.lines = []; window.code = ${JSON.stringify(code)};`),
    );
    server ??= await servePages(folder, { isolated: true });
    const { page, faults, close } = await openPage(browser, server.url, { width: 480, height: 360 });
    try {
      const canvas = page.frameLocator('iframe').locator('canvas');
      await canvas.waitFor({ timeout: 30_000 });
      await page.waitForTimeout(300);
      const first = await takeScreenshot(page);
      // On a busy machine pictures are seldom.
      await expect
        .poll(async () => first.difference(await takeScreenshot(page), 16), { timeout: 40_000, interval: 200 })
        .toBeGreaterThan(0.001);
      expect(faults).toEqual([]);
      expect(((await page.evaluate('window.lines')) as string[]).filter((line) => /error(?! \d)/i.test(line))).toEqual(
        [],
      );
    } finally {
      await close();
    }
  });
});
