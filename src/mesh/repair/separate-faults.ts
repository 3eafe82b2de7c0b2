// Takes a surface apart where more than two triangles meet in an edge or several fans in a vertex, and stitches it
// together again by who has the solid between them: two bodies that share an edge become two bodies that touch.

import { analyseTopology } from '../topology.js';
import type { TriangleMesh } from '../triangle-mesh.js';
import { NO_VERTEX, weld } from '../weld.js';
import type { RepairLog } from './repair-report.js';
import { follow, type TrackedMesh } from './tracked-mesh.js';

/** Gives every corner at a faulty vertex a vertex of its own. */
function explode({ positions, triangles }: TriangleMesh, faulty: Uint8Array) {
  const places: number[] = [...positions];
  const used = new Uint8Array(faulty.length);
  const exploded = triangles.map((v) => {
    if (!faulty[v] || !used[v]) {
      used[v] = 1;
      return v;
    }
    places.push(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]);
    return places.length / 3 - 1;
  });
  return { positions: Float64Array.from(places), triangles: exploded };
}

export function separateFaults(tracked: TrackedMesh, log: RepairLog): TrackedMesh {
  const { adjacency, crowdedEdges, splitVertices } = analyseTopology(tracked.mesh);
  if (crowdedEdges.length === 0 && splitVertices.length === 0) return tracked;
  const faulty = new Uint8Array(adjacency.vertexCount);
  for (const v of splitVertices) faulty[v] = 1;
  for (const e of crowdedEdges) faulty[adjacency.edgeVertices[2 * e]] = faulty[adjacency.edgeVertices[2 * e + 1]] = 1;
  const welded = weld(explode(tracked.mesh, faulty), { tolerance: 0 });
  log.add(
    'separated-faults',
    crowdedEdges.length + splitVertices.length,
    'place taken apart where surfaces met in one edge or vertex',
    'places taken apart where surfaces met in one edge or vertex',
  );
  const next = Uint32Array.from({ length: faulty.length }, (_, v) => welded.vertexMap[v] ?? NO_VERTEX);
  return follow(tracked, welded.mesh, next);
}
