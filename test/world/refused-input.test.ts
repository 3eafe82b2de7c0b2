// What users get wrong is refused in one line that says what is wrong and what is expected, and changes nothing.

import { describe, expect, it } from 'vitest';
import {
  type Body,
  box,
  capsule,
  createWorld,
  creature,
  cylinder,
  duck,
  embed,
  icosphere,
  lattice,
  makeSimulatable,
  type Prepared,
  prepare,
  readMesh,
  type SolverSettings,
  surface,
  type TriangleMesh,
  torus,
  uvSphere,
  type Vec3,
  WORLD_DEFAULTS,
} from '../../src/index.js';
import { generateShape, type ShapeSpec } from '../../src/mesh/generate/index.js';
import { DebugView } from '../../src/three/debug-view.js';
import { fromObject3D } from '../../src/three/from-object3d.js';
import { Grab } from '../../src/three/grab.js';
import { SoftMesh } from '../../src/three/soft-mesh.js';
import { BOTH_BACKENDS, worldOn } from '../both-backends.js';

const ball = prepare(icosphere({ detail: 1 }), surface({ regionSize: 2 }));
/** Options as a program without types has them. */
const wrong = (options: object) => options as never;

const messageOf = async (action: () => unknown): Promise<string> => {
  try {
    await action();
  } catch (error) {
    expect(error).toBeInstanceOf(RangeError);
    const { message } = error as Error;
    expect(message).not.toContain('\n');
    expect(message.length).toBeLessThan(300);
    return message;
  }
  return 'nothing was refused';
};

const world = await worldOn('reference');
const body = world.add(ball);
const SOLVER_OPTIONS = 'regionSize, regionRadius, stiffness, damping, volume';

describe('a misspelt option', () => {
  it.each<[string, () => unknown, string]>([
    ['surface', () => surface(wrong({ stifness: 1 })), `did you mean stiffness? expected one of ${SOLVER_OPTIONS}`],
    ['lattice', () => lattice(wrong({ resoluton: 8 })), 'did you mean resolution?'],
    ['volume', () => surface({ volume: wrong({ globalshare: 1 }) }), 'did you mean globalShare?'],
    ['createWorld', () => createWorld(wrong({ gravty: [0, 0, 0] })), 'did you mean gravity?'],
    [
      'addCollider sphere',
      () => world.addCollider(wrong({ shape: 'sphere', radius: 1, fricton: 0 })),
      'did you mean friction?',
    ],
    [
      'addCollider plane',
      () => world.addCollider(wrong({ shape: 'plane', normal: [0, 1, 0], ofset: 1 })),
      'did you mean offset?',
    ],
    ['add', () => world.add(ball, wrong({ postion: [0, 0, 0] })), 'did you mean position?'],
    ['attach', () => world.attach(body, [0], body, wrong({ breakforce: 1 })), 'did you mean breakForce?'],
    ['set', () => body.set(wrong({ stifness: 1 })), 'did you mean stiffness?'],
    ['settings', () => (body.settings = { ...body.settings, ...{ dampng: 1 } }), 'did you mean damping?'],
    ['grab', () => body.grab([0, 0, 0], wrong({ raduis: 1 })), 'did you mean radius? expected radius'],
    [
      'options',
      () => world.raycast([0, 0, 9], [0, 0, -1], wrong({ maxDist: 1 })),
      'expected one of maxDistance, groups',
    ],
    ['motion[0]', () => body.pin([0], wrong([{ tme: 0 }])), 'did you mean time?'],
    ['box', () => box(wrong({ division: 3 })), 'did you mean divisions?'],
    ['duck', () => duck(wrong({ verticies: 600 })), 'did you mean vertices?'],
    ['creature', () => creature(wrong({ vertex: 600 })), 'expected one of vertices, size'],
    ['torus', () => torus(wrong({ majorradius: 1 })), 'did you mean majorRadius?'],
    ['capsule', () => capsule(wrong({ hight: 1 })), 'did you mean height?'],
    ['cylinder', () => cylinder(wrong({ segements: 9 })), 'did you mean segments?'],
    ['icosphere', () => icosphere(wrong({ details: 2 })), 'did you mean detail?'],
    ['uvSphere', () => uvSphere(wrong({ segment: 9 })), 'did you mean segments?'],
    ['makeSimulatable', () => makeSimulatable(ball.mesh, wrong({ vertexes: 99 })), 'did you mean vertices?'],
    ['readMesh', () => readMesh(new Uint8Array(0), 'a.obj', wrong({ units: 'mm' })), 'did you mean unit?'],
    ['SoftMesh', () => new SoftMesh(body, undefined, wrong({ geometri: 1 })), 'did you mean geometry?'],
    ['Grab', () => new Grab(wrong({}), wrong({}), wrong({}), wrong({ buton: 1 })), 'did you mean button?'],
    ['DebugView', () => new DebugView(body, wrong({ path: true })), 'did you mean paths?'],
    ['fromObject3D', () => fromObject3D(wrong({}), world, wrong({ vertice: 1 })), 'did you mean vertices?'],
  ])('of %s is named, with what was meant', async (place, action, words) => {
    const message = await messageOf(action);
    expect(message.startsWith(`${place}: unknown option `)).toBe(true);
    expect(message).toContain(words);
  });

  it.each<[string, () => unknown, string]>([
    [
      'a collider',
      () => world.addCollider(wrong({ shape: 'spere', radius: 1 })),
      'shape: did you mean sphere? expected one of plane,',
    ],
    [
      'a mesh',
      () => generateShape({ shape: 'icospere' } as unknown as ShapeSpec),
      'shape: did you mean icosphere? expected one of',
    ],
    ['a deformation', () => body.deform('flaten' as never), 'deform: did you mean flatten? expected one of none,'],
  ])('as the name of %s is told what was meant', async (_, action, words) => {
    expect(await messageOf(action)).toContain(words);
  });
});

