// Bodies of an octree that are cut in a world: parts with their own exact volumes, mass and momentum kept, and what cannot be cut
// says so or changes nothing.

import { describe, expect, it } from 'vitest';
import { box, duck, icosphere, octree, prepare, surface, type TriangleMesh, type Vec3 } from '../../../src/index.js';
import { BOTH_BACKENDS, worldOn } from '../../both-backends.js';

const cube = box({ divisions: 6 });
const soft = prepare(cube, octree({ cells: 3, levels: 2 }));

/** Longest edge of a mesh now, in lengths at rest; short ones at the rim of a cut aside. */
function longestStretch({ positions: rest, triangles }: TriangleMesh, x: ArrayLike<number>): number {
  let most = 0;
  for (let k = 0; k < triangles.length; k++) {
    const [i, j] = [3 * triangles[k], 3 * triangles[k % 3 === 2 ? k - 2 : k + 1]];
    const length = (p: ArrayLike<number>) => Math.hypot(p[i] - p[j], p[i + 1] - p[j + 1], p[i + 2] - p[j + 2]);
    if (length(rest) > 1e-2) most = Math.max(most, length(x) / length(rest));
  }
  return most;
}

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  const exact = backend === 'wasm' ? 1e-6 : 1e-11;

  it('a cube in flight comes apart where the plane says, and keeps its mass and momentum', async () => {
    const world = await worldOn(backend, { gravity: [0, 0, 0] });
    const body = world.add(soft, { velocity: [1, 0, 2], spin: [0.5, 0, 0] });
    const [mass, momentum] = [body.mass, body.momentum()];
    body.cut({ plane: { point: [0.13, 0, 0], normal: [2, 0, 0] } });
    expect(body.parts.length).toBe(1);
    world.step();
    expect(body.topologyVersion).toBe(1);
    expect(body.parts.map((part) => part.restVolume).sort()).toHaveLength(2);
    const volumes = body.parts.map((part) => part.restVolume).sort((a, b) => a - b);
    // The plane at 63 % of the cube, where the body was at rest.
    expect(Math.abs(volumes[0] - 0.37)).toBeLessThan(1e-6);
    expect(Math.abs(volumes[0] + volumes[1] - 1)).toBeLessThan(1e-12);
    expect(Math.abs(body.mass / mass - 1)).toBeLessThan(1e-12);
    for (let n = 0; n < 100; n++) world.step();
    body.momentum().forEach((p, c) => {
      expect(Math.abs(p - momentum[c]) / mass).toBeLessThan(backend === 'wasm' ? 1e-5 : 1e-10);
    });
    for (const part of body.parts) expect(Math.abs(part.volume() / part.restVolume - 1)).toBeLessThan(exact);
  });

  it('a duck under a ball is cut on the floor; nothing hangs across the cut', async () => {
    const world = await worldOn(backend);
    world.addCollider({ shape: 'plane', normal: [0, 1, 0] });
    const body = world.add(prepare(duck({ vertices: 400 }), octree()), { position: [0, 0.6, 0] });
    const ball = world.add(prepare(icosphere({ detail: 2, radius: 0.3 }), surface()), { position: [0, 1.9, 0] });
    for (let n = 0; n < 60; n++) world.step();
    body.cut({ plane: { point: [0, 0.4, 0], normal: [1, 0.3, 0.2] } });
    let error = 0;
    for (let n = 0; n < 200; n++) {
      world.step();
      for (const part of body.parts) error = Math.max(error, Math.abs(part.volume() / part.restVolume - 1));
    }
    expect(body.parts.length).toBe(2);
    expect(error).toBeLessThan(exact);
    expect(longestStretch(body.mesh, body.positions)).toBeLessThan(2);
    expect(world.penetration(ball)).toBeLessThan(0.01);
    expect([...body.positions].every(Number.isFinite)).toBe(true);
  });

  it('a slit leaves one part, and a plane that misses leaves all as it is', async () => {
    const world = await worldOn(backend, { gravity: [0, 0, 0] });
    const body = world.add(soft);
    body.cut({ plane: { point: [5, 0, 0], normal: [1, 0, 0] } });
    world.step();
    expect(body.topologyVersion).toBe(0);
    body.cut({ plane: { point: [0.031, 0.47, 0.013], normal: [1, 0.1, 0.03] }, within: 0.317 });
    world.step();
    expect(body.topologyVersion).toBe(1);
    expect(body.parts.length).toBe(1);
    expect(body.particleCount).toBeGreaterThan(cube.positions.length / 3);
    expect(Math.abs(body.volume() / body.restVolume - 1)).toBeLessThan(exact);
  });

  it('pins hold what is left of them', async () => {
    const world = await worldOn(backend);
    const body = world.add(soft);
    const left = body.select({
      box: [
        [-0.6, -0.6, -0.6],
        [-0.4, 0.6, 0.6],
      ],
    });
    body.pin(left);
    body.cut({ plane: { point: [0.1, 0, 0], normal: [1, 0, 0] } });
    for (let n = 0; n < 60; n++) world.step();
    expect(body.pins.length).toBe(1);
    const heights = body.parts.map((part) => {
      const sum = [...part.vertices].reduce((y, vertex) => y + body.positions[3 * vertex + 1], 0);
      return sum / part.vertices.length;
    });
    // One hangs on its pins, the other has fallen for 0.3 s.
    expect(Math.min(...heights)).toBeLessThan(-0.3);
    expect(Math.max(...heights)).toBeGreaterThan(-0.1);
  });
});

it('what cannot be cut says so', async () => {
  const world = await worldOn('reference');
  const stiff = world.add(prepare(cube, surface()));
  const plane = { point: [0, 0, 0] as Vec3, normal: [1, 0, 0] as Vec3 };
  expect(() => stiff.cut({ plane })).toThrow('cut: expected a body of a solver that can be cut, got one of surface');
  const body = world.add(soft);
  expect(() => body.cut({ plane: { ...plane, normal: [0, 0, 0] } })).toThrow('plane.normal: expected a direction');
  expect(() => body.cut({ plane: { ...plane, point: [Number.NaN, 0, 0] } })).toThrow('plane.point: expected 3 finite');
  expect(() => body.cut({ plane, within: 0 })).toThrow('within: expected a distance above 0, got 0');
  expect(() => body.cut({} as never)).toThrow('cut: expected one of plane, path and triangles');
});
