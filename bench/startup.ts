// How soon something moves: loading the package, the first step, preparation, repair, a page. Every time is of a process, or a browser, of its
// own: what has been run before is compiled, and that is what a start is not.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { launchChromium } from '../test/browser/chromium.js';
import { servePlayground } from '../test/playground/playground-page.js';
import type { Benchmark } from './benchmark.js';
import { median } from './interleave.js';
import type { Row } from './rows.js';

const CASE = fileURLToPath(new URL('startup-case.mjs', import.meta.url));
const CASES = ['import', 'create-world', 'prepare-10088', 'prepare-99848', 'soup-mend', 'soup-cage', 'cage-3000'];
const RUNS = 5;
const PAGE_CASE = 'page-to-motion';

interface Start {
  /** [ms] */
  readonly ms: number;
  readonly particles: number;
  /** Of what came of it. */
  readonly hash: string;
}

export async function startInProcess(name: string): Promise<Start> {
  const { stdout } = await promisify(execFile)(process.execPath, [CASE, name]);
  return JSON.parse(stdout) as Start;
}

/** From the request to the first frame of a scene that has been stepped. */
async function startPage(): Promise<Start> {
  const server = await servePlayground();
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    const start = performance.now();
    await page.goto(server.url);
    await page.waitForFunction(() => {
      const { playground } = globalThis as { playground?: { frames: number; figures?: { steps: number } } };
      return (playground?.figures?.steps ?? 0) > 0 && (playground?.frames ?? 0) > 1;
    });
    return { ms: performance.now() - start, particles: 0, hash: '' };
  } finally {
    await browser.close();
    await server.close();
  }
}

export const startup: Benchmark = async (progress) => {
  const starts = new Map<string, Start[]>([...CASES, PAGE_CASE].map((name) => [name, []]));
  const total = RUNS * starts.size;
  let done = 0;
  for (let run = 0; run < RUNS; run++) {
    for (const [name, all] of starts) {
      all.push(name === PAGE_CASE ? await startPage() : await startInProcess(name));
      progress.update(++done, total);
    }
  }
  return [...starts].map(([name, all]): Row => {
    const times = all.map(({ ms }) => ms);
    const [{ particles, hash }] = all;
    return {
      ...{ name, method: 'start', backend: 'wasm', threads: 1, particles, regionSize: null },
      ...{ msPerStep: median(times), minMsPerStep: Math.min(...times), maxVolumeErrorPercent: null, hash },
    };
  });
};
