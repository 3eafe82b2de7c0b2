// Closed meshes for kernel tests, from the smallest there are to uneven ones, and the simplest possible way to ask who is
// near whom.

import { box, icosphere, type TriangleMesh, torus, uvSphere } from '../../src/index.js';
import { seededRandom } from '../../src/math/random.js';
import { meshOf, tetrahedron } from '../mesh/sample-meshes.js';

export const octahedron: TriangleMesh = meshOf(
  [1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1],
  [0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5],
);

/** A fan of very high degree: the poles of a flat sphere of three bands touch forty vertices each. */
const spindle = (): TriangleMesh => {
  const n = 40;
  const ring = Array.from({ length: n }, (_, s) => (2 * Math.PI * s) / n);
  return meshOf(
    [...ring.flatMap((t) => [Math.sin(t), 0, Math.cos(t)]), 0, -0.5, 0, 0, 0.5, 0],
    ring.flatMap((_, s) => [n, (s + 1) % n, s, n + 1, s, (s + 1) % n]),
  );
};

/** A lumpy ball: every third triangle or so of a sphere has a vertex of its own, so that degrees go from 3 to 12. */
function lumpyBall(): TriangleMesh {
  const random = seededRandom(1);
  const { positions, triangles } = icosphere({ detail: 2 });
  const points = Array.from(positions);
  const corners: number[] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = triangles.subarray(t, t + 3);
    if (random() < 0.65) {
      corners.push(a, b, c);
      continue;
    }
    const middle = points.length / 3;
    for (let k = 0; k < 3; k++) points.push((positions[3 * a + k] + positions[3 * b + k] + positions[3 * c + k]) / 3);
    corners.push(a, b, middle, b, c, middle, c, a, middle);
  }
  for (let k = 0; k < points.length; k += 3) {
    const [x, y, z] = points.slice(k, k + 3);
    const lump = 0.8 + 0.2 * Math.sin(3 * x + 1) * Math.cos(4 * y) + 0.1 * z;
    for (let c = 0; c < 3; c++) points[k + c] *= lump * [0.7, 0.5, 0.6][c];
  }
  return meshOf(points, corners);
}

export const unevenMesh = lumpyBall();

export const kernelMeshes: readonly (readonly [string, TriangleMesh])[] = [
  ['tetrahedron', tetrahedron()],
  ['octahedron', octahedron],
  ['cube of 8', box({ divisions: 1 })],
  ['spindle', spindle()],
  ['sphere', uvSphere({ segments: 16 })],
  ['torus', torus({ majorSegments: 20, minorSegments: 9 })],
  ['lumpy ball', unevenMesh],
];

/** Neighbours of each vertex, straight from the triangles. */
export function neighbourSets({ positions, triangles }: TriangleMesh): Set<number>[] {
  const sets = Array.from({ length: positions.length / 3 }, () => new Set<number>());
  for (let t = 0; t < triangles.length; t += 3) {
    for (let c = 0; c < 3; c++) {
      sets[triangles[t + c]].add(triangles[t + ((c + 1) % 3)]);
      sets[triangles[t + c]].add(triangles[t + ((c + 2) % 3)]);
    }
  }
  return sets;
}

/** All vertices within `rings` edges of a vertex. */
export function ballAround(neighbours: readonly Set<number>[], vertex: number, rings: number): Set<number> {
  const ball = new Set([vertex]);
  for (let ring = 0; ring < rings; ring++) {
    for (const v of [...ball]) for (const other of neighbours[v]) ball.add(other);
  }
  return ball;
}
