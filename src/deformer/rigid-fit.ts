// The rigid motion that brings one set of points nearest to another. Based on: [Horn87], the rotation as the eigenvector of a
// symmetric 4×4 matrix, found by Jacobi's rotations.

import { normalizeQuaternion, type Quaternion } from '../math/quaternion.js';
import type { Vec3 } from '../math/vec3.js';

/** Turns of Jacobi's method at most: it doubles its digits in each. */
const SWEEPS = 12;

/** Rotation q and centres so that q·(from − fromCentre), scaled, + toCentre is nearest to `to`. */
export function fitRigid(from: ArrayLike<number>, to: ArrayLike<number>) {
  const fromCentre = meanOf(from);
  const toCentre = meanOf(to);
  const s = new Float64Array(9);
  for (let i = 0; i < from.length; i += 3) {
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) s[3 * r + c] += (from[i + r] - fromCentre[r]) * (to[i + c] - toCentre[c]);
    }
  }
  const [xx, xy, xz, yx, yy, yz, zx, zy, zz] = s;
  const matrix = [
    [xx + yy + zz, yz - zy, zx - xz, xy - yx],
    [yz - zy, xx - yy - zz, xy + yx, zx + xz],
    [zx - xz, xy + yx, yy - xx - zz, yz + zy],
    [xy - yx, zx + xz, yz + zy, zz - xx - yy],
  ];
  const [w, x, y, z] = greatestEigenvector(matrix);
  const rotation: Quaternion = normalizeQuaternion(w < 0 ? [-x, -y, -z, -w] : [x, y, z, w]);
  return { rotation, fromCentre, toCentre };
}

function meanOf(points: ArrayLike<number>): Vec3 {
  const sum = [0, 0, 0];
  for (let i = 0; i < points.length; i++) sum[i % 3] += points[i];
  const count = points.length / 3;
  return [sum[0] / count, sum[1] / count, sum[2] / count];
}

/** Of a symmetric matrix, which is used up. */
function greatestEigenvector(m: number[][]): number[] {
  const size = m.length;
  const vectors: number[][] = m.map((_, i) => m.map((__, j) => (i === j ? 1 : 0)));
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (let p = 0; p < size; p++) {
      for (let q = p + 1; q < size; q++) {
        if (m[p][q] === 0) continue;
        const theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
        const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
        const c = 1 / Math.sqrt(t * t + 1);
        const s = t * c;
        for (let k = 0; k < size; k++) [m[k][p], m[k][q]] = [c * m[k][p] - s * m[k][q], s * m[k][p] + c * m[k][q]];
        for (let k = 0; k < size; k++) {
          [m[p][k], m[q][k]] = [c * m[p][k] - s * m[q][k], s * m[p][k] + c * m[q][k]];
          [vectors[k][p], vectors[k][q]] = [
            c * vectors[k][p] - s * vectors[k][q],
            s * vectors[k][p] + c * vectors[k][q],
          ];
        }
      }
    }
  }
  let best = 0;
  for (let k = 1; k < size; k++) if (m[k][k] > m[best][best]) best = k;
  return vectors.map((row) => row[best]);
}
