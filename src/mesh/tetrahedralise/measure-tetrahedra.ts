// Figures of a mesh of tetrahedra: counts, volume, dihedral angles.

import { arcCosine } from '../../math/trigonometry.js';
import { FACES, sixVolume, type TetraMesh } from './tetra-mesh.js';

/** Count, angles and volume of tetrahedra. */
export interface TetraMeasures {
  readonly nodes: number;
  readonly tetrahedra: number;
  /** Σ signed volume [m³]. */
  readonly volume: number;
  /** Tetrahedra of negative or no volume. */
  readonly invertedCount: number;
  /** Smallest and largest angle between two faces [°]. */
  readonly smallestAngle: number;
  readonly largestAngle: number;
}

/** The edge that faces i and j (opposite to corners i and j) share is the one between the other two corners. */
const FACE_PAIRS = [
  [0, 1],
  [0, 2],
  [0, 3],
  [1, 2],
  [1, 3],
  [2, 3],
] as const;

export function measureTetrahedra(mesh: TetraMesh): TetraMeasures {
  const { positions, tetrahedra } = mesh;
  const count = tetrahedra.length / 4;
  let volume = 0;
  let invertedCount = 0;
  // The cosine falls with the angle.
  let least = 1;
  let most = -1;
  const normals = new Float64Array(12);
  for (let t = 0; t < count; t++) {
    const six = sixVolume(positions, tetrahedra, t);
    volume += six / 6;
    if (!(six > 0)) invertedCount++;
    writeUnitNormals(positions, tetrahedra, t, normals);
    for (const [i, j] of FACE_PAIRS) {
      const [a, b] = [3 * i, 3 * j];
      const between = -(normals[a] * normals[b] + normals[a + 1] * normals[b + 1] + normals[a + 2] * normals[b + 2]);
      if (between < least) least = between;
      if (between > most) most = between;
    }
  }
  return {
    nodes: positions.length / 3,
    tetrahedra: count,
    volume,
    invertedCount,
    smallestAngle: (arcCosine(most) * 180) / Math.PI,
    largestAngle: (arcCosine(least) * 180) / Math.PI,
  };
}

/** Outward unit normals of the four faces; zero for a face without area. */
function writeUnitNormals(p: ArrayLike<number>, tetrahedra: ArrayLike<number>, t: number, out: Float64Array): void {
  for (let k = 0; k < 4; k++) {
    const a = 3 * tetrahedra[4 * t + FACES[k][0]];
    const b = 3 * tetrahedra[4 * t + FACES[k][1]];
    const c = 3 * tetrahedra[4 * t + FACES[k][2]];
    const ux = p[b] - p[a];
    const uy = p[b + 1] - p[a + 1];
    const uz = p[b + 2] - p[a + 2];
    const vx = p[c] - p[a];
    const vy = p[c + 1] - p[a + 1];
    const vz = p[c + 2] - p[a + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    const factor = length > 0 ? 1 / length : 0;
    out[3 * k] = nx * factor;
    out[3 * k + 1] = ny * factor;
    out[3 * k + 2] = nz * factor;
  }
}
