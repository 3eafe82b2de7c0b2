// Which closed piece of a surface at rest the matter belongs to: a voxel is its whose inside holds its centre. Where a cut goes
// through, this says which links it severs, so that pieces of matter and of the surface are the same ones.

import { cross, dot, pointAt, subtract, type Vec3 } from '../../math/vec3.js';
import type { TriangleMesh } from '../../mesh/triangle-mesh.js';
import type { VoxelGrid } from './voxels.js';

/** Whose matter is whose. */
export interface VoxelPieces {
  /** The closed piece of the surface that each voxel belongs to, −1 where none is known. */
  readonly of: Int32Array;
  /** Voxels that the surface of a piece goes through. */
  readonly shellOf: (piece: number) => ReadonlySet<number>;
}

/** After a cut of the surface. */
export interface CutPieces extends VoxelPieces {
  /** Whether the cut ends within a piece, so that both of its sides are there; the matter of the others stays together. */
  readonly isSlit: Uint8Array;
}

/** Shift of the lines off the voxel centres, in voxels, as of those that found the voxels. */
const SHIFT_Y = 1.13e-6;
const SHIFT_Z = 2.71e-6;

/** @param pieceOf of each vertex. */
export function findVoxelPieces(
  grid: VoxelGrid,
  mesh: TriangleMesh,
  pieceOf: Uint32Array,
  pieceCount: number,
): VoxelPieces {
  const shellOf = (piece: number): Set<number> => findShell(grid, mesh, pieceOf, piece);
  return { of: markPieces(grid, mesh, pieceOf, pieceCount), shellOf };
}

/** The piece of each voxel inside, −1 where it is in none and linked to none that is. */
function markPieces(
  grid: VoxelGrid,
  { positions, triangles }: TriangleMesh,
  pieceOf: Uint32Array,
  pieceCount: number,
): Int32Array {
  const pieces = new Int32Array(grid.bits.length).fill(-1);
  if (pieceCount === 1) {
    for (let q = 0; q < pieces.length; q++) if (grid.bits[q] !== 0) pieces[q] = 0;
    return pieces;
  }
  const byPiece: number[][] = Array.from({ length: pieceCount }, () => []);
  for (let t = 0; t < triangles.length; t += 3) byPiece[pieceOf[triangles[t]]].push(t);
  const parity = new Uint8Array(grid.bits.length);
  byPiece.forEach((own, piece) => {
    markInside(grid, positions, triangles, own, parity, (q) => {
      if (pieces[q] < 0) pieces[q] = piece;
    });
  });
  spread(grid, pieces);
  return pieces;
}

/** Names the voxels inside some triangles, by lines along x; `parity` is 0 before and after. */
function markInside(
  { origin, voxelSize, counts, bits }: VoxelGrid,
  positions: Float64Array,
  triangles: Uint32Array,
  own: readonly number[],
  parity: Uint8Array,
  mark: (voxel: number) => void,
): void {
  const [nx, ny, nz] = counts;
  const x = (vertex: number): number => (positions[3 * vertex] - origin[0]) / voxelSize - 0.5;
  const y = (vertex: number): number => (positions[3 * vertex + 1] - origin[1]) / voxelSize - 0.5 - SHIFT_Y;
  const z = (vertex: number): number => (positions[3 * vertex + 2] - origin[2]) / voxelSize - 0.5 - SHIFT_Z;
  let [lowY, highY, lowZ, highZ] = [ny, -1, nz, -1];
  for (const t of own) {
    const [a, b, c] = [triangles[t], triangles[t + 1], triangles[t + 2]];
    const [ay, by, cy] = [y(a), y(b), y(c)];
    const [az, bz, cz] = [z(a), z(b), z(c)];
    const firstY = Math.max(0, Math.ceil(Math.min(ay, by, cy)));
    const lastY = Math.min(ny - 1, Math.floor(Math.max(ay, by, cy)));
    const firstZ = Math.max(0, Math.ceil(Math.min(az, bz, cz)));
    const lastZ = Math.min(nz - 1, Math.floor(Math.max(az, bz, cz)));
    for (let k = firstZ; k <= lastZ; k++) {
      for (let j = firstY; j <= lastY; j++) {
        const p = sideOf(b, c, by, bz, cy, cz, j, k);
        const q = sideOf(c, a, cy, cz, ay, az, j, k);
        const r = sideOf(a, b, ay, az, by, bz, j, k);
        if (!((p > 0 && q > 0 && r > 0) || (p < 0 && q < 0 && r < 0))) continue;
        const at = Math.max(0, Math.floor((p * x(a) + q * x(b) + r * x(c)) / (p + q + r)) + 1);
        if (at < nx) parity[at + nx * (j + ny * k)] ^= 1;
        lowY = Math.min(lowY, j);
        highY = Math.max(highY, j);
        lowZ = Math.min(lowZ, k);
        highZ = Math.max(highZ, k);
      }
    }
  }
  for (let k = lowZ; k <= highZ; k++) {
    for (let j = lowY; j <= highY; j++) {
      let inside = 0;
      for (let i = 0, q = nx * (j + ny * k); i < nx; i++, q++) {
        inside ^= parity[q];
        parity[q] = 0;
        if (inside === 1 && bits[q] !== 0) mark(q);
      }
    }
  }
}

