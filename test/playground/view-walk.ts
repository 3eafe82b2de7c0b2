// A visitor who clicks through scenes and views without a plan: after each click the picture must be of what was asked for, and move.

import type { Page } from 'playwright-core';
import { VIEWS, type View } from '../../apps/playground/src/protocol.js';
import { seededRandom } from '../../src/math/random.js';
import { waitForScene } from './playground-page.js';

/** What the walk does in the page; runs there. */
interface WalkedPage {
  drawn: { count: number; wanted: boolean; pixels: Uint8ClampedArray; width: number; height: number };
  playground: {
    stage: { canvas: HTMLCanvasElement; draw(): boolean };
    opened: { bodies: readonly unknown[]; duration?: number };
    figures?: { steps: number; time: number };
    centre(body: number): [number, number, number];
    world: { seek(time: number): void; poke(body: number, point: number[], direction: number[]): void };
  };
}

/** Size of the pictures that are compared [px]. */
const WIDTH = 320;

/**
 * Keeps what the page itself draws, as soon as it has: asking for a drawing of one's own would hide that it draws none. In the same task,
 * before the browser clears the buffer.
 */
export async function watchDrawing(page: Page): Promise<void> {
  await page.evaluate((width) => {
    const here = globalThis as unknown as WalkedPage;
    const { stage } = here.playground;
    const height = Math.round((width * stage.canvas.clientHeight) / stage.canvas.clientWidth);
    const copy = Object.assign(document.createElement('canvas'), { width, height });
    const context = copy.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D;
    here.drawn = { count: 0, wanted: false, pixels: new Uint8ClampedArray(), width, height };
    const draw = stage.draw.bind(stage);
    stage.draw = () => {
      const hasDrawn = draw();
      if (!hasDrawn) return false;
      here.drawn.count++;
      if (here.drawn.wanted) {
        context.drawImage(stage.canvas, 0, 0, width, height);
        here.drawn.pixels = context.getImageData(0, 0, width, height).data;
        here.drawn.wanted = false;
      }
      return true;
    };
  }, WIDTH);
}

const drawings = async (page: Page): Promise<number> => (await page.evaluate('drawn.count')) as number;
const waitForDrawings = async (page: Page, count: number): Promise<unknown> =>
  page.waitForFunction(`drawn.count >= ${count}`, undefined, { polling: 20 });

/** The next picture that the page draws; with `still` it has to draw one though nothing moves. */
async function takeDrawn(page: Page, still = false): Promise<Uint8Array> {
  await page.evaluate(`drawn.wanted = true; if (${still}) playground.stage.invalidate()`);
  await page.waitForFunction('!drawn.wanted', undefined, { polling: 20 });
  const text = (await page.evaluate(() => {
    const { pixels } = (globalThis as unknown as WalkedPage).drawn;
    let letters = '';
    for (let k = 0; k < pixels.length; k += 4096) letters += String.fromCharCode(...pixels.subarray(k, k + 4096));
    return btoa(letters);
  })) as string;
  return Buffer.from(text, 'base64');
}

/** Share of the pixels that differ by more than this in a channel [0…1]. */
function difference(one: Uint8Array, other: Uint8Array, tolerance = 8): number {
  let count = 0;
  for (let k = 0; k < one.length; k += 4)
    if ([0, 1, 2].some((channel) => Math.abs(one[k + channel] - other[k + channel]) > tolerance)) count++;
  return count / (one.length / 4);
}

/** Throws every body, or shows another moment of a scene that is posed. */
const stirBodies = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const { playground } = globalThis as unknown as WalkedPage;
    const { bodies, duration } = playground.opened;
    if (duration) {
      const time = ((playground.figures?.time ?? 0) + 0.4 * duration) % duration;
      playground.world.seek(time);
      return;
    }
    bodies.forEach((_, body) => {
      playground.world.poke(body, playground.centre(body), [0.5, 1.2, 0]);
    });
  });

/** Without waiting for the layout to be at rest, which takes a second where pictures are drawn by the processor. */
const press = (page: Page, selector: string): Promise<void> =>
  page.evaluate((wanted) => document.querySelector<HTMLElement>(wanted)?.click(), selector);

const setPaused = async (page: Page, paused: boolean): Promise<void> => {
  await press(page, '#play');
  await page.waitForFunction(`(playground.figures?.hash !== undefined) === ${paused}`, undefined, { polling: 20 });
};

