// Every way a scene file can be wrong ends in one line: the field, what was expected, what was found.

import { describe, expect, it } from 'vitest';
import { parseScene } from '../../src/scenes/parse-scene.js';
import { SceneError } from '../../src/scenes/scene-errors.js';

function faultOf(text: string): string {
  try {
    parseScene(text);
  } catch (error) {
    expect(error).toBeInstanceOf(SceneError);
    return (error as SceneError).message;
  }
  return 'no fault';
}

const withBody = (body: object, rest: object = {}): object => ({
  isochore: 1,
  bodies: [{ name: 'ball', mesh: { shape: 'icosphere' }, ...body }],
  ...rest,
});
const withMesh = (mesh: unknown): object => withBody({ mesh });
const withSolver = (solver: object): object => withBody({ solver });
const withCollider = (collider: unknown): object => withBody({}, { colliders: [collider] });
const withAttachment = (attachment: object): object => {
  const colliders = [{ name: 'post', shape: 'sphere', radius: 1 }];
  const select = {
    box: [
      [0, 0, 0],
      [1, 1, 1],
    ],
  };
  return withBody({}, { colliders, attachments: [{ body: 'ball', select, to: 'post', ...attachment }] });
};

const withPin = (pin: object): object =>
  withBody(
    {},
    {
      pins: [
        {
          body: 'ball',
          select: {
            box: [
              [-1, -1, -1],
              [1, 1, 1],
            ],
          },
          ...pin,
        },
      ],
    },
  );

const BODY_FIELDS =
  'name, mesh, input, posing, press, repair, position, rotation, scale, velocity, spin, density, solver, maps, friction, restitution, selfContact, group, collidesWith, deform';
const SCENE_FIELDS =
  '$schema, isochore, gravity, timeStep, steps, seed, bodies, colliders, pins, attachments, cuts, detail, fields';
const MESH_SHAPES = 'uv-sphere, icosphere, box, torus, capsule, cylinder, duck, creature, hand, liver, flower';
const COLLIDER_SHAPES = 'plane, box, sphere, capsule, cylinder, glass, mesh, heightfield';

