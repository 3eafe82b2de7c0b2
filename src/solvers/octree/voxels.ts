// The solid as voxels and the links between them: which voxel centres are inside a closed mesh, and which neighbours have
// no surface between them. The links are the material; cuts only clear some of them.
// Based on: D. Steinemann, M. Otaduy, M. Gross, Fast Adaptive Shape Matching Deformations, 2008 [SOG08 §4.1]. Deviation:
// material is decided by links of voxels, not by segments between cell centres, of which most lie outside the solid.

import type { Vec3 } from '../../math/vec3.js';
import { boundsOf } from '../../mesh/measure.js';
import type { TriangleMesh } from '../../mesh/triangle-mesh.js';

/** Voxels along a side of the finest cell. */
export const VOXELS_PER_CELL = 2;
/** Bit of a voxel that is inside; bits 1, 2 and 4 are its links to the next voxel along x, y and z. */
export const INSIDE = 8;

export interface VoxelGrid {
  /** Lowest corner [m]. */
  readonly origin: Vec3;
  /** Side of a voxel [m]. */
  readonly voxelSize: number;
  /** Voxels along x, y and z: multiples of those of a base cell. */
  readonly counts: readonly [number, number, number];
  /** D: finest cells are 2^D times smaller than base cells. */
  readonly levels: number;
  /** INSIDE and the three links of the voxel x + counts[0]·(y + counts[1]·z). */
  readonly bits: Uint8Array;
}

export interface Voxelisation {
  readonly grid: VoxelGrid;
  /** Voxels about which lines along the three axes disagree: 0 for a sound mesh. */
  readonly disagreements: number;
}

/** Shift of the scanlines off the voxel centres, in voxels, so that none meets a vertex or an edge of a regular mesh. */
const LINE_SHIFTS = [
  [1.13e-6, 2.71e-6],
  [1.93e-6, 0.87e-6],
  [2.39e-6, 1.57e-6],
] as const;
/** A side of this share of a base cell beyond a whole number of them is rounding. */
const TOUCH = 1e-7;

/** log₂ of the voxels along a cell of a level. */
export const cellShift = (levels: number, level: number): number => levels - level + 1;

/** Voxels of the solid, with `cells` base cells along its longest side, centred along the others. */
export function voxelise(mesh: TriangleMesh, cells: number, levels: number): Voxelisation {
  const [low, high] = boundsOf(mesh.positions);
  const sides = [0, 1, 2].map((k) => high[k] - low[k]);
  const cellSize = Math.max(...sides) / cells;
  const perCell = VOXELS_PER_CELL * (1 << levels);
  const baseCells = sides.map((side) => Math.max(1, Math.ceil(side / cellSize - TOUCH)));
  const counts = baseCells.map((n) => n * perCell) as [number, number, number];
  const corner = (k: number) => low[k] - 0.5 * (baseCells[k] * cellSize - sides[k]);
  const grid: VoxelGrid = {
    origin: [corner(0), corner(1), corner(2)],
    voxelSize: cellSize / perCell,
    counts,
    levels,
    bits: new Uint8Array(counts[0] * counts[1] * counts[2]),
  };
  const votes = new Uint8Array(grid.bits.length);
  const crossings = [0, 1, 2].map((axis) => scanAxis(mesh, grid, axis, votes));
  let disagreements = 0;
  for (let q = 0; q < votes.length; q++) {
    if (votes[q] === 1 || votes[q] === 2) disagreements++;
    if (votes[q] >= 2) grid.bits[q] = INSIDE;
  }
  link(grid, crossings);
  return { grid, disagreements };
}

