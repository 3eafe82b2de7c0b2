// The pressure solve: laws 3, 4 and 5 of the specification, its preconditioners, and Newton's method on volumes (law 6).

import { describe, expect, it } from 'vitest';
import type { FeatureContacts } from '../../../src/contact/response/feature-contacts.js';
import { seededRandom } from '../../../src/math/random.js';
import type { TetraMesh } from '../../../src/mesh/tetrahedralise/tetra-mesh.js';
import { ConjugateGradients } from '../../../src/solvers/tetrahedra/conjugate-gradients.js';
import { ContactProjection } from '../../../src/solvers/tetrahedra/contact-projection.js';
import { CoupledPressure, SOFTNESS } from '../../../src/solvers/tetrahedra/coupled-pressure.js';
import { Elements } from '../../../src/solvers/tetrahedra/elements.js';
import { LinkRows } from '../../../src/solvers/tetrahedra/link-rows.js';
import { extend, neoHookean } from '../../../src/solvers/tetrahedra/materials.js';
import { Minres } from '../../../src/solvers/tetrahedra/minres.js';
import { buildPressurePattern } from '../../../src/solvers/tetrahedra/pressure-matrix.js';
import { PressureSolve } from '../../../src/solvers/tetrahedra/pressure-solve.js';
import { buildTetraRest } from '../../../src/solvers/tetrahedra/rest.js';
import { largestRingError, writeRingSums, writeVolumes } from '../../../src/solvers/tetrahedra/ring-sums.js';
import { StiffnessMatrix } from '../../../src/solvers/tetrahedra/stiffness-matrix.js';
import { eigen, leastSquares } from './dense.js';
import { ball, bccBox, dot, fiveBox, jitter, kuhnBox, norm, randomField } from './tetra-bodies.js';

const random = seededRandom(5);

function setUp(mesh: TetraMesh, preconditioner?: 'jacobi' | 'incomplete-cholesky') {
  const rest = buildTetraRest(mesh);
  const projection = new ContactProjection(rest.massShares.map((share) => 1 / (100 * share)));
  const solve = new PressureSolve(rest, buildPressurePattern(rest), preconditioner);
  solve.place(mesh.positions);
  solve.prepare(projection);
  return { rest, projection, solve };
}

/** A constraint between several nodes: Σ weightᵢ n·Δvᵢ = 0, as of a point and a triangle, or of two edges. */
interface Link {
  readonly nodes: readonly number[];
  readonly weights: readonly number[];
  readonly normal: readonly [number, number, number];
}

/** All of them holding, between nodes of one body. */
function linkRows(links: readonly Link[], projection: ContactProjection): LinkRows {
  const rows = new LinkRows();
  const [one, none] = [links.map(() => 1), links.map(() => 0)];
  const list = {
    count: links.length,
    bodies: [...none, ...none],
    splits: links.map(() => 4),
    particles: links.flatMap(({ nodes }) => nodes),
    weights: links.flatMap(({ weights }) => weights),
    normals: links.flatMap(({ normal }) => normal),
    ...{ thicknesses: one, gaps: none, frictions: none },
  };
  rows.take(list as unknown as FeatureContacts, [{ projection }]);
  rows.active.fill(1, 0, links.length);
  rows.prepare();
  return rows;
}

const alongOf = ({ nodes, weights, normal }: Link, v: Float64Array): number =>
  nodes.reduce((sum, n, i) => sum + weights[i] * [0, 1, 2].reduce((a, c) => a + normal[c] * v[3 * n + c], 0), 0);

/** The operator as rows, without the library's matrix; with links, swept so many times. */
function denseOf({ rest, solve }: ReturnType<typeof setUp>, rows?: LinkRows, sweeps = 1): Float64Array[] {
  return Array.from({ length: rest.count }, (_, k) => {
    const [unit, row] = [new Float64Array(rest.count), new Float64Array(rest.count)];
    unit[k] = 1;
    solve.beginProduct(unit);
    for (let n = 0; n < sweeps; n++) rows?.sweep([solve.change]);
    solve.endProduct(row, 0);
    return row;
  });
}

