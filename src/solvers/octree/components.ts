// Connected components of voxels within the cells of a level: floods along links that never leave a cell.

import { cellShift, type VoxelGrid } from './voxels.js';

/** Part of the solid in one cell that hangs together there. */
export interface Component {
  /** Cell of the level, in cells along x, y and z. */
  readonly cell: readonly [number, number, number];
  readonly voxels: Int32Array;
}

/** Marks of floods, which all copies of a forest share: no two of them are flooded at a time. */
interface FloodMarks {
  readonly marks: Int32Array;
  readonly queue: Int32Array;
  stamp: number;
}

function createMarks({ bits }: VoxelGrid): FloodMarks {
  let inside = 0;
  for (let q = 0; q < bits.length; q++) if (bits[q] !== 0) inside++;
  return { marks: new Int32Array(bits.length), queue: new Int32Array(inside), stamp: 0 };
}

/** Floods over one grid; holds the marks, so that a flood costs no more than its voxels. */
export class ComponentFinder {
  private readonly shared: FloodMarks;

  /** @param like a finder over a grid of the same voxels. */
  constructor(
    readonly grid: VoxelGrid,
    like?: ComponentFinder,
  ) {
    this.shared = like?.shared ?? createMarks(grid);
  }

  /** Components of the voxels in the cells of a level, in the order of their first voxels. */
  find(voxels: Int32Array, level: number): Component[] {
    const { counts, levels } = this.grid;
    const shift = cellShift(levels, level);
    const components: Component[] = [];
    this.flood(voxels, shift, (first, members) => {
      const x = first % counts[0];
      const y = Math.trunc(first / counts[0]) % counts[1];
      const z = Math.trunc(first / (counts[0] * counts[1]));
      components.push({ cell: [x >> shift, y >> shift, z >> shift], voxels: members.slice() });
    });
    return components;
  }

  /** Components of the voxels where no cell ends them: the parts of the solid. */
  findParts(voxels: Int32Array): Int32Array[] {
    const parts: Int32Array[] = [];
    this.flood(voxels, 30, (_, members) => parts.push(members.slice()));
    return parts;
  }

  private flood(voxels: Int32Array, shift: number, report: (first: number, members: Int32Array) => void): void {
    const { counts, bits } = this.grid;
    const { shared } = this;
    const { marks, queue } = shared;
    const [nx, ny] = counts;
    const strideZ = nx * ny;
    const mask = shift < 30 ? (1 << shift) - 1 : -1;
    const waiting = ++shared.stamp;
    const done = ++shared.stamp;
    for (let n = 0; n < voxels.length; n++) marks[voxels[n]] = waiting;
    for (let n = 0; n < voxels.length; n++) {
      const first = voxels[n];
      if (marks[first] !== waiting) continue;
      let end = 0;
      queue[end++] = first;
      marks[first] = done;
      for (let begin = 0; begin < end; begin++) {
        const q = queue[begin];
        const bit = bits[q];
        const x = q % nx;
        const y = Math.trunc(q / nx) % ny;
        const z = Math.trunc(q / strideZ);
        // A step up leaves the cell from its last voxel, a step down from its first.
        const [cx, cy, cz] = [x & mask, y & mask, z & mask];
        if ((bit & 1) !== 0 && cx !== mask && marks[q + 1] === waiting) {
          marks[q + 1] = done;
          queue[end++] = q + 1;
        }
        if ((bit & 2) !== 0 && cy !== mask && marks[q + nx] === waiting) {
          marks[q + nx] = done;
          queue[end++] = q + nx;
        }
        if ((bit & 4) !== 0 && cz !== mask && marks[q + strideZ] === waiting) {
          marks[q + strideZ] = done;
          queue[end++] = q + strideZ;
        }
        if (cx !== 0 && (bits[q - 1] & 1) !== 0 && marks[q - 1] === waiting) {
          marks[q - 1] = done;
          queue[end++] = q - 1;
        }
        if (cy !== 0 && (bits[q - nx] & 2) !== 0 && marks[q - nx] === waiting) {
          marks[q - nx] = done;
          queue[end++] = q - nx;
        }
        if (cz !== 0 && (bits[q - strideZ] & 4) !== 0 && marks[q - strideZ] === waiting) {
          marks[q - strideZ] = done;
          queue[end++] = q - strideZ;
        }
      }
      report(first, queue.subarray(0, end));
    }
  }
}
