// Closed meshes for kernel tests, from the smallest there are to uneven ones, and the simplest possible way to ask who is
// near whom.

import { box, duck, type TriangleMesh, torus, uvSphere } from '../../src/index.js';
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

export const kernelMeshes: readonly (readonly [string, TriangleMesh])[] = [
  ['tetrahedron', tetrahedron()],
  ['octahedron', octahedron],
  ['cube of 8', box({ divisions: 1 })],
  ['spindle', spindle()],
  ['sphere', uvSphere({ segments: 16 })],
  ['torus', torus({ majorSegments: 20, minorSegments: 9 })],
  ['duck', duck({ vertices: 300 })],
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
  let ball = new Set([vertex]);
  for (let ring = 0; ring < rings; ring++) ball = new Set([...ball].flatMap((v) => [v, ...neighbours[v]]));
  return ball;
}
