// A walk of 240 frames on a small rig: forwards, backwards, shuffled, on one and two workers, and by two processes that take half each:
// the same bytes.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createDeformer, createDeformerPool } from '../../src/deformer/index.js';
import { StateHash } from '../../src/math/hash.js';
import { seededRandom } from '../../src/math/random.js';
import { checkScene, poseFrames, poseScene, type SceneFile } from '../../src/scenes/index.js';
import { isochore, Workplace } from '../cli/built-cli.js';

const place = new Workplace();
const FRAMES = Array.from({ length: 240 }, (_, i) => i + 1);
const FPS = 24;

/** A leg of two bones that walks, and two balls on its way. */
function walker(): SceneFile {
  const swing = (angle: number, shift: number) =>
    Array.from({ length: 81 }, (_, n) => {
      const half = 0.5 * angle * Math.sin((2 * Math.PI * n) / 8 + shift);
      return { time: n / 8, rotation: [Math.sin(half), 0, 0, Math.cos(half)] as [number, number, number, number] };
    });
  return {
    isochore: 1,
    timeStep: 1 / FPS,
    steps: 239,
    bodies: [
      {
        name: 'leg',
        mesh: { shape: 'capsule', radius: 0.3, height: 2, segments: 12 },
        solver: { type: 'deformer', cells: 8, tolerance: 1e-3 },
        input: {
          bones: [
            { name: 'thigh', head: [0, 0.9, 0], tail: [0, 0, 0], motion: swing(0.5, 0) },
            { name: 'shin', parent: 'thigh', head: [0, 0, 0], tail: [0, -0.9, 0], motion: swing(0.4, 1) },
          ],
        },
      },
    ],
    colliders: [
      { shape: 'sphere', radius: 0.3, position: [0, -0.4, 0.5] },
      { shape: 'sphere', radius: 0.3, position: [0.1, 0.3, -0.5] },
    ],
  };
}

it('is the same whoever computes it, in whatever order', async () => {
  const bodies = await poseScene(checkScene(walker()));
  const [leg] = bodies;
  const random = seededRandom(7);
  const shuffled = FRAMES.map((frame) => ({ frame, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ frame }) => frame);
  const deformer = createDeformer(leg.mesh, leg.settings);
  const expected = FRAMES.map((frame) => {
    const { positions } = deformer.at(leg.frameAt((frame - 1) / FPS));
    return new StateHash().update(positions).digest();
  });
  // Some frames touch, some do not.
  expect(new Set(expected).size).toBeGreaterThan(100);
  for (const [workers, frames] of [
    [1, [...FRAMES].reverse()],
    [2, shuffled],
    [2, FRAMES],
  ] as const) {
    const pool = await createDeformerPool(bodies, { workers });
    const seen: string[] = [];
    for await (const { frame, bodies: posed } of poseFrames(pool, bodies, frames, { fps: FPS }))
      seen[frame - 1] = new StateHash().update(posed[0].positions).digest();
    pool.dispose();
    expect(seen).toEqual(expected);
  }
});

it('is the same by one process and by two that take half each', async () => {
  const scene = place.write('walk.json', walker());
  const run = (name: string, frames: string) =>
    isochore(['deform', scene, '-o', place.path(name), '--frames', frames, '--workers', '1', '--quiet']);
  expect(await run('whole.obj', '1-240')).toMatchObject({ code: 0, stderr: '' });
  const halves = await Promise.all([run('half.obj', '1-120'), run('half.obj', '121-240')]);
  for (const half of halves) expect(half).toMatchObject({ code: 0, stderr: '' });
  for (const frame of FRAMES) {
    const number = String(frame).padStart(4, '0');
    const bytes = ['whole', 'half'].map((name) => readFileSync(place.path(`${name}.${number}.obj`)));
    expect(bytes[0].equals(bytes[1]), `frame ${frame}`).toBe(true);
  }
});
