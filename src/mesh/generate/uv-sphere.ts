// A sphere of meridians and parallels, with poles on the Y axis.

import { expectKnownFields } from '../../math/known-fields.js';
import { cosine, sine } from '../../math/trigonometry.js';
import type { TriangleMesh } from '../triangle-mesh.js';
import { requireCount, requirePositive } from './options.js';

/** Size and fineness of a `uvSphere`. */
export interface UvSphereOptions {
  /** Vertices around the equator, and bands from pole to pole: 3 to 2000. */
  readonly segments?: number;
  /** [m] */
  readonly radius?: number;
}

/**
 * segments·(segments − 1) + 2 vertices on a sphere around the origin.
 * @example
 * ```ts
 * const mesh = uvSphere({ segments: 24, radius: 1 });
 * ```
 */
export function uvSphere(options: UvSphereOptions = {}): TriangleMesh {
  expectKnownFields('uvSphere', options, ['segments', 'radius']);
  const { segments = 40, radius = 1 } = options;
  requireCount('segments', segments, 3, 2000);
  requirePositive('radius', radius);
  const rings = segments - 1;
  const count = segments * rings + 2;
  const positions = new Float64Array(3 * count);
  const [south, north] = [count - 2, count - 1];
  positions[3 * south + 1] = -radius;
  positions[3 * north + 1] = radius;
  for (let r = 0; r < rings; r++) {
    const latitude = Math.PI * ((r + 1) / segments - 0.5);
    for (let s = 0; s < segments; s++) {
      const longitude = (2 * Math.PI * s) / segments;
      const at = 3 * (r * segments + s);
      positions[at] = radius * cosine(latitude) * sine(longitude);
      positions[at + 1] = radius * sine(latitude);
      positions[at + 2] = radius * cosine(latitude) * cosine(longitude);
    }
  }
  const triangles: number[] = [];
  for (let s = 0; s < segments; s++) {
    const next = (s + 1) % segments;
    triangles.push(south, next, s);
    for (let r = 0; r + 1 < rings; r++) {
      const low = r * segments;
      const high = low + segments;
      triangles.push(low + s, low + next, high + next, low + s, high + next, high + s);
    }
    triangles.push(north, (rings - 1) * segments + s, (rings - 1) * segments + next);
  }
  return { positions, triangles: Uint32Array.from(triangles) };
}
