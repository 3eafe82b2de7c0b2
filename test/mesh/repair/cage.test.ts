// Cages and simplified meshes: closed, sound, near what they stand for, by closed forms of volumes and distances.

import { describe, expect, it } from 'vitest';
import { box, icosphere } from '../../../src/mesh/generate/index.js';
import { measure } from '../../../src/mesh/measure.js';
import { measureDeviation } from '../../../src/mesh/repair/deviation.js';
import { makeSimulatable, type SimulatableOptions } from '../../../src/mesh/repair/make-simulatable.js';
import { RepairError } from '../../../src/mesh/repair/repair-report.js';
import type { TriangleMesh } from '../../../src/mesh/triangle-mesh.js';
import { validate } from '../../../src/mesh/validate.js';
import { combine, cube, gridTorus, meshOf, moved } from '../sample-meshes.js';

const fineBall = icosphere({ detail: 4 });

/** Keeps the triangles whose middle passes. */
function cut(mesh: TriangleMesh, keep: (x: number, y: number, z: number) => boolean): TriangleMesh {
  const kept: number[] = [];
  for (let i = 0; i < mesh.triangles.length; i += 3) {
    const t = [...mesh.triangles.subarray(i, i + 3)];
    const [x, y, z] = [0, 1, 2].map((k) => t.reduce((sum, v) => sum + mesh.positions[3 * v + k] / 3, 0));
    if (keep(x, y, z)) kept.push(...t);
  }
  return { positions: mesh.positions, triangles: Uint32Array.from(kept) };
}

/** Smallest angle [degrees], and longest edge over shortest. */
function quality({ positions, triangles }: TriangleMesh) {
  let [angle, shortest, longest] = [180, Infinity, 0];
  for (let i = 0; i < triangles.length; i += 3) {
    const p = [0, 1, 2].map((k) => positions.subarray(3 * triangles[i + k], 3 * triangles[i + k] + 3));
    const sides = [0, 1, 2].map((k) => Math.hypot(...[0, 1, 2].map((j) => p[(k + 1) % 3][j] - p[k][j])));
    for (let k = 0; k < 3; k++) {
      const [a, b, c] = [sides[k], sides[(k + 1) % 3], sides[(k + 2) % 3]];
      angle = Math.min(angle, (Math.acos((a * a + b * b - c * c) / (2 * a * b)) * 180) / Math.PI);
    }
    shortest = Math.min(shortest, ...sides);
    longest = Math.max(longest, ...sides);
  }
  return { angle, ratio: longest / shortest };
}

/** One sound body of about the wanted number of vertices, with triangles fit for simulation. */
async function makeOne(mesh: TriangleMesh, options: SimulatableOptions & { vertices: number }, origin: string) {
  const result = await makeSimulatable(mesh, options);
  expect(result.bodies.length).toBe(1);
  const [body] = result.bodies;
  expect(body.origin).toBe(origin);
  expect(validate(body.mesh)).toEqual({ simulatable: true, problems: [], warnings: [] });
  const count = body.mesh.positions.length / 3;
  // Mending what the simplifier leaves costs or saves a few percent.
  expect(Math.abs(count / options.vertices - 1)).toBeLessThan(0.12);
  const { angle, ratio } = quality(body.mesh);
  // The worst are at the thin neck between two balls; elsewhere it is 20° and 5.
  expect(angle).toBeGreaterThan(5);
  expect(ratio).toBeLessThan(20);
  return { ...body, steps: result.steps, measures: measure(body.mesh) };
}

const VERTICES = 500;

