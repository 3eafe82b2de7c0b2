// Damping of the lattice: what it takes, what it leaves, and that both ways of summing agree.

import { describe, expect, it } from 'vitest';
import { lattice } from '../../../src/index.js';
import { seededRandom } from '../../../src/math/random.js';
import { dampVelocities } from '../../../src/solvers/lattice/damping.js';
import { buildLatticeRest, type LatticeRest } from '../../../src/solvers/lattice/rest.js';
import { fastSums, naiveSums, type RegionSums } from '../../../src/solvers/lattice/sums.js';
import { DAMPING_STRIDE } from '../../../src/solvers/region-damping.js';
import { latticeShapes } from './lattice-shapes.js';

const TIME_STEP = 0.005;

function damped(rest: LatticeRest, sums: RegionSums, velocities: Float64Array, share: number): Float64Array {
  const result = velocities.slice();
  const buffer = () => new Float64Array(DAMPING_STRIDE * rest.lattice.count);
  const buffers = { middles: buffer(), values: buffer(), sums: buffer() };
  dampVelocities(rest, sums, rest.lattice.positions, result, TIME_STEP, share, buffers);
  return result;
}

const worstDifference = (a: Float64Array, b: Float64Array): number =>
  a.reduce((worst, x, k) => Math.max(worst, Math.abs(x - b[k])), 0);

describe.each(latticeShapes)('damping of the %s', (_, mesh, resolution) => {
  const rest = buildLatticeRest(mesh, lattice({ regionSize: 2, resolution }).settings);
  const fast = fastSums(rest.lattice, DAMPING_STRIDE);
  const random = seededRandom(9);
  const noise = rest.positions.map(() => random() - 0.5);

  it('leaves the velocities of a finite rotation alone', () => {
    // v = (R − I)·x/Δt + u with R a turn by 0.4 rad about z: up to 80 m/s per metre.
    const [cosine, sine] = [Math.cos(0.4), Math.sin(0.4)];
    const velocities = rest.lattice.positions.map((x, k, all) => {
      if (k % 3 === 0) return ((cosine - 1) * x - sine * all[k + 1]) / TIME_STEP + 3;
      if (k % 3 === 1) return (sine * all[k - 1] + (cosine - 1) * x) / TIME_STEP - 2;
      return 1;
    });
    const difference = worstDifference(damped(rest, fast, velocities, 1), velocities);
    expect(difference / (80 * rest.size)).toBeLessThan(1e-12);
  });

  it('keeps the momentum of any velocities and takes energy', () => {
    const result = damped(rest, fast, noise, 0.7);
    const momentum = (list: Float64Array, c: number) =>
      rest.lattice.massShares.reduce((sum, m, i) => sum + m * list[3 * i + c], 0);
    for (let c = 0; c < 3; c++) expect(Math.abs(momentum(result, c) - momentum(noise, c))).toBeLessThan(1e-14);
    const energy = (list: Float64Array) =>
      list.reduce((sum, v, k) => sum + rest.lattice.massShares[Math.trunc(k / 3)] * v * v, 0);
    expect(energy(result)).toBeLessThan(0.9 * energy(noise));
  });

  it('is the same by fast and by naive sums', () => {
    const difference = worstDifference(damped(rest, fast, noise, 1), damped(rest, naiveSums(rest.lattice), noise, 1));
    // A region's inertia is the difference of sums (size/cell)² ≤ 400 times as large: 1e-15 becomes 1e-12.
    expect(difference).toBeLessThan(1e-11);
  });
});
