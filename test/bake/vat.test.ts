// Vertex animation textures as they are defined: read back by a reader of PNG files that is not ours (pngjs), at the texture coordinates of the
// mesh beside them, they give the positions of the bake. The browser plays them in test/browser.

import { validateBytes } from 'gltf-validator';
import { PNG } from 'pngjs';
import type { Mesh } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { type BakedScene, bakedFiles, bakeScene } from '../../src/bake/index.js';
import { vatLayout, vatPixel } from '../../src/bake/vat-layout.js';
import { checkScene } from '../../src/scenes/index.js';

const FPS = 20;
let baked: BakedScene;
const files = new Map<string, Uint8Array>();

beforeAll(async () => {
  const scene = checkScene({
    isochore: 1,
    steps: 60,
    bodies: [
      {
        ...{ name: 'ball', mesh: { shape: 'icosphere', detail: 2, radius: 0.4 } },
        ...{ position: [0.3, 0.6, -0.2], velocity: [1, -3, 0.5], spin: [3, 0, 1] },
      },
    ],
    colliders: [{ shape: 'plane' }],
  });
  baked = await bakeScene(scene, { fps: FPS });
  for (const file of bakedFiles(baked, 'out/x.vat')) {
    const pieces: Uint8Array[] = [];
    for await (const piece of file.pieces()) pieces.push(piece);
    files.set(file.name, new Uint8Array(Buffer.concat(pieces)));
  }
});

const contents = (ending: string) => files.get(`out/x.vat/ball${ending}`) as Uint8Array;

/** Four channels from 0 to 1, 16 bits each. */
function readPicture(ending: string) {
  const { width, height, data } = PNG.sync.read(Buffer.from(contents(ending)), { skipRescale: true });
  return { width, height, values: Float64Array.from(data as unknown as Uint16Array, (x) => x / 65535) };
}

describe('a folder of textures', () => {
  it('has the files that OpenVAT has', () => {
    expect([...files.keys()].sort()).toEqual(
      ['-remap_info.json', '.glb', '_vat.png', '_vnrm.png'].map((ending) => `out/x.vat/ball${ending}`),
    );
  });

  it('gives the positions and normals of the bake where the mesh says they are', async () => {
    const { 'os-remap': remap, animations } = JSON.parse(new TextDecoder().decode(contents('-remap_info.json')));
    expect(remap.Frames).toBe(baked.frameCount);
    expect(animations.ball).toMatchObject({ startFrame: 1, endFrame: 7, framerate: FPS });
    const { issues } = await validateBytes(contents('.glb'));
    expect([issues.numErrors, issues.numWarnings]).toEqual([0, 0]);
    const gltf = await new GLTFLoader().parseAsync(contents('.glb').slice().buffer, '');
    const { geometry } = gltf.scene.children[0] as Mesh;
    const [rest, coordinates] = [geometry.getAttribute('position'), geometry.getAttribute('uv1')];
    expect(rest.count).toBe(162);
    const [offsets, normals] = [readPicture('_vat.png'), readPicture('_vnrm.png')];
    // Half a step of the 16 bits, and single precision of coordinates below 2 m.
    const tolerance = Math.max(...remap.Max.map((x: number, k: number) => x - remap.Min[k])) / 65535 / 2 + 2.5e-7;
    for (let frame = 0; frame < baked.frameCount; frame++) {
      const wanted = await baked.tracks[0].frame(frame);
      for (let i = 0; i < rest.count; i++) {
        const x = Math.floor(coordinates.getX(i) * offsets.width);
        const y = Math.floor(coordinates.getY(i) * offsets.height) + frame;
        const at = 4 * (y * offsets.width + x);
        const [a, b, c] = [0, 1, 2].map((k) => remap.Min[k] + offsets.values[at + k] * (remap.Max[k] - remap.Min[k]));
        // Blender's axes.
        const found = [rest.getX(i) + a, rest.getY(i) + c, rest.getZ(i) - b];
        found.forEach((value, k) => {
          expect(Math.abs(value - wanted[3 * i + k])).toBeLessThan(tolerance);
        });
        const length = [0, 1, 2].reduce((sum, k) => sum + (2 * normals.values[at + k] - 1) ** 2, 0);
        expect(Math.abs(length - 1)).toBeLessThan(1e-4);
      }
    }
  });
});

describe('the layout', () => {
  it.each([
    [1, 1],
    [162, 7],
    [5000, 240],
    [20_000, 100],
  ])('has a pixel for each of %s vertices in %s frames, and no other', (vertices, frames) => {
    const layout = vatLayout('body', vertices, frames);
    const { width, height } = layout;
    expect(Math.max(width, height)).toBeLessThanOrEqual(4096);
    const isTaken = new Uint8Array(width * height);
    for (let i = 0; i < vertices; i++) for (let n = 0; n < frames; n++) isTaken[vatPixel(layout, i, n)]++;
    expect(isTaken.every((count) => count <= 1)).toBe(true);
    expect(isTaken.reduce((sum, count) => sum + count, 0)).toBe(vertices * frames);
  });

  it('refuses what no texture holds', () => {
    expect(() => vatLayout('body', 100_000, 2000)).toThrow(
      'body: expected at most some 16777216 vertices times frames in a texture, got 100000 times 2000',
    );
  });
});
