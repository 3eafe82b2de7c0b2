// Turns triangles so that neighbours agree and surfaces face outwards.

import { boundsOf, centreOf, diagonalOf, VOLUME_NOISE } from './measure.js';
import { analyseTopology } from './topology.js';
import type { TriangleMesh } from './triangle-mesh.js';

/** A mesh whose triangles agree about what is outside, and which had to be turned. */
export interface Oriented {
  readonly mesh: TriangleMesh;
  /** Triangles turned. */
  readonly flipped: number;
  /** False where some part is one-sided, such as a Möbius strip; that part is left as it was. */
  readonly orientable: boolean;
}

/** Signed volume and area of each patch, wound as `turned` says, about the centre of the patch's own bounds. */
function measurePatches(mesh: TriangleMesh, patches: Uint32Array, patchCount: number, turned: Uint8Array) {
  const { positions, triangles } = mesh;
  const corners: number[][] = Array.from({ length: patchCount }, () => []);
  for (let t = 0; t < patches.length; t++) {
    const [a, b, c] = [triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]];
    corners[patches[t]].push(...(turned[t] ? [a, c, b] : [a, b, c]));
  }
  return corners.map((list) => {
    const points = new Float64Array(3 * list.length);
    for (let i = 0; i < points.length; i++) points[i] = positions[3 * list[Math.floor(i / 3)] + (i % 3)];
    const bounds = boundsOf(points);
    const [ox, oy, oz] = centreOf(bounds);
    let sixVolume = 0;
    let twoArea = 0;
    for (let i = 0; i < points.length; i += 9) {
      const [ux, uy, uz] = [points[i + 3] - points[i], points[i + 4] - points[i + 1], points[i + 5] - points[i + 2]];
      const [vx, vy, vz] = [points[i + 6] - points[i], points[i + 7] - points[i + 1], points[i + 8] - points[i + 2]];
      const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
      sixVolume += (points[i] - ox) * nx + (points[i + 1] - oy) * ny + (points[i + 2] - oz) * nz;
      twoArea += Math.sqrt(nx * nx + ny * ny + nz * nz);
    }
    return Math.abs(sixVolume) > VOLUME_NOISE * 3 * twoArea * diagonalOf(bounds) ? sixVolume : 0;
  });
}

/**
 * Gives every patch (triangles joined over edges with exactly two triangles) one winding, and turns it to enclose a
 * positive volume. A patch without volume, such as a flat sheet, keeps the winding that most of its triangles have.
 * Every closed shell is made to face outwards, also one that is meant as a cavity inside another.
 * @example
 * ```ts
 * const { mesh } = orient(icosphere());
 * ```
 */
export function orient(mesh: TriangleMesh): Oriented {
  const { turned, patches, patchCount, oneSided } = analyseTopology(mesh).winding;
  const volumes = measurePatches(mesh, patches, patchCount, turned);
  const balance = new Int32Array(patchCount);
  for (let t = 0; t < patches.length; t++) balance[patches[t]] += turned[t] ? 1 : -1;
  const triangles = mesh.triangles.slice();
  let flipped = 0;
  for (let t = 0; t < patches.length; t++) {
    const patch = patches[t];
    const invert = volumes[patch] === 0 ? balance[patch] > 0 : volumes[patch] < 0;
    if (oneSided[patch] || (turned[t] === 1) === invert) continue;
    triangles[3 * t + 1] = mesh.triangles[3 * t + 2];
    triangles[3 * t + 2] = mesh.triangles[3 * t + 1];
    flipped++;
  }
  return { mesh: { positions: mesh.positions, triangles }, flipped, orientable: !oneSided.includes(1) };
}
