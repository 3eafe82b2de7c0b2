// Which cells of a regular grid hold part of a solid: those that its surface passes through, and those inside it.

import type { Vec3 } from '../../math/vec3.js';
import { boundsOf } from '../../mesh/measure.js';
import type { TriangleMesh } from '../../mesh/triangle-mesh.js';
import { triangleMeetsBox } from './triangle-box.js';

/**
 * A surface this close to a cell's side, in cells, only touches it. Far above the rounding of coordinates, far below
 * any part of a solid that matters: a cube as large as its grid gets no second layer of cells.
 */
const TOUCH = 1e-7;

export interface CellGrid {
  /** Lowest corner [m]. */
  readonly origin: Vec3;
  /** h, side of a cell [m]. */
  readonly cellSize: number;
  /** Cells along x, y and z. */
  readonly cells: readonly [number, number, number];
  /** 1 where the cell x + cells[0]·(y + cells[1]·z) holds part of the solid. */
  readonly occupied: Uint8Array;
}

/** The cell in which each vertex lies beside its grid. */
export interface Occupancy {
  readonly grid: CellGrid;
  /** An occupied cell that holds the vertex. */
  readonly vertexCells: Uint32Array;
}

/** Cubic cells over the bounding box, `resolution` of them along its longest side, centred along the others. */
export function occupyCells(mesh: TriangleMesh, resolution: number): Occupancy {
  const [low, high] = boundsOf(mesh.positions);
  const sides = [0, 1, 2].map((k) => high[k] - low[k]);
  const cellSize = Math.max(...sides) / resolution;
  const [nx, ny, nz] = sides.map((side) => Math.max(1, Math.ceil(side / cellSize - TOUCH)));
  const corner = (k: number, n: number) => low[k] - 0.5 * (n * cellSize - sides[k]);
  const grid: CellGrid = {
    origin: [corner(0, nx), corner(1, ny), corner(2, nz)],
    cellSize,
    cells: [nx, ny, nz],
    occupied: new Uint8Array(nx * ny * nz),
  };
  markInside(mesh, grid);
  markTouched(mesh, grid);
  return { grid, vertexCells: findVertexCells(mesh.positions, grid) };
}

/** Cells that triangles pass through. */
function markTouched({ positions, triangles }: TriangleMesh, { origin, cellSize, cells, occupied }: CellGrid): void {
  const half = (0.5 - TOUCH) * cellSize;
  const first = [0, 0, 0];
  const last = [0, 0, 0];
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [triangles[t], triangles[t + 1], triangles[t + 2]];
    for (let k = 0; k < 3; k++) {
      const [p, q, r] = [positions[3 * a + k], positions[3 * b + k], positions[3 * c + k]];
      first[k] = Math.max(0, Math.floor((Math.min(p, q, r) - origin[k]) / cellSize));
      last[k] = Math.min(cells[k] - 1, Math.floor((Math.max(p, q, r) - origin[k]) / cellSize));
    }
    for (let z = first[2]; z <= last[2]; z++) {
      for (let y = first[1]; y <= last[1]; y++) {
        for (let x = first[0]; x <= last[0]; x++) {
          const cell = x + cells[0] * (y + cells[1] * z);
          if (occupied[cell] !== 0) continue;
          const centre = [x, y, z].map((n, k) => origin[k] + (n + 0.5) * cellSize) as [number, number, number];
          if (triangleMeetsBox(positions, a, b, c, centre, half)) occupied[cell] = 1;
        }
      }
    }
  }
}

/**
 * Cells whose centre is inside: every triangle that the line along x through the centres of a row crosses turns the
 * cells behind it in or out. The sum of the signs is the winding number, so that a mesh that crosses itself is solid too.
 */
function markInside({ positions, triangles }: TriangleMesh, { origin, cellSize, cells, occupied }: CellGrid): void {
  const [nx, ny, nz] = cells;
  const windings = new Int32Array(occupied.length);
  const row = (value: number, k: number) => (value - origin[k]) / cellSize - 0.5;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [triangles[t], triangles[t + 1], triangles[t + 2]];
    const ys = [a, b, c].map((vertex) => row(positions[3 * vertex + 1], 1));
    const zs = [a, b, c].map((vertex) => row(positions[3 * vertex + 2], 2));
    for (let z = Math.max(0, Math.ceil(Math.min(...zs))); z <= Math.min(nz - 1, Math.floor(Math.max(...zs))); z++) {
      for (let y = Math.max(0, Math.ceil(Math.min(...ys))); y <= Math.min(ny - 1, Math.floor(Math.max(...ys))); y++) {
        const py = origin[1] + (y + 0.5) * cellSize;
        const pz = origin[2] + (z + 0.5) * cellSize;
        const u = sideOf(positions, b, c, py, pz);
        const v = sideOf(positions, c, a, py, pz);
        const w = sideOf(positions, a, b, py, pz);
        if (!(u.sign === v.sign && v.sign === w.sign)) continue;
        const sum = u.value + v.value + w.value;
        if (sum === 0) continue;
        const x = (u.value * positions[3 * a] + v.value * positions[3 * b] + w.value * positions[3 * c]) / sum;
        const behind = Math.max(0, Math.ceil(row(x, 0)));
        if (behind < nx) windings[behind + nx * (y + ny * z)] += u.sign;
      }
    }
  }
  for (let cell = 0, winding = 0; cell < occupied.length; cell++) {
    winding = (cell % nx === 0 ? 0 : winding) + windings[cell];
    if (winding !== 0) occupied[cell] = 1;
  }
}

/**
 * On which side of edge p → q the point is in the y–z plane. Both triangles of an edge compute it from the same end, and
 * a point exactly on it is taken as if moved by (ε, ε²): no line slips between two triangles or hits both.
 */
function sideOf(positions: ArrayLike<number>, p: number, q: number, y: number, z: number) {
  const [from, to, flip] = p < q ? [p, q, 1] : [q, p, -1];
  const dy = positions[3 * to + 1] - positions[3 * from + 1];
  const dz = positions[3 * to + 2] - positions[3 * from + 2];
  const value = dy * (z - positions[3 * from + 2]) - dz * (y - positions[3 * from + 1]);
  return { value: flip * value, sign: flip * Math.sign(value || -dz || dy) };
}

/** An occupied cell for each vertex; one on a side of its cell may belong to the cell beyond. */
function findVertexCells(positions: Float64Array, { origin, cellSize, cells, occupied }: CellGrid): Uint32Array {
  const [nx, ny] = cells;
  const vertexCells = new Uint32Array(positions.length / 3);
  for (let i = 0; i < vertexCells.length; i++) {
    const ranges = [0, 1, 2].map((k) => {
      const place = (positions[3 * i + k] - origin[k]) / cellSize;
      const clamp = (n: number) => Math.min(cells[k] - 1, Math.max(0, n));
      return [clamp(Math.floor(place - TOUCH)), clamp(Math.floor(place + TOUCH))];
    });
    const [[x0, x1], [y0, y1], [z0, z1]] = ranges;
    const candidates = [z0, z1].flatMap((z) => [y0, y1].flatMap((y) => [x0, x1].map((x) => x + nx * (y + ny * z))));
    vertexCells[i] = candidates.find((cell) => occupied[cell] !== 0) ?? candidates[0];
    occupied[vertexCells[i]] = 1;
  }
  return vertexCells;
}
