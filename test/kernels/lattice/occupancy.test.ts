// Occupied cells against what is known (solids made of cubes) and against solid angles and sampled points.

import { describe, expect, it } from 'vitest';
import { box, type TriangleMesh } from '../../../src/index.js';
import { seededRandom } from '../../../src/math/random.js';
import { buildTriangleTree, closestPoint } from '../../../src/mesh/triangle-tree.js';
import { buildLattice } from '../../../src/solvers/lattice/lattice.js';
import { type CellGrid, occupyCells } from '../../../src/solvers/lattice/occupancy.js';
import { cubesMesh, latticeShapes, uCells } from './lattice-shapes.js';

const SAMPLES = 400;

const cellNumber = ({ cells: [nx, ny] }: CellGrid, x: number, y: number, z: number) => x + nx * (y + ny * z);

/** How often the mesh winds around a point: the sum of its triangles' solid angles (van Oosterom, Strackee) over 4π. */
function windingNumber({ positions, triangles }: TriangleMesh, point: readonly number[]): number {
  let sum = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((n) => point.map((p, k) => positions[3 * triangles[t + n] + k] - p));
    const [la, lb, lc] = [a, b, c].map((v) => Math.sqrt(v[0] ** 2 + v[1] ** 2 + v[2] ** 2));
    const dot = (u: number[], v: number[]) => u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
    const triple =
      a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
    sum += 2 * Math.atan2(triple, la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
  }
  return sum / (4 * Math.PI);
}

it('gives a cube in 30 cells 31 × 31 × 31 lattice particles', () => {
  for (const divisions of [7, 30, 71]) {
    const { grid } = occupyCells(box({ divisions, size: 0.7 }), 30);
    expect(grid.cells).toEqual([30, 30, 30]);
    expect(buildLattice(grid, 1).count).toBe(29791);
  }
});

it('takes exactly the cells of a solid made of cubes, though its sides lie between cells', () => {
  const { grid } = occupyCells(cubesMesh(uCells), 5);
  expect(grid.cells).toEqual([5, 4, 2]);
  const expected = new Uint8Array(40);
  for (const [x, y, z] of uCells) expected[cellNumber(grid, x, y, z)] = 1;
  expect(grid.occupied).toEqual(expected);
});

it('leaves the hole of a torus free', () => {
  const { grid } = occupyCells(latticeShapes[4][1], 14);
  const [nx, ny, nz] = grid.cells;
  for (let y = 0; y < ny; y++) expect(grid.occupied[cellNumber(grid, nx >> 1, y, nz >> 1)]).toBe(0);
});

describe.each(latticeShapes)('cells of the %s', (_, mesh, resolution) => {
  const { grid, vertexCells } = occupyCells(mesh, resolution);
  const { origin, cellSize, cells, occupied } = grid;

  it('hold every vertex', () => {
    expect(Math.max(...cells)).toBe(resolution);
    for (let i = 0; i < vertexCells.length; i++) {
      const cell = vertexCells[i];
      expect(occupied[cell]).toBe(1);
      const at = [cell % cells[0], Math.trunc(cell / cells[0]) % cells[1], Math.trunc(cell / (cells[0] * cells[1]))];
      for (let k = 0; k < 3; k++) {
        const place = (mesh.positions[3 * i + k] - origin[k]) / cellSize - at[k];
        // 1e-7 of a cell is what counts as its side.
        expect(Math.abs(place - 0.5)).toBeLessThan(0.5 + 1.1e-7);
      }
    }
  });

  it('hold every point of the surface', () => {
    const random = seededRandom(2);
    const { positions, triangles } = mesh;
    for (let t = 0; t < triangles.length; t += 3) {
      for (let n = 0; n < 4; n++) {
        const weights = [random(), random(), random()];
        const sum = weights[0] + weights[1] + weights[2];
        const at = [0, 1, 2].map((k) => {
          const x = weights.reduce((s, w, c) => s + (w / sum) * positions[3 * triangles[t + c] + k], 0);
          return (x - origin[k]) / cellSize;
        });
        // A point on a side belongs to the cells on both sides of it: one of them has to be occupied.
        const near = [-1e-6, 1e-6].map((d) => at.map((x, k) => Math.min(cells[k] - 1, Math.max(0, Math.floor(x + d)))));
        const held = [0, 1, 2, 3, 4, 5, 6, 7].some((c) => {
          const [x, y, z] = [near[c & 1][0], near[(c >> 1) & 1][1], near[c >> 2][2]];
          return occupied[cellNumber(grid, x, y, z)] === 1;
        });
        expect(held).toBe(true);
      }
    }
  });

  it('hold every point inside', () => {
    const random = seededRandom(3);
    let insides = 0;
    for (let n = 0; n < SAMPLES; n++) {
      const place = cells.map((count) => count * random());
      const [x, y, z] = place.map(Math.floor);
      const inside =
        windingNumber(
          mesh,
          place.map((p, k) => origin[k] + p * cellSize),
        ) > 0.5;
      if (inside) expect(occupied[cellNumber(grid, x, y, z)]).toBe(1);
      insides += inside ? 1 : 0;
    }
    expect(insides).toBeGreaterThan(0.05 * SAMPLES);
  });

  it('are not filled where neither the surface passes nor the inside is', () => {
    // An occupied cell has its centre inside or is crossed: then the surface is within half a diagonal of the centre.
    const tree = buildTriangleTree(mesh.positions, mesh.triangles);
    for (let cell = 0; cell < occupied.length; cell++) {
      if (occupied[cell] === 0) continue;
      const at = [cell % cells[0], Math.trunc(cell / cells[0]) % cells[1], Math.trunc(cell / (cells[0] * cells[1]))];
      const [x, y, z] = at.map((n, k) => origin[k] + (n + 0.5) * cellSize);
      const distance = closestPoint(tree, [x, y, z])?.distance ?? Infinity;
      if (distance > 0.5 * Math.sqrt(3) * cellSize) expect(windingNumber(mesh, [x, y, z])).toBeGreaterThan(0.5);
    }
  });
});
