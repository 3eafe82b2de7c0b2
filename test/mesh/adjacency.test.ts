import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/math/random.js';
import { buildAdjacency } from '../../src/mesh/adjacency.js';
import { cube, gridTorus, meshOf, triples } from './sample-meshes.js';

/** The same lists by sets and strings: slow, but plain to see. */
function bruteForce(triangles: ArrayLike<number>, vertexCount: number) {
  const neighbours = Array.from({ length: vertexCount }, () => new Set<number>());
  const vertexTriangles = Array.from({ length: vertexCount }, () => new Set<number>());
  const edges = new Map<string, { triangle: number; direction: number }[]>();
  triples(triangles).forEach((corners, t) => {
    if (corners.some((v) => v >= vertexCount) || new Set(corners).size < 3) return;
    corners.forEach((a, k) => {
      const b = corners[(k + 1) % 3];
      vertexTriangles[a].add(t);
      neighbours[a].add(b);
      neighbours[b].add(a);
      const key = a < b ? `${a}-${b}` : `${b}-${a}`;
      edges.set(key, [...(edges.get(key) ?? []), { triangle: t, direction: a < b ? 1 : -1 }]);
    });
  });
  return { neighbours, vertexTriangles, edges };
}

function compare(positions: number, triangles: Uint32Array) {
  const mesh = { positions: new Float64Array(3 * positions), triangles };
  const a = buildAdjacency(mesh);
  const expected = bruteForce(triangles, positions);
  for (let v = 0; v < positions; v++) {
    const list = [...a.neighbours.subarray(a.neighbourOffsets[v], a.neighbourOffsets[v + 1])];
    expect(list).toEqual([...expected.neighbours[v]].sort((x, y) => x - y));
    const at = [...a.vertexTriangles.subarray(a.vertexTriangleOffsets[v], a.vertexTriangleOffsets[v + 1])];
    expect(at).toEqual([...expected.vertexTriangles[v]].sort((x, y) => x - y));
  }
  expect(a.edgeCount).toBe(expected.edges.size);
  for (let e = 0; e < a.edgeCount; e++) {
    const found = [];
    for (let i = a.edgeTriangleOffsets[e]; i < a.edgeTriangleOffsets[e + 1]; i++) {
      found.push({ triangle: a.edgeTriangles[i], direction: a.edgeDirections[i] });
    }
    expect(found).toEqual(expected.edges.get(`${a.edgeVertices[2 * e]}-${a.edgeVertices[2 * e + 1]}`));
  }
}

describe('buildAdjacency', () => {
  it('lists a cube: 18 edges with two triangles each', () => {
    const a = buildAdjacency(cube());
    expect(a.edgeCount).toBe(18);
    for (let e = 0; e < 18; e++) expect(a.edgeTriangleOffsets[e + 1] - a.edgeTriangleOffsets[e]).toBe(2);
  });

  it('agrees with plain sets on random triangles, most of them non-manifold, some degenerate or out of range', () => {
    const random = seededRandom(7);
    for (let round = 0; round < 50; round++) {
      const vertices = 1 + Math.floor(random() * 12);
      const triangles = Uint32Array.from({ length: 3 * Math.floor(random() * 40) }, () => random() * (vertices + 0.3));
      compare(vertices, triangles);
    }
  });

  it('takes an empty mesh', () => {
    expect(buildAdjacency(meshOf([], [])).edgeCount).toBe(0);
    expect([...buildAdjacency(meshOf([0, 0, 0], [])).neighbourOffsets]).toEqual([0, 0]);
  });

  it('is linear with one vertex in every triangle', () => {
    // A comparison sort per vertex would be fine here, an insertion sort would take hours: the bound only tells these apart.
    const count = 300_000;
    const triangles = new Uint32Array(3 * count);
    for (let t = 0; t < count; t++) triangles.set([0, 1 + ((t * 7919) % count), 1 + ((t * 104729 + 1) % count)], 3 * t);
    const start = performance.now();
    const a = buildAdjacency({ positions: new Float64Array(3 * (count + 1)), triangles });
    expect(performance.now() - start).toBeLessThan(20_000);
    expect(a.neighbourOffsets[1]).toBe(count);
  });

  it('counts a torus of a quarter million vertices', () => {
    const a = buildAdjacency(gridTorus(500, 500));
    expect(a.edgeCount).toBe(3 * 250_000);
    expect(a.neighbours.length).toBe(6 * 250_000);
  });
});
