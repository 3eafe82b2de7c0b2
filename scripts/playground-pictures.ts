// Takes the gallery's pictures and the README's from the playground itself, in a real browser: `npm run pictures:playground`.
// With names only those scenes.

import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { extraScenes } from '../apps/playground/src/extra-scenes.js';
import { scenes } from '../src/scenes/index.js';
import { launchChromium } from '../test/browser/chromium.js';
import { servePages } from '../test/browser/page-server.js';
import { openPage } from '../test/browser/watched-page.js';

const root = fileURLToPath(new URL('../', import.meta.url));
const gallery = `${root}apps/playground/src/pictures/`;
const documentation = `${root}docs/pictures/`;

/** Step at which each scene looks like itself; others at the default. */
const MOMENTS: Readonly<Record<string, number>> = {
  squeeze: 300,
  twist: 400,
  recover: 1,
  cube: 60,
  'balls-in-glass': 260,
  'ducks-and-tori': 260,
  creatures: 330,
  stairs: 330,
  hand: 160,
  'hand-stiffness': 200,
  'cut-liver': 460,
  'plastic-block': 330,
  flowers: 110,
  inflate: 330,
  'lattice-against-surface': 84,
  drop: 50,
  press: 130,
  'sphere-stairs': 330,
  'creature-stairs': 400,
  'creature-drop': 150,
  'tori-pile': 330,
  muscle: 200,
  imprint: 40,
  swallow: 40,
  walk: 12,
};
const DEFAULT_MOMENT = 200;
/** How much closer the camera comes for a small picture than what shows all bodies. */
const ZOOMS: Readonly<Record<string, number>> = {
  squeeze: 1.05,
  recover: 1.1,
  twist: 1.1,
  'balls-in-glass': 0.95,
  'ducks-and-tori': 1.7,
  creatures: 1.3,
  flowers: 1.3,
};
/** Of these the obstacles are the scene. */
const WHOLE = ['stairs', 'sphere-stairs'];

/** The README's: the whole page. */
const PAGES = [
  { file: 'playground.webp', link: '#scene=squeeze&stop=300', width: 1440, height: 900, theme: 'light' },
  { file: 'playground-dark.webp', link: '#scene=twist&view=strain&stop=420', width: 1440, height: 900, theme: 'dark' },
  { file: 'playground-phone.webp', link: '#scene=stairs&stop=330', width: 390, height: 844, theme: 'light' },
] as const;

/** Long enough for the slowest scene on a busy machine [ms]. */
const PATIENCE = 300_000;
const BARE = `body { display: block } #stage { position: fixed; inset: 0 } .brand, .side, #scenes, #stage > :not(canvas) { display: none !important }`;

/** A picture as WebP, made smaller by the browser. */
async function toWebp(page: Page, png: Buffer, width: number): Promise<Buffer> {
  const address = await page.evaluate(
    async ([data, wanted]) => {
      const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
      const canvas = document.createElement('canvas');
      canvas.width = wanted as number;
      canvas.height = Math.round((picture.height * canvas.width) / picture.width);
      const context = canvas.getContext('2d') as CanvasRenderingContext2D;
      context.imageSmoothingQuality = 'high';
      context.drawImage(picture, 0, 0, canvas.width, canvas.height);
      return canvas.toDataURL('image/webp', 0.82);
    },
    [png.toString('base64'), width] as const,
  );
  return Buffer.from(address.split(',')[1], 'base64');
}

async function takePicture(
  browser: Browser,
  address: string,
  options: {
    width: number;
    height: number;
    theme: 'light' | 'dark';
    zoom?: number;
    whole?: boolean;
    target: string;
    size: number;
  },
): Promise<void> {
  const { page, faults, close } = await openPage(browser, address, {
    ...{ width: options.width, height: options.height },
    // The page's policy forbids the style that hides all but the stage.
    withoutPolicy: true,
  });
  await page.emulateMedia({ colorScheme: options.theme });
  if (options.zoom) await page.addStyleTag({ content: BARE });
  await page.waitForFunction('(globalThis.playground?.figures?.hash !== undefined)', undefined, { timeout: PATIENCE });
  if (options.zoom) {
    await page.evaluate(`playground.stage.insets = () => ({}); playground.stage.camera.zoom = ${options.zoom};
      playground.stage.resize(); playground.${options.whole ? 'frameAgain' : 'frameBodies'}();`);
  }
  // Software may take long to draw the last state.
  await page.waitForTimeout(2500);
  writeFileSync(options.target, await toWebp(page, await page.screenshot(), options.size));
  console.log(options.target.slice(root.length), faults.join('; '));
  await close();
}

const wanted = process.argv.slice(2);
mkdirSync(gallery, { recursive: true });
const browser = await launchChromium();
const server = await servePages(`${root}apps/playground/dist`, { isolated: true });
try {
  for (const { name } of [...scenes, ...extraScenes]) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const address = `${server.url}?full#scene=${name}&stop=${MOMENTS[name] ?? DEFAULT_MOMENT}`;
    const target = `${gallery}${name}.webp`;
    await takePicture(browser, address, {
      width: 640,
      height: 360,
      theme: 'light',
      zoom: ZOOMS[name] ?? 1.05,
      whole: WHOLE.includes(name),
      target,
      size: 384,
    });
  }
  for (const { file, link, width, height, theme } of PAGES) {
    if (wanted.length > 0 && !wanted.includes(file)) continue;
    const target = `${documentation}${file}`;
    await takePicture(browser, `${server.url}?full${link}`, { width, height, theme, target, size: width });
  }
} finally {
  await browser.close();
  await server.close();
}
