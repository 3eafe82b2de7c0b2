// Blender as the judge of baked files: positions at five frames, faces, texture coordinates, axes and scale of a body with seams, as it
// shows them, simulated and posed. Debian's `blender`; where it is not installed, this says so.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BakedScene, bakedFiles, bakePoses, bakeScene } from '../../src/bake/index.js';
import { createDeformer } from '../../src/deformer/index.js';
import { readLook, readMesh } from '../../src/mesh/index.js';
import { checkScene, openPosed } from '../../src/scenes/index.js';
import { type SeamedBall, seamedBall } from '../bake/seamed-ball.js';

const hasBlender = spawnSync('blender', ['--version']).status === 0;
if (!hasBlender) console.warn('NOT RUN: Blender reads baked files (no `blender` on this machine)');

const script = fileURLToPath(new URL('blender-positions.py', import.meta.url));
/** Blender's own rate, so that frames are whole there. */
const FPS = 24;
const FRAMES = [0, 3, 6, 9, 11];
/** Of the body's size: single precision of coordinates of some metres. */
const TOLERANCE = 1e-5;
/** Files, and the number that Blender gives to their first frame: caches begin where the modifier does. */
const FILES = [
  ['simulated.glb', 0],
  ['simulated-cache.pc2', 1],
  ['simulated-samples.mdd', 1],
  ['posed.glb', 0],
  ['posed-cache.pc2', 1],
] as const;

interface Found {
  readonly faces: number[][];
  readonly uvs: number[][];
  readonly materials: string[];
  readonly frames: Readonly<Record<string, number[]>>;
}

const BODY = { name: 'ball', mesh: 'ball.glb', scale: 1.25, position: [0.3, 0.7, -0.2] };

async function simulate(ball: SeamedBall): Promise<BakedScene> {
  const scene = checkScene({
    isochore: 1,
    steps: 100,
    bodies: [{ ...BODY, velocity: [1, -3, 0.5], spin: [2, 1, 0] }],
    colliders: [{ shape: 'plane', normal: [0, 1, 0] }],
  });
  return bakeScene(scene, {
    fps: FPS,
    loadMesh: () => readMesh(ball.bytes, 'ball.glb'),
    loadLook: () => readLook(ball.bytes, 'ball.glb'),
  });
}

async function pose(ball: SeamedBall): Promise<BakedScene> {
  const scene = checkScene({
    isochore: 1,
    bodies: [{ ...BODY, solver: { type: 'deformer', cells: 8, tolerance: 1e-3 } }],
    colliders: [
      {
        ...{ name: 'presser', shape: 'sphere', radius: 0.3 },
        motion: [
          { time: 0, position: [0.3, 1.6, -0.2] },
          { time: 0.5, position: [0.4, 1.3, -0.2] },
        ],
      },
    ],
  });
  const { bodies, colliders } = await openPosed(scene, { loadMesh: () => readMesh(ball.bytes, 'ball.glb') });
  const [{ name, mesh, settings, frameAt, toShown }] = bodies;
  const deformer = createDeformer(mesh, settings);
  const frames = Array.from({ length: 12 }, (_, n) => {
    const { positions, report } = deformer.at(frameAt(n / FPS));
    return { frame: n + 1, time: n / FPS, bodies: [{ name, positions: toShown(positions), report }] };
  });
  const looks = [await readLook(ball.bytes, 'ball.glb')];
  return bakePoses(bodies, frames, { fps: FPS, looks, colliders });
}

describe.skipIf(!hasBlender)('Blender', () => {
  let folder = '';
  let ball: SeamedBall;
  let bakes: Record<string, BakedScene>;
  let seen: Record<string, Record<string, Found>>;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'isochore-blender-'));
    ball = await seamedBall();
    bakes = { simulated: await simulate(ball), posed: await pose(ball) };
    for (const [name] of FILES) {
      for (const file of bakedFiles(bakes[name.split(/[.-]/)[0]], join(folder, name), { tolerance: 0 })) {
        const pieces: Uint8Array[] = [];
        for await (const piece of file.pieces()) pieces.push(piece);
        writeFileSync(file.name, Buffer.concat(pieces));
      }
    }
    const out = join(folder, 'seen.json');
    const args = ['--background', '--factory-startup', '--python-exit-code', '1', '--python', script, '--', out];
    const files = FILES.map(([name, first]) => [join(folder, name), ...FRAMES.map((n) => n + first)].join(','));
    execFileSync('blender', [...args, ...files], { stdio: 'pipe' });
    seen = JSON.parse(readFileSync(out, 'utf8'));
  }, 240_000);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(FILES)('shows %s as it was made', async (file, first) => {
    const baked = bakes[file.split(/[.-]/)[0]];
    const all = seen[join(folder, file)];
    // The importer of .obj files names objects after the file.
    const found = all.ball ?? Object.values(all)[0];
    const [track] = baked.tracks;
    const { triangles } = track.mesh;
    expect(found.faces).toHaveLength(ball.triangleCount);
    expect(found.materials.map((name) => name.replace(/\.\d+$/, ''))).toEqual(['skin', 'belly']);
    // Blender may begin a triangle at another of its corners.
    let corner = 0;
    found.faces.forEach((face, t) => {
      expect(new Set(face)).toEqual(new Set(triangles.subarray(3 * t, 3 * t + 3)));
      for (const v of face) {
        const [x, y] = found.uvs[corner++];
        expect(Math.abs(x - ball.uvs[2 * v])).toBeLessThan(1e-6);
        expect(Math.abs(1 - y - ball.uvs[2 * v + 1])).toBeLessThan(1e-6);
      }
    });
    for (const n of FRAMES) {
      const wanted = await track.frame(n);
      const points = found.frames[String(n + first)];
      expect(points).toHaveLength(wanted.length);
      const off = points.reduce((most, x, i) => Math.max(most, Math.abs(x - wanted[i])), 0);
      expect(off, `frame ${n}`).toBeLessThan(TOLERANCE);
    }
  });
});
