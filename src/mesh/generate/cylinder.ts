// A cylinder along the Y axis with flat ends; vertices are about equally far apart on the wall and on the ends.

import { expectKnownFields } from '../../math/known-fields.js';
import type { TriangleMesh } from '../triangle-mesh.js';
import { requireCount, requirePositive } from './options.js';
import { type Ring, revolve } from './revolve.js';

/** Size and fineness of a `cylinder`. */
export interface CylinderOptions {
  /** [m] */
  readonly radius?: number;
  /** [m] */
  readonly height?: number;
  /** Vertices around the wall: 6 to 2000. They set the distance between vertices, 2π·radius/segments. */
  readonly segments?: number;
}

/**
 * A cylinder around the origin.
 * @example
 * ```ts
 * const mesh = cylinder({ radius: 0.5, height: 1 });
 * ```
 */
export function cylinder(options: CylinderOptions = {}): TriangleMesh {
  expectKnownFields('cylinder', options, ['radius', 'height', 'segments']);
  const { radius = 0.5, height = 2, segments = 32 } = options;
  requirePositive('radius', radius);
  requirePositive('height', height);
  requireCount('segments', segments, 6, 2000);
  // Rings of equilateral triangles are √3/2 of the spacing apart.
  const rise = (Math.sqrt(3) * Math.PI * radius) / segments;
  const bands = Math.max(1, Math.round(radius / rise));
  const levels = Math.max(1, Math.round(height / rise));
  const rings: Ring[] = [];
  for (let i = 0; i <= bands; i++) rings.push(endRing(i / bands, radius, height / 2, segments));
  for (let i = 1; i < levels; i++) rings.push({ radius, y: height * (0.5 - i / levels), count: segments });
  for (let i = bands; i >= 0; i--) rings.push(endRing(i / bands, radius, -height / 2, segments));
  return revolve(rings);
}

/** The ring at `share` of the way from the middle of an end to its rim. */
function endRing(share: number, radius: number, y: number, segments: number): Ring {
  if (share === 0) return { radius: 0, y, count: 1 };
  return { radius: share * radius, y, count: Math.max(5, Math.round(segments * share)) };
}
