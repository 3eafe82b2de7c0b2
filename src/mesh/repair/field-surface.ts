// The surface of a field around a mesh, and the pieces that it comes in.

import { boundsOf, measure } from '../measure.js';
import { type Field, polygonise } from '../remesh/polygonise.js';
import type { Bounds, TriangleMesh } from '../triangle-mesh.js';
import { splitComponents } from './components.js';
import { trackMesh } from './tracked-mesh.js';

/** Most points of the lattice, 4 bytes each: bounds memory and time where many vertices are asked for. */
const MOST_POINTS = 24e6;
/** Pieces with less than this share of the largest one's volume are specks. */
const SPECK = 1e-3;

/** The zero surface within the bounds of a mesh and `margin` around it. */
export function surfaceOf(
  field: Field,
  mesh: TriangleMesh,
  margin: number,
  wantedCell: number,
  steepness = 1,
): TriangleMesh {
  const [low, high] = boundsOf(mesh.positions);
  const bounds: Bounds = [
    [low[0] - margin, low[1] - margin, low[2] - margin],
    [high[0] + margin, high[1] + margin, high[2] + margin],
  ];
  const countPoints = (size: number) =>
    [0, 1, 2].reduce((product, k) => product * (2 * ((bounds[1][k] - bounds[0][k]) / size) + 6), 1);
  let cell = wantedCell;
  while (countPoints(cell) > MOST_POINTS) cell *= 1.1;
  return polygonise(field, bounds, cell, { steepness });
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
