// A rubber duck of our own, looking along +Z.

import { expectKnownFields } from '../../math/known-fields.js';
import type { TriangleMesh } from '../triangle-mesh.js';
import { BlendedShape } from './blended-shape.js';
import { meshShape } from './mesh-shape.js';
import { requireCount, requirePositive } from './options.js';

/** Size and fineness of a `duck`. */
export interface DuckOptions {
  /** Number of vertices: 300 to 20000. */
  readonly vertices?: number;
  /** Height [m]. */
  readonly size?: number;
}

/**
 * A duck with exactly `vertices` vertices, standing on y = 0.
 * @example
 * ```ts
 * const mesh = duck({ vertices: 600 });
 * ```
 */
export function duck(options: DuckOptions = {}): TriangleMesh {
  expectKnownFields('duck', options, ['vertices', 'size']);
  const { vertices = 2500, size = 1 } = options;
  requireCount('vertices', vertices, 300, 20000);
  requirePositive('size', size);
  return meshShape(modelDuck, {
    vertices,
    size,
    bounds: [
      [-0.6, -0.1, -0.9],
      [0.6, 1.2, 0.8],
    ],
  });
}

function modelDuck(thinnest: number): BlendedShape {
  const both = { mirrored: true };
  return (
    new BlendedShape(thinnest)
      // Body with the chest in front and the tail turned up.
      .ellipsoid([0, 0.33, -0.04], [0.36, 0.28, 0.45], { blend: 0.1 })
      .ellipsoid([0, 0.39, 0.19], [0.3, 0.27, 0.27], { blend: 0.14 })
      .limb(
        [
          [0, 0.36, -0.26, 0.2],
          [0, 0.43, -0.45, 0.12],
          [0, 0.54, -0.58, 0.07],
          [0, 0.64, -0.64, 0.04],
        ],
        { blend: 0.12 },
      )
      // Head, the two halves of the beak, eyes.
      .ellipsoid([0, 0.8, 0.23], [0.235, 0.228, 0.235], { blend: 0.14 })
      .sheet([0, 0.778, 0.47], [0.09, 0.105], 0.034, { blend: 0.05, turn: [[1, 0, 0], 1.36] })
      .sheet([0, 0.732, 0.435], [0.065, 0.08], 0.034, { blend: 0.04, turn: [[1, 0, 0], 1.6] })
      .ellipsoid([0.115, 0.87, 0.4], [0.05, 0.06, 0.05], { blend: 0.015, ...both })
      // Wings with tips that point back and up.
      .limb(
        [
          [0.3, 0.36, 0.1, 0.1],
          [0.335, 0.37, -0.06, 0.115],
          [0.35, 0.44, -0.24, 0.075],
          [0.36, 0.53, -0.37, 0.04],
        ],
        { blend: 0.03, ...both },
      )
      .standOn(0.07, 0.1)
  );
}
