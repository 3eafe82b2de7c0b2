// Which way is out, for each particle: what the volume constraint's direction is made of.

import type { MeshAdjacency } from '../../mesh/adjacency.js';
import type { VolumeRest } from './rest.js';
import { OUTWARD } from './tuning.js';

/** A vertex normal shorter than this share of its rest area has no direction left. */
const LOST_NORMAL = 1e-9;

/**
 * How much of what it has along the surface each particle's push loses, 0…1: twice the share of its neighbours that are in
 * contact. Contacts hold what the field of wide regions moves along with their free neighbours, which were pushed over them: of a
 * cube of ten divisions pressed to half its height at ω = 8 the rims folded flat (rms of all angles 55°, so 14°). Straight
 * pushes for the whole body mend that as well, but make others rough and tremble.
 */
export function writeStraightening(
  { neighbourOffsets: offsets, neighbours }: MeshAdjacency,
  colliding: Uint8Array,
  straight: Float64Array,
): void {
  for (let i = 0; i < straight.length; i++) {
    let touching = 0;
    for (let e = offsets[i]; e < offsets[i + 1]; e++) if (colliding[neighbours[e]] !== 0) touching++;
    straight[i] = Math.min(1, (2 * touching) / (offsets[i + 1] - offsets[i]));
  }
}

/**
 * Unit normals at the given lengths [m²], from n̄ (area-weighted normals [m²]). A collapsed vertex has no direction.
 */
export function writeNormalPushes(
  rest: VolumeRest,
  normals: Float64Array,
  lengths: (vertex: number) => number,
  outward: Float64Array,
): void {
  for (let i = 0, k = 0; k < normals.length; i++, k += 3) {
    const scale = lengths(i) * inverseLength(rest, normals, i);
    outward[k] = scale * normals[k];
    outward[k + 1] = scale * normals[k + 1];
    outward[k + 2] = scale * normals[k + 2];
  }
}

/**
 * The push field p of the body at rest [m²], each vector turned by its particle's region (quaternions x, y, z, w), leaning
 * outwards where it is less than 0.1 of its length along the normal; without the share
 * `straight` of what it has along the surface.
 */
export function writeTurnedPushes(
  rest: VolumeRest,
  pushes: Float64Array,
  rotations: Float64Array,
  normals: Float64Array,
  straight: Float64Array,
  outward: Float64Array,
): void {
  for (let i = 0, k = 0; k < normals.length; i++, k += 3) {
    const px = pushes[k];
    const py = pushes[k + 1];
    const pz = pushes[k + 2];
    const qx = rotations[4 * i];
    const qy = rotations[4 * i + 1];
    const qz = rotations[4 * i + 2];
    const qw = rotations[4 * i + 3];
    const tx = 2 * (qy * pz - qz * py);
    const ty = 2 * (qz * px - qx * pz);
    const tz = 2 * (qx * py - qy * px);
    const dx = px + qw * tx + qy * tz - qz * ty;
    const dy = py + qw * ty + qz * tx - qx * tz;
    const dz = pz + qw * tz + qx * ty - qy * tx;
    const inverse = inverseLength(rest, normals, i);
    const along = inverse * (dx * normals[k] + dy * normals[k + 1] + dz * normals[k + 2]);
    const least = OUTWARD * Math.sqrt(px * px + py * py + pz * pz);
    // What is kept of the turned push, and what of the normal n̄ is added.
    const kept = inverse > 0 ? 1 - straight[i] : 1;
    const added = inverse * (Math.max(along, least) - kept * along);
    outward[k] = kept * dx + added * normals[k];
    outward[k + 1] = kept * dy + added * normals[k + 1];
    outward[k + 2] = kept * dz + added * normals[k + 2];
  }
}

/** 1/‖n̄‖ of a vertex [1/m²]; 0 where it has no direction. */
function inverseLength({ areas }: VolumeRest, normals: Float64Array, vertex: number): number {
  const k = 3 * vertex;
  const length = Math.sqrt(normals[k] ** 2 + normals[k + 1] ** 2 + normals[k + 2] ** 2);
  return length > LOST_NORMAL * areas[vertex] ? 1 / length : 0;
}
