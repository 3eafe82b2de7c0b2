// Eigenvectors of a small symmetric matrix by Jacobi's rotations.

/** Sweeps at most: digits double in each. */
const SWEEPS = 30;

/** Unit vectors and their values, the largest first. The matrix is used up. */
export function eigenvectors(matrix: readonly Float64Array[]): { vectors: Float64Array[]; values: number[] } {
  const n = matrix.length;
  const vectors = matrix.map((_, k) => Float64Array.from({ length: n }, (_, i) => (i === k ? 1 : 0)));
  const scale = matrix.reduce((most, row, k) => Math.max(most, Math.abs(row[k])), 0);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let off = 0;
    for (let p = 0; p < n; p++) for (let q = p + 1; q < n; q++) off = Math.max(off, Math.abs(matrix[p][q]));
    if (!(off > 1e-15 * scale)) break;
    for (let p = 0; p < n; p++) for (let q = p + 1; q < n; q++) rotate(matrix, vectors, p, q);
  }
  const order = vectors.map((_, k) => k).sort((a, b) => matrix[b][b] - matrix[a][a]);
  return { vectors: order.map((k) => vectors[k]), values: order.map((k) => matrix[k][k]) };
}

/** Turns rows and columns p and q so that their product vanishes. */
function rotate(a: readonly Float64Array[], vectors: readonly Float64Array[], p: number, q: number): void {
  if (a[p][q] === 0) return;
  const theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (let k = 0; k < a.length; k++) {
    const [x, y] = [a[k][p], a[k][q]];
    a[k][p] = c * x - s * y;
    a[k][q] = s * x + c * y;
  }
  for (let k = 0; k < a.length; k++) {
    const [x, y] = [a[p][k], a[q][k]];
    a[p][k] = c * x - s * y;
    a[q][k] = s * x + c * y;
    const [u, v] = [vectors[p][k], vectors[q][k]];
    vectors[p][k] = c * u - s * v;
    vectors[q][k] = s * u + c * v;
  }
}