describe('a message', () => {
  const mesh = icosphere({ detail: 0 });
  it.each<[string, () => unknown, string]>([
    [
      'a mesh that was not prepared',
      () => world.add(mesh as unknown as Prepared),
      'add: expected what prepare() returns, got a mesh: prepare(mesh) makes a body of it',
    ],
    [
      'nothing that was prepared',
      () => world.add(undefined as never),
      'add: expected what prepare() returns, got undefined',
    ],
    [
      'a mesh without triangles',
      () => prepare({ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0] } as unknown as TriangleMesh),
      'mesh.triangles: expected an array of numbers, three vertices per triangle, got undefined',
    ],
    [
      'no mesh',
      () => prepare(undefined as never),
      'mesh.positions: expected an array of numbers, x, y, z per vertex, got undefined',
    ],
    [
      'settings in place of a solver',
      () => prepare(mesh, wrong({ stiffness: 1 })),
      'solver: expected one such as surface({ … }), got an object of stiffness',
    ],
    [
      'a number for gravity',
      () => createWorld(wrong({ gravity: -9.81 })),
      'gravity: expected 3 finite numbers, got -9.81',
    ],
    [
      'a text for gravity',
      () => createWorld(wrong({ gravity: 'down' })),
      'gravity: expected 3 finite numbers, got "down"',
    ],
    [
      'a Vector3',
      () => world.add(ball, wrong({ position: { x: 1, y: 2, z: 3 } })),
      'position: expected 3 finite numbers, got an object of x, y, z',
    ],
    [
      'six hundred numbers',
      () => world.add(ball, { position: new Float64Array(600) as unknown as Vec3 }),
      'position: expected 3 finite numbers, got [0, 0, 0, 0, 0, 0, …] of 600',
    ],
    [
      'a value for each vertex',
      () => surface({ stiffness: new Array(600).fill(2) as unknown as number }),
      'stiffness: expected a number from 0 to 1, got [2, 2, 2, 2, 2, 2, …] of 600',
    ],
    ['one vertex', () => body.pin(3 as never), 'pin: expected a list of vertices, got 3'],
    [
      'some of the settings',
      () => (body.settings = { stiffness: 0.4 } as SolverSettings),
      'settings: expected all of them, regionSize is missing; body.set({ stiffness }) changes what it is given and leaves the rest',
    ],
    [
      'no visible mesh',
      () => embed(ball.mesh, wrong({})),
      'visible mesh.positions: expected an array of numbers, x, y, z per vertex, got undefined',
    ],
  ])('about %s says what is expected', async (_, action, message) => {
    expect(await messageOf(action)).toBe(message);
  });
});

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  const NAN: Vec3 = [0, Number.NaN, 0];

  it('what is not a number is refused at the setter, and nothing changes', async () => {
    const world = await worldOn(backend);
    const floor = world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0 });
    const body = world.add(ball, { position: [0, 1, 0] });
    const pin = body.pin([0]);
    const grip = body.grab([0, 2, 0]);
    const refusals: readonly (readonly [string, () => unknown])[] = [
      ['friction', () => (floor.friction = Number.NaN)],
      ['restitution', () => (floor.restitution = 2)],
      ['group', () => (floor.group = 1.5)],
      ['collidesWith', () => (floor.collidesWith = 0.5)],
      ['position', () => floor.moveTo(NAN)],
      ['motion[0].position', () => (floor.motion = [{ time: 0, position: NAN }])],
      ['position', () => (floor.rest = { position: NAN, rotation: [0, 0, 0, 1] })],
      ['friction', () => (body.friction = Number.NaN)],
      ['selfContact', () => (body.selfContact = 1 as never)],
      ['damping', () => body.set({ friction: 0.1, damping: Number.NaN })],
      ['restitution', () => body.set({ stiffness: 0.1, restitution: Number.NaN })],
      ['impulse', () => body.applyImpulse(NAN)],
      ['force', () => body.applyForce(NAN)],
      ['point', () => body.applyImpulse([0, 1, 0], NAN)],
      ['velocity', () => body.setMotion(NAN)],
      ['spin', () => body.setMotion([0, 0, 0], NAN)],
      ['motion[0].time', () => (pin.motion = [{ time: Number.NaN }])],
      ['position', () => pin.moveTo(NAN)],
      ['point', () => grip.moveTo(NAN)],
      ['gravity', () => (world.gravity = NAN)],
      ['velocity', () => world.add(ball, { velocity: NAN })],
    ];
    for (const [field, action] of refusals) expect(await messageOf(action)).toMatch(`${field}: expected`);
    expect([floor.friction, floor.restitution, floor.group, body.friction]).toEqual([0.5, 0, 1, 0.5]);
    expect([body.settings.stiffness, body.settings.damping, body.selfContact]).toEqual([0.9, 0.3, false]);
    expect(world.bodies).toEqual([body]);
    for (let step = 0; step < 20; step++) world.step();
    expect(body.positions.every(Number.isFinite)).toBe(true);
  });

  it('positions and velocities that are not finite are not taken over', async () => {
    const world = await worldOn(backend);
    const body = world.add(ball);
    const before = body.positions.slice();
    body.velocities[10] = Number.NaN;
    expect(await messageOf(() => body.changed())).toBe('velocities: expected finite numbers, got NaN at vertex 3');
    body.velocities[10] = 0;
    body.positions[6] = Infinity;
    expect(await messageOf(() => body.changed())).toBe('positions: expected finite numbers, got Infinity at vertex 2');
    world.gravity = [0, 0, 0];
    world.step();
    // A body at rest, free of everything, stays where it is, to rounding.
    before.forEach((x, k) => {
      expect(Math.abs(body.positions[k] - x)).toBeLessThan(1e-6);
    });
  });

  it('what was removed refuses to be changed, and can still be looked at', async () => {
    const world = await worldOn(backend);
    const body = world.add(ball, { name: 'pea' });
    const floor = world.addCollider({ shape: 'sphere', radius: 1, name: 'pod' });
    const other = world.add(ball, { position: [5, 0, 0] });
    const [grip, pin] = [body.grab([1, 0, 0]), body.pin([0])];
    const [otherGrip, otherPin] = [other.grab([5, 1, 0]), other.pin([0])];
    const rope = world.attach(other, [1], floor);
    world.remove(body);
    world.remove(floor);
    for (const change of CHANGES) {
      expect(await messageOf(() => change(body))).toBe('body "pea": it was removed from its world');
    }
    expect([body.removed, floor.removed, other.removed, rope.attached]).toEqual([true, true, false, false]);
    for (const change of [() => floor.moveTo([0, 0, 0]), () => (floor.friction = 1), () => (floor.motion = [])]) {
      expect(await messageOf(change)).toBe('collider "pod": it was removed from its world');
    }
    other.unpin(otherPin);
    otherGrip.release();
    for (const gone of [grip, otherGrip]) {
      expect(await messageOf(() => gone.moveTo([0, 0, 0]))).toBe(
        'grip: it holds nothing any more; body.grab gives another',
      );
    }
    for (const gone of [pin, otherPin]) {
      const message = 'pin: it holds nothing any more, its vertices were unpinned';
      expect(await messageOf(() => gone.moveTo([0, 0, 0]))).toBe(message);
      expect(await messageOf(() => (gone.motion = []))).toBe(message);
    }
    // Letting go twice is no fault.
    grip.release();
    body.unpin(pin);
    rope.detach();
    expect(body.positions.length).toBe(3 * body.particleCount);
    expect(Number.isFinite(body.volume())).toBe(true);
    world.step();
    world.dispose();
    world.dispose();
    expect(await messageOf(() => other.wake())).toBe('body "body": its world has been disposed of');
    for (const use of [() => world.step(), () => world.contactEvents(), () => (world.gravity = [0, 0, 0])]) {
      expect(use).toThrow('the world has been disposed of');
    }
  });
});

