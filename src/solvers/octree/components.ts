// Connected components of voxels within the cells of a level: floods along links that never leave a cell.

import { cellShift, type VoxelGrid } from './voxels.js';

/** Part of the solid in one cell that hangs together there. */
export interface Component {
  /** Cell of the level, in cells along x, y and z. */
  readonly cell: readonly [number, number, number];
  readonly voxels: Int32Array;
}

/** Floods over one grid; holds the marks, so that a flood costs no more than its voxels. */
export class ComponentFinder {
  private readonly marks: Int32Array;
  private stamp = 0;
  private readonly queue: Int32Array;

  constructor(readonly grid: VoxelGrid) {
    this.marks = new Int32Array(grid.bits.length);
    let inside = 0;
    for (let q = 0; q < grid.bits.length; q++) if (grid.bits[q] !== 0) inside++;
    this.queue = new Int32Array(inside);
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
    const { marks, queue } = this;
    const [nx, ny] = counts;
    const [strideY, strideZ] = [nx, nx * ny];
    const waiting = ++this.stamp;
    const done = ++this.stamp;
    for (const q of voxels) marks[q] = waiting;
    for (const first of voxels) {
      if (marks[first] !== waiting) continue;
      let end = 0;
      queue[end++] = first;
      marks[first] = done;
      for (let begin = 0; begin < end; begin++) {
        const q = queue[begin];
        const x = q % nx;
        const y = Math.trunc(q / nx) % ny;
        const z = Math.trunc(q / strideZ);
        const visit = (next: number, here: number, there: number): void => {
          if (marks[next] !== waiting || here >> shift !== there >> shift) return;
          marks[next] = done;
          queue[end++] = next;
        };
        const bit = bits[q];
        if ((bit & 1) !== 0) visit(q + 1, x, x + 1);
        if ((bit & 2) !== 0) visit(q + strideY, y, y + 1);
        if ((bit & 4) !== 0) visit(q + strideZ, z, z + 1);
        if (x > 0 && (bits[q - 1] & 1) !== 0) visit(q - 1, x, x - 1);
        if (y > 0 && (bits[q - strideY] & 2) !== 0) visit(q - strideY, y, y - 1);
        if (z > 0 && (bits[q - strideZ] & 4) !== 0) visit(q - strideZ, z, z - 1);
      }
      report(first, queue.subarray(0, end));
    }
  }
}
