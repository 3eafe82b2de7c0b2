// A body that comes apart into two closed parts and becomes one again, in contact: each part keeps its own volume, and all that
// holds the body follows.

import { describe, expect, it } from 'vitest';
import {
  type Body,
  type BodyChanges,
  icosphere,
  MeshError,
  prepare,
  type SurfaceHit,
  surface,
  type World,
} from '../../src/index.js';
import { BOTH_BACKENDS, type PerBackend, type TestedBackend, worldOn } from '../both-backends.js';
import { halves, whole } from './bar-meshes.js';
import { bar } from './halves.js';

/** |V/V₀ − 1| of each part: the promise of the backends, see both-backends.ts. */
const VOLUME: PerBackend = { reference: 1e-9, wasm: 2e-5 };
/** Momentum of a free body over a few steps, in its mass times 1 m/s: rounding of its velocities, in single precision 1e-5 m/s. */
const MOMENTUM: PerBackend = { reference: 1e-11, wasm: 1e-5 };

/** Takes the bar apart or makes it one, from the next step on. */
const command = (body: Body, split: 0 | 1): void => body.set({ split } as BodyChanges);

const run = (world: World, steps: number, each: () => void = () => {}): void => {
  for (let n = 0; n < steps; n++) {
    world.step();
    each();
  }
};

const volumeError = (body: Body): number =>
  Math.max(...body.parts.map((part) => Math.abs(part.volume() / part.restVolume - 1)));

/** Mean of one coordinate of a body's vertices [m]. */
const mean = (body: Body, vertices: ArrayLike<number>, axis: number): number =>
  Array.from(vertices).reduce((sum, vertex) => sum + body.positions[3 * vertex + axis], 0) / vertices.length;

/** The part whose vertices are at rest on one side of the cut. */
const partAt = (body: Body, side: 1 | -1) => {
  const part = body.parts.find(
    ({ vertices }) =>
      side * body.mesh.positions[3 * vertices[0]] + 1e-9 > 0 &&
      vertices.every((vertex) => side * body.mesh.positions[3 * vertex] > -1e-9),
  );
  if (!part) throw new Error('expected a part there');
  return part;
};

/** A bar over a floor, a ball that falls on its middle. */
async function drop(backend: TestedBackend) {
  const world = await worldOn(backend);
  world.addCollider({ shape: 'plane', normal: [0, 1, 0] });
  const body = world.add(prepare(whole(), bar()), { position: [0, 0.6, 0] });
  const ball = world.add(prepare(icosphere({ detail: 2, radius: 0.4 }), surface()), { position: [0.05, 1.6, 0] });
  return { world, body, ball };
}

