// Pieces of a mesh of tetrahedra that no face joins: parts too thin for the cells come apart, and only one body is wanted.

import { FACES, sixVolume, type TetraMesh } from './tetra-mesh.js';

/** The largest piece by volume, over the nodes that it uses, and how many tetrahedra the others had. */
export function largestPiece(mesh: TetraMesh): { mesh: TetraMesh; lostCount: number } {
  const { positions, tetrahedra } = mesh;
  const count = tetrahedra.length / 4;
  const parent = Uint32Array.from({ length: count }, (_, t) => t);
  const rootOf = (t: number): number => {
    let root = t;
    while (parent[root] !== root) root = parent[root];
    while (parent[t] !== root) [t, parent[t]] = [parent[t], root];
    return root;
  };
  const first = new Map<string, number>();
  for (let t = 0; t < count; t++) {
    for (const face of FACES) {
      const key = face
        .map((corner) => tetrahedra[4 * t + corner])
        .sort((a, b) => a - b)
        .join();
      const other = first.get(key);
      if (other === undefined) first.set(key, t);
      else parent[rootOf(t)] = rootOf(other);
    }
  }
  const volumes = new Float64Array(count);
  for (let t = 0; t < count; t++) volumes[rootOf(t)] += sixVolume(positions, tetrahedra, t);
  let best = 0;
  for (let t = 1; t < count; t++) if (volumes[t] > volumes[best]) best = t;
  const kept: number[] = [];
  for (let t = 0; t < count; t++) if (rootOf(t) === best) kept.push(t);
  if (kept.length === count) return { mesh, lostCount: 0 };
  const numbers = new Map<number, number>();
  const used: number[] = [];
  const corners: number[] = [];
  for (const t of kept) {
    for (let k = 0; k < 4; k++) {
      const node = tetrahedra[4 * t + k];
      let number = numbers.get(node);
      if (number === undefined) {
        number = used.length / 3;
        numbers.set(node, number);
        used.push(positions[3 * node], positions[3 * node + 1], positions[3 * node + 2]);
      }
      corners.push(number);
    }
  }
  return {
    mesh: { positions: Float64Array.from(used), tetrahedra: Uint32Array.from(corners) },
    lostCount: count - kept.length,
  };
}
