// The forms of a cut in a world: what a blade sweeps, patches of triangles, and strokes that sever while they go; and what of them
// is refused or changes nothing.

import { describe, expect, it } from 'vitest';
import { type Body, box, icosphere, octree, prepare, surface, type Vec3 } from '../../../src/index.js';
import { BOTH_BACKENDS, worldOn } from '../../both-backends.js';

const soft = prepare(box({ divisions: 5 }), octree({ cells: 3, levels: 1 }));

const volumesOf = (body: Body): number[] => body.parts.map(({ restVolume }) => restVolume).sort((a, b) => a - b);

/** Each part has its own volume, and together they have the cube's. */
function expectParts(body: Body, volumes: readonly number[], tolerance: number): void {
  const found = volumesOf(body);
  expect(found.length).toBe(volumes.length);
  found.forEach((volume, n) => {
    expect(Math.abs(volume - volumes[n])).toBeLessThan(tolerance);
  });
  expect(Math.abs(found.reduce((sum, volume) => sum + volume, 0) - 1)).toBeLessThan(1e-12);
}

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  it('a straight sweep is a plane cut, and a bent one follows its blade', async () => {
    const world = await worldOn(backend, { gravity: [0, 0, 0] });
    const [straight, bent] = [world.add(soft), world.add(soft, { position: [3, 0, 0] })];
    const blade: Vec3 = [0, 2, 0];
    straight.cut({
      path: [
        [0.13, -1, -1],
        [0.13, -1, 1],
      ],
      blade,
    });
    bent.cut({
      path: [
        [3.1, -1, -1],
        [3.1, -1, 0],
        [3.35, -1, 1],
      ],
      blade,
    });
    for (let n = 0; n < 10; n++) world.step();
    expectParts(straight, [0.37, 0.63], 1e-6);
    // Right of the bent blade: 0.4 up to the bend at z = 0, then narrowing by z/4; the surface's triangles cut the corner by ½ %.
    expectParts(bent, [0.4 - 0.5 * 0.25 * 0.25, 0.6 + 0.5 * 0.25 * 0.25], 5e-3);
  });

  it('a patch of triangles cuts as far as it goes', async () => {
    const world = await worldOn(backend, { gravity: [0, 0, 0] });
    const [apart, slit] = [world.add(soft), world.add(soft, { position: [3, 0, 0] })];
    const square = (at: number, low: number) => ({
      positions: [at, low, -1, at, 1, -1, at, 1, 1, at, low, 1],
      triangles: [0, 1, 2, 0, 2, 3],
    });
    apart.cut({ triangles: square(0.07, -1) });
    slit.cut({ triangles: square(3.07, 0.1) });
    for (let n = 0; n < 10; n++) world.step();
    expectParts(apart, [0.43, 0.57], 1e-6);
    expectParts(slit, [1], 1e-6);
    expect(slit.topologyVersion).toBe(1);
    expect(Math.abs(slit.volume() / slit.restVolume - 1)).toBeLessThan(1e-6);
  });

  it('a stroke severs while it goes and cuts the surface once at its end, of a body in flight', async () => {
    const world = await worldOn(backend, { gravity: [0, 0, 0] });
    const body = world.add(soft, { velocity: [0, 0, 1], spin: [0, 0, 0.5] });
    const [mass, momentum] = [body.mass, body.momentum()];
    const stroke = body.beginCut();
    expect(() => body.beginCut()).toThrow('beginCut: expected one stroke at a time');
    for (let n = 0; n <= 12; n++) {
      const [, , z] = body.centreOfMass();
      stroke.moveTo([0.1, 0, z - 0.8 + (1.6 * n) / 12], [0, -1, 0]);
      world.step();
      expect(body.topologyVersion).toBe(0);
    }
    stroke.end();
    expect(stroke.active).toBe(false);
    expect(() => stroke.moveTo([0, 0, 0], [0, 1, 0])).toThrow('moveTo: expected a stroke that goes on');
    for (let n = 0; n < 20; n++) world.step();
    expect(body.topologyVersion).toBe(1);
    // It turned by 1.7 degrees while it was cut.
    expectParts(body, [0.4, 0.6], 0.02);
    expect(Math.abs(body.mass / mass - 1)).toBeLessThan(1e-12);
    body.momentum().forEach((p, c) => {
      expect(Math.abs(p - momentum[c]) / mass).toBeLessThan(backend === 'wasm' ? 1e-5 : 1e-9);
    });
    for (const part of body.parts) expect(Math.abs(part.volume() / part.restVolume - 1)).toBeLessThan(1e-5);
    // Another one may follow.
    body.beginCut({ depth: 0.1 }).end();
  });

  it('strokes beside the body, without a way, and there and back change nothing or cut once', async () => {
    const world = await worldOn(backend, { gravity: [0, 0, 0] });
    const body = world.add(soft);
    const stroke = (points: readonly Vec3[], depth = Infinity): void => {
      const one = body.beginCut({ depth });
      for (const point of points) {
        one.moveTo(point, [0, -1, 0]);
        world.step();
      }
      one.end();
      for (let n = 0; n < 3; n++) world.step();
    };
    stroke([]);
    stroke([[0, 0, 0]]);
    stroke([
      [0, 0, 0],
      [0, 0, 0],
    ]);
    stroke([
      [5, 0, -1],
      [5, 0, 1],
    ]);
    expect(body.topologyVersion).toBe(0);
    // From above, a quarter deep.
    stroke(
      [
        [0.1, 0.5, -0.7],
        [0.1, 0.5, 0.7],
        [0.1, 0.5, -0.6],
      ],
      0.25,
    );
    expect(body.topologyVersion).toBeGreaterThan(0);
    expectParts(body, [1], 1e-12);
    expect([...body.positions].every(Number.isFinite)).toBe(true);
  });
});