describe('cages', () => {
  it('span a large hole', async () => {
    const open = cut(fineBall, (_, y) => y < 0.6);
    const { measures, deviation, mesh } = await makeOne(open, { vertices: VERTICES }, 'cage');
    // A ball without its cap of height 0.4, π h² (3 − h)/3; the winding number's lid bulges by less than the cap.
    const cap = (Math.PI * 0.4 ** 2 * (3 - 0.4)) / 3;
    const full = (4 / 3) * Math.PI;
    expect(measures.volume).toBeGreaterThan(0.97 * (full - cap));
    expect(measures.volume).toBeLessThan(1.01 * full);
    expect(measures.genus).toBe(0);
    // Away from the hole it follows the ball to a tenth of an edge, which is some 0.17 here.
    for (let i = 0; i < mesh.positions.length; i += 3) {
      const [x, y, z] = mesh.positions.subarray(i, i + 3);
      if (y < 0.3) expect(Math.abs(Math.hypot(x, y, z) - 1)).toBeLessThan(0.02);
    }
    expect(deviation?.lostShare).toBe(0);
    expect(deviation?.outside).toBeLessThan(0.1);
  });

  it('unite bodies that overlap', async () => {
    const two = combine(fineBall, moved(fineBall, [1.2, 0, 0]));
    const { measures } = await makeOne(two, { vertices: VERTICES }, 'cage');
    // Two balls at distance d share the lens π (4 + d)(2 − d)²/12; the crease between them is smoothed.
    const volume = (8 / 3) * Math.PI - (Math.PI * (4 + 1.2) * (2 - 1.2) ** 2) / 12;
    expect(Math.abs(measures.volume / volume - 1)).toBeLessThan(0.02);
  });

  it('give a sheet two sides', async () => {
    const sheet = meshOf([0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1], [0, 2, 1, 0, 3, 2]);
    const { measures, steps, deviation } = await makeOne(sheet, { vertices: VERTICES }, 'cage');
    const [low, high] = measures.bounds;
    // Edges of equilateral triangles over both sides, 2 m² of them; 0.4 of an edge on either side.
    const offset = 0.4 * Math.sqrt(2 / (0.866 * VERTICES));
    // Its rims are rounded, and the volume that takes is given back all over.
    expect((high[1] - low[1]) / (2 * offset)).toBeGreaterThan(0.9);
    expect((high[1] - low[1]) / (2 * offset)).toBeLessThan(1.4);
    expect(high[0] - low[0]).toBeGreaterThan(1);
    expect(deviation?.apart).toBeLessThan(1.5 * offset);
    expect(steps.map(({ code }) => code)).toContain('thickened-parts');
  });

  it('keep thin parts of a body', async () => {
    // A ball with a spike of a hundredth of its size, open where they meet.
    const spike = cut(box({ size: [2, 0.02, 0.02], divisions: [40, 1, 1] }), (x) => x > -0.95);
    const body = combine(
      cut(fineBall, (x) => x < 0.97),
      moved(spike, [1.9, 0, 0]),
    );
    const { measures, deviation } = await makeOne(body, { vertices: VERTICES }, 'cage');
    expect(measures.bounds[1][0]).toBeGreaterThan(2.8);
    expect(deviation?.lostShare).toBe(0);
  });

  it('follow the rims of boxes', async () => {
    const crossed = combine(
      box({ size: [1, 1, 1], divisions: 1 }),
      moved(box({ size: [1, 1, 1], divisions: 1 }), [0.6, 0.6, 0]),
    );
    const { measures, deviation } = await makeOne(crossed, { vertices: VERTICES }, 'cage');
    // Two cubes less what they share, of 0.4 × 0.4; a rim that is cut off by a third of an edge costs 1 %.
    expect(Math.abs(measures.volume / (2 - 0.16) - 1)).toBeLessThan(0.01);
    // An edge is 0.13 m: nothing is farther away than a fifth of it.
    expect(Math.max(deviation?.outside ?? 1, deviation?.apart ?? 1)).toBeLessThan(0.026);
  });

  it('give a one-sided strip two sides, and leave its hole open', async () => {
    const [around, across] = [60, 4];
    const points: number[] = [];
    const triangles: number[] = [];
    const at = (i: number, j: number) => (i < around ? i * (across + 1) + j : across - j);
    for (let i = 0; i < around; i++) {
      const turn = (2 * Math.PI * i) / around;
      for (let j = 0; j <= across; j++) {
        const w = 0.6 * (j / across - 0.5);
        const r = 1 + w * Math.cos(turn / 2);
        points.push(r * Math.cos(turn), w * Math.sin(turn / 2), r * Math.sin(turn));
      }
      for (let j = 0; j < across; j++) {
        triangles.push(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j), at(i + 1, j + 1), at(i, j + 1));
      }
    }
    const { measures, deviation, steps } = await makeOne(meshOf(points, triangles), { vertices: VERTICES }, 'cage');
    expect(measures.genus).toBe(1);
    expect(steps.map(({ code }) => code)).toEqual(['covered-rims', 'covered-sheets', 'built-cage', 'thickened-parts']);
    // Everywhere as far from the strip as it is thickened, 0.4 edges of 0.13 m, but for the corners of its rim.
    expect(deviation?.apart).toBeLessThan(1.5 * 0.4 * 0.13);
  });

  it('share their vertices among parts, and refuse too many', async () => {
    const leaf = (n: number) => meshOf([n, 0, 0, n + 0.5, 0, 0, n, 0.5, 0], [0, 1, 2]);
    let leaves = leaf(0);
    for (let n = 1; n < 3; n++) leaves = combine(leaves, leaf(n));
    const { bodies, steps } = await makeSimulatable(leaves, { parts: 'separate' });
    expect(bodies.map(({ mesh }) => Math.round(mesh.positions.length / 1000))).toEqual([1, 1, 1]);
    expect(steps.filter(({ code }) => code === 'built-cage').map(({ body }) => body)).toEqual([0, 1, 2]);
    for (let n = 3; n < 251; n++) leaves = combine(leaves, leaf(n));
    const refusal = await makeSimulatable(leaves, { parts: 'separate' }).catch((problem) => problem);
    expect(refusal).toMatchObject({ reason: 'many-parts', message: 'it is 251 parts, more than 250 bodies' });
  });

  it('join parts over a small gap, and refuse parts far apart', async () => {
    const ball = icosphere({ detail: 2 });
    const gap = combine(ball, moved(ball, [2.4, 0, 0]));
    const { steps } = await makeOne(gap, { vertices: VERTICES }, 'cage');
    expect(steps.map(({ code }) => code)).toContain('joined-parts');
    const far = combine(ball, moved(ball, [5, 0, 0]));
    const refusal = await makeSimulatable(far).catch((problem) => problem);
    expect(refusal).toBeInstanceOf(RepairError);
    expect(refusal).toMatchObject({
      reason: 'parts-apart',
      message: 'it is 2 parts that are too far apart to be one body',
    });
  });

  it('are the same bits every time, and at every scale', async () => {
    const input = cut(icosphere({ detail: 3 }), (_, y) => y < 0.5);
    const [first] = (await makeSimulatable(input, { vertices: 200 })).bodies;
    const [again] = (await makeSimulatable(structuredClone(input), { vertices: 200 })).bodies;
    expect(again.mesh).toEqual(first.mesh);
    // Powers of two scale without rounding.
    for (const factor of [2 ** 40, 2 ** -40]) {
      const scaled = { ...input, positions: input.positions.map((value) => factor * value) };
      const [{ mesh }] = (await makeSimulatable(scaled, { vertices: 200 })).bodies;
      expect(mesh.triangles).toEqual(first.mesh.triangles);
      expect(mesh.positions).toEqual(first.mesh.positions.map((value) => factor * value));
    }
  });
});

