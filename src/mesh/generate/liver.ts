// A liver of our own, seen from the front (+Z): a heavy right lobe (at −X), a thin left one, a notch between them and the gall
// bladder below: one bulky body to be cut.

import { expectKnownFields } from '../../math/known-fields.js';
import type { TriangleMesh } from '../triangle-mesh.js';
import { BlendedShape } from './blended-shape.js';
import { meshShape } from './mesh-shape.js';
import { requireCount, requirePositive } from './options.js';

/** Size and fineness of a `liver`. */
export interface LiverOptions {
  /** Number of vertices: 300 to 20000. */
  readonly vertices?: number;
  /** Height [m]. */
  readonly size?: number;
}

/**
 * A liver with exactly `vertices` vertices, standing on y = 0.
 * @example
 * ```ts
 * const mesh = liver({ vertices: 800 });
 * ```
 */
export function liver(options: LiverOptions = {}): TriangleMesh {
  expectKnownFields('liver', options, ['vertices', 'size']);
  const { vertices = 1600, size = 1 } = options;
  requireCount('vertices', vertices, 300, 20000);
  requirePositive('size', size);
  return meshShape(modelLiver, {
    vertices,
    size,
    bounds: [
      [-0.95, -0.85, -0.6],
      [1.25, 0.75, 0.65],
    ],
  });
}

function modelLiver(thinnest: number): BlendedShape {
  return (
    new BlendedShape(thinnest)
      // The right lobe, its dome and its lower tip.
      .ellipsoid([-0.3, 0.08, 0], [0.5, 0.44, 0.36], { blend: 0.2, turn: [[0, 0, 1], -0.25] })
      .ellipsoid([-0.5, -0.26, 0.02], [0.24, 0.36, 0.25], { blend: 0.25, turn: [[0, 0, 1], 0.25] })
      // The left lobe, thin and running out to the side.
      .ellipsoid([0.3, 0.16, 0.04], [0.46, 0.27, 0.24], { blend: 0.22, turn: [[0, 0, 1], 0.12] })
      .ellipsoid([0.72, 0.23, 0.02], [0.36, 0.15, 0.13], { blend: 0.2, turn: [[0, 0, 1], 0.1] })
      // Two lips with a notch between them, where the ligament would be.
      .ellipsoid([-0.02, -0.16, 0.12], [0.2, 0.2, 0.15], { blend: 0.12 })
      .limb(
        [
          [-0.26, -0.2, 0.2, 0.07],
          [-0.22, -0.36, 0.24, 0.085],
          [-0.2, -0.48, 0.25, 0.095],
        ],
        { blend: 0.06 },
      )
  );
}
