// The page of a report in a real browser: it draws every plot, in light and dark, and asks nobody for anything.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RunPictures } from '../../src/cli/run-pictures.js';
import { reportPage } from '../../src/report/report-page.js';
import { RunCurves } from '../../src/report/run-curves.js';
import { runPage } from '../../src/report/run-page.js';
import { checkScene, type Frame, type Report, runScene } from '../../src/scenes/index.js';
import { launchChromium } from './chromium.js';
import { type PageServer, servePages } from './page-server.js';
import { openPage } from './watched-page.js';

const folder = mkdtempSync(join(tmpdir(), 'isochore-report-'));
const plots = (name: string) => readFileSync(new URL(`../../node_modules/uplot/dist/${name}`, import.meta.url), 'utf8');
let browser: Browser;
let server: PageServer;
let report: Report;

beforeAll(async () => {
  const [curves, pictures] = [new RunCurves(), new RunPictures()];
  const body = { mesh: { shape: 'icosphere', detail: 1 }, velocity: [0, -3, 0] };
  const scene = checkScene({
    isochore: 1,
    steps: 30,
    // More bodies than a plot has lines, and a name that is no HTML.
    bodies: Array.from({ length: 10 }, (_, n) => ({ ...body, name: `<b>${n}</script>`, position: [3 * n, 1, 0] })),
    colliders: [{ shape: 'plane' }],
  });
  const onFrame = (frame: Frame) => {
    curves.note(frame);
    return pictures.note(frame);
  };
  report = await runScene(scene, { name: 'drop', onFrame });
  const drawn = await pictures.draw({ width: 90, height: 60 });
  const about = runPage(report, curves.curves(), { verb: 'simulate', settings: { scene }, pictures: drawn });
  const uplot = { script: plots('uPlot.iife.min.js'), style: plots('uPlot.min.css') };
  writeFileSync(join(folder, 'index.html'), reportPage(about, uplot));
  browser = await launchChromium();
  server = await servePages(folder);
}, 60_000);
afterAll(async () => {
  await server?.close();
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

it('draws every plot and needs nothing else', async () => {
  const { page, faults, close } = await openPage(browser, server.url);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  // A page that forbids eval is asked by its own locators.
  const titles = (await page.locator('.plot figcaption').allTextContents()).map((text) => text.replace(/ \[.*/, ''));
  expect(titles).toEqual(['volume error', 'kinetic energy', 'contacts', 'penetration', 'time per step']);
  expect(await page.locator('.plot canvas').count()).toBe(5);
  expect(await page.locator('.plot').first().locator('.u-series').count()).toBe(1 + 8);
  expect(await page.locator('.facts dd').allTextContents()).toContain(report.hash);
  expect(await page.locator('.scroll tbody tr').count()).toBe(10);
  expect(await page.locator('.scroll tbody td').first().textContent()).toBe('<b>0</script>');
  expect(await page.locator('.picture figcaption').allTextContents()).toEqual(['0 s', '0.05 s', '0.1 s', '0.15 s']);
  // A picture that is not there has no such shape.
  const box = await page.locator('.picture img').last().boundingBox();
  expect(Math.abs((box?.width ?? 0) / (box?.height ?? 1) - 1.5)).toBeLessThan(0.05);
  const light = await page.screenshot();
  await page.emulateMedia({ colorScheme: 'dark' });
  expect((await page.screenshot()).equals(light)).toBe(false);
  await page.locator('input').check();
  expect(await page.locator('.plot canvas').count()).toBe(5);
  expect(requests).toEqual([]);
  expect(faults.filter((fault) => !fault.includes('favicon'))).toEqual([]);
  await close();
});