const CHANGES: readonly ((body: Body) => unknown)[] = [
  (body) => body.grab([0, 0, 0]),
  (body) => body.pin([0]),
  (body) => body.applyImpulse([0, 1, 0]),
  (body) => body.applyForce([0, 1, 0]),
  (body) => body.setMotion([0, 1, 0]),
  (body) => body.deform('mirror'),
  (body) => body.changed(),
  (body) => body.wake(),
  (body) => body.embed(ball.mesh),
  (body) => body.set({ stiffness: 0.5 }),
  (body) => (body.friction = 0),
  (body) => (body.settings = surface({ regionSize: 2 }).settings),
];

describe('what is shared', () => {
  it('cannot be changed from outside', async () => {
    const world = await worldOn('reference');
    const body = world.add(ball);
    const changes: readonly (() => unknown)[] = [
      () => Object.assign(body.settings, { stiffness: 0.05 }),
      () => Object.assign(ball.solver.settings, { stiffness: 0.05 }),
      () => Object.assign(ball.solver.settings.volume, { globalShare: 1 }),
      () => Object.assign((ball.solver.settings.volume as { innerStiffness: object }).innerStiffness, { 0: 1 }),
      () => Object.assign(ball, { type: 'lattice' }),
      () => Object.assign(world.gravity, { 1: 0 }),
      () => Object.assign(WORLD_DEFAULTS.gravity, { 1: 0 }),
      () => Object.assign(WORLD_DEFAULTS, { timeStep: 1 }),
      () => body.set({ stiffness: 0.2 }) === undefined && Object.assign(body.settings, { stiffness: 0.05 }),
    ];
    for (const change of changes) expect(change).toThrow(TypeError);
    expect(ball.solver.settings.stiffness).toBe(0.9);
  });

  it('is not what was passed in, but a copy', async () => {
    const gravity: [number, number, number] = [0, -1, 0];
    const world = await createWorld({ gravity, backend: 'reference' });
    gravity[1] = 5;
    expect(world.gravity).toEqual([0, -1, 0]);

    const size: [number, number, number] = [2, 1, 2];
    const position: [number, number, number] = [0, -0.5, 0];
    const options = { shape: 'box' as const, size, position, friction: 0.3 };
    const floor = world.addCollider(options);
    size[1] = 9;
    position[1] = 9;
    options.friction = 9;
    expect(floor.shape).toEqual({ shape: 'box', size: [2, 1, 2] });
    expect([floor.position, floor.rest.position, floor.friction]).toEqual([[0, -0.5, 0], [0, -0.5, 0], 0.3]);

    const keys: { time: number; position: [number, number, number] }[] = [{ time: 0, position: [0, 1, 0] }];
    floor.motion = keys;
    keys[0].position[1] = 7;
    keys.push({ time: -1, position: [0, 0, 0] });
    expect(floor.motion).toEqual([{ time: 0, position: [0, 1, 0] }]);

    const mesh = icosphere({ detail: 1 });
    const prepared = prepare(mesh, surface({ regionSize: 2 }));
    const landscape = world.addCollider({ shape: 'mesh', mesh });
    const first = mesh.positions[0];
    mesh.positions.fill(0);
    expect(() => Object.assign(prepared.solver.settings, { stiffness: 0 })).toThrow(TypeError);
    expect(prepared.mesh.positions[0]).toBe(first);
    expect(prepared.solver.settings.stiffness).toBe(0.9);
    expect(landscape.shape.shape === 'mesh' && landscape.shape.mesh.positions[0]).toBe(first);
  });

  it('may be plain lists', () => {
    const { positions, triangles } = icosphere({ detail: 1 });
    const lists = { positions: [...positions], triangles: [...triangles] } as unknown as TriangleMesh;
    expect(prepare(lists).mesh).toEqual({ positions, triangles });
  });
});

