// Posed bodies over time: settings and colliders by keyframes, bodies that give way to others by order, a body against itself by parts;
// held against the library asked directly.

import { describe, expect, it } from 'vitest';
import { createDeformer, createDeformerPool } from '../../src/deformer/index.js';
import { generateShape, type MovingMesh } from '../../src/mesh/index.js';
import {
  buildScene,
  checkScene,
  type PosedFrame,
  poseFrames,
  poseScene,
  type SceneFile,
} from '../../src/scenes/index.js';
import { keyedAt } from '../../src/scenes/keyed-values.js';
import { surfaceDistance } from '../surface-distance.js';

const BALL = { name: 'ball', mesh: { shape: 'icosphere', detail: 1 }, solver: { type: 'deformer', tolerance: 1e-3 } };
const PRESSER = { name: 'presser', shape: 'sphere', radius: 0.6, position: [0, 1.3, 0] };

type Change = Record<string, unknown>;
const scene = (bodies: Change[], colliders: Change[] = []) =>
  checkScene({ isochore: 1, bodies, colliders } as unknown as SceneFile);

async function pose(made: ReturnType<typeof scene>, frames: number[], fps = 10): Promise<PosedFrame[]> {
  const bodies = await poseScene(made);
  const pool = await createDeformerPool(bodies, { workers: 0 });
  const done: PosedFrame[] = [];
  for await (const frame of poseFrames(pool, bodies, frames, { fps })) done.push(frame);
  pool.dispose();
  return done.sort((a, b) => a.frame - b.frame);
}

describe('keyframes', () => {
  it('are linear for numbers and lists of them, field by field, and hold for the rest', () => {
    const keys = [
      { time: 1, a: 0, on: true, list: [[0, 1]] },
      { time: 2, on: false },
      { time: 3, a: 4, list: [[2, 0]], way: 'auto' },
    ];
    expect(keyedAt(keys, 0)).toEqual({ a: 0, on: true, list: [[0, 1]], way: 'auto' });
    expect(keyedAt(keys, 1.5)).toEqual({ a: 1, on: true, list: [[0.5, 0.75]], way: 'auto' });
    expect(keyedAt(keys, 2)).toEqual({ a: 2, on: false, list: [[1, 0.5]], way: 'auto' });
    expect(keyedAt(keys, 9)).toEqual({ a: 4, on: false, list: [[2, 0]], way: 'auto' });
    expect(keyedAt([], 1)).toEqual({});
  });

  it('set a body and its colliders at each moment', async () => {
    const posing = {
      falloff: [
        [0, 1],
        [1, 0],
      ],
      keys: [
        { time: 0, reach: 0.2, envelope: 1 },
        { time: 1, reach: 0.6, volumeTarget: 1.1, holdCentroid: 1 },
      ],
    };
    const press = {
      margin: 0.1,
      keys: [
        { time: 0, enabled: false },
        { time: 0.5, enabled: true, margin: 0.2, direction: [0, -1, 0] },
      ],
    };
    const made = scene([{ ...BALL, posing }], [{ ...PRESSER, press }]);
    const [body] = await poseScene(made);
    const { colliders, reach, ...others } = body.frameAt(0.25);
    expect(Math.abs((reach ?? 0) - 0.3)).toBeLessThan(1e-15);
    expect(others).toEqual({ envelope: 1, volume: 1.1, holdCentroid: 1, falloff: posing.falloff });
    expect(colliders[0]).toMatchObject({ enabled: false, margin: 0.2, direction: [0, -1, 0] });
    expect(body.frameAt(0.5).colliders[0]).toMatchObject({ enabled: true });
    // What the frames of a scene are is what the library gives for these values.
    const [off, on] = await pose(made, [1, 7]);
    expect(off.bodies[0].report.touched).toBe(false);
    const direct = createDeformer(body.mesh, body.settings).at({
      ...{
        reach: 0.2 + 0.6 * 0.4,
        envelope: 1,
        volume: 1.1,
        holdCentroid: 1,
        falloff: [...posing.falloff] as [number, number][],
      },
      colliders: [{ shape: 'sphere', radius: 0.6, position: [0, 1.3, 0], margin: 0.2, direction: [0, -1, 0] }],
    });
    expect(on.bodies[0].positions).toEqual(body.toShown(direct.positions));
    expect(Math.abs(on.bodies[0].report.volumeTarget / on.bodies[0].report.volumeBefore - 1.1)).toBeLessThan(1e-12);
  });

  it.each([
    [{ keys: [{ time: 0, reach: 2 }] }, 'bodies[0].posing.keys[0].reach: expected a number from 0 to 1, got 2'],
    [{ keys: [{ time: 0, depth: 2 }] }, 'bodies[0].posing.keys[0].depth: unknown field'],
    [{ keys: [{ time: 1 }, { time: 1 }] }, 'bodies[0].posing.keys[1].time: expected a time after 1'],
    [
      {
        falloff: [
          [1, 1],
          [0, 1],
        ],
      },
      'bodies[0].posing.falloff[1][0]: expected a distance above 1',
    ],
    [{ yieldsTo: ['arm'] }, 'bodies[0].posing.yieldsTo[0]: expected the name of a posed body before this one'],
  ])('that make no sense are named: %j', (posing, line) => {
    expect(() => scene([{ ...BALL, posing }])).toThrow(line);
  });

  it('are for posed bodies alone', () => {
    expect(() => scene([{ mesh: { shape: 'box' }, posing: {} }])).toThrow(/bodies\[0\].posing: expected nothing/);
  });
});

