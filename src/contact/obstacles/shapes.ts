// Signed distance and outward normal of the primitive obstacle shapes, in their own frame (centre at the origin, axis Y;
// a glass stands on it).

import type { Vec3 } from '../../math/vec3.js';
import { type Glass, measureGlass } from './glass.js';
import type { SurfacePoint } from './surface-point.js';

/** A primitive obstacle shape; lengths in metres. */
export type PrimitiveShape =
  /** Half-space: solid where normal·x < offset. */
  | { readonly shape: 'plane'; readonly normal: Vec3; readonly offset?: number }
  | { readonly shape: 'box'; readonly size: Vec3 }
  | { readonly shape: 'sphere'; readonly radius: number }
  /** `height` is the total height along Y, the round ends included. */
  | { readonly shape: 'capsule'; readonly radius: number; readonly height: number }
  | { readonly shape: 'cylinder'; readonly radius: number; readonly height: number }
  | Glass;

/** Writes the signed distance and normal at a point of the shape's own frame. */
export function measureDistance(shape: PrimitiveShape, x: number, y: number, z: number, out: SurfacePoint): void {
  switch (shape.shape) {
    case 'plane': {
      const [nx, ny, nz] = shape.normal;
      const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
      set(out, (nx * x + ny * y + nz * z) / length - (shape.offset ?? 0), nx / length, ny / length, nz / length);
      return;
    }
    case 'sphere':
      radial(x, y, z, shape.radius, out);
      return;
    case 'capsule': {
      const half = Math.max(0, 0.5 * shape.height - shape.radius);
      radial(x, y - Math.max(-half, Math.min(half, y)), z, shape.radius, out);
      return;
    }
    case 'cylinder': {
      // A box in the plane through the axis: radial distance by height.
      const r = Math.sqrt(x * x + z * z);
      const [ux, uz] = r > 0 ? [x / r, z / r] : [1, 0];
      const side = r - shape.radius;
      const cap = Math.abs(y) - 0.5 * shape.height;
      const up = y < 0 ? -1 : 1;
      if (side > 0 && cap > 0) {
        const d = Math.sqrt(side * side + cap * cap);
        set(out, d, (ux * side) / d, (up * cap) / d, (uz * side) / d);
      } else if (side > cap) set(out, side, ux, 0, uz);
      else set(out, cap, 0, up, 0);
      return;
    }
    case 'box':
      boxDistance(shape.size, x, y, z, out);
      return;
    case 'glass':
      measureGlass(shape, x, y, z, out);
  }
}

function boxDistance(size: Vec3, x: number, y: number, z: number, out: SurfacePoint): void {
  const dx = Math.abs(x) - 0.5 * size[0];
  const dy = Math.abs(y) - 0.5 * size[1];
  const dz = Math.abs(z) - 0.5 * size[2];
  const sx = x < 0 ? -1 : 1;
  const sy = y < 0 ? -1 : 1;
  const sz = z < 0 ? -1 : 1;
  if (dx <= 0 && dy <= 0 && dz <= 0) {
    if (dx >= dy && dx >= dz) set(out, dx, sx, 0, 0);
    else if (dy >= dz) set(out, dy, 0, sy, 0);
    else set(out, dz, 0, 0, sz);
    return;
  }
  const ex = Math.max(dx, 0);
  const ey = Math.max(dy, 0);
  const ez = Math.max(dz, 0);
  const d = Math.sqrt(ex * ex + ey * ey + ez * ez);
  set(out, d, (sx * ex) / d, (sy * ey) / d, (sz * ez) / d);
}

function radial(x: number, y: number, z: number, radius: number, out: SurfacePoint): void {
  const r = Math.sqrt(x * x + y * y + z * z);
  if (r > 0) set(out, r - radius, x / r, y / r, z / r);
  else set(out, -radius, 0, 1, 0);
}

function set(out: SurfacePoint, distance: number, nx: number, ny: number, nz: number): void {
  out.distance = distance;
  out.nx = nx;
  out.ny = ny;
  out.nz = nz;
}

/** The shape's thinnest dimension [m]: a particle that moves further than a part of it in a step is swept. */
export function thinnest(shape: PrimitiveShape): number {
  switch (shape.shape) {
    case 'plane':
      return Infinity;
    case 'box':
      return Math.min(...shape.size);
    case 'sphere':
      return 2 * shape.radius;
    case 'glass':
      return shape.wall;
    default:
      return Math.min(2 * shape.radius, shape.height);
  }
}
