// Starts the playground, or says why it cannot start.

import 'uplot/dist/uPlot.min.css';
import { isolatePage } from './isolation.js';
import { element } from './page/elements.js';
import { hideNotice, showNotice } from './page/notices.js';
import { Playground } from './page/playground.js';
import { Stage } from './page/stage.js';
import { WorldLink } from './page/world-link.js';

async function start(): Promise<void> {
  if (await isolatePage()) return;
  // First of all: it loads while the graphics start.
  const world = new WorldLink();
  const canvas = element<HTMLCanvasElement>('canvas');
  let stage: Stage;
  try {
    stage = new Stage(canvas);
  } catch {
    showNotice({
      title: 'Nothing can be drawn here',
      text: 'The page needs WebGL 2. Turn on hardware acceleration in the browser, or try another browser.',
      bad: true,
    });
    return;
  }
  // For pictures: every pixel, whatever it costs.
  if (new URLSearchParams(location.search).has('full')) stage.adaptive = false;
  canvas.addEventListener('webglcontextlost', (event) => {
    event.preventDefault();
    showNotice({
      title: 'The graphics card has let go of the page',
      text: 'The simulation goes on. The picture comes back by itself; if it does not, load the page again.',
      bad: true,
    });
  });
  canvas.addEventListener('webglcontextrestored', () => {
    hideNotice();
    stage.restore();
  });
  const playground = new Playground(stage, world);
  // For the console and the tests.
  Object.assign(globalThis, { playground });
  await playground.start();
}

start();
