// Starts the stage and the page around it, or says why they cannot start.

import { createWorkerWorld } from 'isochore/worker';
import { element } from './elements.js';
import { hideNotice, showNotice } from './notices.js';
import { Playground } from './playground.js';
import { SceneWorld } from './scene-world.js';
import { Stage } from './stage.js';

export async function startPage(worker: Worker): Promise<void> {
  const started = createWorkerWorld({ worker });
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
    worker.terminate();
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
  let world: SceneWorld;
  try {
    world = new SceneWorld(await started);
  } catch (error) {
    showNotice({ title: 'The simulation cannot start', text: (error as Error).message, bad: true });
    return;
  }
  const playground = new Playground(stage, world);
  // For the console and the tests.
  Object.assign(globalThis, { playground });
  await playground.start();
}
