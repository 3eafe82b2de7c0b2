// Blender as the judge of baked files: positions at five frames, faces, texture coordinates, axes and scale of `squeeze`, and of a body with
// seams, as it shows them, simulated, posed and cut. Debian's `blender`; where it is not installed, this says so.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { validateBytes } from 'gltf-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gatherDrawn } from '../../src/bake/drawn-mesh.js';
import {
  type BakedScene,
  bakedFiles,
  bakePoses,
  bakeScene,
  type DrawnMesh,
  type ObstacleTrack,
  type Track,
} from '../../src/bake/index.js';
import { createDeformer } from '../../src/deformer/index.js';
import { poseAt } from '../../src/math/motion.js';
import { readLook, readMesh } from '../../src/mesh/index.js';
import { checkScene, findScene, openPosed } from '../../src/scenes/index.js';
import { type SeamedBall, seamedBall } from '../bake/seamed-ball.js';

// Debian's importers need numpy, which comes as a package of its own.
const probe = ['--background', '--factory-startup', '--python-exit-code', '1', '--python-expr', 'import numpy'];
const hasBlender = spawnSync('blender', probe).status === 0;
if (!hasBlender) console.warn('NOT RUN: Blender reads baked files (no `blender` with `python3-numpy` on this machine)');

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
/** Its bodies have a cache each. */
const SQUEEZE_FILES = [
  ['squeeze.glb', 0, ''],
  ['squeeze-global.pc2', 1, 'global'],
  ['squeeze-none.mdd', 1, 'none'],
] as const;
/** Of 48: from the start to where the plate has come down and gone up again. */
const SQUEEZE_FRAMES = [0, 9, 18, 30, 47];

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

/** Cut in half at 0.2 s, between the fifth and the sixth frame. */
async function cut(ball: SeamedBall): Promise<BakedScene> {
  const scene = checkScene({
    isochore: 1,
    steps: 80,
    bodies: [{ ...BODY, solver: { type: 'octree', cells: 4, levels: 1 } }],
    colliders: [{ shape: 'plane' }],
    cuts: [{ body: 'ball', time: 0.2, plane: { normal: [1, 0, 0.2], point: [0.3, 0, -0.2] } }],
  });
  return bakeScene(scene, {
    fps: FPS,
    loadMesh: () => readMesh(ball.bytes, 'ball.glb'),
    loadLook: () => readLook(ball.bytes, 'ball.glb'),
  });
}

