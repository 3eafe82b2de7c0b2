// The lattice and its windows against a plain look at the cells.

import { describe, expect, it } from 'vitest';
import { buildLattice } from '../../../src/solvers/lattice/lattice.js';
import { type CellGrid, occupyCells } from '../../../src/solvers/lattice/occupancy.js';
import { latticeShapes } from './lattice-shapes.js';

const isOccupied = ({ cells, occupied }: CellGrid, at: readonly number[]): boolean =>
  at.every((n, k) => n >= 0 && n < cells[k]) && occupied[at[0] + cells[0] * (at[1] + cells[1] * at[2])] === 1;

/** Grid corner of each lattice particle, from its position. */
const cornersOf = ({ origin, cellSize }: CellGrid, positions: Float64Array): number[][] =>
  Array.from({ length: positions.length / 3 }, (_, i) =>
    [0, 1, 2].map((k) => Math.round((positions[3 * i + k] - origin[k]) / cellSize)),
  );

describe.each(latticeShapes)('lattice of the %s', (_, mesh, resolution) => {
  const { grid } = occupyCells(mesh, resolution);
  const corners = cornersOf(grid, buildLattice(grid, 1).positions);
  const numbers = new Map(corners.map((corner, i) => [String(corner), i]));
  const aroundCorner = [0, 1, 2, 3, 4, 5, 6, 7].map((c) => [-(c & 1), -((c >> 1) & 1), -(c >> 2)]);

  it('has a particle at every corner of an occupied cell, heavier by every cell', () => {
    const { massShares } = buildLattice(grid, 1);
    const cellCount = grid.occupied.reduce((sum, mark) => sum + mark, 0);
    const [nx, ny, nz] = grid.cells;
    let count = 0;
    for (let x = 0; x <= nx; x++) {
      for (let y = 0; y <= ny; y++) {
        for (let z = 0; z <= nz; z++) {
          const cells = aroundCorner.filter((d) => isOccupied(grid, [x + d[0], y + d[1], z + d[2]])).length;
          const number = numbers.get(String([x, y, z]));
          expect(number !== undefined).toBe(cells > 0);
          if (number === undefined) continue;
          count++;
          expect(Math.abs(massShares[number] * 8 * cellCount - cells)).toBeLessThan(1e-12);
        }
      }
    }
    expect(count).toBe(corners.length);
    const total = massShares.reduce((sum, m) => sum + m, 0);
    expect(Math.abs(total - 1)).toBeLessThan(1e-12); // at most 1e3 roundings of 1e-16
  });

  it.each([1, 2, 5])('has windows of %i particles that end where the solid does', (width) => {
    const { axes, count } = buildLattice(grid, width);
    axes.forEach((axis, k) => {
      const [u, v] = [(k + 1) % 3, (k + 2) % 3];
      // An occupied cell along the edge from a corner to the next: one of the four around it.
      const isJoined = (corner: readonly number[]): boolean =>
        [0, 1, 2, 3].some((c) => {
          const cell = [...corner];
          cell[u] -= c & 1;
          cell[v] -= c >> 1;
          return isOccupied(grid, cell);
        });
      const step = (corner: readonly number[], by: number) =>
        corner.map((n, axisNumber) => n + (axisNumber === k ? by : 0));
      for (let i = 0; i < count; i++) {
        let [low, high] = [corners[i], corners[i]];
        for (let n = 0; n < width && isJoined(high); n++) high = step(high, 1);
        for (let n = 0; n < width && isJoined(step(low, -1)); n++) low = step(low, -1);
        expect(axis.first[i]).toBe(numbers.get(String(low)));
        expect(axis.last[i]).toBe(numbers.get(String(high)));
        expect(axis.next[i]).toBe(isJoined(corners[i]) ? numbers.get(String(step(corners[i], 1))) : -1);
        expect(axis.previous[i]).toBe(isJoined(step(corners[i], -1)) ? numbers.get(String(step(corners[i], -1))) : -1);
      }
    });
  });
});
