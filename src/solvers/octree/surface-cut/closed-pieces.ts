// The closed pieces of a mesh, each as a mesh of its own: pieces are cut one by one, as they may lie in each other.

import { findPieces } from '../../../mesh/mesh-pieces.js';
import type { TriangleMesh } from '../../../mesh/triangle-mesh.js';

export interface ClosedPiece {
  readonly mesh: TriangleMesh;
  /** The vertex of the whole that each of its vertices is, and the triangle that each of its triangles is. */
  readonly vertices: Uint32Array;
  readonly triangles: Uint32Array;
}

export function takePieces(mesh: TriangleMesh): ClosedPiece[] {
  const { pieceOf, count } = findPieces(mesh);
  if (count === 1) return [wholePiece(mesh)];
  const vertices: number[][] = Array.from({ length: count }, () => []);
  const triangles: number[][] = Array.from({ length: count }, () => []);
  const places = new Uint32Array(pieceOf.length);
  pieceOf.forEach((piece, vertex) => {
    places[vertex] = vertices[piece].push(vertex) - 1;
  });
  for (let t = 0; 3 * t < mesh.triangles.length; t++) triangles[pieceOf[mesh.triangles[3 * t]]].push(t);
  return vertices.map((own, piece) => {
    const positions = new Float64Array(3 * own.length);
    own.forEach((vertex, place) => {
      for (let c = 0; c < 3; c++) positions[3 * place + c] = mesh.positions[3 * vertex + c];
    });
    const corners = new Uint32Array(3 * triangles[piece].length);
    triangles[piece].forEach((t, n) => {
      for (let c = 0; c < 3; c++) corners[3 * n + c] = places[mesh.triangles[3 * t + c]];
    });
    return {
      mesh: { positions, triangles: corners },
      vertices: Uint32Array.from(own),
      triangles: Uint32Array.from(triangles[piece]),
    };
  });
}

const wholePiece = (mesh: TriangleMesh): ClosedPiece => ({
  mesh,
  vertices: Uint32Array.from({ length: mesh.positions.length / 3 }, (_, vertex) => vertex),
  triangles: Uint32Array.from({ length: mesh.triangles.length / 3 }, (_, t) => t),
});
