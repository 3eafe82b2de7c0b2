// Region sums of the lattice: fast against naive and against members found by walking the cells; whom a region may reach.

import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/math/random.js';
import { buildLattice, type Lattice } from '../../../src/solvers/lattice/lattice.js';
import { occupyCells } from '../../../src/solvers/lattice/occupancy.js';
import { fastSums, naiveSums } from '../../../src/solvers/lattice/sums.js';
import { cubesMesh, latticeShapes, uCells } from './lattice-shapes.js';

/** The fewest and the most numbers that are summed; between them nothing depends on how many there are. */
const STRIDES = [3, 15];

/** Neighbours along an axis, up to `width` of them each way. */
function line({ axes }: Lattice, axis: number, i: number, width: number): number[] {
  const { previous, next } = axes[axis];
  const found = [i];
  for (let j = next[i], n = 0; j >= 0 && n < width; j = next[j], n++) found.push(j);
  for (let j = previous[i], n = 0; j >= 0 && n < width; j = previous[j], n++) found.push(j);
  return found;
}

/** Members of each region: along z, then y, then x. */
const membersOf = (lattice: Lattice, width: number): number[][] =>
  Array.from({ length: lattice.count }, (_, i) =>
    line(lattice, 2, i, width)
      .flatMap((j) => line(lattice, 1, j, width))
      .flatMap((j) => line(lattice, 0, j, width)),
  );

describe.each(latticeShapes)('sums over regions of the %s', (_, mesh, resolution) => {
  const { grid } = occupyCells(mesh, resolution);

  it.each([1, 2, 3, 5, 16])('are exact for whole numbers, fast and naive, half-width %i', (width) => {
    const lattice = buildLattice(grid, width);
    const { count } = lattice;
    const members = membersOf(lattice, width);
    const random = seededRandom(width);
    const [fast, naive] = [fastSums(lattice, 15), naiveSums(lattice)];
    for (const stride of STRIDES) {
      const values = Float64Array.from({ length: stride * count }, () => Math.floor(2000 * random()) - 1000);
      const overMembers = new Float64Array(stride * count);
      const overRegions = new Float64Array(stride * count);
      members.forEach((region, i) => {
        for (const j of region) {
          for (let c = 0; c < stride; c++) {
            overMembers[stride * i + c] += values[stride * j + c];
            overRegions[stride * j + c] += values[stride * i + c];
          }
        }
      });
      for (const sums of [fast, naive]) {
        const found = new Float64Array(stride * count).fill(7);
        sums.overMembers(values, stride, found);
        expect(found).toEqual(overMembers);
        sums.overRegions(values, stride, found);
        expect(found).toEqual(overRegions);
      }
    }
  });

  it.each([1, 3, 16])('agree to rounding for any numbers, half-width %i', (width) => {
    const lattice = buildLattice(grid, width);
    const random = seededRandom(width);
    const stride = 12;
    const values = Float64Array.from({ length: stride * lattice.count }, () => random() - 0.3);
    const [a, b] = [new Float64Array(values.length), new Float64Array(values.length)];
    fastSums(lattice, stride).overMembers(values, stride, a);
    naiveSums(lattice).overMembers(values, stride, b);
    // Three passes of at most 2·19 additions each to sums of up to (2w+1)³ values below 1.
    const tolerance = 3 * 2 * 19 * 2 ** -53 * Math.min(lattice.count, (2 * width + 1) ** 3);
    let worst = 0;
    for (let k = 0; k < a.length; k++) worst = Math.max(worst, Math.abs(a[k] - b[k]));
    expect(worst).toBeLessThan(tolerance);
  });

  it('have members once each, and among them the centre', () => {
    const lattice = buildLattice(grid, 4);
    membersOf(lattice, 4).forEach((region, i) => {
      expect(new Set(region).size).toBe(region.length);
      expect(region).toContain(i);
    });
  });
});

it('do not reach across the gap between two limbs', () => {
  const { grid } = occupyCells(cubesMesh(uCells), 5);
  const width = 2;
  const lattice = buildLattice(grid, width);
  const sums = fastSums(lattice, 3);
  // The upper ends at y = 4: the limbs x ≤ 2 and x ≥ 3 are one cell apart, and the base at y ≤ 1 is out of reach.
  const isUpper = (i: number) => lattice.positions[3 * i + 1] > 3.5;
  const isLeft = (i: number) => lattice.positions[3 * i] < 2.5;
  const left = new Float64Array(3 * lattice.count);
  for (let i = 0; i < lattice.count; i++) if (isLeft(i)) left.fill(1, 3 * i, 3 * i + 3);
  const found = new Float64Array(3 * lattice.count);
  sums.overMembers(left, 3, found);
  let upper = 0;
  for (let i = 0; i < lattice.count; i++) {
    if (!isUpper(i)) continue;
    upper++;
    expect(found[3 * i] > 0).toBe(isLeft(i));
  }
  expect(upper).toBe(18);
});
