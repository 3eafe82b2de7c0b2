// Bodies of the pieces of one: mass, momentum, volume and motion stay, what held the whole holds its pieces, and the world tells of it.

import { describe, expect, it } from 'vitest';
import { type Body, box, icosphere, octree, prepare, surface, type World } from '../../../src/index.js';
import { BOTH_BACKENDS, worldOn } from '../../both-backends.js';

const soft = prepare(box({ divisions: 4 }), octree({ cells: 3, levels: 1 }));

const steps = (world: World, count: number): void => {
  for (let n = 0; n < count; n++) world.step();
};
const sumOf = (bodies: readonly Body[], value: (body: Body) => number): number =>
  bodies.reduce((sum, body) => sum + value(body), 0);

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  const exact = backend === 'wasm' ? 1e-5 : 1e-10;

  it('each piece goes on as it was, with its share of mass and momentum', async () => {
    const world = await worldOn(backend, { gravity: [0, 0, 0] });
    const whole = world.add(soft, { velocity: [1, 0, 2], spin: [0.5, 1, 0], friction: 0.7, name: 'cube' });
    const [mass, momentum, angular] = [whole.mass, whole.momentum(), whole.angularMomentum()];
    expect(whole.separate()).toEqual([whole]);
    whole.cut({ plane: { point: [0.13, 0, 0], normal: [1, 0.2, 0] } });
    world.step();
    expect(world.splitEvents()).toEqual([{ body: whole, before: 1, after: 2 }]);
    world.step();
    expect(world.splitEvents()).toEqual([]);
    steps(world, 3);
    const volumes = whole.parts.map(({ restVolume }) => restVolume).sort((a, b) => b - a);
    const before = [...whole.positions].sort((a, b) => a - b);
    const bodies = whole.separate();
    expect(bodies.length).toBe(2);
    expect(bodies[0]).toBe(whole);
    expect(world.bodies).toEqual(bodies);
    bodies.forEach((body, n) => {
      expect(Math.abs(body.restVolume - volumes[n])).toBeLessThan(1e-12);
      expect(body.parts.length).toBe(1);
      expect([body.friction, body.name]).toEqual([0.7, 'cube']);
      expect(body.mesh.positions.length).toBe(3 * body.particleCount);
    });
    // No vertex moved, and none was lost.
    const after = bodies.flatMap((body) => [...body.positions]).sort((a, b) => a - b);
    expect(after.length).toBe(before.length);
    after.forEach((x, k) => {
      expect(Math.abs(x - before[k])).toBeLessThan(backend === 'wasm' ? 1e-6 : 1e-15);
    });
    const expectKept = () => {
      expect(Math.abs(sumOf(bodies, (body) => body.mass) / mass - 1)).toBeLessThan(1e-12);
      for (let c = 0; c < 3; c++) {
        expect(Math.abs(sumOf(bodies, (body) => body.momentum()[c]) - momentum[c]) / mass).toBeLessThan(exact);
        expect(Math.abs(sumOf(bodies, (body) => body.angularMomentum()[c]) - angular[c]) / mass).toBeLessThan(1e-4);
      }
    };
    expectKept();
    for (const body of bodies) body.collidesWith = 0;
    steps(world, 20);
    expectKept();
    for (const body of bodies) expect(Math.abs(body.volume() / body.restVolume - 1)).toBeLessThan(exact);
    // Pieces can be cut again, and snapshots of them go on.
    const snapshot = world.snapshot();
    const third = bodies[1].centreOfMass();
    const cutAgain = (): Float64Array | Float32Array => {
      bodies[1].cut({ plane: { point: third, normal: [0, 1, 0] } });
      steps(world, 4);
      expect(bodies[1].parts.length).toBe(2);
      return bodies[1].positions.slice();
    };
    const first = cutAgain();
    world.restore(snapshot);
    expect(cutAgain()).toEqual(first);
    expect(bodies[1].separate().length).toBe(2);
    steps(world, 3);
    expect(world.bodies.length).toBe(3);
  });

  it('attachments that are drawn out are so after it', async () => {
    const world = await worldOn(backend, { gravity: [0, 0, 0] });
    const whole = world.add(soft);
    // On the smaller, right piece.
    const hung = world.add(prepare(icosphere({ detail: 1, radius: 0.1 }), surface()), { position: [0.35, -0.65, 0] });
    world.attach(hung, [0, 1, 2], whole);
    whole.cut({ plane: { point: [0.13, 0, 0], normal: [1, 0, 0] } });
    steps(world, 2);
    const apart = (body: typeof whole): number => body.centreOfMass()[1] - hung.centreOfMass()[1];
    for (let k = 1; k < hung.positions.length; k += 3) hung.positions[k] -= 0.2;
    hung.changed();
    const [, piece] = whole.separate();
    const drawn = apart(piece);
    steps(world, 100);
    // It draws the two together again; attached anew where it was, it would have left them there.
    expect(apart(piece)).toBeLessThan(drawn - 0.12);
  });

  it('pins, grips and attachments go with what they hold', async () => {
    const world = await worldOn(backend);
    const whole = world.add(soft);
    const wall = world.addCollider({ shape: 'box', size: [0.1, 1, 1], position: [0.6, 0, 0] });
    const hung = world.add(prepare(icosphere({ detail: 1, radius: 0.1 }), surface()), { position: [-0.3, -0.65, 0] });
    const right = whole.pin(
      whole.select({
        box: [
          [0.4, 0.2, -1],
          [1, 1, 1],
        ],
      }),
    );
    const across = whole.pin(
      whole.select({
        box: [
          [-1, 0.4, -1],
          [1, 0.6, -0.4],
        ],
      }),
    );
    const grip = whole.grab([0.5, -0.5, 0]);
    world.attach(
      whole,
      whole.select({
        box: [
          [0.45, -1, -1],
          [1, -0.4, 1],
        ],
      }),
      wall,
    );
    const held = world.attach(hung, [0, 1, 2], whole);
    whole.cut({ plane: { point: [0.13, 0, 0], normal: [1, 0, 0] } });
    steps(world, 2);
    const [left, piece] = whole.separate();
    expect(left).toBe(whole);
    // The right pin has nothing left of the larger, left piece: it holds the other one.
    expect(left.pins).toEqual([across]);
    expect(piece.pins.length).toBe(2);
    expect(piece.pins).toContain(right);
    expect([left.grips.length, piece.grips.length]).toEqual([0, 1]);
    expect(grip.held).toBe(true);
    expect(world.attachments.map(({ body, other }) => [body, other])).toEqual([
      [hung, left],
      [piece, wall],
    ]);
    expect(held.attached).toBe(true);
    grip.moveTo([0.5, -1, 0]);
    right.moveTo([0.8, 0, 0]);
    steps(world, 20);
    const reach = Math.max(...Array.from(right.vertices, (vertex) => piece.positions[3 * vertex]));
    expect(reach).toBeGreaterThan(0.6);
    expect([...left.positions, ...piece.positions].every(Number.isFinite)).toBe(true);
  });
});

it('tells of all splits of an advance', async () => {
  const world = await worldOn('reference', { gravity: [0, 0, 0] });
  const body = world.add(soft);
  body.cut({ plane: { point: [0.13, 0, 0], normal: [1, 0, 0] } });
  body.cut({ plane: { point: [0, 0.13, 0], normal: [0, 1, 0] } });
  world.advance(0.02);
  expect(world.splitEvents().map(({ before, after }) => [before, after])).toEqual([
    [1, 2],
    [2, 4],
  ]);
  world.advance(0.02);
  expect(world.splitEvents()).toEqual([]);
  expect(body.separate().length).toBe(4);
});
