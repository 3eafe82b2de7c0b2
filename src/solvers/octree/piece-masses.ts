// The mass of a surface in closed pieces: each weighs by its volume, and spreads that over its vertices by their areas. By areas alone
// a sliver of a cubic millimetre that is as broad as the body would weigh as much as a limb, and drag the nodes that carry it about.

import { vertexAreas } from '../../mesh/measure.js';
import type { TriangleMesh } from '../../mesh/triangle-mesh.js';

/** The least density of a piece, in that of the body: what has no volume has mass, which single precision can tell from none. */
const LEAST_DENSITY = 1e-4;

/** Shares of the mass by vertex; Σ = 1. */
export function sharePieceMasses(mesh: TriangleMesh, pieceOf: Uint32Array, pieceCount: number): Float64Array {
  const shares = vertexAreas(mesh);
  const areas = new Float64Array(pieceCount);
  shares.forEach((area, i) => {
    areas[pieceOf[i]] += area;
  });
  const volumes = pieceVolumes(mesh, pieceOf, pieceCount);
  const sum = (list: Float64Array): number => list.reduce((all, one) => all + one, 0);
  const perArea = (LEAST_DENSITY * sum(volumes)) / sum(areas);
  const weights = volumes.map((volume, piece) => Math.max(volume, perArea * areas[piece]));
  const total = sum(weights);
  return shares.map((area, i) => (area * weights[pieceOf[i]]) / (areas[pieceOf[i]] * total));
}

/** The volume of each piece [m³], from its own first vertex, so that a small one far from the origin keeps its digits. */
function pieceVolumes({ positions, triangles }: TriangleMesh, pieceOf: Uint32Array, pieceCount: number): Float64Array {
  const first = new Int32Array(pieceCount).fill(-1);
  const volumes = new Float64Array(pieceCount);
  for (let t = 0; t < triangles.length; t += 3) {
    const piece = pieceOf[triangles[t]];
    if (first[piece] < 0) first[piece] = 3 * triangles[t];
    const o = first[piece];
    const [ox, oy, oz] = [positions[o], positions[o + 1], positions[o + 2]];
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const [ax, ay, az] = [positions[a] - ox, positions[a + 1] - oy, positions[a + 2] - oz];
    const [bx, by, bz] = [positions[b] - ox, positions[b + 1] - oy, positions[b + 2] - oz];
    const [cx, cy, cz] = [positions[c] - ox, positions[c + 1] - oy, positions[c + 2] - oz];
    volumes[piece] += (ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)) / 6;
  }
  return volumes;
}
