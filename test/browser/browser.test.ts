// The tests' own browser, server and eyes: they must see what is there, and report what should not be.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from './chromium.js';
import { type PageServerOptions, servePages } from './page-server.js';
import { takeScreenshot } from './screenshot.js';
import { openPage } from './watched-page.js';

let browser: Browser;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'isochore-browser-'));
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Serves a page with this in its body, opens it, and hands it to a check. */
async function withPage(
  body: string,
  check: (opened: Awaited<ReturnType<typeof openPage>>) => Promise<void>,
  options: PageServerOptions = {},
): Promise<void> {
  writeFileSync(join(folder, 'index.html'), `<!doctype html><link rel="icon" href="data:,"><body>${body}</body>`);
  const server = await servePages(folder, options);
  try {
    const opened = await openPage(browser, server.url, { width: 200, height: 100 });
    await check(opened);
    await opened.close();
  } finally {
    await server.close();
  }
}

describe('a served page', () => {
  it.each([
    [true, 'has shared memory where it is isolated'],
    [false, 'has none where it is not'],
  ])('isolated %s: %s', async (isolated) => {
    await withPage(
      '',
      async ({ page, faults }) => {
        const seen = await page.evaluate(() => [globalThis.crossOriginIsolated, typeof SharedArrayBuffer]);
        expect(seen).toEqual([isolated, isolated ? 'function' : 'undefined']);
        expect(faults).toEqual([]);
      },
      { isolated },
    );
  });

  it('reaches no file outside the folder', async () => {
    writeFileSync(join(folder, 'inside.json'), '1');
    const server = await servePages(folder);
    expect(await (await fetch(`${server.url}inside.json`)).text()).toBe('1');
    for (const path of ['../../etc/hostname', '..%2f..%2f..%2f..%2f..%2fetc%2fhostname', 'missing.js', '%'])
      expect((await fetch(`${server.url}${path}`)).status, path).toBe(404);
    await server.close();
  });
});

describe('faults', () => {
  it.each([
    ['an error', '<script>console.error("one")</script>', /^error: one$/],
    ['a warning', '<script>console.warn("two")</script>', /^warning: two$/],
    ['an exception', '<script>throw new Error("three")</script>', /^uncaught: Error: three$/],
    ['a lost promise', '<script>Promise.reject(new Error("four"))</script>', /^uncaught: Error: four$/],
    ['a missing file', '<script src="missing.js"></script>', /^status 404: .*missing\.js$/],
    ['a request to others', '<img src="http://example.org/a.png">', /^request to http:\/\/example\.org\/a\.png$/],
    [
      'a request from a worker',
      `<script>new Worker(URL.createObjectURL(new Blob(['fetch("http://example.org/b").catch(() => {})'])))</script>`,
      /^request to http:\/\/example\.org\/b$/,
    ],
  ])('hold %s', async (_, body, fault) => {
    await withPage(body, async ({ faults }) => {
      await expect.poll(() => faults).toContainEqual(expect.stringMatching(fault));
    });
  });
});

describe('a screenshot', () => {
  it('shows colours where they are, and text', async () => {
    const style = 'position:absolute;top:0;width:50px;height:50px;background:rgb(10,200,30)';
    await withPage(`<div style="left:100px;${style}"></div>`, async ({ page }) => {
      const blank = await takeScreenshot(page);
      expect([blank.width, blank.height]).toEqual([200, 100]);
      expect(blank.at(125, 25)).toEqual([10, 200, 30]);
      expect(blank.at(99, 25)).toEqual([255, 255, 255]);
      expect(blank.share((_, green, blue) => green === 200 && blue === 30)).toBe(1 / 8);
      expect((await takeScreenshot(page, { selector: 'div' })).width).toBe(50);
      await page.evaluate(() => document.body.append('isochore'));
      expect(blank.difference(await takeScreenshot(page))).toBeGreaterThan(0.001);
      expect(blank.difference(blank)).toBe(0);
    });
  });

  it('shows what WebGL 2 drew', async () => {
    const script = `const gl = document.querySelector('canvas').getContext('webgl2', { preserveDrawingBuffer: true });
      gl.clearColor(0, 0, 1, 1); gl.clear(gl.COLOR_BUFFER_BIT);`;
    await withPage(`<canvas width="80" height="40"></canvas><script>${script}</script>`, async ({ page, faults }) => {
      const picture = await takeScreenshot(page, { selector: 'canvas' });
      expect(picture.at(40, 20)).toEqual([0, 0, 255]);
      expect(faults).toEqual([]);
    });
  });

  it('shows what WebGPU drew', async () => {
    const script = `globalThis.drawn = (async () => {
      const device = await (await navigator.gpu.requestAdapter()).requestDevice();
      const context = document.querySelector('canvas').getContext('webgpu');
      context.configure({ device, format: navigator.gpu.getPreferredCanvasFormat() });
      const draw = () => {
        const encoder = device.createCommandEncoder();
        const view = context.getCurrentTexture().createView();
        const clearValue = [1, 0, 0, 1];
        encoder.beginRenderPass({ colorAttachments: [{ view, clearValue, loadOp: 'clear', storeOp: 'store' }] }).end();
        device.queue.submit([encoder.finish()]);
        requestAnimationFrame(draw);
      };
      draw();
      await device.queue.onSubmittedWorkDone();
    })();`;
    await withPage(`<canvas width="80" height="40"></canvas><script>${script}</script>`, async ({ page, faults }) => {
      await page.evaluate('drawn');
      const picture = await takeScreenshot(page, { selector: 'canvas' });
      expect(picture.at(40, 20)).toEqual([255, 0, 0]);
      expect(faults).toEqual([]);
    });
  });
});
