// Scenes become worlds: what is shared, scaled, deformed, pinned and loaded.

import { describe, expect, it } from 'vitest';
import { generateShape, SHAPE_NAMES } from '../../src/mesh/generate/index.js';
import type { RepairStep } from '../../src/mesh/repair/repair-report.js';
import type { TriangleMesh } from '../../src/mesh/triangle-mesh.js';
import { buildScene } from '../../src/scenes/build-scene.js';
import { checkScene } from '../../src/scenes/parse-scene.js';
import type { SceneFile } from '../../src/scenes/scene-schema.js';
import { combine, moved, soup } from '../mesh/sample-meshes.js';

type BodyFile = SceneFile['bodies'][number];

const BOX: BodyFile = { mesh: { shape: 'box', size: 2, divisions: 2 } };

const build = (scene: Partial<SceneFile>, options = {}) =>
  buildScene(checkScene({ isochore: 1, bodies: [BOX], ...scene }), options);

const TETRAHEDRON: TriangleMesh = {
  positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
  triangles: Uint32Array.of(0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3),
};

describe('meshes', () => {
  it('are prepared once for bodies that share mesh, scale and solver', async () => {
    const { bodies } = await build({ bodies: [BOX, { ...BOX, position: [5, 0, 0] }, { ...BOX, scale: 2 }] });
    expect(bodies[1].prepared).toBe(bodies[0].prepared);
    expect(bodies[2].prepared).not.toBe(bodies[0].prepared);
  });

  it('are scaled before anything else', async () => {
    const { bodies } = await build({ bodies: [{ ...BOX, scale: 0.5, position: [10, 0, 0] }] });
    // (2 · ½)³, a sum of terms that are exact in binary.
    expect(bodies[0].restVolume).toBe(1);
    expect(Math.max(...bodies[0].positions)).toBe(10.5);
  });

  it('come from the loader under the path of the scene, once for each', async () => {
    const asked: string[] = [];
    const loadMesh = async (path: string): Promise<TriangleMesh> => {
      asked.push(path);
      return TETRAHEDRON;
    };
    const { bodies } = await build({ bodies: [{ mesh: 'a/b.obj' }, { mesh: 'a/b.obj' }] }, { loadMesh });
    expect(asked).toEqual(['a/b.obj']);
    expect(bodies.map((body) => body.particleCount)).toEqual([4, 4]);
  });

  it('that cannot be had are refused in one line', async () => {
    const missing = build({ bodies: [{ mesh: 'a.obj' }] });
    await expect(missing).rejects.toThrow(
      'bodies[0].mesh: expected a mesh that can be simulated, got "a.obj" (no mesh files can be loaded here)',
    );
    const loadMesh = async () => ({ ...TETRAHEDRON, triangles: TETRAHEDRON.triangles.slice(3) });
    const open = build({ bodies: [BOX, { mesh: 'a.obj' }] }, { loadMesh });
    await expect(open).rejects.toThrow(
      /^bodies\[1\]\.mesh: expected a mesh that can be simulated, got "a\.obj" \(3 edges .*\)$/,
    );
  });

  it('have their seams welded, are mended on request, and taken as they are on request', async () => {
    const SOUP = soup(TETRAHEDRON);
    const open = { ...SOUP, triangles: SOUP.triangles.slice(3) };
    const told: [number, string[]][] = [];
    const load = (mesh: TriangleMesh, body: Partial<BodyFile>) =>
      build(
        { bodies: [{ mesh: 'a.obj', ...body }] },
        {
          loadMesh: async () => mesh,
          onRepair: (index: number, steps: readonly RepairStep[]) => told.push([index, steps.map(({ code }) => code)]),
        },
      );
    expect((await load(SOUP, {})).bodies[0].particleCount).toBe(4);
    await expect(load(SOUP, { repair: false })).rejects.toThrow(/\(12 edges .*a body is one\)$/);
    await expect(load(open, {})).rejects.toThrow(/\(3 vertices .*9 edges .*; "repair": true would mend it\)$/);
    expect(told).toEqual([]);
    const { bodies } = await load(open, { repair: true });
    // A third of a tetrahedron is too much for a lid: a cage.
    expect(bodies[0].particleCount).toBe(1000);
    expect(told).toEqual([[0, ['dropped-loose', 'merged-vertices', 'covered-rims', 'built-cage', 'thickened-parts']]]);
    // A sound mesh stays as it is.
    const sound = await load(TETRAHEDRON, { repair: true });
    expect(sound.bodies[0].particleCount).toBe(4);
    expect(told.length).toBe(1);
    const far = combine(TETRAHEDRON, moved(TETRAHEDRON, [9, 0, 0]));
    await expect(load(far, { repair: true })).rejects.toThrow('2 parts that are too far apart to be one body');
  });

  it.each(SHAPE_NAMES)('%s has the same defaults in a scene as in its generator', (shape) => {
    const { mesh } = checkScene({ isochore: 1, bodies: [{ mesh: { shape } }] }).bodies[0];
    if (typeof mesh === 'string') throw new Error('expected a shape');
    // The modelled shapes take seconds at their full size.
    const small = 'vertices' in mesh ? { vertices: 700 } : {};
    expect(generateShape({ ...mesh, ...small })).toEqual(generateShape({ shape, ...small }));
  });
});