it('what cannot be cut along says so', async () => {
  const world = await worldOn('reference');
  const body = world.add(soft);
  const [path, blade] = [
    [
      [0, 0, 0],
      [1, 0, 0],
    ] as Vec3[],
    [0, 1, 0] as Vec3,
  ];
  const cut = (options: unknown) => () => body.cut(options as never);
  expect(cut({ path: [[0, 0, 0]], blade })).toThrow('path: expected two points or more, got 1');
  expect(cut({ path: [path[0], path[0]], blade })).toThrow('path: expected two different points or more');
  expect(cut({ path, blade: [0, 0, 0] })).toThrow('blade: expected a direction, got one of length 0');
  expect(cut({ path, blade: [blade] })).toThrow('blade: expected one, or one for each of 2 points, got 1');
  expect(
    cut({
      path: [
        [0, 0, 0],
        [Number.NaN, 0, 0],
      ],
      blade,
    }),
  ).toThrow('path[1]: expected 3 finite');
  expect(cut({ path, blade: [0, Number.NaN, 0] })).toThrow('blade: expected 3 finite');
  expect(cut({ path, blade, plane: {} })).toThrow('got plane and path');
  const plane = { point: [0, 0, 0], normal: [1, 0, 0] };
  expect(cut({ plane: { ...plane, point: [0, Number.NaN, 0] } })).toThrow('plane.point: expected 3 finite');
  expect(cut({ plane: { ...plane, normal: [0, 0, 0] } })).toThrow('plane.normal: expected a direction');
  expect(cut({ plane, within: Number.NaN })).toThrow('within: expected a distance above 0');
  expect(cut(undefined)).toThrow('cut: expected one of plane, path and triangles');
  expect(cut({ plane_: {} })).toThrow('did you mean');
  expect(cut({ path, blade, depth: 1 })).toThrow('depth');
  const triangle = { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], triangles: [0, 1, 2] };
  expect(cut({ triangles: { ...triangle, triangles: [0, 1, 3] } })).toThrow('expected vertices from 0 to 2, got 3');
  expect(cut({ triangles: { ...triangle, triangles: [] } })).toThrow('triangles: expected { positions, triangles }');
  expect(cut({ triangles: { ...triangle, triangles: [0, 1, 2, 0, 1, 2] } })).toThrow('two at most at an edge');
  expect(cut({ triangles: icosphere({ detail: 0 }) })).toThrow('triangles: expected one piece without holes');
  expect(() => body.beginCut({ depth: -1 })).toThrow('depth: expected a distance above 0, got -1');
  const stiff = world.add(prepare(box(), surface()));
  expect(() => stiff.cut({ path, blade })).toThrow(
    'cut: expected a body of a solver that can be cut, got one of surface',
  );
  expect(() => stiff.beginCut()).toThrow('beginCut: expected a body of a solver that can be cut, got one of surface');
  const stroke = body.beginCut();
  expect(() => stroke.moveTo([0, Number.NaN, 0], [0, 1, 0])).toThrow('point: expected 3 finite');
  expect(() => stroke.moveTo([0, 0, 0], [0, 0, 0])).toThrow('direction: expected a direction');
});