const squeeze = async (): Promise<BakedScene> => bakeScene(checkScene(findScene('squeeze')?.make()), { fps: FPS });

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
    bakes = {
      ...{ simulated: await simulate(ball), posed: await pose(ball) },
      ...{ squeeze: await squeeze(), cut: await cut(ball) },
    };
    for (const name of [...FILES.map(([file]) => file), 'squeeze.glb', 'squeeze.pc2', 'squeeze.mdd', 'cut.glb']) {
      for (const file of bakedFiles(bakes[name.split(/[.-]/)[0]], join(folder, name), { tolerance: 0 })) {
        const pieces: Uint8Array[] = [];
        for await (const piece of file.pieces()) pieces.push(piece);
        const bytes = Buffer.concat(pieces);
        writeFileSync(file.name, bytes);
        if (file.name.endsWith('.glb')) {
          expect((await validateBytes(bytes)).issues).toMatchObject({ numErrors: 0, numWarnings: 0 });
        }
      }
    }
    const out = join(folder, 'seen.json');
    const args = ['--background', '--factory-startup', '--python-exit-code', '1', '--python', script, '--', out];
    const list = (name: string, frames: readonly number[]) => [join(folder, name), ...frames].join(',');
    const files = [
      ...FILES.map(([name, first]) =>
        list(
          name,
          FRAMES.map((n) => n + first),
        ),
      ),
      ...SQUEEZE_FILES.map(([name, first]) =>
        list(
          name,
          SQUEEZE_FRAMES.map((n) => n + first),
        ),
      ),
      list('cut.glb', [0, 4, 6, 8, 9]),
    ];
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
      const off = await distance(track, n, found.frames[String(n + first)]);
      expect(off, `frame ${n}`).toBeLessThan(TOLERANCE);
    }
  });

  it.each(SQUEEZE_FILES)('shows %s as it was simulated', async (file, first, only) => {
    const all = seen[join(folder, file)];
    for (const track of bakes.squeeze.tracks) {
      if (only !== '' && track.name !== only) continue;
      const found = only === '' ? all[track.name] : Object.values(all)[0];
      const { triangles } = track.mesh;
      expect(found.faces).toHaveLength(triangles.length / 3);
      found.faces.forEach((face, t) => {
        expect(new Set(face)).toEqual(new Set(triangles.subarray(3 * t, 3 * t + 3)));
      });
      for (const n of SQUEEZE_FRAMES) {
        const off = await distance(track, n, found.frames[String(n + first)]);
        // Spheres two metres across.
        expect(off / 2, `${track.name}, frame ${n}`).toBeLessThan(TOLERANCE);
      }
    }
  });

  it('shows the plate of squeeze where it was', () => {
    const { plate } = seen[join(folder, 'squeeze.glb')];
    const heights = SQUEEZE_FRAMES.map((n) => Math.min(...plate.frames[String(n)].filter((_, k) => k % 3 === 1)));
    const { motion, rest } = bakes.squeeze.obstacles.find(({ name }) => name === 'plate') as ObstacleTrack;
    SQUEEZE_FRAMES.forEach((n, k) => {
      // Half of its thickness of 0.2 m below its middle.
      expect(Math.abs(heights[k] - (poseAt(motion, n / FPS, rest).position[1] - 0.1))).toBeLessThan(TOLERANCE);
    });
  });

  it('shows a body that is cut by turns with what it was, with texture coordinates and materials', async () => {
    const [whole, halves] = bakes.cut.tracks;
    const all = seen[join(folder, 'cut.glb')];
    expect(halves.firstFrame).toBe(5);
    expect(all['ball-2'].materials.map((name) => name.replace(/\.\d+$/, ''))).toEqual(['skin', 'belly', 'ball-cut']);
    expect(all['ball-2'].faces).toHaveLength(halves.mesh.triangles.length / 3);
    const { drawn } = halves as Track & { drawn: DrawnMesh };
    // Vertices are those that are drawn, in their order.
    let corner = 0;
    for (const face of all['ball-2'].faces) {
      for (const v of face) {
        const [x, y] = all['ball-2'].uvs[corner++];
        expect(Math.abs(x - (drawn.uvs as Float32Array)[2 * v])).toBeLessThan(1e-6);
        expect(Math.abs(1 - y - (drawn.uvs as Float32Array)[2 * v + 1])).toBeLessThan(1e-6);
      }
    }
    const sizeOf = (points: readonly number[]) => Math.max(...points) - Math.min(...points);
    for (const n of [6, 8, 9]) {
      const wanted = gatherDrawn(drawn, await halves.frame(n - halves.firstFrame));
      const points = all['ball-2'].frames[String(n)];
      expect(points.reduce((most, x, i) => Math.max(most, Math.abs(x - wanted[i])), 0)).toBeLessThan(TOLERANCE);
      expect(sizeOf(all.ball.frames[String(n)].filter((_, k) => k % 3 === 1))).toBe(0);
    }
    for (const n of [0, 4]) {
      expect(await distance(whole, n, all.ball.frames[String(n)])).toBeLessThan(TOLERANCE);
      expect(sizeOf(all['ball-2'].frames[String(n)].filter((_, k) => k % 3 === 1))).toBe(0);
    }
  });
});

/** How far points are from where they were made [m]. */
async function distance(track: Track, n: number, points: readonly number[]): Promise<number> {
  const wanted = await track.frame(n);
  expect(points).toHaveLength(wanted.length);
  return points.reduce((most, x, i) => Math.max(most, Math.abs(x - wanted[i])), 0);
}
