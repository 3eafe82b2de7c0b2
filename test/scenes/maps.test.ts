// What a scene file paints on bodies: by regions, by vertex attributes, by values.

import { describe, expect, it } from 'vitest';
import { generateShape } from '../../src/mesh/generate/index.js';
import type { AttributedMesh } from '../../src/mesh/vertex-attributes.js';
import { buildScene, checkScene, sceneAttributes, sceneJsonSchema, sceneSchema } from '../../src/scenes/index.js';
import { soup } from '../mesh/sample-meshes.js';
import { satisfies } from './json-schema-check.js';

const BOX = { shape: 'box', size: 2, divisions: 4 } as const;
const sceneOf = (maps: unknown, body: object = {}) => ({ isochore: 1, bodies: [{ mesh: BOX, maps, ...body }] });

async function mapsOf(maps: unknown, body: object = {}, loadMesh?: () => Promise<AttributedMesh>) {
  const { world, bodies } = await buildScene(checkScene(sceneOf(maps, body)), { backend: 'reference', loadMesh });
  world.dispose();
  return { maps: bodies[0].prepared.maps, mesh: bodies[0].mesh };
}

/** A box with a colour that goes from black at the bottom to red at the top. */
const coloured = (mesh = generateShape(BOX)): AttributedMesh => {
  const red = Float64Array.from({ length: mesh.positions.length / 3 }, (_, v) => (mesh.positions[3 * v + 1] + 1) / 2);
  return { ...mesh, attributes: { 'COLOR_0.r': red } };
};

describe('maps by regions', () => {
  it('are 1 outside, and later regions win', async () => {
    const { maps, mesh } = await mapsOf({
      stiffness: [
        {
          box: [
            [-1, 0, -1],
            [1, 1, 1],
          ],
          value: 0.2,
        },
        { ball: { centre: [0, 1, 0], radius: 0.6 }, value: 3 },
      ],
    });
    for (let v = 0; v < mesh.positions.length / 3; v++) {
      const [x, y, z] = mesh.positions.subarray(3 * v, 3 * v + 3);
      const inBall = x * x + (y - 1) ** 2 + z * z <= 0.36;
      expect(maps.stiffness?.[v]).toBe(inBall ? 3 : y >= 0 ? 0.2 : 1);
    }
    expect([...new Set(maps.stiffness)].sort()).toEqual([0.2, 1, 3]);
  });

  it('are in the space of the scaled mesh, as pins are', async () => {
    const region = {
      box: [
        [-9, 1.5, -9],
        [9, 9, 9],
      ],
    };
    const { maps, mesh } = await mapsOf({ friction: [{ ...region, value: 0 }] }, { scale: 2 });
    const top = mesh.positions.filter((y, k) => k % 3 === 1 && y >= 1.5).length;
    expect(maps.friction?.filter((f) => f === 0).length).toBe(top);
    const none = mapsOf({ friction: [{ ...region, value: 0 }] });
    await expect(none).rejects.toThrow(
      'bodies[0].maps.friction[0].box: expected at least one vertex in it (at rest the mesh spans [-1, -1, -1] to [1, 1, 1]), got none',
    );
  });
});

describe('maps by attributes', () => {
  const map = { stiffness: [{ attribute: 'COLOR_0.r', from: 0.2, to: 1 }] };
  const file = { mesh: 'a.glb' };

  it('go from one factor to the other', async () => {
    const { maps, mesh } = await mapsOf(map, file, async () => coloured());
    for (let v = 0; v < mesh.positions.length / 3; v++) {
      const expected = 0.2 + 0.4 * (mesh.positions[3 * v + 1] + 1);
      expect(Math.abs((maps.stiffness?.[v] ?? 0) - expected)).toBeLessThan(1e-12);
    }
  });

  it('ask the loader for what they need', async () => {
    const scene = checkScene(sceneOf({ ...map, density: [{ attribute: '_MASS', from: 1, to: 2 }] }, file));
    expect(sceneAttributes(scene, 'a.glb')).toEqual(['COLOR_0.r', '_MASS']);
    expect(sceneAttributes(scene, 'b.glb')).toEqual([]);
    const asked: unknown[] = [];
    const loadMesh = async (path: string, options: object) => {
      asked.push([path, options]);
      return coloured();
    };
    await expect(buildScene(scene, { backend: 'reference', loadMesh })).rejects.toThrow(
      /^bodies\[0\]\.maps\.density\[0\]\.attribute: expected .*, got "_MASS"$/,
    );
    expect(asked).toEqual([['a.glb', { attributes: ['COLOR_0.r', '_MASS'] }]]);
  });

  it('survive welding and cages', async () => {
    const apart = async () => coloured(soup(generateShape(BOX)));
    const welded = await mapsOf(map, file, apart);
    const y = (mesh: AttributedMesh, v: number) => 0.2 + 0.4 * (mesh.positions[3 * v + 1] + 1);
    welded.maps.stiffness?.forEach((factor, v) => {
      expect(Math.abs(factor - y(welded.mesh, v))).toBeLessThan(1e-12);
    });
    const whole = generateShape(BOX);
    const open = { ...whole, triangles: whole.triangles.slice(3) };
    const cage = await mapsOf(map, { ...file, repair: true }, async () => coloured(open));
    expect(cage.maps.stiffness?.length).toBe(cage.mesh.positions.length / 3);
    cage.maps.stiffness?.forEach((factor, v) => {
      // A mended lid, or a cage that keeps within a few hundredths of the size.
      expect(Math.abs(factor - y(cage.mesh, v))).toBeLessThan(0.05);
    });
  });

  it('are refused of shapes', async () => {
    await expect(mapsOf(map)).rejects.toThrow(
      /^bodies\[0\]\.maps\.stiffness\[0\]\.attribute: expected .*, got "COLOR_0\.r"$/,
    );
  });
});

