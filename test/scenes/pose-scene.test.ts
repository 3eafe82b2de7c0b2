// Posed bodies of a scene: what a frame is asked, and faults by their place in the scene.

import { describe, expect, it } from 'vitest';
import { generateShape, readMovingMesh } from '../../src/mesh/index.js';
import { buildScene, checkScene, poseScene, type SceneFile } from '../../src/scenes/index.js';
import { sampleRig } from '../mesh/io/sample-rig.js';

const rig = await sampleRig();
const loadMoving = (path: string, { animation }: { animation?: string | number }) =>
  readMovingMesh(rig, path, { animation });

const BALL = {
  name: 'ball',
  mesh: { shape: 'icosphere', detail: 1 },
  solver: { type: 'deformer', tolerance: 1e-3 },
} as const;
const BONES = {
  bones: [
    { name: 'low', head: [0, -1, 0], tail: [0, 0, 0] },
    { name: 'high', parent: 'low', head: [0, 0, 0], tail: [0, 1, 0], motion: [{ time: 1, position: [0, 0.5, 0] }] },
  ],
} as const;

type Change = Record<string, unknown>;
const sceneWith = (body: Change, others: Change = {}) =>
  ({ isochore: 1, bodies: [{ ...BALL, ...body }], ...others }) as unknown as SceneFile;

describe('a posed body', () => {
  it('is placed as the scene says, with its input', async () => {
    const body = { input: BONES, position: [3, 0, 0], scale: 2 };
    const [posed] = await poseScene(checkScene(sceneWith(body)));
    const { positions } = generateShape(BALL.mesh);
    const top = positions.findIndex((y, k) => k % 3 === 1 && y > 0.8);
    // The upper bone carries the top by half a metre, which the scene doubles.
    const { input } = posed.frameAt(1);
    expect(Math.abs((input?.[top] ?? 0) - 2 * (positions[top] + 0.5))).toBeLessThan(0.02);
    expect(Math.abs(posed.shown.positions[top - 1] - (3 + 2 * positions[top - 1]))).toBeLessThan(1e-12);
  });

  it('gives way to colliders of its groups, carried by bones and keyframes', async () => {
    const colliders = [
      { name: 'a', shape: 'sphere', radius: 0.2, follow: { body: 'ball', node: 'high' }, press: { margin: 0.1 } },
      { name: 'b', shape: 'plane', collidesWith: 2 },
      { name: 'c', shape: 'box', size: [1, 1, 1], motion: [{ time: 2, position: [0, 9, 0] }] },
    ];
    const [posed] = await poseScene(checkScene(sceneWith({ input: BONES }, { colliders })));
    const found = posed.frameAt(2).colliders;
    expect(found.map(({ name }) => name)).toEqual(['a', 'c']);
    expect(found[0]).toMatchObject({ position: [0, 0.5, 0], margin: 0.1, direction: 'auto' });
    expect(found[1]).toMatchObject({ position: [0, 9, 0] });
  });

  it('keeps the vertices of a file with seams', async () => {
    const { positions, triangles } = generateShape(BALL.mesh);
    // Every triangle with corners of its own.
    const split = Float64Array.from(
      { length: 3 * triangles.length },
      (_, k) => positions[3 * triangles[Math.trunc(k / 3)] + (k % 3)],
    );
    const loadMesh = async () => ({ positions: split, triangles: triangles.map((_, i) => i) });
    const [posed] = await poseScene(checkScene(sceneWith({ mesh: 'a.obj' })), { loadMesh });
    expect(posed.mesh.positions.length / 3).toBe(42);
    expect(posed.toShown(posed.mesh.positions)).toEqual(split);
    expect(posed.toBound(split, 3)).toEqual(posed.mesh.positions);
  });

  it('is a wall in a world, where it is at each time', async () => {
    const scene = checkScene(sceneWith({ input: BONES }, { timeStep: 0.02 }));
    const { world, bodies } = await buildScene(scene);
    for (let n = 0; n < 5; n++) world.step();
    const [posed] = await poseScene(scene);
    const expected = posed.frameAt(world.time).input ?? [];
    // Single precision; between two poses it is on the straight way, as these bones are.
    bodies[0].positions.forEach((x, k) => {
      expect(Math.abs(x - expected[k])).toBeLessThan(3e-7);
    });
    world.dispose();
  });
});

it.each<[Change, Change, RegExp]>([
  [{ input: { file: 'rig.glb', animation: 'bned' } }, {}, /animations: did you mean bend\? expected bend, got "bned"/],
  [
    { input: 'rig.glb' },
    {},
    /^bodies\[0\].input: expected a file with the 42 vertices of the mesh, got "rig.glb" with \d+$/,
  ],
  [{ input: { bones: [] } }, {}, /^bodies\[0\].input/],
  [
    { input: { bones: [{ ...BONES.bones[1] }] } },
    {},
    /^bodies\[0\].input: bones\[0\].parent: expected a bone before it/,
  ],
  [
    { solver: { type: 'deformer', cells: 1 } },
    {},
    /^bodies\[0\].solver.cells: expected an integer from 2 to 256, got 1$/,
  ],
  [
    { solver: {}, input: 'rig.glb' },
    {},
    /^bodies\[0\].input: expected nothing, as only bodies of the solver "deformer"/,
  ],
  [{ solver: {}, maps: { hold: [{ values: [] }] } }, {}, /^bodies\[0\].maps.hold: expected nothing/],
  [{ deform: 'mirror' }, {}, /^bodies\[0\].deform: expected "none" for a posed body, got "mirror"$/],
  [
    {},
    {
      pins: [
        {
          body: 'ball',
          select: {
            box: [
              [0, 0, 0],
              [1, 1, 1],
            ],
          },
        },
      ],
    },
    /^pins\[0\].body: expected the name of a body that is not posed/,
  ],
  [
    {},
    { colliders: [{ shape: 'sphere', radius: 1, follow: { node: 'a' } }] },
    /^colliders\[0\].follow: expected either a body or a file/,
  ],
  [
    { input: BONES },
    { colliders: [{ shape: 'sphere', radius: 1, follow: { body: 'ball', node: 'hihg' } }] },
    /^colliders\[0\].follow: node: did you mean high\? expected one of low, high, got "hihg"$/,
  ],
])('names what is wrong with %j %j', async (body, others, line) => {
  const open = async () => poseScene(checkScene(sceneWith(body, others)), { loadMoving });
  await expect(open()).rejects.toThrow(line);
});
