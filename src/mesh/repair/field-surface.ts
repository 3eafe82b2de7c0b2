// The surface of a field around a mesh, and the pieces that it comes in.

import { boundsOf, triangleArea } from '../measure.js';
import { type Field, polygonise } from '../remesh/polygonise.js';
import { UnionFind } from '../topology.js';
import type { Bounds, TriangleMesh } from '../triangle-mesh.js';
import { keepTriangles, trackMesh } from './tracked-mesh.js';

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

/** Triangles of each connected piece, three vertices each, and its volume [m³]. */
function splitPieces({ positions: p, triangles }: TriangleMesh): { list: number[]; volume: number }[] {
  const sets = new UnionFind(p.length / 3);
  for (let i = 0; i < triangles.length; i += 3) {
    sets.union(triangles[i], triangles[i + 1]);
    sets.union(triangles[i], triangles[i + 2]);
  }
  const pieces = new Map<number, { list: number[]; volume: number }>();
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [3 * triangles[i], 3 * triangles[i + 1], 3 * triangles[i + 2]];
    const root = sets.find(triangles[i]);
    const piece = pieces.get(root) ?? { list: [], volume: 0 };
    pieces.set(root, piece);
    piece.list.push(triangles[i], triangles[i + 1], triangles[i + 2]);
    // Seen from a vertex of the piece, so that small ones keep their digits.
    const o = 3 * root;
    const [ax, ay, az] = [p[a] - p[o], p[a + 1] - p[o + 1], p[a + 2] - p[o + 2]];
    const [bx, by, bz] = [p[b] - p[o], p[b + 1] - p[o + 1], p[b + 2] - p[o + 2]];
    const [cx, cy, cz] = [p[c] - p[o], p[c + 1] - p[o + 1], p[c + 2] - p[o + 2]];
    piece.volume += (ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)) / 6;
  }
  return [...pieces.values()];
}

/** Outer surfaces, largest first, without specks; inner ones bound cavities, which are filled. */
export function listPieces(surface: TriangleMesh): { pieces: TriangleMesh[]; specks: number } {
  const solids = splitPieces(surface)
    .filter(({ volume }) => volume > 0)
    .sort((a, b) => b.volume - a.volume);
  const large = solids.filter(({ volume }) => volume >= SPECK * solids[0].volume);
  const pieces = large.map(({ list }) => keepTriangles(trackMesh(surface), list).mesh);
  return { pieces, specks: solids.length - pieces.length };
}