/** On which side of edge p → q the line (j, k) passes; both triangles of an edge compute it from the same end. */
const sideOf = (p: number, q: number, py: number, pz: number, qy: number, qz: number, j: number, k: number): number =>
  p < q ? (qy - py) * (k - pz) - (qz - pz) * (j - py) : -((py - qy) * (k - qz) - (pz - qz) * (j - qy));

/** Voxels in no piece, as lines along one axis may miss them, belong to what they are linked to. */
function spread({ counts, bits }: VoxelGrid, pieces: Int32Array): void {
  const strides = [1, counts[0], counts[0] * counts[1]];
  let waiting: number[] = [];
  for (let q = 0; q < bits.length; q++) if (bits[q] !== 0 && pieces[q] < 0) waiting.push(q);
  for (let before = -1; waiting.length !== before; ) {
    before = waiting.length;
    const found = waiting.map((q) => {
      for (let axis = 0; axis < 3; axis++) {
        const [next, last] = [q + strides[axis], q - strides[axis]];
        if ((bits[q] & (1 << axis)) !== 0 && pieces[next] >= 0) return pieces[next];
        if (last >= 0 && (bits[last] & (1 << axis)) !== 0 && pieces[last] >= 0) return pieces[last];
      }
      return -1;
    });
    waiting.forEach((q, n) => {
      pieces[q] = found[n];
    });
    waiting = waiting.filter((q) => pieces[q] < 0);
  }
}

/** A triangle's plane goes through voxels that it touches, whatever rounding says. */
const TOUCH = 1 + 1e-9;

/** Voxels that the surface of a piece goes through, by the box and the plane of each triangle: rather some more than any less. */
function findShell(
  { origin, voxelSize, counts }: VoxelGrid,
  { positions, triangles }: TriangleMesh,
  pieceOf: Uint32Array,
  piece: number,
): Set<number> {
  const shell = new Set<number>();
  const place = (vertex: number): Vec3 => {
    const [x, y, z] = subtract(pointAt(positions, vertex), origin);
    return [x / voxelSize, y / voxelSize, z / voxelSize];
  };
  for (let t = 0; t < triangles.length; t += 3) {
    if (pieceOf[triangles[t]] !== piece) continue;
    const [a, b, c] = [place(triangles[t]), place(triangles[t + 1]), place(triangles[t + 2])];
    const normal = cross(subtract(b, a), subtract(c, a));
    const reach = 0.5 * TOUCH * (Math.abs(normal[0]) + Math.abs(normal[1]) + Math.abs(normal[2]));
    const first = (k: number): number => Math.max(0, Math.floor(Math.min(a[k], b[k], c[k])));
    const last = (k: number): number => Math.min(counts[k] - 1, Math.floor(Math.max(a[k], b[k], c[k])));
    for (let z = first(2); z <= last(2); z++) {
      for (let y = first(1); y <= last(1); y++) {
        for (let x = first(0); x <= last(0); x++) {
          if (Math.abs(dot(normal, subtract([x + 0.5, y + 0.5, z + 0.5], a))) > reach) continue;
          shell.add(x + counts[0] * (y + counts[1] * z));
        }
      }
    }
  }
  return shell;
}