describe('a scene with a fault', () => {
  it.each<[object | unknown[] | null, string]>([
    [[], 'expected an object, got []'],
    [null, 'expected an object, got null'],
    [{ bodies: [] }, 'isochore: expected the format version 1, got nothing'],
    [{ isochore: 2, bodies: [] }, 'isochore: expected the format version 1, got 2'],
    [{ isochore: 1 }, 'bodies: expected a list of at most 10000 bodies, got nothing'],
    [{ isochore: 1, bodies: {} }, 'bodies: expected a list of at most 10000 bodies, got an object'],
    [{ isochore: 1, bodies: [3] }, 'bodies[0]: expected an object, got 3'],
    [withBody({}, { title: 'x' }), `title: unknown field, expected one of ${SCENE_FIELDS}`],
    [withBody({}, { steps: 1.5 }), 'steps: expected an integer from 0 to 10000000, got 1.5'],
    [withBody({}, { steps: -1 }), 'steps: expected an integer from 0 to 10000000, got -1'],
    [withBody({}, { timeStep: 0 }), 'timeStep: expected a number from 0.00001 to 0.1, got 0'],
    [withBody({}, { gravity: -9.81 }), 'gravity: expected three numbers [x, y, z], got -9.81'],
    [withBody({}, { gravity: [0, -9.81] }), 'gravity: expected three numbers [x, y, z], got [0, -9.81]'],
    [withBody({}, { gravity: [0, '-9.81', 0] }), 'gravity[1]: expected a number, got "-9.81"'],
    [withBody({}, { seed: -1 }), 'seed: expected an integer from 0 to 4294967295, got -1'],
    [withBody({}, { $schema: 1 }), '$schema: expected a string, got 1'],
    [withBody({ colour: 'red' }), `bodies[0].colour: unknown field, expected one of ${BODY_FIELDS}`],
    [
      { isochore: 1, bodies: [{ mehs: 'a.obj' }] },
      `bodies[0].mehs: unknown field, did you mean mesh? expected one of ${BODY_FIELDS}`,
    ],
    [
      withBody({ solver: { stifness: 1 } }),
      'bodies[0].solver.stifness: unknown field, did you mean stiffness? expected one of type, regionSize, regionRadius, stiffness, damping, volume',
    ],
    [
      withBody({ deform: 'mirrored' }),
      'bodies[0].deform: expected one of none, mirror, flatten, line, point, random (did you mean mirror?), got "mirrored"',
    ],
    [
      withCollider({ shape: 'spere', radius: 1 }),
      'colliders[0].shape: expected one of plane, box, sphere, capsule, cylinder, glass, mesh, heightfield (did you mean sphere?), got "spere"',
    ],
    [
      withBody(
        { name: 'duck' },
        {
          pins: [
            {
              body: 'duk',
              select: {
                box: [
                  [0, 0, 0],
                  [1, 1, 1],
                ],
              },
            },
          ],
        },
      ),
      'pins[0].body: expected the name of a body (duck; did you mean duck?), got "duk"',
    ],
    [withBody({ 'a\nb': 1 }), `bodies[0]["a\\nb"]: unknown field, expected one of ${BODY_FIELDS}`],
    [{ isochore: 1, bodies: [{}] }, 'bodies[0].mesh: expected a file path or an object with a shape, got nothing'],
    [withMesh(7), 'bodies[0].mesh: expected a file path or an object with a shape, got 7'],
    [withMesh(''), 'bodies[0].mesh: expected a file path, got ""'],
    [withMesh({}), `bodies[0].mesh.shape: expected one of ${MESH_SHAPES}, got nothing`],
    [withMesh({ shape: 'cow' }), `bodies[0].mesh.shape: expected one of ${MESH_SHAPES}, got "cow"`],
    [
      withMesh({ shape: 'uv-sphere', segments: 2001 }),
      'bodies[0].mesh.segments: expected an integer from 3 to 2000, got 2001',
    ],
    [
      withMesh({ shape: 'uv-sphere', rings: 8 }),
      'bodies[0].mesh.rings: unknown field, expected one of shape, segments, radius',
    ],
    [
      withMesh({ shape: 'box', divisions: [8, 8] }),
      'bodies[0].mesh.divisions: expected an integer from 1 to 800 or three of them [x, y, z], got [8, 8]',
    ],
    [
      withMesh({ shape: 'box', divisions: [8, 8, 0] }),
      'bodies[0].mesh.divisions[2]: expected an integer from 1 to 800, got 0',
    ],
    [
      withMesh({ shape: 'torus', majorRadius: 1, minorRadius: 2 }),
      'bodies[0].mesh.minorRadius: expected a number below majorRadius, got 2',
    ],
    [
      withMesh({ shape: 'capsule', radius: 1, height: 1 }),
      'bodies[0].mesh.height: expected a number of at least 2·radius, got 1',
    ],
    [
      withMesh({ shape: 'cylinder', radius: 1e-6, height: 1000 }),
      'bodies[0].mesh.height: expected a height that needs at most 4000000 vertices, got 1000',
    ],
    [withBody({ name: '' }), 'bodies[0].name: expected a name of 1 to 100 characters, got ""'],
    [withBody({ scale: 0 }), 'bodies[0].scale: expected a number above 0, got 0'],
    [withBody({ density: -1 }), 'bodies[0].density: expected a number above 0, got -1'],
    [
      withBody({ rotation: [0, 0, 0, 0] }),
      'bodies[0].rotation: expected a quaternion [x, y, z, w] of length 1, got [0, 0, 0, 0]',
    ],
    [
      withBody({ deform: 'melt' }),
      'bodies[0].deform: expected one of none, mirror, flatten, line, point, random, got "melt"',
    ],
    [
      withSolver({ type: 'jelly' }),
      'bodies[0].solver.type: expected one of surface, lattice, octree, tetrahedra, deformer, got "jelly"',
    ],
    [withBody({ solver: 3 }), 'bodies[0].solver: expected an object, got 3'],
    [
      withSolver({ type: 'lattice', resolution: 101 }),
      'bodies[0].solver.resolution: expected an integer from 1 to 100, got 101',
    ],
    [
      withSolver({ type: 'lattice', regionRadius: 0.3 }),
      'bodies[0].solver.regionRadius: unknown field, expected one of type, regionSize, resolution, stiffness, damping, volume',
    ],
    [withSolver({ regionSize: 0 }), 'bodies[0].solver.regionSize: expected an integer from 1 to 16, got 0'],
    [
      withSolver({ regionSize: 3, regionRadius: 0.3 }),
      'bodies[0].solver.regionRadius: expected either regionSize or regionRadius, got both',
    ],
    [withSolver({ regionRadius: 0 }), 'bodies[0].solver.regionRadius: expected a number above 0, up to 1, got 0'],
    [withSolver({ stiffness: 1.1 }), 'bodies[0].solver.stiffness: expected a number from 0 to 1, got 1.1'],
    [withSolver({ volume: true }), 'bodies[0].solver.volume: expected an object or false, got true'],
    [
      withSolver({ volume: { globalShare: 2 } }),
      'bodies[0].solver.volume.globalShare: expected a number from 0 to 1, got 2',
    ],
    [
      withSolver({ volume: { alpha: 1 } }),
      'bodies[0].solver.volume.alpha: unknown field, expected one of globalShare, innerShare, innerStiffness, target',
    ],
    [
      withSolver({ volume: { innerStiffness: 0.1 } }),
      'bodies[0].solver.volume.innerStiffness: expected two numbers from 0 to 1 [lowest, highest], got 0.1',
    ],
    [withCollider({ shape: 'cone' }), `colliders[0].shape: expected one of ${COLLIDER_SHAPES}, got "cone"`],
    [
      withCollider({ shape: 'glass', radius: 0.1, height: 1, wall: 0.1 }),
      'colliders[0].radius: expected a number of at least 2·wall, got 0.1',
    ],
    [
      withCollider({ shape: 'mesh', mesh: { shape: 'cone' } }),
      'colliders[0].mesh.shape: expected one of uv-sphere, icosphere, box, torus, capsule, cylinder, duck, creature, hand, liver, flower, got "cone"',
    ],
    [
      withCollider({ shape: 'heightfield', size: [1, 1], heights: [[0, 1], [0]] }),
      'colliders[0].heights: expected at least two rows of equal length, at least two, got a list of 2',
    ],
    [withCollider('floor'), 'colliders[0]: expected an object with a shape, got "floor"'],
    [withCollider({ shape: 'sphere' }), 'colliders[0].radius: expected a number above 0, got nothing'],
    [
      withCollider({ shape: 'plane', normal: [0, 0, 0] }),
      'colliders[0].normal: expected a direction [x, y, z] with a length above 0, got [0, 0, 0]',
    ],
    [withCollider({ shape: 'box', size: [1, -1, 1] }), 'colliders[0].size[1]: expected a number above 0, got -1'],
    [
      withCollider({ shape: 'sphere', radius: 1, friction: -0.1 }),
      'colliders[0].friction: expected a number of at least 0, got -0.1',
    ],
    [
      withCollider({ shape: 'sphere', radius: 1, motion: [{ time: 1 }, { time: 1 }] }),
      'colliders[0].motion[1].time: expected a time after 1, got 1',
    ],
    [
      withCollider({ shape: 'capsule', radius: 1, height: 1 }),
      'colliders[0].height: expected a number of at least 2·radius, got 1',
    ],
    [withPin({ body: 'x' }), 'pins[0].body: expected the name of a body (ball), got "x"'],
    [
      withPin({ select: { box: [[0, 0, 0]] } }),
      'pins[0].select.box: expected two corners [[x, y, z], [x, y, z]], got a list of 1',
    ],
    [withPin({ select: { sphere: 1 } }), 'pins[0].select.sphere: unknown field, expected box'],
    [withAttachment({ body: 'x' }), 'attachments[0].body: expected the name of a body (ball), got "x"'],
    [
      withAttachment({ to: 'x' }),
      'attachments[0].to: expected the name of another body or of a collider (ball, post), got "x"',
    ],
    [
      withAttachment({ to: 'ball' }),
      'attachments[0].to: expected the name of another body or of a collider (ball, post), got "ball"',
    ],
    [withAttachment({ breakForce: 0 }), 'attachments[0].breakForce: expected a number above 0, got 0'],
    [
      {
        isochore: 1,
        bodies: [
          { name: 'a', mesh: 'a.obj' },
          { name: 'a', mesh: 'a.obj' },
        ],
      },
      'bodies[1].name: expected a name that no other body has, got "a"',
    ],
    [
      { isochore: 1, bodies: [{ name: 'body1', mesh: 'a.obj' }, { mesh: 'a.obj' }] },
      'bodies[1].name: expected a name that no other body has, got "body1"',
    ],
  ])('%j → %s', (scene, line) => {
    expect(faultOf(JSON.stringify(scene))).toBe(line);
  });

  it('shows a very long value in a few words', () => {
    const line = faultOf(JSON.stringify(withBody({ name: 'x'.repeat(5000) })));
    expect(line).toBe(`bodies[0].name: expected a name of 1 to 100 characters, got "${'x'.repeat(60)}…"`);
  });

  it('names a few bodies where a scene has many', () => {
    const bodies = Array.from({ length: 12 }, () => ({ mesh: 'a.obj' }));
    const pins = [
      {
        body: 'x',
        select: {
          box: [
            [0, 0, 0],
            [1, 1, 1],
          ],
        },
      },
    ];
    expect(faultOf(JSON.stringify({ isochore: 1, bodies, pins }))).toBe(
      'pins[0].body: expected the name of a body (body0, body1, body2, body3, body4, body5, body6, body7, …), got "x"',
    );
  });

  it('refuses numbers beyond double precision', () => {
    expect(faultOf('{"isochore": 1, "bodies": [], "gravity": [0, 1e999, 0]}')).toBe(
      'gravity[1]: expected a number, got Infinity',
    );
  });

  it('refuses __proto__ as a field like any other', () => {
    const line = `__proto__: unknown field, expected one of ${SCENE_FIELDS}`;
    expect(faultOf('{"isochore": 1, "bodies": [], "__proto__": {"steps": 1}}')).toBe(line);
  });
});

