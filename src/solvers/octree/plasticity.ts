// Plastic flow: what a region is strained beyond its yield becomes part of its rest shape by and by, without change of volume.
// Based on: [SOG08 §4.4 eq. 10]; deviation: S keeps det 1 and multiplies the rest positions, and the inverse is regularised,
// so that collinear regions and single nodes flow nowhere instead of being singular.

import { solveSymmetric } from '../../math/mat3.js';
import { REGULARISATION } from './tuning.js';

export interface Plasticity {
  /** Strain (Frobenius norm) up to which a region springs back. */
  readonly yield: number;
  /** Share of the strain beyond that becomes plastic in a second [1/s]. */
  readonly creep: number;
  /** Most plastic strain |S − I| (Frobenius norm). */
  readonly max: number;
}

const stretch = new Float64Array(9);
const matrix = new Float64Array(6);
const strain = new Float64Array(9);
const row = new Float64Array(3);
const solved = new Float64Array(3);
const next = new Float64Array(9);

/**
 * Lets S at flows[s…] flow in a step, from A·Sᵀ and R of the region and Q at matrices[q…]. With K = S·Q·Sᵀ + e·I the
 * strain is the symmetric part of (RᵀA·Sᵀ + e·I)·K⁻¹ less I.
 */
export function flow(
  matrices: Float64Array,
  q: number,
  affine: Float64Array,
  rotation: Float64Array,
  flows: Float64Array,
  s: number,
  plasticity: Plasticity,
  timeStep: number,
): void {
  const size = REGULARISATION * (matrices[q] + matrices[q + 3] + matrices[q + 5]);
  if (!(size > 0)) return;
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) {
      stretch[3 * r + c] =
        rotation[r] * affine[c] +
        rotation[3 + r] * affine[3 + c] +
        rotation[6 + r] * affine[6 + c] +
        (r === c ? size : 0);
    }
  }
  writeConjugate(matrices, q, flows, s);
  for (let r = 0; r < 9; r += 3) {
    for (let c = 0; c < 3; c++) row[c] = stretch[r + c];
    if (!solveSymmetric(matrix, size, row, solved)) return;
    for (let c = 0; c < 3; c++) strain[r + c] = solved[c];
  }
  let norm2 = 0;
  for (let r = 0; r < 3; r++) {
    for (let c = r; c < 3; c++) {
      const mean = 0.5 * (strain[3 * r + c] + strain[3 * c + r]) - (r === c ? 1 : 0);
      strain[3 * r + c] = strain[3 * c + r] = mean;
      norm2 += (r === c ? 1 : 2) * mean * mean;
    }
  }
  const norm = Math.sqrt(norm2);
  if (!(norm > plasticity.yield)) return;
  const share = Math.min(1, plasticity.creep * timeStep) * (1 - plasticity.yield / norm);
  for (let r = 0; r < 9; r += 3) {
    for (let c = 0; c < 3; c++) {
      const bent = strain[r] * flows[s + c] + strain[r + 1] * flows[s + 3 + c] + strain[r + 2] * flows[s + 6 + c];
      next[r + c] = flows[s + r + c] + share * bent;
    }
  }
  takeFlow(flows, s, plasticity.max);
}

/** Takes `next` as the new S, scaled to det 1, unless it is turned over or strained too far. */
function takeFlow(flows: Float64Array, s: number, max: number): void {
  if (!normaliseFlow(next, 0)) return;
  let strain2 = 0;
  for (let c = 0; c < 9; c++) {
    const off = next[c] - (c % 4 === 0 ? 1 : 0);
    strain2 += off * off;
  }
  if (strain2 > max * max) return;
  for (let c = 0; c < 9; c++) flows[s + c] = next[c];
}

/** Scales the matrix at flows[s…] to det 1; false where its determinant is not positive. */
export function normaliseFlow(flows: Float64Array, s: number): boolean {
  const m = (c: number) => flows[s + c];
  const det =
    m(0) * (m(4) * m(8) - m(5) * m(7)) - m(1) * (m(3) * m(8) - m(5) * m(6)) + m(2) * (m(3) * m(7) - m(4) * m(6));
  if (!(det > 0) || !Number.isFinite(det)) return false;
  const scale = 1 / cubeRoot(det);
  for (let c = 0; c < 9; c++) flows[s + c] *= scale;
  return true;
}

/** Newton's method for a positive number near 1 or not; engines differ in the last bit of their own cube roots. */
function cubeRoot(x: number): number {
  let root = x > 1 ? x : 1;
  for (let n = 0; n < 200; n++) {
    const better = (2 * root + x / (root * root)) / 3;
    if (better >= root) return better;
    root = better;
  }
  return root;
}

/** matrix = S·Q·Sᵀ */
function writeConjugate(matrices: Float64Array, q: number, flows: Float64Array, s: number): void {
  const xx = matrices[q];
  const xy = matrices[q + 1];
  const xz = matrices[q + 2];
  const yy = matrices[q + 3];
  const yz = matrices[q + 4];
  const zz = matrices[q + 5];
  for (let r = 0, at = 0; r < 3; r++) {
    const [a, b, c] = [flows[s + 3 * r], flows[s + 3 * r + 1], flows[s + 3 * r + 2]];
    const u = a * xx + b * xy + c * xz;
    const v = a * xy + b * yy + c * yz;
    const w = a * xz + b * yz + c * zz;
    for (let k = r; k < 3; k++, at++) {
      matrix[at] = u * flows[s + 3 * k] + v * flows[s + 3 * k + 1] + w * flows[s + 3 * k + 2];
    }
  }
}
