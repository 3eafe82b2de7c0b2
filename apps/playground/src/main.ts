// The first thing that runs: starts the worker of the world and of the program beside it, and while that loads everything that draws.

import 'uplot/dist/uPlot.min.css';
import { isolatePage } from './isolation.js';

async function start(): Promise<void> {
  if (await isolatePage()) return;
  const worker = new Worker(new URL('./program/scene-program.ts', import.meta.url), { type: 'module', name: 'world' });
  const { startPage } = await import('./page/start-page.js');
  await startPage(worker);
}

start();