/** One thing that was wrong, and where. */
export interface Fault {
  readonly after: string;
  readonly what: string;
}

export interface WalkOptions {
  readonly scenes: readonly string[];
  readonly changes: number;
  readonly seed?: number;
  /** Told after each change. */
  readonly onChange?: (description: string, moved: number, stale: number) => void;
}

const isEmpty = (page: Page): Promise<boolean> => page.evaluate('playground.labels.isEmpty');

/** Throws everything, and says what share of the pixels has changed. */
async function moveSeen(page: Page, view: View): Promise<number> {
  // What has rolled out of the picture is not seen to move.
  if (await isEmpty(page)) {
    const worlds = await page.evaluate('playground.worlds');
    await press(page, '#reset');
    await page.waitForFunction(`playground.worlds > ${worlds} && playground.stepsHere >= 1`, undefined, {
      polling: 20,
    });
    await page.waitForFunction(`playground.soft?.view === '${view}'`, undefined, { polling: 20 });
  }
  const before = await takeDrawn(page, true);
  await stirBodies(page);
  const stirred = await drawings(page);
  await page.waitForTimeout(150);
  await waitForDrawings(page, stirred + 3);
  let moved = difference(before, await takeDrawn(page), MOVED);
  // A machine that is slower than the scene has gone some thousandths of a second; what is frozen stays so.
  for (let tries = 0; tries < MOST_TRIES && !(moved > LEAST_MOTION); tries++) {
    await waitForDrawings(page, (await drawings(page)) + 3);
    moved = difference(before, await takeDrawn(page), MOVED);
  }
  return moved;
}

/**
 * Changes the view three times of four and the scene otherwise. After each change everything is thrown: the picture must change. Then it is
 * stopped and the same view asked for again: the picture must be the same, or it was of something else.
 */
export async function walkViews(page: Page, { scenes, changes, seed = 1, onChange }: WalkOptions): Promise<Fault[]> {
  const random = seededRandom(seed);
  const pick = <T>(list: readonly T[], but: T): T => {
    const others = list.filter((item) => item !== but);
    return others[Math.floor(random() * others.length)];
  };
  const faults: Fault[] = [];
  let view: View = 'shaded';
  let scene = '';
  for (let n = 0; n < changes; n++) {
    if (n === 0 || (random() < 0.25 && scenes.length > 1)) {
      scene = pick(scenes, scene);
      await press(page, `#gallery a[href="#scene=${scene}"]`);
      await waitForScene(page, scene).catch((cause) => {
        throw new Error(`${n}: ${scene} did not start`, { cause });
      });
    } else {
      view = pick(VIEWS, view);
      await press(page, `#views input[value="${view}"]`);
    }
    await page.waitForFunction(`playground.soft?.view === '${view}'`, undefined, { polling: 20 });
    let moved = await moveSeen(page, view);
    // Or rolled out of it on the way.
    if (!(moved > LEAST_MOTION) && (await isEmpty(page))) moved = await moveSeen(page, view);
    await setPaused(page, true);
    const shown = await takeDrawn(page, true);
    const stopped = await drawings(page);
    const worlds = await page.evaluate(
      `playground.soft.view = 'asked'; playground.setView('${view}'); playground.worlds`,
    );
    await page.waitForFunction(`playground.soft?.view === '${view}'`, undefined, { polling: 20 });
    await waitForDrawings(page, stopped + 1);
    const again = await takeDrawn(page, true);
    const isSameWorld = worlds === (await page.evaluate('playground.worlds'));
    const stale = isSameWorld ? difference(shown, again) : 0;
    await setPaused(page, false);
    const after = `${n}: ${scene}, ${view}`;
    onChange?.(after, moved, stale);
    if (!(moved > LEAST_MOTION)) faults.push({ after, what: `only ${moved} of the pixels changed` });
    if (!(stale < MOST_STALE)) faults.push({ after, what: `${stale} of the pixels were of another view` });
  }
  return faults;
}

/** Shares of the pixels. The smallest body, the ring on the stairs, covers 0.4 %. */
const LEAST_MOTION = 0.0005;
/** By how much a pixel changes that moves: one picture twice is the same in all bits, and what has one pale colour changes little. */
const MOVED = 2;
/** Times three pictures that a scene has to move in. */
const MOST_TRIES = 6;
const MOST_STALE = 0.001;