describe('text that is not JSON', () => {
  it.each([
    ['', 'line 1, column 1: expected a value, got the end of the file'],
    ['{', 'line 1, column 2: expected a field name in double quotes, got the end of the file'],
    ['{"a": 1,}', 'line 1, column 9: expected a field name in double quotes, got "}"'],
    ['{"a" 1}', 'line 1, column 6: expected ":", got "1"'],
    ['{"a": 1 "b": 2}', 'line 1, column 9: expected "," or "}", got "\\""'],
    ['{\n  "a": [1, 2\n}', 'line 3, column 1: expected "," or "]", got "}"'],
    ['{\r\n  "a": .5\r\n}', 'line 2, column 8: expected a value, got "."'],
    ['{"a": 01}', 'line 1, column 8: expected "," or "}", got "1"'],
    ['{"a": "x\ny"}', 'line 1, column 7: expected a well-formed string, got "\\""'],
    ['{"a": "\\x"}', 'line 1, column 7: expected a well-formed string, got "\\""'],
    ['// scene\n{}', 'line 1, column 1: expected a value, got "/"'],
    ['{} {}', 'line 1, column 4: expected the end of the file, got "{"'],
    ['[1, 😀]', 'line 1, column 5: expected a value, got "😀"'],
  ])('%j → %s', (text, line) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(faultOf(text)).toBe(line);
  });

  it('copes with nesting of any depth', () => {
    expect(faultOf('['.repeat(1_000_000))).toBe('line 1, column 1000001: expected a value, got the end of the file');
  });

  it('reads text with a byte order mark', () => {
    expect(parseScene('\uFEFF{"isochore": 1, "bodies": []}').steps).toBe(400);
  });
});
