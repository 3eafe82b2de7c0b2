// The surface in the lattice: each vertex is carried by the eight corners of its cell, by trilinear interpolation.

import type { TriangleMesh } from '../../mesh/triangle-mesh.js';
import { cornerOf, type Lattice } from './lattice.js';
import type { Occupancy } from './occupancy.js';

/** Corners of a cell. */
export const CORNERS = 8;

export interface Embedding {
  /** The eight lattice particles of each vertex. */
  readonly corners: Uint32Array;
  /** The same as places in `carriers`. */
  readonly slots: Uint32Array;
  /** Their weights; they sum to 1, and with them the corners' rest positions give the vertex's. */
  readonly weights: Float64Array;
  /** Share of the body's mass at each vertex. */
  readonly massShares: Float64Array;
  /** The lattice particles that carry a vertex. */
  readonly carriers: Uint32Array;
  /** Σ m·weight over the vertices that each of them carries. */
  readonly loads: Float64Array;
}

export function bindSurface(
  mesh: TriangleMesh,
  massShares: Float64Array,
  { grid, vertexCells }: Occupancy,
  lattice: Lattice,
): Embedding {
  const count = massShares.length;
  const corners = new Uint32Array(CORNERS * count);
  const weights = new Float64Array(CORNERS * count);
  const latticeLoads = new Float64Array(lattice.count);
  const [nx, ny] = grid.cells;
  for (let i = 0; i < count; i++) {
    const cell = vertexCells[i];
    const at = [cell % nx, Math.trunc(cell / nx) % ny, Math.trunc(cell / (nx * ny))];
    // A vertex on a side of its cell may lie beyond it by rounding, which would make weights negative.
    const [u, v, w] = at.map((n, k) =>
      Math.min(1, Math.max(0, (mesh.positions[3 * i + k] - grid.origin[k]) / grid.cellSize - n)),
    );
    for (let c = 0; c < CORNERS; c++) {
      const [dx, dy, dz] = [c & 1, (c >> 1) & 1, c >> 2];
      const corner = lattice.corners[cornerOf(grid, at[0] + dx, at[1] + dy, at[2] + dz)];
      const weight = (dx ? u : 1 - u) * (dy ? v : 1 - v) * (dz ? w : 1 - w);
      corners[CORNERS * i + c] = corner;
      weights[CORNERS * i + c] = weight;
      latticeLoads[corner] += massShares[i] * weight;
    }
  }
  // Corners of cells on whose side all vertices lie may have no weight; any one carrier will do in their place.
  const carriers = Uint32Array.from(latticeLoads.keys()).filter((a) => latticeLoads[a] > 0);
  const places = new Uint32Array(lattice.count);
  carriers.forEach((a, place) => {
    places[a] = place;
  });
  const slots = corners.map((a) => places[a]);
  return { corners, slots, weights, massShares, carriers, loads: Float64Array.from(carriers, (a) => latticeLoads[a]) };
}

/** The surface's share of a field on the lattice, 3 numbers per particle: out = N·field. */
export function interpolate({ corners, weights }: Embedding, field: Float64Array, out: Float64Array): void {
  for (let k = 0, e = 0; k < out.length; k += 3) {
    let x = 0;
    let y = 0;
    let z = 0;
    for (let c = 0; c < CORNERS; c++, e++) {
      const j = 3 * corners[e];
      const weight = weights[e];
      x += weight * field[j];
      y += weight * field[j + 1];
      z += weight * field[j + 2];
    }
    out[k] = x;
    out[k + 1] = y;
    out[k + 2] = z;
  }
}
