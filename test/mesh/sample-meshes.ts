// Small meshes for tests, written out or taken from three's geometries, so that nothing of ours checks itself.

import type { BufferGeometry } from 'three';
import { seededRandom } from '../../src/math/random.js';
import type { TriangleMesh } from '../../src/mesh/triangle-mesh.js';

export const meshOf = (positions: readonly number[], triangles: readonly number[]): TriangleMesh => ({
  positions: Float64Array.from(positions),
  triangles: Uint32Array.from(triangles),
});

/** Cube with the given lowest corner and edge: 8 vertices, 12 triangles, facing outwards. */
export function cube(low: readonly [number, number, number] = [0, 0, 0], edge = 1): TriangleMesh {
  const positions: number[] = [];
  for (let i = 0; i < 8; i++) {
    positions.push(low[0] + edge * (i & 1), low[1] + edge * ((i >> 1) & 1), low[2] + edge * ((i >> 2) & 1));
  }
  const faces = [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
  ];
  return meshOf(
    positions,
    faces.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]),
  );
}

/** Tetrahedron on the unit axes, moved: volume 1/6. */
export const tetrahedron = (x = 0, y = 0, z = 0): TriangleMesh =>
  meshOf([x, y, z, x + 1, y, z, x, y + 1, z, x, y, z + 1], [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]);

/** Both meshes in one, sharing nothing. */
export function combine(a: TriangleMesh, b: TriangleMesh): TriangleMesh {
  const shift = a.positions.length / 3;
  return meshOf([...a.positions, ...b.positions], [...a.triangles, ...b.triangles.map((v) => v + shift)]);
}

/** The same triangles without shared vertices. */
export function soup({ positions, triangles }: TriangleMesh): TriangleMesh {
  const corners = Array.from(triangles, (v) => [...positions.subarray(3 * v, 3 * v + 3)]);
  return meshOf(
    corners.flat(),
    corners.map((_, i) => i),
  );
}

export const flipped = ({ positions, triangles }: TriangleMesh): TriangleMesh => ({
  positions,
  triangles: triangles.map((_, i) => triangles[3 * Math.floor(i / 3) + [0, 2, 1][i % 3]]),
});

export const moved = ({ positions, triangles }: TriangleMesh, by: readonly number[]): TriangleMesh => ({
  positions: positions.map((value, i) => value + by[i % 3]),
  triangles,
});

export function fromGeometry(geometry: BufferGeometry): TriangleMesh {
  const positions = Float64Array.from(geometry.getAttribute('position').array);
  const index = geometry.getIndex();
  return {
    positions,
    triangles: index
      ? Uint32Array.from(index.array)
      : Uint32Array.from(positions.keys()).slice(0, positions.length / 3),
  };
}

/** Torus on a grid of n × m vertices, indices by hand: closed, genus 1. */
export function gridTorus(n: number, m: number, major = 2, minor = 0.5): TriangleMesh {
  const positions = new Float64Array(3 * n * m);
  const triangles = new Uint32Array(6 * n * m);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < m; j++) {
      const [u, v] = [(2 * Math.PI * i) / n, (2 * Math.PI * j) / m];
      const ring = major + minor * Math.cos(v);
      positions.set([ring * Math.cos(u), minor * Math.sin(v), -ring * Math.sin(u)], 3 * (i * m + j));
      const [a, b] = [i * m + j, ((i + 1) % n) * m + j];
      const [c, d] = [((i + 1) % n) * m + ((j + 1) % m), i * m + ((j + 1) % m)];
      triangles.set([a, b, c, a, c, d], 6 * (i * m + j));
    }
  }
  return { positions, triangles };
}

/** Random triangles in the unit cube, each within `size` of a random point. */
export function randomTriangles(count: number, size: number, seed: number): TriangleMesh {
  const random = seededRandom(seed);
  const positions: number[] = [];
  for (let t = 0; t < count; t++) {
    const centre = [random(), random(), random()];
    for (let k = 0; k < 9; k++) positions.push(centre[k % 3] + size * (random() - 0.5));
  }
  return meshOf(
    positions,
    Array.from({ length: 3 * count }, (_, i) => i),
  );
}

/** All triples of an array of triangles. */
export const triples = (triangles: ArrayLike<number>): number[][] =>
  Array.from({ length: triangles.length / 3 }, (_, t) => [
    triangles[3 * t],
    triangles[3 * t + 1],
    triangles[3 * t + 2],
  ]);
