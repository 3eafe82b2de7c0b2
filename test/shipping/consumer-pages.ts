// The consumer's pages, built and ready to be opened in a browser under any headers.

import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { launchChromium } from '../browser/chromium.js';
import { servePages } from '../browser/page-server.js';
import { openPage, type WatchedPage, type WatchOptions } from '../browser/watched-page.js';
import type { Outcome, PageScope } from './outcome.js';
import { installConsumer } from './packed-package.js';

export interface Situation extends WatchOptions {
  isolated: boolean;
  /** The page's content security policy; none unless set. */
  policy?: string;
  /** Which page; index.html unless set. */
  file?: string;
}

/** A consumer project whose pages esbuild has built, and a browser; both last as long as the test file. */
export class ConsumerPages {
  project = '';
  private browser: Browser | undefined;

  constructor() {
    beforeAll(async () => {
      this.project = installConsumer();
      const entryPoints = ['page.js', 'worker.js', 'scene.js'].map((name) => join(this.project, name));
      const outdir = join(this.project, 'built');
      await build({ entryPoints, bundle: true, format: 'esm', outdir });
      for (const name of ['index.html', 'scene.html', 'node_modules/isochore/dist/kernels.wasm'])
        copyFileSync(join(this.project, name), join(outdir, name.split('/').at(-1) ?? ''));
      this.browser = await launchChromium();
    });
    afterAll(async () => {
      await this.browser?.close();
      rmSync(this.project, { recursive: true, force: true });
    });
  }

  /** Opens a page and hands it to a check. */
  async open(situation: Situation, check: (opened: WatchedPage) => Promise<void>): Promise<void> {
    if (!this.browser) throw new Error('the browser has not started');
    const headers: Record<string, string> = situation.policy ? { 'Content-Security-Policy': situation.policy } : {};
    const server = await servePages(join(this.project, 'built'), { isolated: situation.isolated, headers });
    try {
      const opened = await openPage(this.browser, `${server.url}${situation.file ?? ''}`, situation);
      await check(opened);
      await opened.close();
    } finally {
      await server.close();
    }
  }
}

/** Runs the consumer in a task of its own: in the one that a test evaluates, the page's policy does not hold. */
export const simulateOnPage = ({ page }: WatchedPage, options: object): Promise<Outcome> =>
  page.evaluate(async (chosen) => {
    await new Promise((resolve) => setTimeout(resolve, 0));
    return (globalThis as unknown as PageScope).simulate(chosen);
  }, options);
