// Rays and nearest points on bodies as they are now, against all triangles one by one.

import { describe, expect, it } from 'vitest';
import { type Body, icosphere, prepare, surface, torus, type Vec3 } from '../../src/index.js';
import { seededRandom } from '../../src/math/random.js';
import { add, cross, distance, dot, length, pointAt, scale, subtract } from '../../src/math/vec3.js';
import { BOTH_BACKENDS, worldOn } from '../both-backends.js';

const ring = prepare(
  torus({ majorRadius: 1, minorRadius: 0.4, majorSegments: 24, minorSegments: 12 }),
  surface({ regionSize: 2 }),
);
const ball = prepare(icosphere({ detail: 2, radius: 0.5 }), surface({ regionSize: 2 }));

/** Distance along a unit ray to every triangle by Cramer's rule; the least. */
function firstHit(bodies: readonly Body[], origin: Vec3, direction: Vec3): number {
  let first = Infinity;
  for (const { mesh, positions } of bodies) {
    for (let t = 0; t < mesh.triangles.length; t += 3) {
      const [a, b, c] = [0, 1, 2].map((n) => pointAt(positions, mesh.triangles[t + n]));
      const [u, v, s] = [subtract(b, a), subtract(c, a), subtract(origin, a)];
      const determinant = dot(u, cross(direction, v));
      const x = dot(s, cross(direction, v)) / determinant;
      const y = dot(direction, cross(s, u)) / determinant;
      const along = dot(v, cross(s, u)) / determinant;
      if (x >= 0 && y >= 0 && x + y <= 1 && along >= 0) first = Math.min(first, along);
    }
  }
  return first;
}

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  /** Bodies that have fallen on the floor, bent and turned. */
  async function fallen() {
    const world = await worldOn(backend);
    world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0 });
    world.add(ring, { position: [0, 1.5, 0], spin: [3, 1, 0] });
    world.add(ball, { position: [3, 1, 0], velocity: [0, -5, 0], group: 2 });
    for (let step = 0; step < 80; step++) world.step();
    return world;
  }

  it('rays hit what is first of all triangles, and move with the bodies', async () => {
    const world = await fallen();
    const random = seededRandom(4);
    let hits = 0;
    for (let n = 0; n < 200; n++) {
      if (n % 50 === 0) world.step();
      const origin: Vec3 = [6 * random() - 2, 3 * random(), 4 * random() - 2];
      const aim: Vec3 = [4 * random() - 1, random(), random() - 0.5];
      const direction = scale(subtract(aim, origin), 1 / distance(aim, origin));
      const hit = world.raycast(origin, scale(direction, 3));
      const expected = firstHit(world.bodies, origin, direction);
      if (!hit) {
        expect(expected).toBe(Infinity);
        continue;
      }
      hits++;
      // Two ways of rounding a distance of a few metres, divided by the cosine of a grazing ray.
      expect(Math.abs(hit.distance - expected)).toBeLessThan(1e-9);
      expect(distance(hit.point, add(origin, scale(direction, hit.distance)))).toBeLessThan(1e-9);
      expect(Math.abs(length(hit.normal) - 1)).toBeLessThan(1e-12);
      const corners = [0, 1, 2].map((c) => pointAt(hit.body.positions, hit.body.mesh.triangles[3 * hit.triangle + c]));
      const point = corners.reduce((sum, corner, c) => add(sum, scale(corner, hit.barycentrics[c])), [0, 0, 0] as Vec3);
      expect(distance(point, hit.point)).toBeLessThan(1e-9);
    }
    expect(hits).toBeGreaterThan(50);
  });

  it('rays end at maxDistance and pass by groups that are not asked for', async () => {
    const world = await fallen();
    const origin: Vec3 = [3, 5, 0];
    const down: Vec3 = [0, -1, 0];
    const hit = world.raycast(origin, down);
    expect(hit?.body).toBe(world.bodies[1]);
    expect(hit?.normal[1]).toBeGreaterThan(0.9);
    expect(world.raycast(origin, down, { groups: 1 })).toBeNull();
    expect(world.raycast(origin, down, { groups: 2 })?.distance).toBe(hit?.distance);
    expect(world.raycast(origin, down, { maxDistance: 3 })).toBeNull();
  });

  it('nearest points are no farther than any vertex, and on the surface', async () => {
    const world = await fallen();
    const random = seededRandom(5);
    for (let n = 0; n < 100; n++) {
      const point: Vec3 = [6 * random() - 2, 3 * random(), 4 * random() - 2];
      const hit = world.closestPoint(point);
      if (!hit) throw new Error('there are bodies');
      expect(Math.abs(distance(point, hit.point) - hit.distance)).toBeLessThan(1e-12);
      for (const body of world.bodies) {
        const own = body.closestPoint(point);
        expect(own?.distance).toBeGreaterThanOrEqual(hit.distance);
        if (body === hit.body) expect(own?.distance).toBe(hit.distance);
        for (let i = 0; i < body.particleCount; i++) {
          expect(distance(point, pointAt(body.positions, i))).toBeGreaterThanOrEqual(hit.distance);
        }
      }
    }
    expect(world.closestPoint([0, 50, 0], { maxDistance: 10 })).toBeNull();
  });

  it('know what was moved by hand', async () => {
    const world = await worldOn(backend, { gravity: [0, 0, 0] });
    const body = world.add(ball);
    expect(world.raycast([0, 5, 0], [0, -1, 0])?.distance).toBeGreaterThan(4.4);
    for (let k = 1; k < body.positions.length; k += 3) body.positions[k] += 2;
    body.changed();
    // The ball's top is a vertex or an edge of the mesh: at most its 0.5 m, at least 0.45.
    expect(Math.abs((world.raycast([0, 5, 0], [0, -1, 0])?.distance ?? 0) - 2.5)).toBeLessThan(0.05);
  });

  it('refuse what is no ray and no point', async () => {
    const world = await worldOn(backend);
    expect(() => world.raycast([0, 0, 0], [0, 0, 0])).toThrow('direction: expected a length above 0, got 0');
    expect(() => world.raycast([Number.NaN, 0, 0], [1, 0, 0])).toThrow('origin: expected 3 finite numbers');
    expect(() => world.closestPoint([0, 0, 0], { maxDistance: -1 })).toThrow('maxDistance: expected a number from 0');
    expect(world.raycast([0, 0, 0], [1, 0, 0])).toBeNull();
  });
});
