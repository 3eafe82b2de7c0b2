// A mesh with its vertices numbered anew, at random: what happens to a body does not depend on their numbers.

import type { TriangleMesh } from '../src/index.js';
import { seededRandom } from '../src/math/random.js';

/** The mesh, and how vectors by its vertices are put into the order of before. */
export function shuffledMesh({ positions, triangles }: TriangleMesh): {
  mesh: TriangleMesh;
  back(vectors: Float64Array): Float64Array;
} {
  const random = seededRandom(5);
  const order = Array.from({ length: positions.length / 3 }, (_, i) => i);
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  const places = new Uint32Array(order.length);
  order.forEach((vertex, place) => {
    places[vertex] = place;
  });
  return {
    mesh: {
      positions: Float64Array.from(positions, (_, k) => positions[3 * order[Math.trunc(k / 3)] + (k % 3)]),
      triangles: triangles.map((vertex) => places[vertex]),
    },
    back: (vectors) => vectors.map((_, k) => vectors[3 * places[Math.trunc(k / 3)] + (k % 3)]),
  };
}
