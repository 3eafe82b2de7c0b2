// A right hand of our own, standing on its wrist with the fingers spread, the palm towards +Z: limbs that are near each other and
// move on their own.

import { expectKnownFields } from '../../math/known-fields.js';
import { cosine, sine } from '../../math/trigonometry.js';
import type { TriangleMesh } from '../triangle-mesh.js';
import { BlendedShape } from './blended-shape.js';
import { meshShape } from './mesh-shape.js';
import { requireCount, requirePositive } from './options.js';

/** Size and fineness of a `hand`. */
export interface HandOptions {
  /** Number of vertices: 700 to 20000. */
  readonly vertices?: number;
  /** Height [m]. */
  readonly size?: number;
}

/** Of each finger the knuckle, the angle from upright [rad], the length and the radius, from the index to the little one. */
const FINGERS = [
  [-0.142, 0.5, -0.27, 0.37, 0.04],
  [-0.048, 0.535, -0.06, 0.43, 0.042],
  [0.052, 0.52, 0.15, 0.39, 0.04],
  [0.142, 0.465, 0.4, 0.3, 0.034],
] as const;

/**
 * A hand with exactly `vertices` vertices, its wrist on y = 0.
 * @example
 * ```ts
 * const mesh = hand({ vertices: 2000 });
 * ```
 */
export function hand(options: HandOptions = {}): TriangleMesh {
  expectKnownFields('hand', options, ['vertices', 'size']);
  const { vertices = 2500, size = 1 } = options;
  requireCount('vertices', vertices, 700, 20000);
  requirePositive('size', size);
  return meshShape(modelHand, {
    vertices,
    size,
    bounds: [
      [-0.6, -0.1, -0.25],
      [0.5, 1.1, 0.3],
    ],
  });
}

function modelHand(thinnest: number): BlendedShape {
  const shape = new BlendedShape(thinnest);
  shape
    .limb(
      [
        [0, -0.05, -0.01, 0.1],
        [0, 0.1, 0, 0.095],
        [0, 0.22, 0.005, 0.105],
      ],
      { blend: 0.05 },
    )
    .sheet([0.004, 0.34, 0], [0.112, 0.135], 0.07, { blend: 0.1 })
    // The balls of the thumb and of the little finger.
    .ellipsoid([-0.1, 0.25, 0.035], [0.075, 0.12, 0.065], { blend: 0.06, turn: [[0, 0, 1], 0.35] })
    .ellipsoid([0.095, 0.24, 0.025], [0.06, 0.12, 0.06], { blend: 0.06 })
    .limb(
      [
        [-0.1, 0.2, 0.03, 0.065],
        [-0.215, 0.33, 0.06, 0.052],
        [-0.3, 0.43, 0.075, 0.046],
        [-0.345, 0.53, 0.08, 0.037],
      ],
      { blend: 0.045 },
    );
  for (const [x, y, angle, length, radius] of FINGERS) addFinger(shape, [x, y], angle, length, radius);
  return shape.standOn(0, 0.02);
}

/** A finger from inside the palm to its tip, bent a little towards the palm. */
function addFinger(
  shape: BlendedShape,
  [x, y]: readonly [number, number],
  angle: number,
  length: number,
  radius: number,
): void {
  const [side, up] = [sine(angle), cosine(angle)];
  const at = (share: number, forward: number, thickness: number) =>
    [x + share * length * side, y + share * length * up, forward, thickness * radius] as const;
  shape.limb(
    [at(-0.35, -0.005, 1.15), at(0.1, 0, 1.04), at(0.46, 0.014, 1.01), at(0.72, 0.032, 0.88), at(0.93, 0.06, 0.74)],
    { blend: 0.028 },
  );
}
