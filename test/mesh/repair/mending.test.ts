// The steps that mend a mesh without moving a vertex, one by one, on meshes broken in one way each.

import { describe, expect, it } from 'vitest';
import { box, icosphere } from '../../../src/mesh/generate/index.js';
import { measure } from '../../../src/mesh/measure.js';
import { makeSimulatable, type Simulatable } from '../../../src/mesh/repair/make-simulatable.js';
import type { TriangleMesh } from '../../../src/mesh/triangle-mesh.js';
import { validate } from '../../../src/mesh/validate.js';
import { NO_VERTEX } from '../../../src/mesh/weld.js';
import { combine, cube, flipped, gridTorus, meshOf, moved, soup, tetrahedron } from '../sample-meshes.js';

const counts = ({ steps }: Simulatable) => Object.fromEntries(steps.map(({ code, count }) => [code, count]));

/** One body with the surface of the input: every mapped vertex is where it was, to the bit. */
function expectSameSurface(input: TriangleMesh, result: Simulatable, volume: number): void {
  expect(result.bodies.length).toBe(1);
  const [{ mesh, vertexMap, origin }] = result.bodies;
  expect(origin).toBe('mended');
  expect(validate(mesh).problems).toEqual([]);
  // A few hundred summands.
  expect(Math.abs(measure(mesh).volume / volume - 1)).toBeLessThan(1e-12);
  expect(vertexMap?.length).toBe(input.positions.length / 3);
  vertexMap?.forEach((vertex, v) => {
    if (vertex === NO_VERTEX) return;
    expect([...mesh.positions.subarray(3 * vertex, 3 * vertex + 3)]).toEqual([
      ...input.positions.subarray(3 * v, 3 * v + 3),
    ]);
  });
}

const ball = icosphere({ detail: 2 });
const ballVolume = measure(ball).volume;
const withTriangles = (mesh: TriangleMesh, triangles: readonly number[]): TriangleMesh => ({
  positions: mesh.positions,
  triangles: Uint32Array.from(triangles),
});

