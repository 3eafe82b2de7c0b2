// Singular values, materials, elastic forces and stiffness, each against differences of what it is the derivative of.

import { describe, expect, it } from 'vitest';
import { logarithm } from '../../../src/math/logarithm.js';
import { seededRandom } from '../../../src/math/random.js';
import { Elements } from '../../../src/solvers/tetrahedra/elements.js';
import {
  corotated,
  extend,
  type Material,
  neoHookean,
  stVenantKirchhoff,
} from '../../../src/solvers/tetrahedra/materials.js';
import { FibreForce, FORCE_LENGTH, layFibres } from '../../../src/solvers/tetrahedra/muscle.js';
import { buildTetraRest } from '../../../src/solvers/tetrahedra/rest.js';
import { StiffnessMatrix } from '../../../src/solvers/tetrahedra/stiffness-matrix.js';
import { decompose } from '../../../src/solvers/tetrahedra/svd3.js';
import { clampPositive } from '../../../src/solvers/tetrahedra/symmetric3.js';
import { dot, jitter, kuhnBox, norm, randomField } from './tetra-bodies.js';

const random = seededRandom(11);

/** Of one's own: Ψ = Σ (s − 1)⁴ + Σ (s − 1)². */
const own: Material = {
  energy: (s) => [0, 1, 2].reduce((sum, i) => sum + ((s[i] - 1) ** 2) ** 2 + (s[i] - 1) ** 2, 0),
  writeGradient: (s, out) => {
    for (let i = 0; i < 3; i++) out[i] = 4 * (s[i] - 1) ** 3 + 2 * (s[i] - 1);
  },
  writeHessian: (s, out) => {
    out.fill(0, 3, 6);
    for (let i = 0; i < 3; i++) out[i] = 12 * (s[i] - 1) ** 2 + 2;
  },
};
const materials: [string, Material][] = [
  ['neo-Hookean, λ = 0', neoHookean(3, 0)],
  ['neo-Hookean, λ = 9 μ', neoHookean(1, 9)],
  ['corotated', corotated(2, 3)],
  ['St. Venant–Kirchhoff', stVenantKirchhoff(2, 1)],
  ['own', own],
];

describe('logarithm', () => {
  it('is the engine’s to a few roundings', () => {
    for (const x of [1e-300, 1e-9, 0.3, 0.999, 1, 1.001, 2, 7.5, 1e20]) {
      expect(Math.abs(logarithm(x) - Math.log(x))).toBeLessThan(4e-16 * Math.max(1, Math.abs(Math.log(x))));
    }
  });
});

describe('decompose', () => {
  const [u, s, v] = [new Float64Array(9), new Float64Array(3), new Float64Array(9)];
  const determinant = (m: Float64Array): number =>
    m[0] * (m[4] * m[8] - m[5] * m[7]) + m[1] * (m[5] * m[6] - m[3] * m[8]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
  const check = (f: Float64Array): void => {
    decompose(f, 0, u, s, v);
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        const sum = [0, 1, 2].reduce((a, k) => a + u[3 * i + k] * s[k] * v[3 * j + k], 0);
        expect(Math.abs(sum - f[3 * i + j])).toBeLessThan(1e-14 * (norm(f) + 1e-300));
      }
    }
    for (const m of [u, v]) {
      expect(Math.abs(determinant(m) - 1)).toBeLessThan(1e-13);
      for (let i = 0; i < 3; i++) {
        for (let j = 0; j <= i; j++) {
          const product = m[i] * m[j] + m[3 + i] * m[3 + j] + m[6 + i] * m[6 + j];
          expect(Math.abs(product - (i === j ? 1 : 0))).toBeLessThan(1e-13);
        }
      }
    }
    expect(s[0] >= s[1] && s[1] >= Math.abs(s[2])).toBe(true);
  };

  it('takes any matrix apart, inverted, flat, of one line or nothing', () => {
    for (let n = 0; n < 300; n++) {
      const f = randomField(9, random);
      if (n % 4 === 1) for (let k = 6; k < 9; k++) f[k] = f[k - 3] * 0.7;
      if (n % 4 === 2) for (let k = 3; k < 9; k++) f[k] = 2 * f[k % 3];
      if (n % 4 === 3) for (let k = 6; k < 9; k++) f[k] = f[k - 3] + 1e-9 * f[k];
      check(f);
    }
    check(Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, -1));
    check(new Float64Array(9));
    check(Float64Array.of(0, 0, 0, 0, 0, 0, 0, 0, 1e-100));
  });

  it('keeps small values to their own digits', () => {
    decompose(Float64Array.of(1, 0, 0, 0, 1e-8, 0, 0, 0, -1e-12), 0, u, s, v);
    expect(Math.abs(s[1] / 1e-8 - 1)).toBeLessThan(1e-14);
    expect(Math.abs(s[2] / -1e-12 - 1)).toBeLessThan(1e-14);
  });
});

describe('clampPositive', () => {
  it('leaves the positive part: nothing negative remains, and what it took was negative', () => {
    for (let n = 0; n < 100; n++) {
      const before = randomField(6, random);
      const after = before.slice();
      clampPositive(after);
      const took = after.map((x, k) => x - before[k]);
      const form = (h: Float64Array, x: Float64Array): number =>
        h[0] * x[0] ** 2 +
        h[1] * x[1] ** 2 +
        h[2] * x[2] ** 2 +
        2 * (h[3] * x[0] * x[1] + h[4] * x[0] * x[2] + h[5] * x[1] * x[2]);
      for (let k = 0; k < 20; k++) {
        const x = randomField(3, random);
        expect(form(after, x)).toBeGreaterThan(-1e-14);
        expect(form(took, x)).toBeGreaterThan(-1e-14);
      }
      // Positive and negative parts have no product.
      const product = (a: Float64Array, b: Float64Array) =>
        a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + 2 * (a[3] * b[3] + a[4] * b[4] + a[5] * b[5]);
      expect(Math.abs(product(after, took))).toBeLessThan(1e-14);
    }
  });
});