describe('simplified and refined meshes', () => {
  it('have the wanted vertices, the genus and the volume', async () => {
    const torus = gridTorus(80, 40);
    const { measures, deviation } = await makeOne(torus, { vertices: VERTICES }, 'simplified');
    expect(measures.genus).toBe(1);
    expect(Math.abs(measures.volume / measure(torus).volume - 1)).toBeLessThan(0.01);
    // Edges of √(39.5 m²/(0.866·500)) = 0.3 m in a tube of radius 0.5 m: chords are off by 0.3²/(8·0.5) = 0.023 m, shared
    // by both sides as the volume is kept, and twice that at the widest triangles.
    expect(deviation?.apart).toBeLessThan(0.05);
    expect(deviation?.outside).toBeLessThan(0.05);
  });

  it('have the same surface where vertices are added, and the old ones first', async () => {
    const { mesh, vertexMap, measures } = await makeOne(cube(), { vertices: VERTICES }, 'refined');
    expect(mesh.positions.subarray(0, 24)).toEqual(cube().positions);
    expect(vertexMap).toEqual(Uint32Array.from({ length: 8 }, (_, v) => v));
    // Halving edges of a unit cube rounds nothing.
    expect(measures.volume).toBe(1);
    expect(measures.area).toBe(6);
  });

  it('share the vertices among parts by area', async () => {
    const parts = combine(fineBall, moved({ ...fineBall, positions: fineBall.positions.map((x) => x / 2) }, [4, 0, 0]));
    const { bodies } = await makeSimulatable(parts, { vertices: 1000, parts: 'separate' });
    // 4 : 1.
    expect(bodies.map(({ mesh }) => Math.round(mesh.positions.length / 30))).toEqual([80, 20]);
  });
});