describe('a mesh of several parts', () => {
  it('is refused by solvers that take one, and by those that take several where a part faces inwards', () => {
    expect(() => prepare(halves(), surface())).toThrow(/several-components/);
    const inward = halves();
    const first = inward.triangles.length / 2;
    for (let t = first; t < inward.triangles.length; t += 3) inward.triangles.subarray(t, t + 2).reverse();
    expect(() => prepare(inward, bar({ split: 1 }))).toThrow(MeshError);
    expect(() => prepare(inward, bar({ split: 1 }))).toThrow(/inward-orientation/);
    expect(prepare(halves(), bar({ split: 1 })).parts.length).toBe(2);
  });
});

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  it('each part keeps its volume while the bar comes apart under a ball, and when it is one again', async () => {
    const { world, body, ball } = await drop(backend);
    let [worst, touching] = [0, 0];
    const look = () => {
      worst = Math.max(worst, volumeError(body), volumeError(ball));
      if (world.contactEvents().some(({ other }) => other === ball)) touching++;
    };
    run(world, 100, look);
    expect(touching).toBeGreaterThan(20);
    expect([body.parts.length, body.topologyVersion, body.particleCount]).toEqual([1, 0, 162]);
    command(body, 1);
    run(world, 200, look);
    expect([body.parts.length, body.topologyVersion, body.particleCount]).toEqual([2, 1, 196]);
    for (const part of body.parts) expect(Math.abs(part.restVolume - 1)).toBeLessThan(1e-12);
    expect(Math.abs(body.volume() - 2)).toBeLessThan(2 * VOLUME[backend]);
    command(body, 0);
    run(world, 100, look);
    expect([body.parts.length, body.topologyVersion, body.particleCount]).toEqual([1, 2, 162]);
    expect(worst).toBeLessThan(VOLUME[backend]);
    expect(world.penetration(ball)).toBeLessThan(0.02);
  });

  it('keeps mass and momentum when it comes apart and becomes one, in free flight', async () => {
    const world = await worldOn(backend, { gravity: [0, 0, 0] });
    // Without stiffness, as matching of this test's own is free of momentum only as far as a step turns nothing.
    const motion = { velocity: [1, 2, -1], spin: [0.4, 0.3, 1], position: [5, 0, 0] } as const;
    const body = world.add(prepare(whole(), bar({ stiffness: 0 })), motion);
    const measure = () => [body.mass, ...body.momentum(), ...body.angularMomentum()];
    const before = measure();
    run(world, 5);
    command(body, 1);
    run(world, 5);
    command(body, 0);
    run(world, 5);
    expect(body.topologyVersion).toBe(2);
    // The arm of the angular momentum about the origin is some 5 m.
    measure().forEach((value, k) => {
      expect(Math.abs(value - before[k])).toBeLessThan((k > 3 ? 5 : 1) * MOMENTUM[backend] * body.mass);
    });
  });

  it('goes on as two bodies would: its parts move apart, and lie apart', async () => {
    const world = await worldOn(backend);
    world.addCollider({ shape: 'plane', normal: [0, 1, 0], friction: 0.5 });
    const body = world.add(prepare(whole(), bar()), { position: [0, 0.5, 0] });
    command(body, 1);
    run(world, 1);
    for (const side of [-1, 1] as const) {
      for (const vertex of partAt(body, side).vertices) body.velocities[3 * vertex] = 1.5 * side;
    }
    body.changed();
    run(world, 300);
    const [left, right] = [-1, 1].map((side) => mean(body, partAt(body, side as 1).vertices, 0));
    // From 1 m by 2·v²/(2·μ·g) = 0.46 m.
    expect(Math.abs(right - left - 1.46)).toBeLessThan(0.15);
    expect(body.recoveries).toBe(0);
    expect(volumeError(body)).toBeLessThan(VOLUME[backend]);
    // Between them there is nothing, and on both sides of that the faces of the cut.
    const gap = (right + left) / 2;
    expect(world.raycast([gap, 0.5, 5], [0, 0, -1])).toBeNull();
    const hit = world.raycast([gap, 0.5, 0], [1, 0, 0]) as SurfaceHit<Body>;
    expect(hit.normal[0]).toBeLessThan(-0.9);
    expect(Math.abs(hit.point[0] - (right - 0.5))).toBeLessThan(0.05);
  });

  it('lets pins, attachments and grips follow the part that they hold', async () => {
    const world = await worldOn(backend);
    const wall = world.addCollider({ shape: 'box', size: [0.2, 1, 1], position: [-1.2, 0, 0], name: 'wall' });
    const body = world.add(prepare(whole(), bar()), { position: [0, 0, 0] });
    const ball = world.add(prepare(icosphere({ detail: 2, radius: 0.2 }), surface()), { position: [-0.5, -0.72, 0] });
    const end = body.select({
      box: [
        [-1.01, -1, -1],
        [-0.99, 1, 1],
      ],
    });
    const rim = body.select({
      box: [
        [-0.01, 0.49, -1],
        [0.01, 1, 1],
      ],
    });
    const attachment = world.attach(body, end, wall);
    const pin = body.pin(rim);
    const joint = world.attach(
      ball,
      ball.select({
        box: [
          [-1, 0.15, -1],
          [1, 1, 1],
        ],
      }),
      body,
    );
    const grip = body.grab([1, 0, 0]);
    expect(rim.length).toBe(5);
    run(world, 20);
    const middle = mean(body, rim, 1);
    command(body, 1);
    run(world, 1);
    expect(attachment.vertices.length).toBe(end.length);
    // Both sides of the cut, and of each face of it the vertex that is three quarters a corner of the rim: it stays where it was.
    expect(pin.vertices.length).toBe(2 * rim.length + 2);
    const heights = Array.from(pin.vertices, (vertex) => body.positions[3 * vertex + 1]).sort((a, b) => a - b);
    expect(Math.abs(heights[0] - heights[1])).toBeLessThan(1e-6);
    expect(Math.abs(heights[1] - middle + 0.25)).toBeLessThan(0.05);
    for (const height of heights.slice(2)) expect(Math.abs(height - middle)).toBeLessThan(1e-6);
    expect(grip.held && joint.attached && attachment.attached).toBe(true);
    grip.moveTo([1.5, 0.3, 0]);
    body.unpin(pin);
    run(world, 300);
    // The left half hangs on the wall, the ball on it; the right one on the grip.
    const held = Array.from(attachment.vertices, (vertex) => body.positions[3 * vertex]);
    for (const x of held) expect(Math.abs(x + 1)).toBeLessThan(1e-5);
    expect(Math.abs(mean(body, partAt(body, -1).vertices, 0) + 0.5)).toBeLessThan(0.1);
    expect(grip.point[0]).toBeGreaterThan(1.4);
    expect(mean(body, partAt(body, 1).vertices, 0)).toBeGreaterThan(0.8);
    expect(ball.centreOfMass()[1]).toBeGreaterThan(-1.2);
    expect(joint.attached).toBe(true);
  });

  it('lets go where nothing is left of what was held', async () => {
    const world = await worldOn(backend, { gravity: [0, 0, 0] });
    const body = world.add(prepare(whole(), bar()));
    command(body, 1);
    run(world, 1);
    // Inside the cut: these vertices go when the bar is one again.
    const inside = body.select({
      box: [
        [-0.01, -0.3, -0.3],
        [0.01, 0.3, 0.3],
      ],
    });
    expect(inside.length).toBe(18);
    const pin = body.pin(inside);
    const attachment = world.attach(
      body,
      inside.slice(0, 2),
      world.addCollider({ shape: 'sphere', radius: 0.1, position: [0, 5, 0] }),
    );
    command(body, 0);
    run(world, 1);
    expect(body.pins).toEqual([]);
    expect(() => pin.moveTo([0, 0, 0])).toThrow('it holds nothing any more');
    expect([attachment.attached, world.attachments.length]).toEqual([false, 0]);
    run(world, 5);
  });
});
