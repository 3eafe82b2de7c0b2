// Damping: what is left at full damping is rigid, momentum and a share of zero change nothing, energy never grows.

import { Matrix, solve } from 'ml-matrix';
import { describe, expect, it } from 'vitest';
import { surface, type TriangleMesh } from '../../../src/index.js';
import { seededRandom } from '../../../src/math/random.js';
import { dampingPerStep } from '../../../src/solvers/step-scaling.js';
import { createDampingBuffers, dampVelocities } from '../../../src/solvers/surface/damping.js';
import { buildSurfaceRest, type SurfaceRest } from '../../../src/solvers/surface/rest.js';
import { octahedron, unevenMesh } from '../kernel-meshes.js';
import { crossed } from '../sample-rotations.js';
import { KernelBody } from '../wasm-kernels.js';
import { dampingTests } from './damping-tests.js';

const TIME_STEP = 0.005;

interface State {
  rest: SurfaceRest;
  starts: Float64Array;
  velocities: Float64Array;
  /** xⁿ + ½Δt·v, where momenta are taken. */
  middles: Float64Array;
}

function randomState(mesh: TriangleMesh, regionSize: number, seed: number, offset = 0): State {
  const rest = buildSurfaceRest(mesh, surface({ regionSize }).settings);
  const random = seededRandom(seed);
  const starts = rest.positions.map((x) => offset + x + 0.2 * (random() - 0.5));
  const velocities = starts.map(() => 4 * random() - 2);
  return { rest, starts, velocities, middles: starts.map((x, k) => x - offset + 0.5 * TIME_STEP * velocities[k]) };
}

const damp = ({ rest, starts, velocities }: State, share: number): Float64Array => {
  const damped = velocities.slice();
  dampVelocities(rest, starts, damped, TIME_STEP, share, createDampingBuffers(rest.count));
  return damped;
};

/** Σ m v, Σ m x×v at the middles, ½ Σ m v² for a body of mass 1. */
function measured({ rest, middles }: State, velocities: Float64Array) {
  const sum = new Float64Array(7);
  for (let i = 0; i < rest.count; i++) {
    const m = rest.massShares[i];
    const v = velocities.subarray(3 * i, 3 * i + 3);
    const l = crossed(middles.subarray(3 * i, 3 * i + 3), v);
    for (let c = 0; c < 3; c++) {
      sum[c] += m * v[c];
      sum[3 + c] += m * l[c];
      sum[6] += 0.5 * m * v[c] * v[c];
    }
  }
  return sum;
}

/** Least squares a + b×x by ml-matrix; returns the largest deviation from it. */
function deviationFromRigid(middles: Float64Array, velocities: Float64Array): number {
  const rows: number[][] = [];
  for (let k = 0; k < middles.length; k += 3) {
    const [x, y, z] = middles.subarray(k, k + 3);
    rows.push([1, 0, 0, 0, z, -y], [0, 1, 0, -z, 0, x], [0, 0, 1, y, -x, 0]);
  }
  const matrix = new Matrix(rows);
  const fit = solve(matrix, Matrix.columnVector([...velocities]), true);
  const fitted = matrix.mmul(fit).to1DArray();
  return fitted.reduce((worst, v, k) => Math.max(worst, Math.abs(v - velocities[k])), 0);
}

describe('full damping of a single region', () => {
  it.each([
    ['octahedron', octahedron, 2],
    ['lumpy ball', unevenMesh, 16],
  ] as const)('leaves the rigid motion with the same momenta, %s', (_, mesh, regionSize) => {
    const state = randomState(mesh, regionSize, 31);
    // Only where every region is the whole body is there one rigid field.
    expect(state.rest.regions.sizes.every((size) => size === state.rest.count)).toBe(true);
    const damped = damp(state, 1);
    // Velocities of order 1; the fit by normal equations of ml-matrix leaves 1e-12.
    expect(deviationFromRigid(state.middles, state.velocities)).toBeGreaterThan(0.5);
    expect(deviationFromRigid(state.middles, damped)).toBeLessThan(1e-11);
    const [before, after] = [measured(state, state.velocities), measured(state, damped)];
    for (let c = 0; c < 6; c++) expect(Math.abs(after[c] - before[c])).toBeLessThan(1e-12);
    expect(after[6]).toBeLessThan(before[6]);
  });
});

describe('damping of overlapping regions', () => {
  it.each([1, 2, 4])('keeps linear and angular momentum, and takes energy, region size %i', (regionSize) => {
    for (const share of [0.1, 0.5, 1]) {
      const state = randomState(unevenMesh, regionSize, 32);
      const [before, after] = [measured(state, state.velocities), measured(state, damp(state, share))];
      // Region sums of order 1 lose about 1e-14 by prefix sums over 300 particles.
      for (let c = 0; c < 6; c++) expect(Math.abs(after[c] - before[c])).toBeLessThan(1e-12);
      // An average of projections cannot lengthen: Σ m v̂² ≤ Σ m v².
      expect(after[6]).toBeLessThan(before[6]);
    }
  });

  it('takes more energy the larger the share', () => {
    const state = randomState(unevenMesh, 2, 33);
    const energies = [0, 0.25, 0.5, 0.75, 1].map((share) => measured(state, damp(state, share))[6]);
    for (let n = 1; n < energies.length; n++) expect(energies[n]).toBeLessThan(energies[n - 1]);
  });

  it('changes no bit with a share of 0', () => {
    const state = randomState(unevenMesh, 2, 34);
    expect(damp(state, 0)).toEqual(state.velocities);
  });

  it('does not depend on the place', () => {
    const near = randomState(unevenMesh, 2, 35);
    const far = randomState(unevenMesh, 2, 35, 1e4);
    const [a, b] = [damp(near, 0.7), damp(far, 0.7)];
    // Positions at 1e4 m are rounded by 1e-12 m, which regions of 0.1 m turn into 1e-10 of the velocities.
    const worst = a.reduce((w, x, k) => Math.max(w, Math.abs(x - b[k])), 0);
    expect(worst).toBeLessThan(1e-9);
  });

  it.each(['point', 'line'])('stays finite and gains no energy where the body has collapsed to a %s', (kind) => {
    const state = randomState(unevenMesh, 2, 36);
    state.starts.forEach((x, k) => {
      state.starts[k] = kind === 'line' && k % 3 === 0 ? x : 1;
    });
    // Middles collapsed as well: velocities along x only.
    state.velocities.forEach((v, k) => {
      state.velocities[k] = k % 3 === 0 ? v : 0;
    });
    const damped = damp(state, 1);
    expect(damped.every(Number.isFinite)).toBe(true);
    const energy = (v: Float64Array) =>
      v.reduce((sum, x, k) => sum + state.rest.massShares[Math.trunc(k / 3)] * x * x, 0);
    expect(energy(damped)).toBeLessThanOrEqual(energy(state.velocities) * (1 + 1e-9));
  });
});

it('gives a share per step that compounds to the one per 5 ms', () => {
  for (const damping of [0, 0.3, 0.9, 1]) {
    expect(Math.abs(dampingPerStep(damping, 0.005) - damping)).toBeLessThan(1e-15);
    const kept = (1 - dampingPerStep(damping, 0.00125)) ** 4;
    expect(Math.abs(kept - (1 - damping))).toBeLessThan(1e-15);
  }
});

describe('damping on wasm', () => {
  dampingTests(it, (prepared, starts, velocities, share, timeStep) =>
    new KernelBody(prepared).damped(starts, velocities, share, timeStep),
  );
});