describe('the operator', () => {
  it.each([
    ['Kuhn', kuhnBox(3, 3, 3)],
    ['jittered Kuhn', jitter(kuhnBox(3, 3, 3), 0.1, random)],
    ['five per cube', fiveBox(4)],
    ['body-centred cubes', bccBox(3)],
  ])('has three null vectors on %s', (_, mesh) => {
    const made = setUp(mesh);
    const { values } = eigen(denseOf(made));
    const largest = values[values.length - 1];
    expect(values.filter((value) => value < 1e-12 * largest).length).toBe(3);
    expect(values[0]).toBeGreaterThan(-1e-13 * largest);
  });

  it('is symmetric and positive for any contacts and sweeps, and the assembled matrix is it', () => {
    const mesh = jitter(kuhnBox(3, 3, 3), 0.1, random);
    const made = setUp(mesh);
    const { rest, projection, solve } = made;
    projection.inverseMasses.fill(0, 0, 5);
    for (let n = 10; n < 40; n += 3) projection.hold(n, ...unit());
    for (let n = 12; n < 40; n += 6) projection.hold(n, ...unit());
    solve.prepare(projection);
    const [x, y] = [randomField(rest.count, random), new Float64Array(rest.count)];
    const z = new Float64Array(rest.count);
    solve.multiply(projection, x, y);
    const { starts, columns } = buildPressurePattern(rest);
    for (let k = 0; k < rest.count; k++) {
      for (let s = starts[k]; s < starts[k + 1]; s++) {
        z[k] += solve.matrix.values[s] * x[columns[s]];
        if (columns[s] !== k) z[columns[s]] += solve.matrix.values[s] * x[k];
      }
    }
    expect(norm(y.map((a, k) => a - z[k]))).toBeLessThan(1e-13 * norm(y));
    const links: Link[] = Array.from({ length: 30 }, () => ({
      nodes: Array.from({ length: 4 }, () => Math.floor(random() * rest.count)),
      weights: [1, -0.2, -0.5, -0.3],
      normal: unit(),
    })).filter(({ nodes }) => new Set(nodes).size === 4);
    for (const sweeps of [1, 4, 16]) {
      const rows = denseOf(made, linkRows(links, projection), sweeps);
      let largest = 0;
      for (let i = 0; i < rest.count; i++) {
        for (let j = 0; j < i; j++) largest = Math.max(largest, Math.abs(rows[i][j] - rows[j][i]));
      }
      expect(largest).toBeLessThan(1e-12 * rows[20][20]);
      const { values } = eigen(rows);
      expect(values[0]).toBeGreaterThan(-1e-12 * values[values.length - 1]);
    }
  });

  it('projects once and for all, exactly, where constraints share no node', () => {
    const { rest, projection } = setUp(kuhnBox(2, 2, 2));
    const rows: [number, [number, number, number]][] = [];
    for (const node of [1, 4, 4, 9, 9, 9, 20]) {
      const normal = unit();
      if (projection.hold(node, ...normal)) rows.push([node, normal]);
    }
    const change = randomField(3 * rest.count, random);
    projection.project(change);
    const again = change.slice();
    projection.project(again);
    expect(norm(again.map((a, k) => a - change[k]))).toBeLessThan(1e-15 * norm(change));
    for (const [node, [x, y, z]] of rows) {
      expect(Math.abs(x * change[3 * node] + y * change[3 * node + 1] + z * change[3 * node + 2])).toBeLessThan(1e-12);
    }
  });

  it('leaves little of overlapping links after four sweeps, and takes no momentum', () => {
    const { rest, projection } = setUp(kuhnBox(3, 3, 3));
    const links: Link[] = [];
    for (let n = 0; n + 4 < 40; n += 2) {
      links.push({ nodes: [n, n + 1, n + 2, n + 3], weights: [1, -0.2, -0.5, -0.3], normal: unit() });
    }
    const rows = linkRows(links, projection);
    const change = randomField(3 * rest.count, random);
    const momentum = (v: Float64Array) =>
      [0, 1, 2].map((c) => projection.inverseMasses.reduce((sum, w, n) => sum + v[3 * n + c] / w, 0));
    const violation = (v: Float64Array) => Math.sqrt(links.reduce((sum, link) => sum + alongOf(link, v) ** 2, 0));
    const [before, momentumBefore] = [violation(change), momentum(change)];
    for (let n = 0; n < 4; n++) rows.sweep([change]);
    // One or two orders. [ISF07 §4]
    expect(violation(change)).toBeLessThan(0.1 * before);
    momentum(change).forEach((value, c) => {
      expect(Math.abs(value - momentumBefore[c])).toBeLessThan(1e-12);
    });
  });
});

