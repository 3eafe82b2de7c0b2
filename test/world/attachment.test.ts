// Attachments: to obstacles exactly, between bodies by equal and opposite forces; they tell their force and break by it.

import { describe, expect, it } from 'vitest';
import { type Body, box, icosphere, prepare, surface, type Vec3, type World } from '../../src/index.js';
import { fromAxisAngle, rotate } from '../../src/math/quaternion.js';
import { add, distance, length, pointAt, scale, subtract } from '../../src/math/vec3.js';
import { BOTH_BACKENDS, type PerBackend, worldOn } from '../both-backends.js';

const ball = prepare(icosphere({ detail: 2, radius: 0.5 }), surface({ regionSize: 2 }));
const cube = prepare(box({ size: [0.5, 0.5, 0.5], divisions: [3, 3, 3] }), surface({ regionSize: 2 }));
const TOP = {
  box: [
    [-1, 0.4, -1],
    [1, 1, 1],
  ],
} as const;
/** Bodies that do not touch each other: what holds them apart or together is the attachment alone. */
const APART = { group: 2, collidesWith: 1 };

/** Positions of order 1 through a rotation: some ε each; shown in single precision to 1e-7. */
const EXACTLY: PerBackend = { reference: 1e-12, wasm: 1e-6 };
/** Momentum over a few hundred steps: 1e-15 each in double precision; in single the promise for free bodies, 1e-4. */
const KEPT: PerBackend = { reference: 1e-12, wasm: 1e-4 };

const run = (world: World, steps: number, each: () => void = () => {}) => {
  for (let n = 0; n < steps; n++) {
    world.step();
    each();
  }
};

