// A landscape: heights over a grid, solid below, at any depth.

import { expectPositive } from '../../math/expect.js';
import type { SurfacePoint } from './surface-point.js';

export interface HeightfieldShape {
  readonly shape: 'heightfield';
  /** Rows along x, one for each step along z, at least two of two; heights along Y [m]. */
  readonly heights: readonly (readonly number[])[];
  /** Extent along x and along z, about the origin [m]. */
  readonly size: readonly [number, number];
}

export class Heightfield {
  /** Nothing moves so fast that it could be below and not inside. */
  readonly thinnest = Infinity;
  readonly columns: number;
  readonly rows: number;
  /** Row by row [m]. */
  readonly heights: Float64Array;
  /** Of all heights [m]. */
  readonly highest: number;
  /** Extents along x and z [m]. */
  readonly width: number;
  readonly length: number;

  constructor({ heights, size }: HeightfieldShape) {
    this.rows = heights?.length ?? 0;
    this.columns = heights?.[0]?.length ?? 0;
    if (!(this.rows >= 2 && this.columns >= 2 && heights.every((row) => row.length === this.columns))) {
      throw new RangeError('heightfield.heights: expected at least two rows of equal length, at least two');
    }
    this.heights = Float64Array.from(heights.flat());
    if (!this.heights.every(Number.isFinite)) throw new RangeError('heightfield.heights: expected finite numbers');
    expectPositive('heightfield.size[0]', size?.[0]);
    expectPositive('heightfield.size[1]', size?.[1]);
    [this.width, this.length] = size;
    this.highest = this.heights.reduce((most, height) => Math.max(most, height));
  }

  /** Signed distance to the plane of the triangle above or below; beyond the border there is nothing. */
  measure(x: number, y: number, z: number, out: SurfacePoint): void {
    const { columns, rows, heights, width, length } = this;
    const u = (x / width + 0.5) * (columns - 1);
    const v = (z / length + 0.5) * (rows - 1);
    out.nx = 0;
    out.ny = 1;
    out.nz = 0;
    out.distance = Infinity;
    if (!(u >= 0 && v >= 0 && u <= columns - 1 && v <= rows - 1)) return;
    const i = Math.min(columns - 2, Math.floor(u));
    const j = Math.min(rows - 2, Math.floor(v));
    const at = j * columns + i;
    const [s, t] = [u - i, v - j];
    // Each cell is cut from its lowest x and highest z to its highest x and lowest z.
    const [corner, alongX, alongZ] =
      s + t <= 1
        ? [heights[at], heights[at + 1] - heights[at], heights[at + columns] - heights[at]]
        : [
            heights[at + 1] + heights[at + columns] - heights[at + columns + 1],
            heights[at + columns + 1] - heights[at + columns],
            heights[at + columns + 1] - heights[at + 1],
          ];
    const slopeX = (alongX * (columns - 1)) / width;
    const slopeZ = (alongZ * (rows - 1)) / length;
    const scale = 1 / Math.sqrt(1 + slopeX * slopeX + slopeZ * slopeZ);
    out.distance = (y - corner - s * alongX - t * alongZ) * scale;
    out.nx = -slopeX * scale;
    out.ny = scale;
    out.nz = -slopeZ * scale;
  }
}
