// A limbed creature of our own with ears, fingers, toes and a tail, looking along +Z: a shape with many thin parts.

import { expectKnownFields } from '../../math/known-fields.js';
import { cosine, sine } from '../../math/trigonometry.js';
import type { TriangleMesh } from '../triangle-mesh.js';
import { BlendedShape } from './blended-shape.js';
import { meshShape } from './mesh-shape.js';
import { requireCount, requirePositive } from './options.js';

/** Size and fineness of a `creature`. */
export interface CreatureOptions {
  /** Number of vertices: 300 to 20000. */
  readonly vertices?: number;
  /** Height [m]. */
  readonly size?: number;
}

/**
 * A creature with exactly `vertices` vertices, standing on y = 0.
 * @example
 * ```ts
 * const mesh = creature({ vertices: 1500 });
 * ```
 */
export function creature(options: CreatureOptions = {}): TriangleMesh {
  expectKnownFields('creature', options, ['vertices', 'size']);
  const { vertices = 5407, size = 1 } = options;
  requireCount('vertices', vertices, 300, 20000);
  requirePositive('size', size);
  return meshShape(modelCreature, {
    vertices,
    size,
    bounds: [
      [-0.7, -0.1, -0.8],
      [0.7, 1.2, 0.45],
    ],
  });
}

function modelCreature(thinnest: number): BlendedShape {
  const shape = new BlendedShape(thinnest);
  addTrunk(shape);
  addHead(shape);
  addArms(shape, thinnest);
  addLegs(shape, thinnest);
  return shape.standOn(0, 0.02);
}

function addTrunk(shape: BlendedShape): void {
  shape
    .ellipsoid([0, 0.4, 0.01], [0.165, 0.18, 0.155], { blend: 0.1 })
    .ellipsoid([0, 0.58, -0.01], [0.135, 0.14, 0.115], { blend: 0.12 })
    .limb(
      [
        [0, 0.34, -0.08, 0.1],
        [0, 0.2, -0.24, 0.075],
        [0, 0.15, -0.4, 0.055],
        [0, 0.2, -0.54, 0.038],
        [0, 0.31, -0.62, 0.02],
      ],
      { blend: 0.06 },
    );
}

function addHead(shape: BlendedShape): void {
  const both = { mirrored: true };
  shape
    .limb(
      [
        [0, 0.66, 0, 0.075],
        [0, 0.76, 0.03, 0.075],
      ],
      { blend: 0.08 },
    )
    .ellipsoid([0, 0.81, 0.04], [0.118, 0.108, 0.125], { blend: 0.06 })
    .limb(
      [
        [0, 0.785, 0.11, 0.07],
        [0, 0.755, 0.25, 0.04],
      ],
      { blend: 0.07 },
    )
    .ellipsoid([0, 0.768, 0.283], [0.03, 0.026, 0.024], { blend: 0.012 })
    .ellipsoid([0.066, 0.848, 0.128], [0.034, 0.038, 0.034], { blend: 0.01, ...both })
    .sheet([0.13, 0.955, 0.01], [0.032, 0.09], 0.02, { blend: 0.05, turn: [[0, 0, 1], -0.45], ...both });
}

function addArms(shape: BlendedShape, thinnest: number): void {
  const both = { mirrored: true };
  shape
    .limb(
      [
        [0.1, 0.62, 0, 0.058],
        [0.26, 0.55, 0.02, 0.046],
        [0.36, 0.66, 0.08, 0.036],
      ],
      { blend: 0.05, ...both },
    )
    .sheet([0.378, 0.71, 0.097], [0.028, 0.034], 0.026, { blend: 0.03, turn: [[0, 0, 1], -0.2], ...both });
  for (const [angle, length] of fingersFor(thinnest)) {
    const [side, up] = [sine(angle), cosine(angle)];
    shape.limb(
      [
        [0.375 + 0.035 * side, 0.71 + 0.035 * up, 0.095, 0.021],
        [0.375 + length * side, 0.71 + length * up, 0.11, 0.016],
      ],
      { blend: 0.024, ...both },
    );
  }
}

/**
 * Angle from upright and length of each finger, spread like a fan in the plane of the hand: three and a thumb, or as many
 * as fit beside each other when coarse triangles make them thick.
 */
function fingersFor(thinnest: number): readonly (readonly [angle: number, length: number])[] {
  const thumb = [-1.25, 0.085] as const;
  if (thinnest > 0.025) return [[0.2, 0.11]];
  if (thinnest > 0.0195) return [thumb, [-0.15, 0.12], [0.85, 0.115]];
  return [thumb, [-0.35, 0.115], [0.28, 0.125], [0.9, 0.11]];
}

function addLegs(shape: BlendedShape, thinnest: number): void {
  const both = { mirrored: true };
  shape
    .limb(
      [
        [0.1, 0.34, 0, 0.095],
        [0.155, 0.2, 0.04, 0.07],
        [0.15, 0.06, 0, 0.052],
      ],
      { blend: 0.05, ...both },
    )
    .limb(
      [
        [0.15, 0.04, 0, 0.052],
        [0.17, 0.035, 0.1, 0.047],
      ],
      { blend: 0.03, ...both },
    );
  const middleToe = [0.18, 0.19] as const;
  const toes = thinnest > 0.025 ? [middleToe] : [[0.115, 0.165], middleToe, [0.245, 0.165]];
  for (const [x, z] of toes) {
    shape.limb(
      [
        [0.17, 0.028, 0.1, 0.03],
        [x, 0.022, z, 0.022],
      ],
      { blend: 0.015, ...both },
    );
  }
}
