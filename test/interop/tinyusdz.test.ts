// tinyusdz as the judge of .usda files, in a real browser, for which alone it is built: what it reads as a scene, and the points of every
// time sample as it writes the layer again.

import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { USDAParser } from 'three/examples/jsm/loaders/usd/USDAParser.js';
import { afterAll, expect, it } from 'vitest';
import { bakedFiles, bakeScene } from '../../src/bake/index.js';
import { checkScene } from '../../src/scenes/index.js';
import { launchChromium } from '../browser/chromium.js';
import { servePages } from '../browser/page-server.js';
import { openPage } from '../browser/watched-page.js';

const folder = mkdtempSync(join(tmpdir(), 'isochore-usd-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PAGE = `<!doctype html><link rel="icon" href="data:,"><script type="module">
import init from './tinyusdz.js';
const usd = await init({ print() {}, printErr() {} });
const bytes = new Uint8Array(await (await fetch('./x.usda')).arrayBuffer());
const scene = new usd.TinyUSDZLoaderNative();
const isScene = scene.loadFromBinary(bytes, 'x.usda');
const meshes = Array.from({ length: scene.numMeshes() }, (_, n) => scene.getMesh(n)).map((mesh) => ({
  name: mesh.primName,
  points: Array.from(mesh.points),
  corners: Array.from(mesh.faceVertexIndices),
}));
const layer = new usd.TinyUSDZLoaderNative();
const isLayer = layer.loadAsLayerFromBinary(bytes, 'x.usda');
globalThis.seen = { isScene, isLayer, fault: scene.error() + layer.error(), meshes, text: layer.layerToString() };
</script>`;

interface Seen {
  readonly isScene: boolean;
  readonly isLayer: boolean;
  readonly fault: string;
  readonly meshes: readonly { name: string; points: number[]; corners: number[] }[];
  readonly text: string;
}

it('reads every mesh and the points of every time sample', async () => {
  const scene = checkScene({
    isochore: 1,
    steps: 40,
    bodies: [
      { name: 'ball', mesh: { shape: 'icosphere', detail: 1, radius: 0.5 }, position: [0, 1, 0], spin: [3, 0, 1] },
      { name: 'box', mesh: { shape: 'box', divisions: 2 }, position: [2, 0.6, 0] },
    ],
    colliders: [{ shape: 'plane' }],
  });
  const baked = await bakeScene(scene, { fps: 25 });
  const [{ pieces }] = bakedFiles(baked, 'x.usda');
  const parts: Uint8Array[] = [];
  for await (const piece of pieces()) parts.push(piece);
  writeFileSync(join(folder, 'x.usda'), Buffer.concat(parts));
  writeFileSync(join(folder, 'index.html'), PAGE);
  for (const name of ['tinyusdz.js', 'tinyusdz.wasm'])
    copyFileSync(fileURLToPath(new URL(`../../node_modules/tinyusdz/${name}`, import.meta.url)), join(folder, name));

  const [browser, server] = [await launchChromium(), await servePages(folder)];
  try {
    const { page, close } = await openPage(browser, server.url);
    await page.waitForFunction('globalThis.seen !== undefined');
    const seen = (await page.evaluate('globalThis.seen')) as Seen;
    await close();
    expect({ ...seen, meshes: 0, text: '' }).toEqual({ isScene: true, isLayer: true, fault: '', meshes: 0, text: '' });
    expect(seen.meshes.map(({ name }) => name)).toEqual(['ball', 'box']);
    expect(seen.text).toMatch(/upAxis = "Y"/);
    expect(seen.text).toMatch(/metersPerUnit = 1/);
    const { specsByPath } = new USDAParser().parseData(seen.text);
    for (const [n, track] of baked.tracks.entries()) {
      expect(seen.meshes[n].corners).toEqual([...track.mesh.triangles]);
      expect(Float32Array.from(seen.meshes[n].points)).toEqual(await track.frame(0));
      const { times, values } = specsByPath[`/World/${track.name}.points`].fields.timeSamples;
      expect(times).toEqual([1, 2, 3, 4, 5, 6]);
      for (let k = 0; k < track.frameCount; k++) {
        const wanted = await track.frame(k);
        const points: number[] = values[k].flat();
        expect(points).toHaveLength(wanted.length);
        // As many digits as it writes.
        const off = points.reduce((most, x, i) => Math.max(most, Math.abs(x - wanted[i])), 0);
        expect(off).toBeLessThan(1e-5);
      }
    }
  } finally {
    await server.close();
    await browser.close();
  }
}, 60_000);