describe('makeSimulatable', () => {
  it('hands a sound mesh on as it is, with its own arrays', async () => {
    for (const mesh of [ball, gridTorus(12, 8), box({ divisions: 3 })]) {
      const result = await makeSimulatable(mesh);
      expect(result.steps).toEqual([]);
      expect(result.bodies[0].origin).toBe('unchanged');
      expect(result.bodies[0].mesh.positions).toBe(mesh.positions);
      expect(result.bodies[0].mesh.triangles).toBe(mesh.triangles);
      expect(result.bodies[0].vertexMap).toEqual(Uint32Array.from({ length: mesh.positions.length / 3 }, (_, v) => v));
      expect([...new Set(result.bodyOfVertex)]).toEqual([0]);
    }
  });

  it('welds seams', async () => {
    const input = soup(ball);
    const result = await makeSimulatable(input);
    expectSameSurface(input, result, ballVolume);
    expect(counts(result)).toEqual({ 'merged-vertices': (input.positions.length - ball.positions.length) / 3 });
  });

  it('drops triangles with repeated, missing and non-finite corners, and loose vertices', async () => {
    const positions = [...ball.positions, 7, 7, 7, Number.NaN, 0, 0, 1, Infinity, 1];
    const count = ball.positions.length / 3;
    const broken = [1, 1, 2, 0, 1, 5000, 0, 1, count + 1, 0, 1, count + 2];
    const input = meshOf(positions, [...ball.triangles, ...broken]);
    const result = await makeSimulatable(input);
    expectSameSurface(input, result, ballVolume);
    expect(counts(result)).toEqual({ 'dropped-broken': 4, 'dropped-loose': 3 });
    expect(result.bodies[0].vertexMap?.[count]).toBe(NO_VERTEX);
  });

  it('drops copies of triangles, and one side of a surface drawn from both', async () => {
    const twice = withTriangles(ball, [...ball.triangles, ...ball.triangles.subarray(0, 30)]);
    const result = await makeSimulatable(twice);
    expectSameSurface(twice, result, ballVolume);
    expect(counts(result)).toEqual({ 'dropped-duplicates': 10 });
    const both = withTriangles(ball, [...ball.triangles, ...flipped(ball).triangles]);
    expectSameSurface(both, await makeSimulatable(both), ballVolume);
  });

  it('drops the wall between two rooms', async () => {
    // Two cubes that share the corners of a face, which is drawn from both sides.
    const shared = new Map([
      [0, 1],
      [2, 3],
      [4, 5],
      [6, 7],
    ]);
    const both = combine(cube(), moved(cube(), [1, 0, 0]));
    const input = withTriangles(
      both,
      [...both.triangles].map((v) => (v < 8 ? v : (shared.get(v - 8) ?? v))),
    );
    const result = await makeSimulatable(input);
    expect(counts(result)).toEqual({ 'dropped-loose': 4, 'dropped-walls': 4 });
    expectSameSurface(input, result, 2);
  });

  it('turns triangles, single ones and the whole', async () => {
    const some = ball.triangles.slice();
    for (const t of [3, 40, 41, 200]) [some[3 * t], some[3 * t + 1]] = [some[3 * t + 1], some[3 * t]];
    const input = withTriangles(ball, [...some]);
    const result = await makeSimulatable(input);
    expectSameSurface(input, result, ballVolume);
    expect(counts(result)).toEqual({ 'turned-triangles': 4 });
    const inverse = await makeSimulatable(flipped(ball));
    expectSameSurface(ball, inverse, ballVolume);
    expect(counts(inverse)).toEqual({ 'turned-triangles': ball.triangles.length / 3 });
  });

  it('mends triangles without area', async () => {
    // A cube, one edge of which has a corner more that only one of its two faces knows.
    const { positions, triangles } = cube();
    const middle = [0.5, 0, 0];
    // Faces along the edge 0–1: one is cut at the middle, the flat triangle 0, 1, 8 fills the slit to the other.
    const edited: number[] = [];
    let isCut = false;
    for (let i = 0; i < triangles.length; i += 3) {
      const t = [...triangles.subarray(i, i + 3)];
      const k = [0, 1, 2].find((j) => t[j] === 0 && t[(j + 1) % 3] === 1);
      if (k === undefined || isCut) edited.push(...t);
      else {
        isCut = true;
        const apex = t[(k + 2) % 3];
        edited.push(0, 8, apex, 8, 1, apex, 0, 1, 8);
      }
    }
    const input = meshOf([...positions, ...middle], edited);
    expect(validate(input).problems.map(({ code }) => code)).toEqual(['degenerate-triangle']);
    const result = await makeSimulatable(input);
    expectSameSurface(input, result, 1);
    expect(counts(result)).toEqual({ 'mended-flat': 1 });
  });

  it('fills small holes, and leaves what is around them alone', async () => {
    // Without all triangles at three vertices far from each other.
    const gone = new Set([0, 57, 130]);
    const kept: number[] = [];
    for (let i = 0; i < ball.triangles.length; i += 3) {
      const t = [...ball.triangles.subarray(i, i + 3)];
      if (!t.some((v) => gone.has(v))) kept.push(...t);
    }
    const input = withTriangles(ball, kept);
    const result = await makeSimulatable(input);
    expect(counts(result)).toMatchObject({ 'filled-holes': 3 });
    const [{ mesh, origin }] = result.bodies;
    expect(origin).toBe('mended');
    expect(validate(mesh)).toMatchObject({ simulatable: true, warnings: [] });
    expect(mesh.triangles.subarray(0, kept.length).length).toBe(kept.length);
    // Flat lids in place of three low pyramids.
    expect(Math.abs(measure(mesh).volume / ballVolume - 1)).toBeLessThan(0.02);
  });

  it('takes bodies apart that share an edge or a vertex', async () => {
    const touching = (by: number[], shared: [number, number][]) => {
      const both = combine(cube(), moved(cube(), by));
      const name = new Map(shared.map(([first, second]) => [second + 8, first]));
      return withTriangles(
        both,
        [...both.triangles].map((v) => name.get(v) ?? v),
      );
    };
    for (const input of [
      touching(
        [1, 1, 0],
        [
          [3, 0],
          [7, 4],
        ],
      ),
      touching([1, 1, 1], [[7, 0]]),
    ]) {
      const result = await makeSimulatable(input, { parts: 'separate' });
      expect(result.bodies.length).toBe(2);
      for (const { mesh } of result.bodies) {
        expect(validate(mesh).problems).toEqual([]);
        expect(measure(mesh)).toMatchObject({ vertices: 8, triangles: 12 });
      }
      // A vertex of each cube that is not shared.
      expect([result.bodyOfVertex[0], result.bodyOfVertex[15]]).toEqual([0, 1]);
    }
  });

  it('drops parts inside others, and parts that lie on them', async () => {
    const nested = combine(combine(icosphere({ detail: 1, radius: 0.4 }), ball), moved(tetrahedron(), [0.1, 0.1, 0.1]));
    // The tetrahedron stands out with its tips.
    const inside = await makeSimulatable(combine(icosphere({ detail: 1, radius: 0.4 }), ball));
    expect(counts(inside)).toEqual({ 'dropped-enclosed': 1 });
    expect(inside.bodies[0]).toMatchObject({ origin: 'mended' });
    expect(Math.abs(measure(inside.bodies[0].mesh).volume / ballVolume - 1)).toBeLessThan(1e-12);
    expect((await makeSimulatable(nested, { vertices: 200 })).bodies[0].origin).toBe('cage');
    const extraFace = withTriangles(cube(), [...cube().triangles, 0, 2, 1]);
    expectSameSurface(extraFace, await makeSimulatable(extraFace), 1);
  });

  it('keeps each part as it is where they are to be separate', async () => {
    const parts = [ball, moved(cube(), [3, 0, 0]), moved(gridTorus(10, 6), [9, 0, 0])];
    const input = soup(parts.reduce(combine));
    const { bodies, bodyOfVertex, steps } = await makeSimulatable(input, { parts: 'separate' });
    expect(bodies.map(({ mesh }) => mesh.triangles.length)).toEqual(parts.map(({ triangles }) => triangles.length));
    bodies.forEach(({ mesh, vertexMap }, b) => {
      expect(Math.abs(measure(mesh).volume / measure(parts[b]).volume - 1)).toBeLessThan(1e-12);
      bodyOfVertex.forEach((owner, v) => {
        expect(vertexMap?.[v] !== NO_VERTEX).toBe(owner === b);
      });
    });
    expect(steps.at(-1)).toEqual({ code: 'split-bodies', count: 3, message: '3 bodies, one for each part' });
  });
});
