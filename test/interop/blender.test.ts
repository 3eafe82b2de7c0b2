// Blender as the judge of baked files: positions at five frames, faces, axes and scale, as it shows them. Debian's `blender`; where it
// is not installed, this says so.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BakedScene, bakedFiles, bakeScene } from '../../src/bake/index.js';
import { checkScene } from '../../src/scenes/index.js';

const hasBlender = spawnSync('blender', ['--version']).status === 0;
if (!hasBlender) console.warn('NOT RUN: Blender reads baked files (no `blender` on this machine)');

const script = fileURLToPath(new URL('blender-positions.py', import.meta.url));
/** Blender's own rate, so that frames are whole there. */
const FPS = 24;
const FRAMES = [0, 3, 6, 9, 11];
/** Of the body's size: single precision of coordinates of some metres. */
const TOLERANCE = 1e-5;

type Found = Record<string, { faces: number; frames: Record<string, number[]> }>;

describe.skipIf(!hasBlender)('Blender', () => {
  let folder = '';
  let baked: BakedScene;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'isochore-blender-'));
    const scene = checkScene({
      isochore: 1,
      steps: 100,
      bodies: [
        {
          ...{ name: 'ball', mesh: { shape: 'icosphere', detail: 2, radius: 0.5 } },
          ...{ position: [0.3, 0.7, -0.2], velocity: [1, -3, 0.5], spin: [2, 1, 0] },
        },
      ],
      colliders: [{ shape: 'plane', normal: [0, 1, 0] }],
    });
    baked = await bakeScene(scene, { fps: FPS });
    for (const name of ['a.glb', 'b.pc2', 'c.mdd']) {
      for (const file of bakedFiles(baked, join(folder, name), { tolerance: 0 })) {
        const pieces: Uint8Array[] = [];
        for await (const piece of file.pieces()) pieces.push(piece);
        writeFileSync(file.name, Buffer.concat(pieces));
      }
    }
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    ['a.glb', 'ball', 0],
    ['b.pc2', 'ball', 1],
    ['c.mdd', 'ball', 1],
  ])(
    'shows %s as it was simulated',
    async (file, name, first) => {
      const out = join(folder, `${file}.json`);
      const frames = FRAMES.map((n) => String(n + first));
      const args = ['--background', '--factory-startup', '--python-exit-code', '1', '--python', script, '--'];
      execFileSync('blender', [...args, join(folder, file), out, ...frames], { stdio: 'pipe' });
      // The importer of .obj files names objects after the file.
      const all = JSON.parse(readFileSync(out, 'utf8')) as Found;
      const found = all[name] ?? Object.values(all)[0];
      expect(found.faces).toBe(baked.tracks[0].mesh.triangles.length / 3);
      for (const [k, n] of FRAMES.entries()) {
        const wanted = await baked.tracks[0].frame(n);
        const seen = found.frames[frames[k]];
        expect(seen).toHaveLength(wanted.length);
        const off = seen.reduce((most, x, i) => Math.max(most, Math.abs(x - wanted[i])), 0);
        expect(off, `frame ${n}`).toBeLessThan(TOLERANCE);
      }
    },
    120_000,
  );
});
