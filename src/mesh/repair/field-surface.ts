// The surface of a field around a mesh, and the pieces that it comes in.

import { boundsOf, measure, triangleArea } from '../measure.js';
import { type Field, polygonise } from '../remesh/polygonise.js';
import type { Bounds, TriangleMesh } from '../triangle-mesh.js';
import { splitComponents } from './components.js';
import { trackMesh } from './tracked-mesh.js';

/** Pieces with less than this share of the largest one's volume are specks. */
const SPECK = 1e-3;

/** The zero surface within the bounds of a mesh and `margin` around it. */
export function surfaceOf(field: Field, mesh: TriangleMesh, margin: number, cell: number, steepness = 1): TriangleMesh {
  const [low, high] = boundsOf(mesh.positions);
  const bounds: Bounds = [
    [low[0] - margin, low[1] - margin, low[2] - margin],
    [high[0] + margin, high[1] + margin, high[2] + margin],
  ];
  return polygonise(field, bounds, cell, { steepness });
}

/** Smallest cells, of those grown by steps of a tenth from `cell`, with which the lattice has at most `points` points. */
export function boundCell(mesh: TriangleMesh, cell: number, points: number): number {
  const [low, high] = boundsOf(mesh.positions);
  const countPoints = (size: number) =>
    [0, 1, 2].reduce((product, k) => product * ((2 * (high[k] - low[k])) / size + 12), 1);
  let bounded = cell;
  while (countPoints(bounded) > points) bounded *= 1.1;
  return bounded;
}

/** Area of all triangles [m²]. */
export function areaOf({ positions, triangles }: TriangleMesh): number {
  let area = 0;
  for (let i = 0; i < triangles.length; i += 3) {
    area += triangleArea(positions, 3 * triangles[i], 3 * triangles[i + 1], 3 * triangles[i + 2]);
  }
  return area;
}

/** Outer surfaces, largest first, without specks; inner ones bound cavities, which are filled. */
export function listPieces(surface: TriangleMesh): { pieces: TriangleMesh[]; specks: number } {
  const solids = splitComponents(trackMesh(surface))
    .map(({ mesh }) => ({ mesh, volume: measure(mesh).volume }))
    .filter(({ volume }) => volume > 0)
    .sort((a, b) => b.volume - a.volume);
  const pieces = solids.filter(({ volume }) => volume >= SPECK * solids[0].volume).map(({ mesh }) => mesh);
  return { pieces, specks: solids.length - pieces.length };
}
