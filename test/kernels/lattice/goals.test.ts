// Goals of the lattice against shape matching written out member by member with an SVD, and what they keep.

import { Matrix, SVD } from 'ml-matrix';
import { describe, expect, it } from 'vitest';
import { lattice } from '../../../src/index.js';
import { seededRandom } from '../../../src/math/random.js';
import { LatticeModel } from '../../../src/solvers/lattice/lattice-model.js';
import { buildLatticeRest, type LatticeRest } from '../../../src/solvers/lattice/rest.js';
import { naiveSums } from '../../../src/solvers/lattice/sums.js';
import { latticeShapes } from './lattice-shapes.js';

/** Rest positions, stretched, bent and shaken. */
function deformed({ lattice: { positions }, size }: LatticeRest): Float64Array {
  const random = seededRandom(8);
  return positions.map((x, k) => {
    const bend = k % 3 === 1 ? 0.3 * size * (positions[k - 1] / size) ** 2 : 0;
    return x * [1.2, 0.9, 1][k % 3] + bend + 0.01 * size * (random() - 0.5);
  });
}

function goalsOf(rest: LatticeRest, positions: Float64Array, summation: 'fast' | 'naive' = 'fast'): Float64Array {
  const goals = new Float64Array(positions.length);
  new LatticeModel(rest, lattice().settings, summation).writeGoals(positions, goals);
  return goals;
}

/** Members of each region, by sums of one-hot values. */
function membersOf({ lattice: body }: LatticeRest): number[][] {
  const members: number[][] = Array.from({ length: body.count }, () => []);
  const sums = naiveSums(body);
  const values = new Float64Array(3 * body.count);
  const found = new Float64Array(3 * body.count);
  for (let i = 0; i < body.count; i++) {
    values.fill(0);
    values[3 * i] = 1;
    sums.overMembers(values, 3, found);
    for (let j = 0; j < body.count; j++) if (found[3 * j] === 1) members[j].push(i);
  }
  return members;
}

/** Rotation nearest to a matrix with positive determinant. */
function polarRotation(a: Matrix): Matrix {
  const svd = new SVD(a);
  return svd.leftSingularVectors.mmul(svd.rightSingularVectors.transpose());
}

/** Shape matching by its definition: sums over the members of each region, goals averaged over the regions. */
function writtenOut(rest: LatticeRest, positions: Float64Array): Float64Array {
  const { count, massShares, positions: x0 } = rest.lattice;
  const regions = membersOf(rest);
  const regionCounts = new Float64Array(count);
  for (const members of regions) for (const i of members) regionCounts[i]++;
  const point = (list: Float64Array, i: number) => Matrix.columnVector([...list.subarray(3 * i, 3 * i + 3)]);
  const mass = (i: number) => massShares[i] / regionCounts[i];
  const goals = new Float64Array(3 * count);
  for (const members of regions) {
    const total = members.reduce((sum, i) => sum + mass(i), 0);
    const centre = (list: Float64Array) =>
      members.reduce((sum, i) => sum.add(point(list, i).mul(mass(i) / total)), new Matrix(3, 1));
    const [t, t0] = [centre(positions), centre(x0)];
    const moments = new Matrix(3, 3);
    for (const i of members) {
      const arm = point(x0, i).sub(t0).transpose();
      moments.add(point(positions, i).sub(t).mmul(arm).mul(mass(i)));
    }
    const rotation = polarRotation(moments);
    for (const i of members) {
      const goal = rotation.mmul(point(x0, i).sub(t0)).add(t);
      for (let c = 0; c < 3; c++) goals[3 * i + c] += goal.get(c, 0) / regionCounts[i];
    }
  }
  return goals;
}

const worstDifference = (a: Float64Array, b: Float64Array): number =>
  a.reduce((worst, x, k) => Math.max(worst, Math.abs(x - b[k])), 0);

const small = latticeShapes.filter(([name]) => ['one cell', 'bar', 'U'].includes(name));

describe.each(small)('goals of the %s', (_, mesh, resolution) => {
  it.each([1, 2, 3])('are those of the definition, half-width %i', (regionSize) => {
    const rest = buildLatticeRest(mesh, lattice({ regionSize, resolution }).settings);
    const positions = deformed(rest);
    // Rotations are found to 1e-15 or so, sums of a few hundred products to 1e-14.
    expect(worstDifference(goalsOf(rest, positions), writtenOut(rest, positions)) / rest.size).toBeLessThan(1e-13);
  });
});

describe.each(latticeShapes)('goals of the %s', (_, mesh, resolution) => {
  const rest = buildLatticeRest(mesh, lattice({ regionSize: 2, resolution }).settings);
  const positions = deformed(rest);
  const goals = goalsOf(rest, positions);

  it('are the same by fast and by naive sums', () => {
    // Each of three passes adds and takes away up to 19 rows: 1e-14, and rotations of small regions magnify it a little.
    expect(worstDifference(goals, goalsOf(rest, positions, 'naive')) / rest.size).toBeLessThan(1e-12);
  });

  it('keep the centre of mass, around concave edges too', () => {
    const { massShares } = rest.lattice;
    const shift = [0, 0, 0];
    goals.forEach((g, k) => {
      shift[k % 3] += massShares[Math.trunc(k / 3)] * (g - positions[k]);
    });
    expect(Math.max(...shift.map(Math.abs)) / rest.size).toBeLessThan(1e-14);
    expect(worstDifference(goals, positions) / rest.size).toBeGreaterThan(1e-3);
  });
});