describe.each(materials)('%s', (_, material) => {
  const extended = extend(material);

  it('has the gradient of its energy, below the least stretch too', () => {
    const g = new Float64Array(3);
    for (const s of [
      [1.2, 0.9, 0.7],
      [1.5, 0.6, 0.1],
      [1.1, 0.15, -0.4],
      [0.1, 0.05, -0.1],
    ]) {
      extended.writeGradient(s, g);
      for (let i = 0; i < 3; i++) {
        const at = (d: number) => extended.energy(s.map((x, k) => (k === i ? x + d : x)));
        const difference = (8 * (at(5e-4) - at(-5e-4)) - (at(1e-3) - at(-1e-3))) / 6e-3;
        expect(Math.abs(difference - g[i])).toBeLessThan(1e-8 * (1 + Math.abs(g[i])));
      }
    }
  });

  it('has the forces of its energy and the stiffness of its forces', () => {
    const mesh = kuhnBox(1, 1, 2);
    const elements = new Elements(
      buildTetraRest(mesh, { stiffness: Array.from({ length: 12 }, (_, t) => 1 + t / 9) }),
      extended,
    );
    const rest = buildTetraRest(mesh);
    const { count } = rest;
    const x = jitter(mesh, 0.12, random).positions;
    const forces = new Float64Array(3 * count);
    const matrix = new StiffnessMatrix(rest);
    elements.assemble(x, forces, matrix, false);
    const direction = randomField(3 * count, random);
    const moved = (d: number) => x.map((a, k) => a + d * direction[k]);
    // Differences of the fourth order: their error is that of rounding over the step.
    const step = 2e-3;
    const rate = (f: (d: number) => number) => (8 * (f(step) - f(-step)) - (f(2 * step) - f(-2 * step))) / (12 * step);
    const work = rate((d) => elements.energy(moved(d)));
    expect(Math.abs(work + dot(forces, direction))).toBeLessThan(1e-7 * norm(forces) * norm(direction));
    const at = new Map<number, Float64Array>();
    for (const d of [step, -step, 2 * step, -2 * step]) {
      const f = new Float64Array(3 * count);
      elements.assemble(moved(d), f);
      at.set(d, f);
    }
    const change = forces.map((_, k) => rate((d) => (at.get(d) as Float64Array)[k]));
    const product = new Float64Array(3 * count);
    matrix.multiply(direction, product);
    expect(norm(product.map((a, k) => a + change[k]))).toBeLessThan(1e-7 * norm(change));
    // Symmetric, and with the clamp positive.
    const other = randomField(3 * count, random);
    const turned = new Float64Array(3 * count);
    matrix.multiply(other, turned);
    expect(Math.abs(dot(product, other) - dot(turned, direction))).toBeLessThan(1e-12 * norm(product) * norm(other));
    elements.assemble(jitter(mesh, 0.5, random).positions, forces, matrix);
    for (let n = 0; n < 30; n++) {
      const y = randomField(3 * count, random);
      matrix.multiply(y, product);
      expect(dot(product, y)).toBeGreaterThan(-1e-12 * norm(product) * norm(y));
    }
  });
});

describe('muscle', () => {
  it('has the forces of its energy and the stiffness of its forces', () => {
    const mesh = kuhnBox(1, 1, 2);
    const rest = buildTetraRest(mesh);
    const fibres = layFibres(mesh, (x) => [x - 0.2, 0.3, 1]);
    const muscle = new FibreForce({ strength: 5, fibres, forceLength: FORCE_LENGTH });
    muscle.activate(0.7);
    const elements = new Elements(rest, extend(neoHookean(1, 0)), muscle);
    const x = jitter(mesh, 0.1, random).positions;
    const forces = new Float64Array(3 * rest.count);
    const matrix = new StiffnessMatrix(rest);
    elements.assemble(x, forces, matrix, false);
    const direction = randomField(3 * rest.count, random);
    const moved = (d: number) => x.map((a, k) => a + d * direction[k]);
    const step = 1e-4;
    const work = (elements.energy(moved(step)) - elements.energy(moved(-step))) / (2 * step);
    expect(Math.abs(work + dot(forces, direction))).toBeLessThan(1e-6 * norm(forces) * norm(direction));
    const [ahead, behind] = [forces.slice(), forces.slice()];
    elements.assemble(moved(step), ahead);
    elements.assemble(moved(-step), behind);
    const product = new Float64Array(3 * rest.count);
    matrix.multiply(direction, product);
    const error = product.map((a, k) => a + (ahead[k] - behind[k]) / (2 * step));
    expect(norm(error)).toBeLessThan(1e-6 * norm(product));
  });

  it('is strongest at its length at rest and refuses what is no activation', () => {
    expect(FORCE_LENGTH.share(1)).toBe(1);
    expect(FORCE_LENGTH.share(0.4)).toBe(0);
    expect(FORCE_LENGTH.share(1.6)).toBe(0);
    const muscle = new FibreForce({ strength: 1, fibres: new Float64Array(6), forceLength: FORCE_LENGTH });
    expect(() => muscle.activate(1.5)).toThrow('activation: expected a number from 0 to 1, got 1.5');
    expect(() => muscle.activate([1])).toThrow(
      'activation: expected a number or one for each of 2 tetrahedra, got [1]',
    );
  });
});
