// Dense symmetric eigenvalues by Jacobi's rotations: slow, simple, and none of the library's.

/** Eigenvalues (ascending) and the matrix of eigenvectors in columns, of a symmetric matrix given row by row. */
export function eigen(matrix: readonly Float64Array[]): { values: Float64Array; vectors: Float64Array[] } {
  const n = matrix.length;
  const a = matrix.map((row) => row.slice());
  const v = a.map((_, i) => Float64Array.from({ length: n }, (_, j) => (i === j ? 1 : 0)));
  for (let round = 0; round < 30; round++) {
    let off = 0;
    let size = 0;
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++)
        if (i === j) size += a[i][i] ** 2;
        else off += a[i][j] ** 2;
    if (off <= 1e-30 * size) break;
    for (let p = 0; p < n; p++) {
      for (let q = p + 1; q < n; q++) {
        if (a[p][q] === 0) continue;
        const ratio = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const t = (ratio < 0 ? -1 : 1) / (Math.abs(ratio) + Math.sqrt(1 + ratio * ratio));
        const c = 1 / Math.sqrt(1 + t * t);
        const s = t * c;
        for (let k = 0; k < n; k++) {
          [a[k][p], a[k][q]] = [c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]];
          [v[k][p], v[k][q]] = [c * v[k][p] - s * v[k][q], s * v[k][p] + c * v[k][q]];
        }
        for (let k = 0; k < n; k++) [a[p][k], a[q][k]] = [c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]];
      }
    }
  }
  const order = a.map((_, i) => i).sort((i, j) => a[i][i] - a[j][j]);
  return {
    values: Float64Array.from(order, (i) => a[i][i]),
    vectors: v.map((row) => Float64Array.from(order, (i) => row[i])),
  };
}

/** x of least length with |A·x − b| least, through the eigenvectors; eigenvalues below `cut` of the largest count as none. */
export function leastSquares(matrix: readonly Float64Array[], b: Float64Array, cut = 1e-10): Float64Array {
  const { values, vectors } = eigen(matrix);
  const x = new Float64Array(b.length);
  const least = cut * values[values.length - 1];
  for (let e = 0; e < values.length; e++) {
    if (values[e] <= least) continue;
    let along = 0;
    for (let k = 0; k < b.length; k++) along += vectors[k][e] * b[k];
    for (let k = 0; k < b.length; k++) x[k] += (along / values[e]) * vectors[k][e];
  }
  return x;
}