describe('start states', () => {
  it('by chance follow the seed and differ from body to body', async () => {
    const bodies: BodyFile[] = [
      { ...BOX, deform: 'random' },
      { ...BOX, deform: 'random' },
    ];
    const [first, again, other] = await Promise.all([1, 1, 7].map((seed) => build({ seed, bodies })));
    expect(again.bodies[0].positions).toEqual(first.bodies[0].positions);
    expect(other.bodies[0].positions).not.toEqual(first.bodies[0].positions);
    expect(first.bodies[1].positions).not.toEqual(first.bodies[0].positions);
  });
});

describe('pins', () => {
  const face = (x: number): [[number, number, number], [number, number, number]] => [
    [x, -1, -1],
    [x, 1, 1],
  ];

  it('hold the vertices in the box, its faces included, in rest space', async () => {
    const { world, bodies } = await build({
      bodies: [{ ...BOX, name: 'a', scale: 2, position: [100, 0, 0] }],
      pins: [
        {
          body: 'a',
          select: {
            box: [
              [-2, -2, -2],
              [-2, 2, 2],
            ],
          },
        },
      ],
    });
    const before = bodies[0].positions.slice();
    for (let i = 0; i < 10; i++) world.step();
    const still = before.filter(
      (_, k) => k % 3 === 0 && bodies[0].positions.subarray(k, k + 3).every((y, c) => y === before[k + c]),
    );
    // The 3 × 3 vertices of one face of a box with two divisions stay; gravity moves all others.
    expect([...still]).toEqual(new Array(9).fill(98));
  });

  it('follow their motion', async () => {
    const { world, bodies } = await build({
      gravity: [0, 0, 0],
      bodies: [{ ...BOX, name: 'a' }],
      pins: [
        {
          body: 'a',
          select: { box: face(1) },
          motion: [
            { time: 0, position: [0, 0, 0] },
            { time: 1, position: [2, 0, 0] },
          ],
        },
      ],
    });
    for (let i = 0; i < 100; i++) world.step();
    // Half of the way after 0.5 s of 1 s; positions are sums of at most a few terms of size 1.
    expect(Math.abs(Math.max(...bodies[0].positions.filter((_, k) => k % 3 === 0)) - 2)).toBeLessThan(1e-12);
  });
});

describe('attachments', () => {
  const low: [[number, number, number], [number, number, number]] = [
    [-1, -1, -1],
    [1, -0.9, 1],
  ];

  it('join bodies to colliders and to each other by name', async () => {
    const { world, bodies } = await build({
      bodies: [
        { ...BOX, name: 'a' },
        { ...BOX, name: 'b', position: [0, 2.1, 0] },
      ],
      colliders: [
        { shape: 'sphere', radius: 1, position: [9, 0, 0] },
        { name: 'post', shape: 'box', size: [1, 1, 1], position: [0, -2, 0] },
      ],
      attachments: [
        { body: 'a', select: { box: low }, to: 'post' },
        { body: 'b', select: { box: low }, to: 'a', breakForce: 1e7 },
      ],
    });
    expect(world.attachments.map(({ body, other }) => [body, other])).toEqual([
      [bodies[0], world.colliders[1]],
      [bodies[1], bodies[0]],
    ]);
    expect(world.attachments.map(({ breakForce }) => breakForce)).toEqual([Infinity, 1e7]);
  });

  it('refuse boxes without a vertex', async () => {
    const attachments = [
      {
        body: 'a',
        select: {
          box: [
            [5, 5, 5],
            [6, 6, 6],
          ] as typeof low,
        },
        to: 'post',
      },
    ];
    const colliders = [{ name: 'post', shape: 'sphere' as const, radius: 1 }];
    await expect(build({ bodies: [{ ...BOX, name: 'a' }], colliders, attachments })).rejects.toThrow(
      'attachments[0].select.box: expected a box with at least one vertex of "a"',
    );
  });
});

describe('colliders', () => {
  it('keep their order, names and poses', async () => {
    const { world } = await build({
      colliders: [
        { name: 'floor', shape: 'plane', offset: -5 },
        { name: 'ball', shape: 'sphere', radius: 1, position: [0, 9, 0], friction: 0.25 },
      ],
    });
    expect(world.colliders.map(({ name }) => name)).toEqual(['floor', 'ball']);
    expect(world.colliders[1].friction).toBe(0.25);
    expect(world.colliders[1].position).toEqual([0, 9, 0]);
  });
});
