// Plastic flow of one region: see src/solvers/octree/plasticity.ts.

import * as tuning from '../../../src/solvers/octree/tuning';
import { solveSymmetric, solvedX, solvedY, solvedZ } from './solve';

const REGULARISATION: f64 = <f64>tuning.REGULARISATION;

/** A number of a matrix whose numbers are two lanes apart. */
// @ts-ignore: decorator
@inline function lane(m: usize, n: usize): f64 {
  return load<f64>(m + 16 * n);
}
// @ts-ignore: decorator
@inline function at(m: usize, n: usize): f64 {
  return load<f64>(m + 8 * n);
}

/** Lets S at s flow in a step, from A·Sᵀ and R (one lane of two each) and Q at q. `scratch` has room for 24 numbers. */
export function flow(
  q: usize, affine: usize, rotation: usize, s: usize, scratch: usize, yields: f64, creep: f64, most: f64, timeStep: f64,
): void {
  const size = REGULARISATION * (at(q, 0) + at(q, 3) + at(q, 5));
  if (!(size > 0)) return;
  const matrix = scratch;
  const strain = scratch + 48;
  const next = scratch + 120;
  writeConjugate(q, s, matrix);
  for (let r: usize = 0; r < 3; r++) {
    const x = stretch(rotation, affine, r, 0, size);
    const y = stretch(rotation, affine, r, 1, size);
    const z = stretch(rotation, affine, r, 2, size);
    if (!solveSymmetric(at(matrix, 0), at(matrix, 1), at(matrix, 2), at(matrix, 3), at(matrix, 4), at(matrix, 5), size, x, y, z)) return;
    store<f64>(strain + 24 * r, solvedX);
    store<f64>(strain + 24 * r, solvedY, 8);
    store<f64>(strain + 24 * r, solvedZ, 16);
  }
  let norm2: f64 = 0;
  for (let r: usize = 0; r < 3; r++) {
    for (let c = r; c < 3; c++) {
      const mean = 0.5 * (at(strain, 3 * r + c) + at(strain, 3 * c + r)) - (r === c ? 1.0 : 0.0);
      store<f64>(strain + 8 * (3 * r + c), mean);
      store<f64>(strain + 8 * (3 * c + r), mean);
      norm2 += (r === c ? 1.0 : 2.0) * mean * mean;
    }
  }
  const norm = sqrt(norm2);
  if (!(norm > yields)) return;
  const share = min(1.0, creep * timeStep) * (1 - yields / norm);
  for (let r: usize = 0; r < 9; r += 3) {
    for (let c: usize = 0; c < 3; c++) {
      const bent = at(strain, r) * at(s, c) + at(strain, r + 1) * at(s, 3 + c) + at(strain, r + 2) * at(s, 6 + c);
      store<f64>(next + 8 * (r + c), at(s, r + c) + share * bent);
    }
  }
  takeFlow(next, s, most);
}

/** A number of RᵀA·Sᵀ + e·I. */
function stretch(rotation: usize, affine: usize, r: usize, c: usize, size: f64): f64 {
  const near = lane(rotation, r) * lane(affine, c) + lane(rotation, 3 + r) * lane(affine, 3 + c);
  return near + lane(rotation, 6 + r) * lane(affine, 6 + c) + (r === c ? size : 0.0);
}

/** Takes the new S, scaled to det 1, unless it is turned over or strained too far. */
function takeFlow(next: usize, s: usize, most: f64): void {
  const m0 = at(next, 0);
  const m1 = at(next, 1);
  const m2 = at(next, 2);
  const m3 = at(next, 3);
  const m4 = at(next, 4);
  const m5 = at(next, 5);
  const m6 = at(next, 6);
  const m7 = at(next, 7);
  const m8 = at(next, 8);
  const det = m0 * (m4 * m8 - m5 * m7) - m1 * (m3 * m8 - m5 * m6) + m2 * (m3 * m7 - m4 * m6);
  if (!(det > 0) || !isFinite(det)) return;
  const scale = 1 / cubeRoot(det);
  let strain2: f64 = 0;
  for (let c: usize = 0; c < 9; c++) {
    const scaled = at(next, c) * scale;
    store<f64>(next + 8 * c, scaled);
    const off = scaled - (c % 4 === 0 ? 1.0 : 0.0);
    strain2 += off * off;
  }
  if (strain2 > most * most) return;
  memory.copy(s, next, 72);
}

function cubeRoot(x: f64): f64 {
  let root = x > 1 ? x : 1.0;
  for (let n: i32 = 0; n < 200; n++) {
    const better = (2 * root + x / (root * root)) / 3;
    if (better >= root) return better;
    root = better;
  }
  return root;
}

/** matrix = S·Q·Sᵀ */
function writeConjugate(q: usize, s: usize, matrix: usize): void {
  for (let r: usize = 0; r < 3; r++) {
    const a = at(s, 3 * r);
    const b = at(s, 3 * r + 1);
    const c = at(s, 3 * r + 2);
    const u = a * at(q, 0) + b * at(q, 1) + c * at(q, 2);
    const v = a * at(q, 1) + b * at(q, 3) + c * at(q, 4);
    const w = a * at(q, 2) + b * at(q, 4) + c * at(q, 5);
    for (let k = r; k < 3; k++, matrix += 8) {
      store<f64>(matrix, u * at(s, 3 * k) + v * at(s, 3 * k + 1) + w * at(s, 3 * k + 2));
    }
  }
}
