// Contacts of a vertex that its own surface rules out. Where the rim of a body passes over a vertex in the middle of a flat face, the nearest
// point of the rim is beside the vertex, and the normal leans: taken for a contact, the rim stumbles over every vertex (a block that
// slid on another lost 4 to 13 % of its acceleration in kicks of single steps). What the rim touches there are the faces around the vertex.

import type { FeatureContacts } from '../../contact/response/feature-contacts.js';

/** Cosine to an edge of the vertex, on whose side a contact may lie at most: 17° past what the surface itself allows. */
const LEAN = 0.3;

/** The shells by number: where their particles are [m], and neighbours of each. */
export interface GhostShell {
  readonly particles: { readonly positions: Float64Array };
  readonly neighbours: readonly Uint32Array[];
}

/** Whether row i is of a vertex on a triangle, apart, that lies in a direction in which the faces around the vertex are nearer. */
export function isGhost(list: FeatureContacts, i: number, shells: readonly GhostShell[]): boolean {
  if (list.splits[i] !== 1 || !(list.gaps[i] > 0)) return false;
  const { particles, neighbours } = shells[list.bodies[2 * i]];
  const { positions: x } = particles;
  const { normals } = list;
  const vertex = list.particles[4 * i];
  const [nx, ny, nz] = [normals[3 * i], normals[3 * i + 1], normals[3 * i + 2]];
  for (const other of neighbours[vertex]) {
    const ex = x[3 * other] - x[3 * vertex];
    const ey = x[3 * other + 1] - x[3 * vertex + 1];
    const ez = x[3 * other + 2] - x[3 * vertex + 2];
    // Towards the triangle is against the normal.
    const along = -(nx * ex + ny * ey + nz * ez);
    if (along > 0 && along * along > LEAN * LEAN * (ex * ex + ey * ey + ez * ez)) return true;
  }
  return false;
}

/** Vertices that share an edge with each. */
export function neighboursOf(triangles: ArrayLike<number>, count: number): Uint32Array[] {
  const sets = Array.from({ length: count }, () => new Set<number>());
  for (let t = 0; t < triangles.length; t += 3) {
    for (let c = 0; c < 3; c++) {
      sets[triangles[t + c]].add(triangles[t + ((c + 1) % 3)]);
      sets[triangles[t + c]].add(triangles[t + ((c + 2) % 3)]);
    }
  }
  return sets.map((set) => Uint32Array.from(set));
}
