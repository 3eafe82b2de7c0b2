// How far a body is from its rest shape, for tests: the root mean square of edge length / rest length − 1.

import type { Body } from '../src/index.js';
import { buildAdjacency } from '../src/mesh/adjacency.js';

export function edgeStrainRms(body: Body): number {
  const { edgeVertices } = buildAdjacency(body.mesh);
  let sum = 0;
  for (let e = 0; e < edgeVertices.length; e += 2) {
    const [a, b] = [edgeVertices[e], edgeVertices[e + 1]];
    sum += (edgeLength(body.positions, a, b) / edgeLength(body.mesh.positions, a, b) - 1) ** 2;
  }
  return Math.sqrt(sum / (edgeVertices.length / 2));
}

function edgeLength(positions: ArrayLike<number>, a: number, b: number): number {
  let square = 0;
  for (let c = 0; c < 3; c++) square += (positions[3 * a + c] - positions[3 * b + c]) ** 2;
  return Math.sqrt(square);
}
