// Mends what a simplifier can leave: edges with four triangles where two surfaces met, and pieces pinched off.
// Measured: in one of ten cages, and in most of thin sheets.

import { measure } from '../measure.js';
import { HalfEdgeMesh } from '../remesh/half-edge-mesh.js';
import { analyseTopology } from '../topology.js';
import type { TriangleMesh } from '../triangle-mesh.js';
import { splitComponents } from './components.js';
import { fillHoles } from './fill-holes.js';
import { RepairLog } from './repair-report.js';
import { separateFaults } from './separate-faults.js';
import { keepTriangles, trackMesh } from './tracked-mesh.js';

/** Pieces with less than this share of the volume are left out. */
const SPECK = 1e-3;
/** Cutting out a fault can leave others at the rim of the hole. */
const ROUNDS = 8;

function isManifold(mesh: TriangleMesh): boolean {
  try {
    new HalfEdgeMesh(mesh);
    return true;
  } catch {
    return false;
  }
}

/** The only piece worth its name, if it is closed; null where there are several. */
function onlyPiece(mesh: TriangleMesh, volume: number): TriangleMesh | null {
  const pieces = splitComponents(trackMesh(mesh)).map((piece) => piece.mesh);
  const large = pieces.filter((piece) => Math.abs(measure(piece).volume) > SPECK * volume);
  return large.length === 1 && isManifold(large[0]) ? large[0] : null;
}

/** Without the triangles at any faulty vertex, and the holes filled that this leaves. */
function cutOut(mesh: TriangleMesh): TriangleMesh {
  let current = mesh;
  for (let round = 0; round < ROUNDS; round++) {
    const { adjacency, crowdedEdges, splitVertices } = analyseTopology(current);
    if (crowdedEdges.length === 0 && splitVertices.length === 0) break;
    const faulty = new Uint8Array(adjacency.vertexCount);
    for (const v of splitVertices) faulty[v] = 1;
    for (const e of crowdedEdges) faulty[adjacency.edgeVertices[2 * e]] = faulty[adjacency.edgeVertices[2 * e + 1]] = 1;
    const { triangles } = current;
    const kept = triangles.filter((_, i) => {
      const t = i - (i % 3);
      return !faulty[triangles[t]] && !faulty[triangles[t + 1]] && !faulty[triangles[t + 2]];
    });
    current = keepTriangles(trackMesh(current), kept).mesh;
  }
  return fillHoles(trackMesh(current), new RepairLog()).mesh;
}

/** A closed manifold of nearly the same surface, which encloses about `volume`; null where that cannot be had. */
export function mendPinches(mesh: TriangleMesh, volume: number): TriangleMesh | null {
  if (isManifold(mesh)) return onlyPiece(mesh, volume);
  const apart = separateFaults(trackMesh(mesh), new RepairLog()).mesh;
  return onlyPiece(apart, volume) ?? onlyPiece(cutOut(mesh), volume);
}
