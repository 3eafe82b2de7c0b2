// A ring lying flat: a circle swept around the Y axis.

import { expectKnownFields } from '../../math/known-fields.js';
import { cosine, sine } from '../../math/trigonometry.js';
import type { TriangleMesh } from '../triangle-mesh.js';
import { requireCount, requirePositive } from './options.js';

/** Size and fineness of a `torus`. */
export interface TorusOptions {
  /** From the middle of the ring to the middle of the tube [m]. */
  readonly majorRadius?: number;
  /** Of the tube, smaller than majorRadius [m]. */
  readonly minorRadius?: number;
  /** Vertices around the ring: 3 to 4000. */
  readonly majorSegments?: number;
  /** Vertices around the tube: 3 to 4000. */
  readonly minorSegments?: number;
}

/**
 * majorSegments·minorSegments vertices around the origin.
 * @example
 * ```ts
 * const mesh = torus({ majorRadius: 0.6, minorRadius: 0.25, majorSegments: 32, minorSegments: 12 });
 * ```
 */
export function torus(options: TorusOptions = {}): TriangleMesh {
  expectKnownFields('torus', options, ['majorRadius', 'minorRadius', 'majorSegments', 'minorSegments']);
  const { majorRadius = 1, minorRadius = 0.4, majorSegments = 48, minorSegments = 20 } = options;
  requirePositive('majorRadius', majorRadius);
  requirePositive('minorRadius', minorRadius);
  if (minorRadius >= majorRadius) {
    throw new RangeError(`minorRadius must be below majorRadius (${majorRadius}), got ${minorRadius}`);
  }
  requireCount('majorSegments', majorSegments, 3, 4000);
  requireCount('minorSegments', minorSegments, 3, 4000);
  const positions = new Float64Array(3 * majorSegments * minorSegments);
  const triangles: number[] = [];
  for (let i = 0; i < majorSegments; i++) {
    const turn = (2 * Math.PI * i) / majorSegments;
    const nextI = (i + 1) % majorSegments;
    for (let j = 0; j < minorSegments; j++) {
      const lift = (2 * Math.PI * j) / minorSegments;
      const nextJ = (j + 1) % minorSegments;
      const distance = majorRadius + minorRadius * cosine(lift);
      const a = i * minorSegments + j;
      positions[3 * a] = distance * sine(turn);
      positions[3 * a + 1] = minorRadius * sine(lift);
      positions[3 * a + 2] = distance * cosine(turn);
      const b = nextI * minorSegments + j;
      const c = nextI * minorSegments + nextJ;
      const d = i * minorSegments + nextJ;
      triangles.push(a, b, c, a, c, d);
    }
  }
  return { positions, triangles: Uint32Array.from(triangles) };
}