describe('deviation', () => {
  it('is the distance between concentric balls', () => {
    const larger = { ...fineBall, positions: fineBall.positions.map((x) => 1.1 * x) };
    // Facets lie below the ball by up to 0.0013 of the radius at this detail.
    const inner = measureDeviation(fineBall, larger, 0.05);
    expect(inner.outside).toBe(0);
    expect(inner.lostShare).toBe(0);
    for (const value of [inner.apart, inner.mean]) expect(Math.abs(value - 0.1)).toBeLessThan(0.002);
    const outer = measureDeviation(larger, fineBall, 0.05);
    expect(Math.abs(outer.outside - 0.1)).toBeLessThan(0.002);
    expect(Math.abs(outer.lostShare - 1)).toBeLessThan(1e-9);
  });
});

describe('refusals', () => {
  it.each<[string, TriangleMesh, string]>([
    ['nothing', meshOf([], []), 'empty'],
    ['only broken triangles', meshOf([0, 0, 0, 1, 0, 0], [0, 0, 1, 0, 1, 2]), 'empty'],
    ['only NaN', meshOf(new Array(9).fill(Number.NaN), [0, 1, 2]), 'empty'],
    ['a line', meshOf([0, 0, 0, 1, 1, 1, 3, 3, 3], [0, 1, 2]), 'no-area'],
    ['a point', meshOf(new Array(9).fill(4), [0, 1, 2]), 'no-area'],
  ])('names the reason for %s', async (_, mesh, reason) => {
    const refusal = await makeSimulatable(mesh).catch((problem) => problem);
    expect(refusal).toBeInstanceOf(RepairError);
    expect(refusal.reason).toBe(reason);
    expect(refusal.message).toMatch(/^it[s ]/);
  });

  it.each([
    [{ vertices: 10 }, 'vertices must be a whole number from 50 to 200000, got 10'],
    [{ vertices: 100.5 }, 'vertices must be a whole number'],
    [{ parts: 'some' as never }, "parts must be 'joined' or 'separate', got some"],
    [{ weldTolerance: -1 }, 'weldTolerance must be a number from 0 to 1'],
  ])('%j', async (options, message) => {
    await expect(makeSimulatable(cube(), options)).rejects.toThrow(message);
    await expect(makeSimulatable(cube(), options)).rejects.toThrow(RangeError);
  });
});
