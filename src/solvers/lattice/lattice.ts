// The lattice: particles at the corners of all occupied cells, numbered along x, then y, then z, and for each axis the
// window of w neighbours on both sides that a pass of running sums goes through.

import type { CellGrid } from './occupancy.js';

/** One axis of the lattice; particles by number, −1 for none. A window ends where no occupied cell joins two neighbours. */
export interface LatticeAxis {
  /** The neighbour before and after each particle, joined to it by an occupied cell. */
  readonly previous: Int32Array;
  readonly next: Int32Array;
  /** First and last particle of the window of w neighbours on both sides. */
  readonly first: Int32Array;
  readonly last: Int32Array;
}

export interface Lattice {
  readonly count: number;
  /** x⁰ [m], where the mesh stands in its file. */
  readonly positions: Float64Array;
  /** Share of the body's mass, each occupied cell giving the same to its eight corners; Σ = 1. */
  readonly massShares: Float64Array;
  readonly axes: readonly [LatticeAxis, LatticeAxis, LatticeAxis];
  /** The particle at each corner of the grid, −1 where there is none. */
  readonly corners: Int32Array;
}

/** Number of the grid's corner (x, y, z). */
export const cornerOf = ({ cells }: CellGrid, x: number, y: number, z: number): number =>
  x + (cells[0] + 1) * (y + (cells[1] + 1) * z);

/** Calls `visit` with each occupied cell. */
function forOccupied({ cells, occupied }: CellGrid, visit: (x: number, y: number, z: number) => void): void {
  for (let z = 0, cell = 0; z < cells[2]; z++) {
    for (let y = 0; y < cells[1]; y++) {
      for (let x = 0; x < cells[0]; x++, cell++) if (occupied[cell] !== 0) visit(x, y, z);
    }
  }
}

export function buildLattice(grid: CellGrid, width: number): Lattice {
  const { cells, origin, cellSize } = grid;
  const strides = [1, cells[0] + 1, (cells[0] + 1) * (cells[1] + 1)];
  const cellCorners = [0, 1, 2, 3, 4, 5, 6, 7].map((c) => cornerOf(grid, c & 1, (c >> 1) & 1, c >> 2));
  const shares = new Uint32Array((cells[0] + 1) * (cells[1] + 1) * (cells[2] + 1));
  // Bit k of a corner: an occupied cell joins it to the next corner along axis k.
  const joined = new Uint8Array(shares.length);
  let cellCount = 0;
  forOccupied(grid, (x, y, z) => {
    const base = cornerOf(grid, x, y, z);
    cellCount++;
    cellCorners.forEach((offset, c) => {
      shares[base + offset]++;
      joined[base + offset] |= ~c & 7;
    });
  });

  const corners = new Int32Array(shares.length).fill(-1);
  let count = 0;
  for (let corner = 0; corner < shares.length; corner++) if (shares[corner] > 0) corners[corner] = count++;
  const positions = new Float64Array(3 * count);
  const massShares = new Float64Array(count);
  for (let z = 0, corner = 0; z <= cells[2]; z++) {
    for (let y = 0; y <= cells[1]; y++) {
      for (let x = 0; x <= cells[0]; x++, corner++) {
        const i = corners[corner];
        if (i < 0) continue;
        massShares[i] = shares[corner] / (8 * cellCount);
        positions[3 * i] = origin[0] + x * cellSize;
        positions[3 * i + 1] = origin[1] + y * cellSize;
        positions[3 * i + 2] = origin[2] + z * cellSize;
      }
    }
  }
  const axisOf = (k: number) => buildAxis(corners, joined, k, strides[k], count, width);
  return { count, positions, massShares, axes: [axisOf(0), axisOf(1), axisOf(2)], corners };
}

function buildAxis(
  corners: Int32Array,
  joined: Uint8Array,
  axis: number,
  stride: number,
  count: number,
  width: number,
): LatticeAxis {
  const previous = new Int32Array(count).fill(-1);
  const next = new Int32Array(count).fill(-1);
  for (let corner = 0; corner < corners.length; corner++) {
    if (((joined[corner] >> axis) & 1) === 0) continue;
    next[corners[corner]] = corners[corner + stride];
    previous[corners[corner + stride]] = corners[corner];
  }
  return { previous, next, first: walk(previous, width), last: walk(next, width) };
}

/** The particle `width` links away from each, or the last before the line ends. */
function walk(links: Int32Array, width: number): Int32Array {
  return links.map((_, i) => {
    let end = i;
    for (let n = 0; n < width && links[end] >= 0; n++) end = links[end];
    return end;
  });
}