const total = (bodies: readonly Body[], of: (body: Body) => Vec3): Vec3 =>
  bodies.map(of).reduce((sum, x) => add(sum, x), [0, 0, 0] as Vec3);

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  it('vertices attached to a collider move with it, exactly', async () => {
    const world = await worldOn(backend, { timeStep: 0.01 });
    const plate = world.addCollider({ shape: 'box', size: [1, 0.2, 1], position: [0, 0.7, 0], ...APART });
    const body = world.add(ball);
    const vertices = body.select(TOP);
    const start = vertices.map((v) => pointAt(body.positions, v));
    world.attach(body, vertices, plate);
    run(world, 100, () => {
      // Where the step that begins now is to lead.
      const [way, turn]: [Vec3, ReturnType<typeof fromAxisAngle>] = [
        [world.time, 0.5 * world.time, 0],
        fromAxisAngle([0, 0, 1], 2 * world.time),
      ];
      const now = subtract(plate.position, [0, 0.7, 0]);
      const turned = plate.rotation;
      vertices.forEach((v, n) => {
        const expected = add(add([0, 0.7, 0], now), rotate(turned, subtract(start[n], [0, 0.7, 0])));
        expect(distance(pointAt(body.positions, v), expected)).toBeLessThan(EXACTLY[backend]);
      });
      plate.moveTo(add([0, 0.7, 0], way), turn);
    });
    expect(distance(plate.position, [0.99, 0.7 + 0.495, 0])).toBeLessThan(0.02);
  });

  it('what hangs on a collider pulls with its weight, and both sides agree', async () => {
    const world = await worldOn(backend);
    const plate = world.addCollider({ shape: 'box', size: [1, 0.2, 1], position: [0.3, 0.7, 0], ...APART });
    const body = world.add(ball, { velocity: [0.5, 0, 0] });
    const attachment = world.attach(body, body.select(TOP), plate);
    const start = body.momentum();
    let given: Vec3 = [0, 0, 0];
    run(world, 100, () => {
      given = add(given, plate.impulse);
      expect(distance(scale(attachment.force, -world.timeStep), plate.impulse)).toBeLessThan(1e-9 * body.mass);
    });
    // All momentum but gravity's went through the plate; detached the body shows what the solver holds.
    attachment.detach();
    world.step();
    const expected = subtract(add(start, [0, -9.81 * body.mass * world.time, 0]), given);
    expect(distance(body.momentum(), expected)).toBeLessThan(KEPT[backend] * 9.81 * body.mass);
    const again = world.attach(body, body.select(TOP), plate);
    run(world, 600);
    const weight = 9.81 * body.mass;
    // Three seconds later it hardly swings.
    expect(Math.abs(again.force[1] - weight)).toBeLessThan(0.05 * weight);
  });

  it('two bodies attached to each other keep momentum, and stay together', async () => {
    const world = await worldOn(backend, { gravity: [0, 0, 0] });
    const bodies = [
      world.add(ball, { velocity: [3, 1, 0], spin: [0, 0, 4], ...APART }),
      world.add(ball, { position: [1.01, 0, 0], density: 3000, ...APART }),
    ];
    const side = bodies[0].select({
      box: [
        [0.4, -1, -1],
        [1, 1, 1],
      ],
    });
    world.attach(bodies[0], side, bodies[1]);
    const gaps = () => side.map((v) => bodies[1].closestPoint(pointAt(bodies[0].positions, v))?.distance ?? Infinity);
    const before = gaps();
    const momentum = total(bodies, (body) => body.momentum());
    const angular = total(bodies, (body) => body.angularMomentum());
    run(world, 400);
    expect(
      distance(
        total(bodies, (body) => body.momentum()),
        momentum,
      ),
    ).toBeLessThan(KEPT[backend] * length(momentum));
    expect(
      distance(
        total(bodies, (body) => body.angularMomentum()),
        angular,
      ),
    ).toBeLessThan(KEPT[backend] * length(angular));
    // They have gone some metres together, and their surfaces are as near as they were but for 3 % of the size: bodies that
    // whirl about each other pull at the joint.
    expect(length(bodies[0].centreOfMass())).toBeGreaterThan(1);
    gaps().forEach((gap, n) => {
      expect(Math.abs(gap - before[n])).toBeLessThan(0.03);
    });
  });

  // density of the lower body: a heavy one on a light one too
  it.each([100, 1000, 10_000])('a chain of bodies holds %d kg/m³ by its weight', async (density) => {
    const world = await worldOn(backend);
    const upper = world.add(ball, APART);
    upper.pin(upper.select(TOP));
    const lower = world.add(ball, { position: [0, -1.02, 0], density, ...APART });
    const attachment = world.attach(lower, lower.select(TOP), upper);
    // The chain bounces at first: within 5 s that must have come down to the bound below.
    run(world, 1000);
    const weight = 9.81 * lower.mass;
    expect(distance(attachment.force, [0, weight, 0])).toBeLessThan(0.05 * weight);
    // The vertex at the very top is 2 cm from the upper body; the joint gives way by about 1 % of the size.
    const top = lower.select({
      box: [
        [-0.01, 0.49, -0.01],
        [0.01, 1, 0.01],
      ],
    })[0];
    const gap = upper.closestPoint(pointAt(lower.positions, top))?.distance ?? Infinity;
    expect(Math.abs(gap - 0.02)).toBeLessThan(0.03);
  });

  // Over a face, an edge and a corner of the other, where the way to the nearest point is along no triangle's normal; and
  // beyond the corner, far away.
  it.each([
    ['a face', [0.7, 0, 0]],
    ['an edge', [0.8, 0.8, 0]],
    ['a corner', [0.7, 0.75, 0.8]],
    ['far from a corner', [2, 2.3, 2.1]],
  ] as const)('bodies at rest that are joined over %s stay at rest', async (_, position) => {
    const world = await worldOn(backend, { gravity: [0, 0, 0] });
    const first = world.add(cube, { rotation: [0.1, 0.2, 0.3, 0.9], ...APART });
    const second = world.add(cube, { position, rotation: [0.1, 0.2, 0.3, 0.9], ...APART });
    const before = world.bodies.map(({ positions }) => Float64Array.from(positions));
    const attachment = world.attach(
      second,
      second.mesh.positions.filter((_, k) => k % 3 === 0).map((_, vertex) => vertex),
      first,
    );
    let strongest = 0;
    run(world, 100, () => {
      strongest = Math.max(strongest, length(attachment.force));
    });
    world.bodies.forEach(({ positions }, n) => {
      before[n].forEach((x, k) => {
        // Rounding of where bodies are shown, at most some ε of 3 m, is what the joint may see of a gap.
        expect(Math.abs(positions[k] - x)).toBeLessThan(10 * EXACTLY[backend]);
      });
    });
    // That rounding, closed within a step, as a force: 3 m·ε/Δt² times the mass.
    expect(strongest).toBeLessThan(((10 * EXACTLY[backend]) / world.timeStep ** 2) * first.mass);
  });

  it('break by force, and only then', async () => {
    const world = await worldOn(backend);
    const plate = world.addCollider({ shape: 'box', size: [1, 0.2, 1], position: [0, 0.7, 0], ...APART });
    const weight = 9.81 * 1000 * ball.volume.volume;
    const bodies = [0.5, 4].map(() => world.add(ball, APART));
    const attachments = [0.5, 4].map((share, n) =>
      world.attach(bodies[n], bodies[n].select(TOP), plate, { breakForce: share * weight }),
    );
    run(world, 400);
    expect(attachments.map(({ broken, attached }) => [broken, attached])).toEqual([
      [true, false],
      [false, true],
    ]);
    expect(world.attachments).toEqual([attachments[1]]);
    expect(bodies[0].centreOfMass()[1]).toBeLessThan(-5);
    expect(bodies[1].centreOfMass()[1]).toBeGreaterThan(-0.5);
  });

  it('between bodies break too, and end with what they hold', async () => {
    const world = await worldOn(backend, { gravity: [0, 0, 0] });
    const [a, b, c] = [0, 1.01, 2.02].map((x) => world.add(ball, { position: [x, 0, 0], ...APART }));
    const side = {
      box: [
        [0.4, -1, -1],
        [1, 1, 1],
      ],
    } as const;
    const weak = world.attach(a, a.select(side), b, { breakForce: 500 });
    const strong = world.attach(b, b.select(side), c);
    a.setMotion([-5, 0, 0]);
    run(world, 100);
    expect([weak.broken, strong.broken]).toEqual([true, false]);
    world.remove(c);
    expect(strong.attached).toBe(false);
    expect(world.attachments).toEqual([]);
    run(world, 10);
  });

  it('refuse what cannot be attached, by name', async () => {
    const world = await worldOn(backend);
    const other = await worldOn(backend);
    const body = world.add(ball);
    const stranger = other.add(ball);
    const wall = other.addCollider({ shape: 'sphere', radius: 1 });
    expect(() => world.attach(body, [0], body)).toThrow('attach: expected another body, got the same');
    expect(() => world.attach(body, [0], stranger)).toThrow('attach: expected a body or a collider of this world');
    expect(() => world.attach(body, [0], wall)).toThrow('attach: expected a body or a collider of this world');
    expect(() => world.attach(stranger, [0], body)).toThrow('attach: expected a body of this world');
    const floor = world.addCollider({ shape: 'plane', normal: [0, 1, 0] });
    expect(() => world.attach(body, [], floor)).toThrow('attach: expected at least one vertex, got none');
    expect(() => world.attach(body, [1e6], floor)).toThrow('attach: expected vertices from 0 to 161, got 1000000');
    expect(() => world.attach(body, [0], floor, { breakForce: 0 })).toThrow('breakForce: expected a positive number');
    expect(world.attachments).toEqual([]);
  });
});
