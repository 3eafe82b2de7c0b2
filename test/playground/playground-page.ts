// Opens the built playground in a browser, and asks it what a user would see.

import type { Browser, Page } from 'playwright-core';
import { type PageServer, servePages } from '../browser/page-server.js';
import { openPage, type WatchedPage } from '../browser/watched-page.js';

const { buildPlayground, isPlaygroundBuilt, playground } = await import(
  new URL('../../scripts/build-playground.mjs', import.meta.url).href
);

export const playgroundFolder: string = playground;

/** Builds the page where that has not been done, and serves it. */
export async function servePlayground(isolated = true): Promise<PageServer> {
  if (!isPlaygroundBuilt()) await buildPlayground();
  return servePages(playgroundFolder, { isolated });
}

/** What `globalThis.playground` offers, as far as the tests use it. */
export interface PlaygroundHandle {
  readonly frames: number;
  readonly opened?: { readonly title: string };
  readonly stepsHere: number;
  readonly figures?: { readonly steps: number; readonly time: number; readonly hash?: string };
  project(body: number): { x: number; y: number };
  centre(body: number): [number, number, number];
}

/** Runs in the page. */
type InPage = { playground: PlaygroundHandle };

export interface OpenOptions {
  readonly width?: number;
  readonly height?: number;
  readonly before?: () => void;
  /** Ten pictures a second at most, for tests that are not about them. */
  readonly seldomDrawn?: boolean;
  /** How long anything may take [ms]; 45 s unless set: a machine that is slow or busy prepares the hand in more than twenty. */
  readonly timeout?: number;
}

/**
 * Runs in the page before its own scripts. Pictures are drawn by the processor here: as many as it can make take half of it
 * from the simulation, and from the tests beside this one.
 */
function drawSeldom(): void {
  const draw = globalThis.requestAnimationFrame.bind(globalThis);
  globalThis.requestAnimationFrame = (callback) => setTimeout(() => draw(callback), 100) as unknown as number;
}

/** Opens an address such as `…#scene=squeeze` and waits until the scene moves. */
export async function openPlayground(
  browser: Browser,
  address: string,
  { width = 900, height = 520, before, seldomDrawn = false, timeout = 45_000 }: OpenOptions = {},
): Promise<WatchedPage> {
  const scripts = [...(before ? [before] : []), ...(seldomDrawn ? [drawSeldom] : [])];
  const opened = await openPage(browser, address, { width, height, before: scripts, withoutPolicy: true });
  opened.page.setDefaultTimeout(timeout);
  await waitForMotion(opened.page);
  return opened;
}

export async function waitForMotion(page: Page): Promise<void> {
  await page.waitForFunction(
    () => {
      const { playground } = globalThis as unknown as Partial<InPage>;
      return (playground?.frames ?? 0) >= 2 && (playground?.figures?.steps ?? 0) >= 1;
    },
    undefined,
    { polling: 20 },
  );
}

/** Waits until a scene of the gallery, or a file with this title, is there and moves. */
export async function waitForScene(page: Page, title: string): Promise<void> {
  await page.waitForFunction(
    (wanted) => {
      const { playground } = globalThis as unknown as InPage;
      return playground.opened?.title === wanted && playground.stepsHere >= 1;
    },
    title,
    { polling: 20 },
  );
}

/** The text of a figure, as shown. */
export async function figure(page: Page, name: string): Promise<string> {
  return (await page.locator(`[data-figure="${name}"]`).first().textContent()) ?? '';
}

/** The volume error as shown, in percent. */
export async function volumeFigure(page: Page): Promise<number> {
  const text = (await figure(page, 'volume')).replace('−', '-');
  return Number(/^([\d.e+-]+) %$/.exec(text)?.[1] ?? 'NaN');
}

/** Calls a method of the page's handle. */
export const centreOf = (page: Page, body: number) =>
  page.evaluate((index) => (globalThis as unknown as InPage).playground.centre(index), body);
export const screenOf = (page: Page, body: number) =>
  page.evaluate((index) => (globalThis as unknown as InPage).playground.project(index), body);
export const stepsOf = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as InPage).playground.figures?.steps ?? 0);

/** Hides everything but the canvas, so that pixels are the scene's. */
export async function showCanvasOnly(page: Page): Promise<void> {
  await page.addStyleTag({ content: '.title, .figures, .labels, .deck, .pace, .busy { opacity: 0 }' });
}

/** Gives the page files as if they were dropped on it. */
export async function dropFiles(page: Page, files: readonly { name: string; bytes: Uint8Array }[]): Promise<void> {
  const sent = files.map(({ name, bytes }) => ({ name, data: Buffer.from(bytes).toString('base64') }));
  await page.evaluate((list) => {
    const transfer = new DataTransfer();
    for (const { name, data } of list) {
      transfer.items.add(new File([Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))], name));
    }
    window.dispatchEvent(new DragEvent('dragenter', { dataTransfer: transfer }));
    window.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, sent);
}
