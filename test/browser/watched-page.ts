// Opens a page and writes down everything that a clean one would not do.

import type { Browser, Page } from 'playwright-core';

export interface WatchedPage {
  readonly page: Page;
  /**
   * Console errors and warnings, uncaught exceptions, requests that failed, and requests to anyone but the page's own
   * server, in order; empty for a clean page.
   */
  readonly faults: readonly string[];
  close(): Promise<void>;
}

export interface WatchOptions {
  /** Run in the page before its own scripts. */
  before?: (() => void) | readonly (() => void)[];
  /** Leaves the page's content security policy aside: what looks into a page from outside needs eval. */
  withoutPolicy?: boolean;
  /** Size of the view [px]; 800 × 600 unless set. */
  width?: number;
  height?: number;
}

/** Opens an address in a context of its own (nothing cached, nothing shared) and waits until it has loaded. */
export async function openPage(browser: Browser, url: string, options: WatchOptions = {}): Promise<WatchedPage> {
  const { width = 800, height = 600, withoutPolicy = false } = options;
  const context = await browser.newContext({ viewport: { width, height }, bypassCSP: withoutPolicy });
  const faults: string[] = [];
  const { host } = new URL(url);
  // Of the context and not of the page alone: workers make requests too.
  context.on('request', (request) => {
    const target = new URL(request.url());
    // data: and blob: addresses are the page's own and reach nobody.
    if (target.host !== host && target.host !== '') faults.push(`request to ${target.href}`);
  });
  context.on('requestfailed', (request) => {
    faults.push(`request failed: ${request.url()}: ${request.failure()?.errorText}`);
  });
  context.on('response', (response) => {
    if (response.status() >= 400) faults.push(`status ${response.status()}: ${response.url()}`);
  });
  context.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(`${message.type()}: ${message.text()}`);
  });
  context.on('weberror', (error) => faults.push(`uncaught: ${error.error()}`));
  const page = await context.newPage();
  page.on('websocket', (socket) => {
    if (new URL(socket.url()).host !== host) faults.push(`socket to ${socket.url()}`);
  });
  page.on('crash', () => faults.push('the page crashed'));
  for (const script of [options.before ?? []].flat()) await page.addInitScript(script);
  await page.goto(url, { waitUntil: 'load' });
  return { page, faults, close: () => context.close() };
}