describe('minres', () => {
  it('is the least-squares solution of a singular consistent system, with a residual that only falls', () => {
    const made = setUp(jitter(kuhnBox(3, 3, 3), 0.1, random));
    const rows = denseOf(made);
    const b = new Float64Array(rows.length);
    made.solve.divergence(randomField(3 * rows.length, random), b);
    const x = new Float64Array(rows.length);
    const norms: number[] = [];
    const multiply = (p: Float64Array, q: Float64Array) =>
      rows.forEach((row, k) => {
        q[k] = dot(row, p);
      });
    const result = new Minres(rows.length).solve(
      b,
      x,
      { multiply, precondition: (r, z) => z.set(r), tolerance: 1e-12, leastSquares: 1e-14, mostIterations: 300 },
      (value) => norms.push(value),
    );
    const exact = leastSquares(rows, b);
    // From a right-hand side without null vectors it stays free of them.
    expect(norm(x.map((a, k) => a - exact[k]))).toBeLessThan(1e-8 * norm(exact));
    norms.forEach((value, i) => {
      expect(value).toBeLessThanOrEqual(i === 0 ? norm(b) : norms[i - 1]);
    });
    // The residual that is carried along is the true one.
    const left = b.slice();
    multiply(x, left);
    const rest = norm(left.map((a, k) => a - b[k])) / norm(b);
    expect(Math.abs(rest - result.residual)).toBeLessThan(1e-11);
  });

  it('ends at the least-squares solution of an inconsistent system instead of growing', () => {
    const size = 30;
    const basis = Array.from({ length: size }, () => randomField(size, random));
    const rows = basis.map((_, i) =>
      Float64Array.from({ length: size }, (_, j) => {
        let sum = 0;
        for (let r = 0; r < 20; r++) sum += basis[r][i] * basis[r][j];
        return sum;
      }),
    );
    const b = randomField(size, random);
    const multiply = (p: Float64Array, q: Float64Array) =>
      rows.forEach((row, k) => {
        q[k] = dot(row, p);
      });
    const solve = (leastSquaresStop: number) => {
      const x = new Float64Array(size);
      const result = new Minres(size).solve(b, x, {
        multiply,
        precondition: (r, z) => z.set(r),
        tolerance: 1e-8,
        leastSquares: leastSquaresStop,
        mostIterations: 200,
      });
      return { x, result };
    };
    const { x, result } = solve(1e-5);
    expect(result.isLeastSquares).toBe(true);
    const r = b.slice();
    multiply(x, r);
    for (let k = 0; k < size; k++) r[k] = b[k] - r[k];
    const ar = new Float64Array(size);
    multiply(r, ar);
    const { values } = eigen(rows);
    expect(norm(ar)).toBeLessThan(1e-4 * norm(r) * values[size - 1]);
    // Null vectors are free: they have no gradient, so that γ does not see them.
    const image = new Float64Array(size);
    multiply(x, image);
    expect(norm(leastSquares(rows, image))).toBeLessThan(1.01 * norm(leastSquares(rows, b)));
    // Without that stop it does grow: the stop is what this tests.
    expect(norm(solve(0).x)).toBeGreaterThan(1e3 * norm(x));
  });

  it.each(['jacobi', 'incomplete-cholesky'] as const)('meets the same rate with %s, all round fixed or not', (name) => {
    const mesh = ball(0.2);
    const { rest, projection, solve } = setUp(mesh, name);
    const [p, gamma] = [new Float64Array(rest.count), new Float64Array(3 * rest.count)];
    const rate = new Float64Array(rest.count);
    solve.divergence(randomField(3 * rest.count, random), rate);
    const reached = new Float64Array(rest.count);
    const result = solve.solve(projection, rate, p, gamma, 1e-6);
    solve.divergence(gamma, reached);
    const error = norm(rate.map((a, k) => a - reached[k])) / norm(rate);
    expect(error).toBeLessThan(1.1e-6);
    expect(Math.abs(error - result.residual)).toBeLessThan(1e-9);
    if (name === 'incomplete-cholesky') expect(result.iterations).toBeLessThan(45);
    // With the whole surface fixed the total volume cannot change: least squares, of bounded size.
    const size = norm(gamma);
    for (const n of rest.boundary.nodes) projection.inverseMasses[n] = 0;
    solve.prepare(projection);
    const fixed = solve.solve(
      projection,
      rest.ringVolumes.map((v) => v * 10),
      p,
      gamma,
    );
    expect(fixed.iterations).toBeLessThan(302);
    expect(Number.isFinite(norm(gamma))).toBe(true);
    expect(norm(gamma)).toBeLessThan(100 * size);
  });
});