/** Adds a vote for every voxel that the lines along an axis find inside; returns the crossings after each voxel's centre. */
function scanAxis(
  { positions, triangles }: TriangleMesh,
  { origin, voxelSize, counts }: VoxelGrid,
  axis: number,
  votes: Uint8Array,
): Uint8Array {
  const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
  const strides = [1, counts[0], counts[0] * counts[1]];
  const crossings = new Uint8Array(votes.length);
  const parity = new Uint8Array(votes.length);
  const [shiftU, shiftV] = LINE_SHIFTS[axis];
  const grid = (vertex: number, k: number, shift: number) =>
    (positions[3 * vertex + k] - origin[k]) / voxelSize - 0.5 - shift;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [triangles[t], triangles[t + 1], triangles[t + 2]];
    const [au, bu, cu] = [grid(a, u, shiftU), grid(b, u, shiftU), grid(c, u, shiftU)];
    const [av, bv, cv] = [grid(a, v, shiftV), grid(b, v, shiftV), grid(c, v, shiftV)];
    const lastU = Math.min(counts[u] - 1, Math.floor(Math.max(au, bu, cu)));
    const lastV = Math.min(counts[v] - 1, Math.floor(Math.max(av, bv, cv)));
    for (let j = Math.max(0, Math.ceil(Math.min(av, bv, cv))); j <= lastV; j++) {
      for (let i = Math.max(0, Math.ceil(Math.min(au, bu, cu))); i <= lastU; i++) {
        const p = side(b, c, bu, bv, cu, cv, i, j);
        const q = side(c, a, cu, cv, au, av, i, j);
        const r = side(a, b, au, av, bu, bv, i, j);
        if (!((p > 0 && q > 0 && r > 0) || (p < 0 && q < 0 && r < 0))) continue;
        const depth = (p * grid(a, axis, 0) + q * grid(b, axis, 0) + r * grid(c, axis, 0)) / (p + q + r);
        const k = Math.floor(depth);
        const line = i * strides[u] + j * strides[v];
        if (k + 1 < counts[axis]) parity[line + Math.max(0, k + 1) * strides[axis]] ^= 1;
        if (k >= 0 && k < counts[axis]) {
          const voxel = line + k * strides[axis];
          crossings[voxel] = Math.min(255, crossings[voxel] + 1);
        }
      }
    }
  }
  for (let j = 0; j < counts[v]; j++) {
    for (let i = 0; i < counts[u]; i++) {
      let inside = 0;
      for (let k = 0, voxel = i * strides[u] + j * strides[v]; k < counts[axis]; k++, voxel += strides[axis]) {
        inside ^= parity[voxel];
        votes[voxel] += inside;
      }
    }
  }
  return crossings;
}

/** On which side of edge p → q the line (i, j) passes; both triangles of an edge compute it from the same end. */
function side(p: number, q: number, pu: number, pv: number, qu: number, qv: number, i: number, j: number): number {
  return p < q ? (qu - pu) * (j - pv) - (qv - pv) * (i - pu) : -((pu - qu) * (j - qv) - (pv - qv) * (i - qu));
}

/** Links neighbours that are both inside with no surface between: no crossing, rather than an even number of them. */
function link({ counts, bits }: VoxelGrid, crossings: readonly Uint8Array[]): void {
  const strides = [1, counts[0], counts[0] * counts[1]];
  for (let z = 0, q = 0; z < counts[2]; z++) {
    for (let y = 0; y < counts[1]; y++) {
      for (let x = 0; x < counts[0]; x++, q++) {
        if (bits[q] === 0) continue;
        if (x + 1 < counts[0] && bits[q + 1] !== 0 && crossings[0][q] === 0) bits[q] |= 1;
        if (y + 1 < counts[1] && bits[q + strides[1]] !== 0 && crossings[1][q] === 0) bits[q] |= 2;
        if (z + 1 < counts[2] && bits[q + strides[2]] !== 0 && crossings[2][q] === 0) bits[q] |= 4;
      }
    }
  }
}

/** Centre of a voxel [m]. */
export function voxelCentre({ origin, voxelSize, counts }: VoxelGrid, q: number): [number, number, number] {
  const x = q % counts[0];
  const y = Math.trunc(q / counts[0]) % counts[1];
  const z = Math.trunc(q / (counts[0] * counts[1]));
  return [origin[0] + (x + 0.5) * voxelSize, origin[1] + (y + 0.5) * voxelSize, origin[2] + (z + 0.5) * voxelSize];
}

/** All voxels inside. */
export function insideVoxels({ bits }: VoxelGrid): Int32Array {
  let count = 0;
  for (let q = 0; q < bits.length; q++) if (bits[q] !== 0) count++;
  const list = new Int32Array(count);
  for (let q = 0, n = 0; q < bits.length; q++) if (bits[q] !== 0) list[n++] = q;
  return list;
}