describe('body.set', () => {
  it('changes what it is given and leaves the rest', async () => {
    const world = await worldOn('reference');
    const body = world.add(ball);
    body.set({ stiffness: 0.4, friction: 0.1 });
    expect([body.settings.stiffness, body.settings.damping, body.friction, body.restitution]).toEqual([
      0.4, 0.3, 0.1, 0,
    ]);
    body.set({ volume: { globalShare: 1 } });
    expect(body.settings.volume).toEqual({ globalShare: 1, innerShare: 0.1, innerStiffness: [0.01, 0.1], target: 1 });
    body.set({ volume: true });
    expect(body.settings.volume).toMatchObject({ globalShare: 1 });
    body.set({ volume: false });
    expect(body.settings.volume).toBe(false);
    body.set({ volume: { innerShare: 0.5 } });
    expect(body.settings.volume).toEqual({ globalShare: 0.2, innerShare: 0.5, innerStiffness: [0.01, 0.1], target: 1 });
    body.set({ volume: false });
    body.set({ volume: true });
    expect(body.settings.volume).toMatchObject({ innerShare: 0.1 });
    expect(body.settings.regionSize).toBe(2);
    expect(await messageOf(() => body.set({ regionSize: 3 } as object))).toBe(
      'set: the region size belongs to the prepared body; prepare it anew to change it',
    );
  });
});
