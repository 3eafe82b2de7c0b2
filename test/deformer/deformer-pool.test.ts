// Frames on worker threads: the bits of one deformer, for any number of workers and any order of frames.

import { afterEach, describe, expect, it } from 'vitest';
import {
  createDeformer,
  createDeformerPool,
  type DeformedFrame,
  type DeformerFrame,
  type DeformerPool,
  deformFrames,
  deformFramesInParallel,
} from '../../src/deformer/index.js';
import { StateHash } from '../../src/math/hash.js';
import { generateShape } from '../../src/mesh/index.js';

const mesh = generateShape({ shape: 'icosphere', detail: 2 });
const settings = { tolerance: 1e-3 };
const presser = generateShape({ shape: 'box', size: 0.8, divisions: 2 });
const FRAMES = [3, 4, 5, 6];

/** A ball and a box go in from two sides while the body turns and bends. */
function frameAt(frame: number): DeformerFrame {
  const depth = 0.04 * frame;
  const input = mesh.positions.slice();
  for (let i = 0; i < input.length; i += 3) input[i] += 0.02 * frame * input[i + 1] * input[i + 1];
  return {
    input,
    colliders: [
      { shape: 'sphere', radius: 0.5, position: [0, 1.5 - depth, 0] },
      { shape: 'mesh', mesh: presser, position: [1.4 - depth, 0, 0] },
    ],
  };
}

const hashOf = ({ positions, normals, maps, helper }: DeformedFrame): string =>
  [positions, normals, maps.contact, helper].reduce((hash, array) => hash.update(array), new StateHash()).digest();

const pools: DeformerPool[] = [];
afterEach(() => {
  for (const pool of pools.splice(0)) pool.dispose();
});

async function pool(workers: number): Promise<DeformerPool> {
  const made = await createDeformerPool([{ mesh, settings }], { workers });
  pools.push(made);
  return made;
}

describe('a pool of workers', () => {
  const expected = new Map<number, string>();
  for (const { frame, result } of deformFrames(createDeformer(mesh, settings), FRAMES, frameAt))
    expected.set(frame, hashOf(result));

  it.each([
    [0, FRAMES],
    [1, [...FRAMES].reverse()],
    [2, [5, 3, 6, 4]],
  ])('of %i gives the same bits, in any order', async (workers, frames) => {
    const made = await pool(workers);
    expect(made.workerCount).toBe(workers);
    const seen = new Map<number, string>();
    for await (const { frame, result } of deformFramesInParallel(made, frames, frameAt))
      seen.set(frame, hashOf(result));
    expect([...seen].sort()).toEqual([...expected].sort());
  });

  it('forgets meshes that are not asked for again, and knows them when they are', async () => {
    const made = await pool(1);
    const { positions, triangles } = presser;
    const copies = Array.from({ length: 300 }, () => ({ positions: positions.slice(), triangles }));
    // Too far away to touch: only what is sent counts.
    const far = (one: typeof presser) => ({ shape: 'mesh', mesh: one, position: [9, 0, 0] }) as const;
    for (let n = 0; n < copies.length; n += 50) await made.at({ colliders: copies.slice(n, n + 50).map(far) });
    const { colliders } = frameAt(4);
    const near = await made.at({
      ...frameAt(4),
      colliders: [colliders[0], { ...far(copies[0]), position: colliders[1].position }],
    });
    expect(hashOf(near)).toBe(expected.get(4));
  });

  it('leaves frames without contact alone, and what it was given', async () => {
    const made = await pool(1);
    const input = mesh.positions.slice();
    const { positions, report } = await made.at({ colliders: [], input });
    expect(report.touched).toBe(false);
    expect(positions).toEqual(mesh.positions);
    expect(input).toEqual(mesh.positions);
  });

  it('names the frame that is at fault, and goes on', async () => {
    const made = await pool(1);
    const wrong = (frame: number): DeformerFrame =>
      frame === 2 ? { colliders: [{ shape: 'sphere', radius: Number.NaN }] } : { colliders: [] };
    const all = async () => {
      for await (const { frame } of deformFramesInParallel(made, [1, 2], wrong)) expect(frame).toBe(1);
    };
    await expect(all()).rejects.toThrow(/^frame 2: colliders\[0\] sphere.radius: expected a positive number, got NaN/);
    expect((await made.at({ colliders: [] })).report.touched).toBe(false);
  });

  it('refuses frames after its end, and numbers of workers that make no sense', async () => {
    const made = await pool(1);
    made.dispose();
    await expect(made.at({ colliders: [] })).rejects.toThrow('pool: expected one that was not disposed of');
    await expect(createDeformerPool([{ mesh }], { workers: -1 })).rejects.toThrow(
      'workers: expected an integer from 0 to 64, got -1',
    );
  });
});
