// A box whose faces are cut into rectangles of two triangles each.

import { expectKnownFields } from '../../math/known-fields.js';
import type { TriangleMesh } from '../triangle-mesh.js';
import { requireCount, requirePositive } from './options.js';

/** Size and fineness of a `box`. */
export interface BoxOptions {
  /** Edge length, or lengths along x, y, z [m]. */
  readonly size?: number | readonly [number, number, number];
  /** Rectangles along every edge, or along x, y, z: 1 to 1000. */
  readonly divisions?: number | readonly [number, number, number];
}

/**
 * 2·(nx·ny + ny·nz + nz·nx) + 2 vertices (6n² + 2 for a cube with n divisions) around the origin.
 * @example
 * ```ts
 * const mesh = box({ size: [2, 1, 1], divisions: 8 });
 * ```
 */
export function box(options: BoxOptions = {}): TriangleMesh {
  expectKnownFields('box', options, ['size', 'divisions']);
  const { size = 1, divisions = 8 } = options;
  const sizes = typeof size === 'number' ? [size, size, size] : size;
  const counts = typeof divisions === 'number' ? [divisions, divisions, divisions] : divisions;
  if (sizes.length !== 3) throw new RangeError(`size must be a number or three numbers, got ${sizes.length}`);
  if (counts.length !== 3) throw new RangeError(`divisions must be a number or three numbers, got ${counts.length}`);
  for (const length of sizes) requirePositive('size', length);
  for (const count of counts) requireCount('divisions', count, 1, 1000);

  const positions: number[] = [];
  const triangles: number[] = [];
  const known = new Map<number, number>();
  const vertexAt = (grid: readonly number[]): number => {
    const key = grid[0] + (counts[0] + 1) * (grid[1] + (counts[1] + 1) * grid[2]);
    let vertex = known.get(key);
    if (vertex === undefined) {
      vertex = positions.length / 3;
      known.set(key, vertex);
      for (let k = 0; k < 3; k++) positions.push((grid[k] / counts[k] - 0.5) * sizes[k]);
    }
    return vertex;
  };
  for (let axis = 0; axis < 3; axis++) {
    const u = (axis + 1) % 3;
    const v = (axis + 2) % 3;
    for (const far of [false, true]) {
      for (let i = 0; i < counts[u]; i++) {
        for (let j = 0; j < counts[v]; j++) {
          const corner = (du: number, dv: number): number => {
            const grid = [0, 0, 0];
            grid[axis] = far ? counts[axis] : 0;
            // The near face is seen from the other side.
            grid[u] = i + (far ? du : dv);
            grid[v] = j + (far ? dv : du);
            return vertexAt(grid);
          };
          const [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
          // Alternating diagonals: the mesh has no preferred direction.
          if ((i + j) % 2 === 0) triangles.push(a, b, c, a, c, d);
          else triangles.push(a, b, d, b, c, d);
        }
      }
    }
  }
  return { positions: Float64Array.from(positions), triangles: Uint32Array.from(triangles) };
}
