// A cylinder along the Y axis with half spheres as its ends; vertices are about equally far apart everywhere.

import { expectKnownFields } from '../../math/known-fields.js';
import { cosine, sine } from '../../math/trigonometry.js';
import type { TriangleMesh } from '../triangle-mesh.js';
import { requireCount, requirePositive } from './options.js';
import { type Ring, revolve } from './revolve.js';

/** Size and fineness of a `capsule`. */
export interface CapsuleOptions {
  /** [m] */
  readonly radius?: number;
  /** From tip to tip, at least 2·radius [m]. */
  readonly height?: number;
  /** Vertices around the cylinder: 8 to 2000. They set the distance between vertices, 2π·radius/segments. */
  readonly segments?: number;
}

/**
 * A capsule around the origin.
 * @example
 * ```ts
 * const mesh = capsule({ radius: 0.3, height: 1 });
 * ```
 */
export function capsule(options: CapsuleOptions = {}): TriangleMesh {
  expectKnownFields('capsule', options, ['radius', 'height', 'segments']);
  const { radius = 0.5, height = 2, segments = 24 } = options;
  requirePositive('radius', radius);
  requirePositive('height', height);
  if (height < 2 * radius) throw new RangeError(`height must be at least 2·radius (${2 * radius}), got ${height}`);
  requireCount('segments', segments, 8, 2000);
  const straight = height - 2 * radius;
  // Rings of equilateral triangles are √3/2 of the spacing apart.
  const rise = (Math.sqrt(3) * Math.PI * radius) / segments;
  const bands = Math.max(2, Math.round((Math.PI * radius) / 2 / rise));
  const levels = Math.round(straight / rise) || (straight > 0 ? 1 : 0);
  const rings: Ring[] = [];
  for (let i = 0; i <= bands; i++) rings.push(capRing(i / bands, radius, straight / 2, segments));
  for (let i = 1; i < levels; i++) rings.push({ radius, y: straight * (0.5 - i / levels), count: segments });
  for (let i = levels > 0 ? bands : bands - 1; i >= 0; i--) {
    const ring = capRing(i / bands, radius, straight / 2, segments);
    rings.push({ ...ring, y: -ring.y });
  }
  return revolve(rings);
}

/** The ring at `share` of the way from the tip to the cylinder. */
function capRing(share: number, radius: number, offset: number, segments: number): Ring {
  if (share === 0) return { radius: 0, y: offset + radius, count: 1 };
  const angle = (share * Math.PI) / 2;
  const around = sine(angle);
  return {
    radius: radius * around,
    y: offset + radius * cosine(angle),
    count: Math.max(5, Math.round(segments * around)),
  };
}
