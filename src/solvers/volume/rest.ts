// What the volume constraint needs to know of a body at rest: shared by all copies of the body.

import { adjacencyOf, type MeshAdjacency } from '../../mesh/adjacency.js';
import { boundingSphere, signedVolume, vertexAreas, vertexNormals } from '../../mesh/measure.js';
import type { TriangleMesh } from '../../mesh/triangle-mesh.js';
import { buildInnerPairs, type InnerPairs } from './inner-pairs.js';
import { smoothAreas } from './push-areas.js';

export interface VolumeRest {
  readonly triangles: Uint32Array;
  /** V₀ [m³]. */
  readonly volume: number;
  /** Rest area of each vertex, a third of its triangles [m²]. */
  readonly areas: Float64Array;
  /** The same, smooth from vertex to vertex: how far a correction moves each for its weight [m²]. */
  readonly pushAreas: Float64Array;
  /** Of an elasticity that matches regions: along what a correction moves each vertex, see `surface/push-field` [m²]. */
  readonly pushes?: Float64Array;
  /** Factor on how much each vertex takes part, where they differ. */
  readonly weights?: Float64Array;
  /** Outward unit normals at rest. */
  readonly unitNormals: Float64Array;
  /** Diameter of the bounding sphere [m]. */
  readonly size: number;
  /** Mean square distance of the surface from its centre [m²]. */
  readonly spread: number;
  readonly neighbours: MeshAdjacency;
  readonly pairs: InnerPairs;
}

export function buildVolumeRest(mesh: TriangleMesh): VolumeRest {
  const unitNormals = unitVectors(vertexNormals(mesh.positions, mesh.triangles));
  const areas = vertexAreas(mesh);
  const neighbours = adjacencyOf(mesh);
  return {
    triangles: mesh.triangles,
    volume: signedVolume(mesh.positions, mesh.triangles),
    areas,
    pushAreas: smoothAreas(areas, neighbours),
    unitNormals,
    size: 2 * boundingSphere(mesh.positions).radius,
    spread: spreadOf(mesh.positions, areas),
    neighbours,
    pairs: buildInnerPairs(mesh, unitNormals),
  };
}

/** Mean square distance of weighted points from their centre. */
export function spreadOf(positions: Float64Array, weights: Float64Array): number {
  const total = weights.reduce((sum, w) => sum + w, 0);
  const centre = [0, 0, 0];
  weights.forEach((w, i) => {
    for (let c = 0; c < 3; c++) centre[c] += (w / total) * positions[3 * i + c];
  });
  let sum = 0;
  weights.forEach((w, i) => {
    for (let c = 0; c < 3; c++) sum += (w / total) * (positions[3 * i + c] - centre[c]) ** 2;
  });
  return sum;
}

/** Scales each vector to length 1; a vector without direction becomes 0. */
export function unitVectors(vectors: Float64Array): Float64Array {
  const unit = new Float64Array(vectors.length);
  for (let k = 0; k < vectors.length; k += 3) {
    const [x, y, z] = [vectors[k], vectors[k + 1], vectors[k + 2]];
    const length = Math.sqrt(x * x + y * y + z * z);
    if (!(length > 0)) continue;
    unit[k] = x / length;
    unit[k + 1] = y / length;
    unit[k + 2] = z / length;
  }
  return unit;
}
