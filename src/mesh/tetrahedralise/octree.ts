// An octree whose leaves are smallest all along a surface and grow away from it, neighbours by at most a factor of two.
// Based on: F. Labelle, J. Shewchuk, Isosurface stuffing, 2007, §4 (internal grading).

import type { Field } from '../remesh/polygonise.js';

/** A leaf: `level` from 0 (the whole cube) to `depth`; (i, j, k) count cells of its own level. */
export interface Leaf {
  readonly level: number;
  readonly i: number;
  readonly j: number;
  readonly k: number;
}

/**
 * Cells whose middle is nearer than this to the surface are smallest, in cells. An edge of a lattice that the surface cuts
 * belongs to a cell whose middle is at most 1 from it; the neighbours of that cell, up to √3 farther, hold all
 * tetrahedra at the edge's ends, which may be moved.
 */
const BAND = 1 + Math.sqrt(3) + 0.01;

export interface OctreeOptions {
  /** Signed distance to the surface [m], negative inside. */
  readonly field: Field;
  /** Lowest corner of the cube [m]. */
  readonly origin: readonly [number, number, number];
  /** Edge of the smallest cells [m]. */
  readonly cell: number;
  /** The cube has 2^depth smallest cells along an edge. */
  readonly depth: number;
  /** How often cells may double inwards. */
  readonly grading: number;
  /** Longest edge of cells wanted at a place [m]. */
  readonly cellAt?: Field;
}

export class Octree {
  readonly depth: number;
  /** Per level, the cells that are split. */
  private readonly split: Set<number>[];

  constructor(private readonly options: OctreeOptions) {
    this.depth = options.depth;
    this.split = Array.from({ length: options.depth + 1 }, () => new Set<number>());
    this.divide(0, 0, 0, 0);
    this.balance();
  }

  isSplit(level: number, i: number, j: number, k: number): boolean {
    return this.isWithin(level, i, j, k) && this.split[level].has(this.key(i, j, k));
  }

  /** Whether a cell is there, split or not. */
  exists(level: number, i: number, j: number, k: number): boolean {
    return (
      this.isWithin(level, i, j, k) && (level === 0 || this.split[level - 1].has(this.key(i >> 1, j >> 1, k >> 1)))
    );
  }

  leaves(): Leaf[] {
    const found: Leaf[] = [];
    const visit = (level: number, i: number, j: number, k: number): void => {
      if (!this.split[level].has(this.key(i, j, k))) {
        found.push({ level, i, j, k });
        return;
      }
      for (let c = 0; c < 8; c++) visit(level + 1, 2 * i + (c & 1), 2 * j + ((c >> 1) & 1), 2 * k + (c >> 2));
    };
    visit(0, 0, 0, 0);
    return found;
  }

  private key(i: number, j: number, k: number): number {
    const width = 2 ** 17;
    return (i * width + j) * width + k;
  }

  private isWithin(level: number, i: number, j: number, k: number): boolean {
    const width = 1 << level;
    return i >= 0 && j >= 0 && k >= 0 && i < width && j < width && k < width;
  }

  private divide(level: number, i: number, j: number, k: number): void {
    if (level === this.depth) return;
    const { field, origin, cell, grading, cellAt } = this.options;
    const cells = 1 << (this.depth - level);
    const size = cells * cell;
    const x = origin[0] + (i + 0.5) * size;
    const y = origin[1] + (j + 0.5) * size;
    const z = origin[2] + (k + 0.5) * size;
    const distance = field(x, y, z);
    // The middles of the smallest cells in this one are at most this far from its own.
    const nearest = Math.abs(distance) - (Math.sqrt(3) / 2) * (size - cell);
    const isCoarse = cells > 1 << grading || (cellAt !== undefined && size > cellAt(x, y, z));
    if (!(nearest <= BAND * cell) && !(distance < 0 && isCoarse)) return;
    this.split[level].add(this.key(i, j, k));
    for (let c = 0; c < 8; c++) this.divide(level + 1, 2 * i + (c & 1), 2 * j + ((c >> 1) & 1), 2 * k + (c >> 2));
  }

  /** Splits cells until those around a split one are at least as fine. */
  private balance(): void {
    for (let level = this.depth - 1; level > 0; level--) {
      for (const key of this.split[level]) {
        const width = 2 ** 17;
        const k = key % width;
        const j = Math.floor(key / width) % width;
        const i = Math.floor(key / width / width);
        for (let c = 0; c < 27; c++) {
          const [x, y, z] = [i + (c % 3) - 1, j + (Math.floor(c / 3) % 3) - 1, k + Math.floor(c / 9) - 1];
          if (this.isWithin(level, x, y, z)) this.split[level - 1].add(this.key(x >> 1, y >> 1, z >> 1));
        }
      }
    }
  }
}
