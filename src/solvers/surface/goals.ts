// From region sums to goals: region transforms (with the extra point against flat regions), their sums, the goal of
// each particle. Based on: DBB11 §4 "Shape Matching" and "Shape Regions".

import { MOMENT_STRIDE } from '../moments.js';
import { nearestRotation, rotationMatrix } from '../rotation.js';
import type { SurfaceRest } from './rest.js';

/** A vertex normal shorter than this share of its rest area has no direction left (collapsed triangles). */
const LOST_NORMAL = 1e-9;

const affine = new Float64Array(9);
const rotation = new Float64Array(9);

/**
 * Region transforms Tᵢ = [Rᵢ | tᵢ − Rᵢ t⁰ᵢ] (12 numbers, row by row) from the sums of m̃·x⊗[x⁰; 1].
 * A ← Σ − M̃ t t⁰ᵀ + m̃ᵢ (p − t)(p⁰ − t⁰)ᵀ with the extra point p = xᵢ + l·nᵢ, which enters A only. [DBB11 eq. 4]
 * Reads sums, positions and normals; updates the warm-started `quaternions`; writes `transforms`. All positions are
 * relative to `origin`, which the sums already are.
 */
export function writeTransforms(
  rest: SurfaceRest,
  sums: Float64Array,
  positions: Float64Array,
  origin: ArrayLike<number>,
  normals: Float64Array,
  quaternions: Float64Array,
  transforms: Float64Array,
  scale = 1,
): void {
  const {
    positions: x0,
    regions,
    regionMasses,
    regionTotals,
    regionCentres,
    extraLengths,
    unitNormals,
    areas,
    restMoments,
    stiffnesses,
  } = rest;
  for (let i = 0; i < regions.count; i++) {
    const k = 3 * i;
    const row = MOMENT_STRIDE * i;
    const inverse = 1 / regionTotals[i];
    const tx = sums[row + 3] * inverse;
    const ty = sums[row + 7] * inverse;
    const tz = sums[row + 11] * inverse;
    const t0x = regionCentres[k];
    const t0y = regionCentres[k + 1];
    const t0z = regionCentres[k + 2];
    rotationMatrix(quaternions, 4 * i, rotation);

    // The extra point's arm now and at rest; where the triangles have collapsed, the previous rotation turns the rest normal.
    let nx = normals[k];
    let ny = normals[k + 1];
    let nz = normals[k + 2];
    const n0x = unitNormals[k];
    const n0y = unitNormals[k + 1];
    const n0z = unitNormals[k + 2];
    const norm = Math.sqrt(nx * nx + ny * ny + nz * nz);
    if (norm > LOST_NORMAL * areas[i]) {
      nx /= norm;
      ny /= norm;
      nz /= norm;
    } else {
      nx = rotation[0] * n0x + rotation[1] * n0y + rotation[2] * n0z;
      ny = rotation[3] * n0x + rotation[4] * n0y + rotation[5] * n0z;
      nz = rotation[6] * n0x + rotation[7] * n0y + rotation[8] * n0z;
    }
    const l = extraLengths[i];
    const m = regionMasses[i];
    const px = m * (positions[k] - origin[0] + l * nx - tx);
    const py = m * (positions[k + 1] - origin[1] + l * ny - ty);
    const pz = m * (positions[k + 2] - origin[2] + l * nz - tz);
    const p0x = x0[k] + l * n0x - t0x;
    const p0y = x0[k + 1] + l * n0y - t0y;
    const p0z = x0[k + 2] + l * n0z - t0z;

    // M̃·t
    const sx = sums[row + 3];
    const sy = sums[row + 7];
    const sz = sums[row + 11];
    affine[0] = sums[row] - sx * t0x + px * p0x;
    affine[1] = sums[row + 1] - sx * t0y + px * p0y;
    affine[2] = sums[row + 2] - sx * t0z + px * p0z;
    affine[3] = sums[row + 4] - sy * t0x + py * p0x;
    affine[4] = sums[row + 5] - sy * t0y + py * p0y;
    affine[5] = sums[row + 6] - sy * t0z + py * p0z;
    affine[6] = sums[row + 8] - sz * t0x + pz * p0x;
    affine[7] = sums[row + 9] - sz * t0y + pz * p0y;
    affine[8] = sums[row + 10] - sz * t0z + pz * p0z;

    nearestRotation(affine, 0, restMoments[i], quaternions, 4 * i);
    rotationMatrix(quaternions, 4 * i, rotation);
    const r = rotation;
    for (let c = 0; c < 9; c++) r[c] *= scale;
    transforms[row] = r[0];
    transforms[row + 1] = r[1];
    transforms[row + 2] = r[2];
    transforms[row + 3] = tx - (r[0] * t0x + r[1] * t0y + r[2] * t0z);
    transforms[row + 4] = r[3];
    transforms[row + 5] = r[4];
    transforms[row + 6] = r[5];
    transforms[row + 7] = ty - (r[3] * t0x + r[4] * t0y + r[5] * t0z);
    transforms[row + 8] = r[6];
    transforms[row + 9] = r[7];
    transforms[row + 10] = r[8];
    transforms[row + 11] = tz - (r[6] * t0x + r[7] * t0y + r[8] * t0z);
    if (stiffnesses) for (let c = row; c < row + MOMENT_STRIDE; c++) transforms[c] *= stiffnesses.factors[i];
  }
}

/** gᵢ = (1/|𝓡ᵢ|)·(Σ_{j∈𝓡ᵢ} Tⱼ)·[x⁰ᵢ; 1] + origin, from the region sums of the transforms. */
export function writeGoals(
  rest: SurfaceRest,
  sums: Float64Array,
  origin: ArrayLike<number>,
  goals: Float64Array,
): void {
  const { positions: x0, regions, stiffnesses } = rest;
  for (let i = 0, k = 0; i < regions.count; i++, k += 3) {
    const inverse = 1 / regions.sizes[i];
    const mean = stiffnesses ? stiffnesses.means[i] : 1;
    const x = x0[k];
    const y = x0[k + 1];
    const z = x0[k + 2];
    for (let c = 0; c < 3; c++) {
      const row = MOMENT_STRIDE * i + 4 * c;
      goals[k + c] =
        mean * origin[c] + inverse * (sums[row] * x + sums[row + 1] * y + sums[row + 2] * z + sums[row + 3]);
    }
  }
}
