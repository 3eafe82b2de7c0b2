// Which vertices of a mesh hang together.

import { UnionFind } from './topology.js';

/** A mesh, or one in the making. */
interface Faces {
  readonly positions: ArrayLike<number>;
  readonly triangles: ArrayLike<number>;
}

/** The piece of each vertex, numbered from 0 by their first vertices, and how many there are. */
export function findPieces({ positions, triangles }: Faces): { pieceOf: Uint32Array; count: number } {
  const joined = new UnionFind(positions.length / 3);
  for (let t = 0; t < triangles.length; t += 3) {
    joined.union(triangles[t], triangles[t + 1]);
    joined.union(triangles[t], triangles[t + 2]);
  }
  const numbers = new Map<number, number>();
  const pieceOf = new Uint32Array(positions.length / 3);
  for (let vertex = 0; vertex < pieceOf.length; vertex++) {
    const root = joined.find(vertex);
    const number = numbers.get(root) ?? numbers.size;
    numbers.set(root, number);
    pieceOf[vertex] = number;
  }
  return { pieceOf, count: numbers.size };
}
