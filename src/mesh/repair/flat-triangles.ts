// Mends triangles without area: the corner that lies on the opposite side is joined to the neighbour across that side
// (an edge flip), so that nothing opens.

import { buildAdjacency } from '../adjacency.js';
import { findDegenerateTriangles } from '../degenerate-triangles.js';
import type { TriangleMesh } from '../triangle-mesh.js';
import type { RepairLog } from './repair-report.js';
import { keepTriangles, type TrackedMesh } from './tracked-mesh.js';

/** A row of flat triangles is mended one after the other. */
const ROUNDS = 16;

/** The corner of a triangle that is opposite to its longest side. */
function opposite({ positions, triangles }: TriangleMesh, t: number): number {
  let longest = -1;
  let corner = 0;
  for (let k = 0; k < 3; k++) {
    const a = 3 * triangles[3 * t + ((k + 1) % 3)];
    const b = 3 * triangles[3 * t + ((k + 2) % 3)];
    let square = 0;
    for (let j = 0; j < 3; j++) square += (positions[a + j] - positions[b + j]) ** 2;
    if (square > longest) [longest, corner] = [square, k];
  }
  return corner;
}

/** Flips what can be flipped; what is left flat is left out, which may open the surface there. */
export function mendFlatTriangles(tracked: TrackedMesh, log: RepairLog): TrackedMesh {
  let flat = findDegenerateTriangles(tracked.mesh);
  if (flat.length === 0) return tracked;
  const count = flat.length;
  const triangles = tracked.mesh.triangles.slice();
  const mesh = { positions: tracked.mesh.positions, triangles };
  for (let round = 0; round < ROUNDS && flat.length > 0; round++) {
    const adjacency = buildAdjacency(mesh);
    const { edgeTriangleOffsets, edgeTriangles, edgeVertices, neighbourOffsets, neighbours } = adjacency;
    const edgeOf = new Map<number, number>();
    for (let e = 0; e < adjacency.edgeCount; e++) {
      edgeOf.set(edgeVertices[2 * e] * adjacency.vertexCount + edgeVertices[2 * e + 1], e);
    }
    const touched = new Set<number>();
    for (const t of flat) {
      const k = opposite(mesh, t);
      const [c, a, b] = [0, 1, 2].map((j) => triangles[3 * t + ((k + j) % 3)]);
      const e = edgeOf.get(Math.min(a, b) * adjacency.vertexCount + Math.max(a, b));
      if (e === undefined || edgeTriangleOffsets[e + 1] - edgeTriangleOffsets[e] !== 2) continue;
      const other = edgeTriangles[edgeTriangleOffsets[e]] + edgeTriangles[edgeTriangleOffsets[e] + 1] - t;
      if (touched.has(t) || touched.has(other)) continue;
      const d = [0, 1, 2].map((j) => triangles[3 * other + j]).find((v) => v !== a && v !== b) as number;
      // The other triangle runs along b → a where the winding agrees; where it does not, it is left to later steps.
      const runs = [0, 1, 2].some((j) => triangles[3 * other + j] === b && triangles[3 * other + ((j + 1) % 3)] === a);
      if (!runs || neighbours.subarray(neighbourOffsets[c], neighbourOffsets[c + 1]).includes(d) || c === d) continue;
      triangles.set([c, a, d], 3 * t);
      triangles.set([d, b, c], 3 * other);
      touched.add(t).add(other);
    }
    if (touched.size === 0) break;
    flat = findDegenerateTriangles(mesh);
  }
  log.add(
    'mended-flat',
    count,
    'triangle without area mended or left out',
    'triangles without area mended or left out',
  );
  const left = new Set(flat);
  const kept = triangles.filter((_, i) => !left.has(Math.floor(i / 3)));
  return keepTriangles({ ...tracked, mesh }, kept);
}
