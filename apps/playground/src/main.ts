// The first thing that runs: starts the world's worker, and while that loads everything that draws.

import 'uplot/dist/uPlot.min.css';
import { isolatePage } from './isolation.js';
import { WorldLink } from './page/world-link.js';

async function start(): Promise<void> {
  if (await isolatePage()) return;
  const world = new WorldLink();
  const { startPage } = await import('./page/start-page.js');
  await startPage(world);
}

start();