describe('several posed bodies', () => {
  const hard = { ...BALL, name: 'hard', position: [0, 1.6, 0], press: { margin: 0.05 } };
  const soft = { ...BALL, name: 'soft', posing: { yieldsTo: ['hard'] } };

  it('give way by order, on any number of threads, and in a world', async () => {
    const made = scene([hard, soft]);
    const [frame] = await pose(made, [1]);
    const [first, second] = frame.bodies;
    expect(first.report.touched).toBe(false);
    expect(second.report.touched).toBe(true);
    expect(second.report.flags).toEqual([]);
    expect(Math.abs(second.report.volumeAfter / second.report.volumeTarget - 1)).toBeLessThan(1e-12);
    // No vertex of the later is nearer to the surface of the earlier than its margin.
    const [{ shown }] = await poseScene(made);
    const distanceFrom = surfaceDistance({ positions: first.positions, triangles: shown.triangles });
    for (let v = 0; v < second.positions.length / 3; v++)
      expect(distanceFrom(second.positions.subarray(3 * v, 3 * v + 3))).toBeGreaterThan(0.05 - 1e-9);
    const { world, bodies } = await buildScene(made);
    bodies[1].positions.forEach((x, k) => {
      expect(Math.abs(x - second.positions[k])).toBeLessThan(3e-7);
    });
    world.dispose();
  });
});

it('presses a body against itself by its parts', async () => {
  // Two limbs of a bar that is bent so far that they lie in each other.
  const bar = { shape: 'box', size: [0.4, 2, 0.4], divisions: 6 };
  const bones = [
    { name: 'low', head: [0, -1, 0], tail: [0, 0, 0] },
    {
      name: 'high',
      parent: 'low',
      head: [0, 0, 0],
      tail: [0, 1, 0],
      motion: [{ time: 0, rotation: [0, 0, 0.9914, 0.1305] }],
    },
  ];
  const body = { name: 'bar', mesh: bar, input: { bones }, solver: { type: 'deformer', tolerance: 1e-3 } };
  const self = {
    parts: [
      {
        box: [
          [-1, -2, -1],
          [1, -0.4, 1],
        ],
      },
    ],
  };
  const [free] = await pose(scene([body]), [1]);
  const made = scene([{ ...body, posing: { self } }]);
  const [held] = await pose(made, [1]);
  expect(free.bodies[0].report.touched).toBe(false);
  expect(held.bodies[0].report.touched).toBe(true);
  expect(held.bodies[0].report.depthBefore).toBeGreaterThan(0.02);
  expect(held.bodies[0].report.depthAfter).toBeLessThan(1e-9);
  const far = {
    parts: [
      {
        box: [
          [5, 5, 5],
          [6, 6, 6],
        ],
      },
    ],
  };
  await expect(poseScene(scene([{ ...body, posing: { self: far } }]))).rejects.toThrow(
    'bodies[0].posing.self.parts[0].box: expected a box with vertices of the body, got none',
  );
});

it('has a frame of a moment at which the input is no number, and of an input without animation', async () => {
  const { positions } = generateShape({ shape: 'icosphere', detail: 1 });
  const moving = (duration: number): MovingMesh => ({
    ...{ vertexCount: positions.length / 3, duration, nodes: [] },
    positionsAt: (time) => positions.map((x, i) => (time > 0 && i === 30 ? Number.NaN : x)),
    nodeAt: () => [],
  });
  const half = [
    [-2, -2, -2],
    [2, -0.4, 2],
  ];
  const body = { ...BALL, input: 'cache.pc2', posing: { self: { parts: [{ box: half }] } } };
  const made = scene([body], [{ ...PRESSER, motion: [{ time: 0, position: [0, 1.3, 0] }] }]);
  const flagsWith = async (duration: number) => {
    const bodies = await poseScene(made, { loadMoving: async () => moving(duration) });
    const pool = await createDeformerPool(bodies, { workers: 0 });
    const flags: string[][] = [];
    for await (const { frame, bodies: posed } of poseFrames(pool, bodies, [1, 2], { fps: 10 })) {
      flags[frame - 1] = [...posed[0].report.flags];
      expect(posed[0].positions.every(Number.isFinite)).toBe(true);
      expect(posed[0].report.touched).toBe(true);
    }
    pool.dispose();
    return flags;
  };
  expect(await flagsWith(1)).toEqual([[], ['input-mended']]);
  expect(await flagsWith(0)).toEqual([['input-still'], ['input-still', 'input-mended']]);
});
