// 200 changes of view and scene in the playground, over all of them: no picture is frozen, none is of another view than asked for.

import { expect, it } from 'vitest';
import { extraScenes } from '../../apps/playground/src/extra-scenes.js';
import { scenes } from '../../src/scenes/index.js';
import { launchChromium } from '../browser/chromium.js';
import { openPlayground, servePlayground, showCanvasOnly } from '../playground/playground-page.js';
import { walkViews, watchDrawing } from '../playground/view-walk.js';
import { tally } from './tally.js';

const CHANGES = Number(process.env.ISOCHORE_SOAK_CHANGES ?? 200);
const SEED = Number(process.env.ISOCHORE_SOAK_SEED ?? 1);
const HOUR = 3_600_000;

it(
  'no sequence of views and scenes freezes the picture',
  async () => {
    const [server, browser] = await Promise.all([servePlayground(), launchChromium()]);
    try {
      const { page, faults } = await openPlayground(browser, `${server.url}?full`, {
        width: 480,
        height: 320,
        seldomDrawn: true,
      });
      page.setDefaultTimeout(120_000);
      await showCanvasOnly(page);
      await watchDrawing(page);
      const names = [...scenes, ...extraScenes].map(({ name }) => name);
      const found = await walkViews(page, {
        scenes: names,
        changes: CHANGES,
        seed: SEED,
        onChange: (description, moved, stale) => console.log(description, moved.toFixed(4), stale.toFixed(5)),
      });
      tally('changes of view and scene', CHANGES);
      expect(found).toEqual([]);
      expect(faults).toEqual([]);
    } finally {
      await browser.close();
      await server.close();
    }
  },
  HOUR,
);