describe('links between nodes', () => {
  it('are part of the solve: the rate is met by a change that respects them', () => {
    const { rest, projection, solve } = setUp(ball(0.25));
    const links: Link[] = [];
    for (let n = 0; n + 3 < rest.count && links.length < 12; n += 9) {
      links.push({ nodes: [n, n + 1, n + 2, n + 3], weights: [1, -0.3, -0.3, -0.4], normal: unit() });
    }
    const rows = linkRows(links, projection);
    const p = new Float64Array(rest.count);
    const [rate, reached] = [new Float64Array(rest.count), new Float64Array(rest.count)];
    solve.divergence(randomField(3 * rest.count, random), rate);
    const { change } = solve;
    new CoupledPressure().solve([{ pressureSolve: solve, change, rate }], rows, [p], false, false, 1e-7);
    solve.divergence(change, reached);
    // A share of the operator's diagonal is added to it.
    const { diagonal } = solve.matrix;
    const missing = rate.map((a, k) => a - reached[k] - SOFTNESS * diagonal[k] * p[k]);
    expect(norm(missing)).toBeLessThan(2e-7 * norm(rate));
    // They share no node, so one sweep is exact.
    for (const link of links) expect(Math.abs(alongOf(link, change))).toBeLessThan(1e-12 * norm(change));
  });
});

describe('conjugate gradients', () => {
  it('solve the elastic system among what the filter leaves', () => {
    const rest = buildTetraRest(kuhnBox(2, 2, 3));
    const elements = new Elements(rest, extend(neoHookean(1, 2)));
    const matrix = new StiffnessMatrix(rest);
    const forces = new Float64Array(3 * rest.count);
    elements.assemble(jitter(rest.mesh, 0.1, random).positions, forces, matrix);
    matrix.addMasses(new Float64Array(rest.count).fill(0.1), 1);
    const projection = new ContactProjection(new Float64Array(rest.count).fill(1));
    projection.inverseMasses.fill(0, 0, 4);
    for (let n = 6; n < 20; n += 2) projection.hold(n, ...unit());
    const b = randomField(3 * rest.count, random);
    const x = new Float64Array(3 * rest.count);
    const filter = (field: Float64Array) => projection.filter(field);
    const iterations = new ConjugateGradients(rest.count).solve(matrix, b, filter, x, 1e-10, 1000);
    expect(iterations).toBeLessThan(200);
    const r = new Float64Array(3 * rest.count);
    matrix.multiply(x, r);
    for (let k = 0; k < r.length; k++) r[k] -= b[k];
    filter(r);
    expect(norm(r)).toBeLessThan(2e-10 * norm(b));
    const kept = x.slice();
    filter(kept);
    expect(norm(kept.map((a, k) => a - x[k]))).toBeLessThan(1e-14 * norm(x));
  });
});

describe('Newton on volumes', () => {
  it('takes a smooth error of 20 % below 3 %, 0.1 % and 0.005 % in three steps', () => {
    const mesh = ball(0.12);
    const { rest, projection, solve } = setUp(mesh);
    const x = mesh.positions.slice();
    // A swelling that varies over the body, largest ring error about 20 %.
    for (let k = 0; k < x.length; k += 3) {
      const factor = 1 + 0.06 * Math.sin(4 * x[k] + 1) * Math.cos(3 * x[k + 1]);
      for (let c = 0; c < 3; c++) x[k + c] *= factor;
    }
    const volumes = new Float64Array(rest.tetraCount);
    const rings = new Float64Array(rest.count);
    const error = (): number => {
      writeVolumes(x, mesh.tetrahedra, volumes);
      writeRingSums(mesh.tetrahedra, volumes, rings);
      return largestRingError(rings, rest.ringVolumes);
    };
    const [p, gamma] = [new Float64Array(rest.count), new Float64Array(3 * rest.count)];
    const errors = [error()];
    for (let step = 0; step < 3; step++) {
      solve.place(x);
      solve.prepare(projection);
      solve.solve(
        projection,
        rings.map((v, k) => rest.ringVolumes[k] - v),
        p,
        gamma,
      );
      for (let k = 0; k < x.length; k++) x[k] += gamma[k];
      errors.push(error());
    }
    expect(errors[0]).toBeGreaterThan(0.15);
    expect(errors[1]).toBeLessThan(0.03);
    expect(errors[2]).toBeLessThan(1e-3);
    expect(errors[3]).toBeLessThan(5e-5);
  });
});

function unit(): [number, number, number] {
  const [x, y, z] = randomField(3, random);
  const length = Math.sqrt(x * x + y * y + z * z);
  return [x / length, y / length, z / length];
}
