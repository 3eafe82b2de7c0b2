// The sparse factorisation against dense linear algebra, on random graphs and on helper meshes.

import { Matrix, solve as solveDense } from 'ml-matrix';
import { describe, expect, it } from 'vitest';
import { buildHelperMesh } from '../../src/deformer/helper-mesh.js';
import { dissect } from '../../src/deformer/nested-dissection.js';
import { SparseFactor } from '../../src/deformer/sparse-factor.js';
import { graphOf } from '../../src/deformer/sparse-graph.js';
import { analysePattern } from '../../src/deformer/sparse-symbolic.js';
import { seededRandom } from '../../src/math/random.js';
import { icosphere } from '../../src/mesh/generate/index.js';

interface Entries {
  readonly count: number;
  readonly a: number[];
  readonly b: number[];
  readonly values: number[];
  readonly positions: Float64Array;
}

/** A diagonally dominant matrix over random pairs. */
function randomEntries(count: number, pairs: number, seed: number): Entries {
  const random = seededRandom(seed);
  const [a, b, values]: number[][] = [[], [], []];
  const sums = new Float64Array(count);
  for (let n = 0; n < pairs && count > 1; n++) {
    const i = Math.floor(random() * count);
    const j = Math.floor(random() * count);
    if (i === j) continue;
    const value = random() - 0.5;
    a.push(i);
    b.push(j);
    values.push(value);
    sums[i] += Math.abs(value);
    sums[j] += Math.abs(value);
  }
  for (let i = 0; i < count; i++) {
    a.push(i);
    b.push(i);
    values.push(sums[i] + 0.1 + random());
  }
  return { count, a, b, values, positions: Float64Array.from({ length: 3 * count }, random) };
}

/** A Laplacian with a small mass over the edges of tetrahedra. */
function meshEntries(depth: number): Entries {
  const h = buildHelperMesh(icosphere({ detail: 2 }), depth);
  const count = h.positions.length / 3;
  const [a, b, values]: number[][] = [[], [], []];
  const random = seededRandom(depth);
  for (let t = 0; t < h.tetrahedra.length; t += 4) {
    for (let i = 0; i < 4; i++) {
      for (let j = 0; j < i; j++) {
        const weight = 0.5 + random();
        const [p, q] = [h.tetrahedra[t + i], h.tetrahedra[t + j]];
        a.push(p, p, q);
        b.push(q, p, q);
        values.push(-weight, weight, weight);
      }
    }
  }
  for (let i = 0; i < count; i++) {
    a.push(i);
    b.push(i);
    values.push(0.05);
  }
  return { count, a, b, values, positions: h.positions };
}

const cases: [string, Entries][] = [
  ['one row', randomEntries(1, 0, 1)],
  ['two rows apart', randomEntries(2, 0, 1)],
  ['a few rows', randomEntries(7, 12, 2)],
  ['a sparse graph of several parts', randomEntries(150, 90, 3)],
  ['a graph that fills in', randomEntries(120, 900, 4)],
  ['a helper mesh', meshEntries(2)],
  ['a finer helper mesh', meshEntries(3)],
];

describe.each(cases)('%s', (_, { count, a, b, values, positions }) => {
  const graph = graphOf(count, a, b);
  const factor = new SparseFactor(analysePattern(graph, positions));
  values.forEach((value, n) => {
    factor.matrix[factor.slotOf(a[n], b[n])] += value;
  });
  const right = Float64Array.from({ length: 3 * count }, seededRandom(9));

  it('is ordered by a permutation', () => {
    expect([...dissect(graph, positions)].sort((p, q) => p - q)).toEqual([...Array(count).keys()]);
  });

  it('solves as the matrix says', () => {
    expect(factor.factor()).toBe(true);
    const x = new Float64Array(3 * count);
    factor.solve(right, x);
    const residual = right.slice();
    values.forEach((value, n) => {
      for (let k = 0; k < 3; k++) {
        residual[3 * a[n] + k] -= value * x[3 * b[n] + k];
        if (a[n] !== b[n]) residual[3 * b[n] + k] -= value * x[3 * a[n] + k];
      }
    });
    // Backward stable: a few hundred roundings of numbers up to ‖A‖·‖x‖, which is below 1e3 here.
    expect(Math.max(...residual.map(Math.abs))).toBeLessThan(1e-10);
    // In place, and again: the same bits.
    const again = right.slice();
    factor.factor();
    factor.solve(again, again);
    expect(again).toEqual(x);
  });

  it('agrees with a dense solver', () => {
    if (count > 300) return;
    const dense = Matrix.zeros(count, count);
    values.forEach((value, n) => {
      dense.set(a[n], b[n], dense.get(a[n], b[n]) + value);
      if (a[n] !== b[n]) dense.set(b[n], a[n], dense.get(b[n], a[n]) + value);
    });
    const rows = Array.from({ length: count }, (_, i) => [...right.subarray(3 * i, 3 * i + 3)]);
    const expected = solveDense(dense, new Matrix(rows));
    const x = new Float64Array(3 * count);
    factor.solve(right, x);
    for (let i = 0; i < 3 * count; i++) {
      const value = expected.get(Math.floor(i / 3), i % 3);
      // Condition numbers here are below 1e4.
      expect(Math.abs(x[i] - value)).toBeLessThan(1e-10 * (1 + Math.abs(value)));
    }
  });
});

it('says where a matrix is not positive definite', () => {
  const factor = new SparseFactor(analysePattern(graphOf(2, [0], [1]), new Float64Array(6)));
  factor.matrix[factor.slotOf(0, 0)] = 1;
  factor.matrix[factor.slotOf(1, 1)] = 1;
  factor.matrix[factor.slotOf(0, 1)] = 1;
  expect(factor.factor()).toBe(false);
});
