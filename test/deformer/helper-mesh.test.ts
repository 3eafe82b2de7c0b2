// The helper mesh: it conforms, fills exactly the leaves it was cut from, and carries the surface and every affine map of it.

import { describe, expect, it } from 'vitest';
import { buildFittingHelperMesh, buildHelperMesh, type HelperMesh } from '../../src/deformer/helper-mesh.js';
import { Octree } from '../../src/deformer/octree.js';
import { seededRandom } from '../../src/math/random.js';
import { box, creature, duck, icosphere, torus } from '../../src/mesh/generate/index.js';
import { meanEdgeLength } from '../../src/mesh/measure.js';
import type { TriangleMesh } from '../../src/mesh/triangle-mesh.js';
import { inHalfSizes } from './half-sizes.js';

const tetVolume = (p: ArrayLike<number>, t: ArrayLike<number>, i: number): number => {
  const [a, b, c, d] = [0, 1, 2, 3].map((k) => 3 * t[4 * i + k]);
  const e = [b, c, d].map((q) => [p[q] - p[a], p[q + 1] - p[a + 1], p[q + 2] - p[a + 2]]);
  return (
    (e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) +
      e[0][1] * (e[1][2] * e[2][0] - e[1][0] * e[2][2]) +
      e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0])) /
    6
  );
};

/** How often each face is used, by its sorted corners. */
function countFaces({ tetrahedra: t }: HelperMesh): Map<string, number> {
  const faces = new Map<string, number>();
  for (let i = 0; i < t.length; i += 4) {
    for (let skip = 0; skip < 4; skip++) {
      const key = [0, 1, 2, 3]
        .filter((k) => k !== skip)
        .map((k) => t[i + k])
        .sort((a, b) => a - b)
        .join();
      faces.set(key, (faces.get(key) ?? 0) + 1);
    }
  }
  return faces;
}

const carried = (h: HelperMesh, x: ArrayLike<number>): Float64Array => {
  const out = new Float64Array(3 * h.carriers.length);
  for (let v = 0; v < h.carriers.length; v++) {
    for (let k = 0; k < 4; k++) {
      const corner = h.tetrahedra[4 * h.carriers[v] + k];
      for (let c = 0; c < 3; c++) out[3 * v + c] += h.weights[4 * v + k] * x[3 * corner + c];
    }
  }
  return out;
};

const bodies: [string, TriangleMesh, number][] = [
  ['sphere', icosphere({ detail: 3 }), 3],
  ['sphere, finer than it is', icosphere({ detail: 2 }), 4],
  ['box whose large triangles hold no vertex', box({ size: [2, 0.7, 1.1] }), 4],
  ['torus', torus({}), 4],
  ['duck', duck({ vertices: 700 }), 3],
  ['creature', creature({ vertices: 700 }), 4],
];

describe.each(bodies)('the helper mesh of a %s', (_, mesh, depth) => {
  const m = inHalfSizes(mesh);
  const h = buildHelperMesh(m, depth);

  it('conforms: no face is used more than twice', () => {
    expect(Math.max(...countFaces(h).values())).toBe(2);
  });

  it('fills its leaves with tetrahedra of positive volume', () => {
    let sum = 0;
    let least = Infinity;
    for (let t = 0; t < h.tetrahedra.length / 4; t++) {
      const volume = tetVolume(h.positions, h.tetrahedra, t);
      least = Math.min(least, volume);
      sum += volume;
    }
    expect(least).toBeGreaterThan(0);
    // Thousands of roundings of 1e-16.
    expect(Math.abs(sum / h.leafVolume - 1)).toBeLessThan(1e-11);
  });

  it('has at least four tetrahedra at every vertex, and no two vertices in one place', () => {
    const valence = new Uint32Array(h.positions.length / 3);
    for (const v of h.tetrahedra) valence[v]++;
    expect(Math.min(...valence)).toBeGreaterThanOrEqual(4);
    const places = new Set(Array.from(valence, (_, v) => h.positions.subarray(3 * v, 3 * v + 3).join()));
    expect(places.size).toBe(valence.length);
  });

  it('carries the surface, and any affine map of it', () => {
    expect(Math.min(...h.weights)).toBeGreaterThan(-1e-12);
    const random = seededRandom(3);
    const a = Array.from({ length: 12 }, () => random() * 4 - 2);
    const map = (p: ArrayLike<number>): Float64Array =>
      Float64Array.from(p, (_, i) => {
        const [v, r] = [i - (i % 3), i % 3];
        return a[r] * p[v] + a[3 + r] * p[v + 1] + a[6 + r] * p[v + 2] + a[9 + r];
      });
    const apart = (p: ArrayLike<number>, q: ArrayLike<number>): number =>
      Math.max(...Array.from(p, (x, i) => Math.abs(x - q[i])));
    expect(apart(carried(h, h.positions), m.positions)).toBeLessThan(1e-12);
    expect(apart(carried(h, map(h.positions)), map(m.positions))).toBeLessThan(1e-12);
  });
});

it('has the vertices and tetrahedra that the prototype counted on a sphere', () => {
  const counts = [3, 4].map((depth) => {
    const h = buildHelperMesh(icosphere({ detail: 3 }), depth);
    return [h.positions.length / 3, h.tetrahedra.length / 4];
  });
  expect(counts[0]).toEqual([1203, 4536]);
  expect(counts[1][0]).toBe(5071);
});

it('chooses leaves no smaller than the mean edge', () => {
  const m = icosphere({ detail: 3 });
  const h = buildFittingHelperMesh(m);
  expect(h.depth).toBe(3);
  expect(h.cellSize).toBeGreaterThan(meanEdgeLength(m));
});

it('is balanced over all 26 neighbours', () => {
  const octree = new Octree(6);
  for (let node = 0; octree.size[node] > 2; )
    node = octree.split(node) + 7 * (octree.size[node] === octree.span ? 0 : 1);
  octree.balance();
  for (let node = 0; node < octree.nodeCount; node++) {
    if (!octree.isLeaf(node)) continue;
    for (let step = 0; step < 27; step++) {
      const other = octree.beside(node, (step % 3) - 1, (Math.floor(step / 3) % 3) - 1, Math.floor(step / 9) - 1);
      if (other >= 0) expect(octree.size[other]).toBeLessThanOrEqual(2 * octree.size[node]);
    }
  }
});

it('names leaves that glue two sheets', () => {
  // Two boxes with a gap from 0.18 to 0.29 half sizes: leaves of depth 2 (0.55) span it, leaves of depth 5 (0.07) do not.
  const left = box({ size: [1, 1, 1] });
  const right = box({ size: [0.6, 1, 1] });
  const count = left.positions.length / 3;
  const pair = inHalfSizes({
    positions: Float64Array.from([...left.positions, ...right.positions.map((x, i) => x + (i % 3 === 0 ? 0.9 : 0))]),
    triangles: Uint32Array.from([...left.triangles, ...right.triangles.map((v) => v + count)]),
  });
  expect(buildHelperMesh(pair, 2).gluedCells).toBeGreaterThan(0);
  expect(buildHelperMesh(pair, 5).gluedCells).toBe(0);
});