describe('maps by values', () => {
  it('are taken vertex by vertex', async () => {
    const values = Array.from({ length: 98 }, (_, v) => 0.5 + v / 98);
    expect([...((await mapsOf({ damping: [{ values }] })).maps.damping ?? [])]).toEqual(values);
    await expect(mapsOf({ damping: [{ values: [1, 2] }] })).rejects.toThrow(
      'bodies[0].maps.damping[0].values: expected 98 factors, one per vertex, got 2',
    );
  });
});

it('bodies with other maps are prepared for themselves', async () => {
  const maps = { stiffness: [{ ball: { centre: [0, 0, 0], radius: 9 }, value: 0.5 }] };
  const scene = checkScene({ isochore: 1, bodies: [{ mesh: BOX }, { mesh: BOX, maps }, { mesh: BOX, maps }] });
  const { world, bodies } = await buildScene(scene, { backend: 'reference' });
  expect(bodies[1].prepared).not.toBe(bodies[0].prepared);
  expect(bodies[2].prepared).toBe(bodies[1].prepared);
  world.dispose();
});

describe('a scene file', () => {
  const ball = { centre: [0, 0, 0], radius: 1 };
  it.each<[unknown, string]>([
    [{ stifness: [] }, 'bodies[0].maps.stifness: unknown field, did you mean stiffness? expected one of stiffness'],
    [{ stiffness: 0.5 }, 'bodies[0].maps.stiffness: expected a list of at most 1000 layers, got 0.5'],
    [
      { stiffness: [{ ball, value: -1 }] },
      'bodies[0].maps.stiffness[0].value: expected a number from 0 to 1000, got -1',
    ],
    [{ density: [{ ball, value: 0 }] }, 'bodies[0].maps.density[0].value: expected a number from 0.001 to 1000, got 0'],
    [
      { stiffness: [{ value: 1 }] },
      'bodies[0].maps.stiffness[0]: expected an object with a box, a ball, an attribute or values, got an object',
    ],
    [
      { stiffness: [{ ball: { centre: [0, 0], radius: 1 }, value: 1 }] },
      'bodies[0].maps.stiffness[0].ball.centre: expected three numbers [x, y, z], got [0, 0]',
    ],
    [
      { friction: [{ attribute: '_A', from: -1 }] },
      'bodies[0].maps.friction[0].from: expected a number from 0 to 1000, got -1',
    ],
    [
      { damping: [{ values: [1, 'x'] }] },
      'bodies[0].maps.damping[0].values[1]: expected a number from 0 to 1000, got "x"',
    ],
  ])('with %j is refused in one line', (maps, message) => {
    expect(() => checkScene(sceneOf(maps))).toThrow(message);
  });

  it.each([
    [{ stiffness: [] }],
    [{ stiffness: [{ ball, value: 0 }] }],
    [
      {
        stiffness: [
          {
            ball,
            box: [
              [0, 0, 0],
              [1, 1, 1],
            ],
            value: 0,
          },
        ],
      },
    ],
    [{ volumeWeight: [{ attribute: 'red', from: 0, to: 1 }] }],
    [{ volumeWeight: [{ attribute: 'red' }] }],
    [{ volumeWeight: [{ attribute: 'red', values: [1] }] }],
    [{ density: [{ values: [0.5, 2] }] }],
    [{ density: [{ values: [0] }] }],
    [{ other: [] }],
  ])('with %j is judged alike by the JSON Schema', (maps) => {
    const scene = sceneOf(maps);
    const schema = sceneJsonSchema() as Record<string, unknown>;
    expect(satisfies(schema, scene)).toBe(sceneSchema.safeParse(scene).success);
  });
});
