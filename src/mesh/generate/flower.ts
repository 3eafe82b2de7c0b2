// A flower of our own: a thin stem with two leaves, and five petals around a disc, tilted towards +Z: thin parts that the wind moves.

import { expectKnownFields } from '../../math/known-fields.js';
import { fromAxisAngle, multiply, type Quaternion, rotate } from '../../math/quaternion.js';
import { arcTangent } from '../../math/trigonometry.js';
import type { Vec3 } from '../../math/vec3.js';
import type { TriangleMesh } from '../triangle-mesh.js';
import { BlendedShape } from './blended-shape.js';
import { meshShape } from './mesh-shape.js';
import { requireCount, requirePositive } from './options.js';

/** Size and fineness of a `flower`. */
export interface FlowerOptions {
  /** Number of vertices: 700 to 20000. */
  readonly vertices?: number;
  /** Height [m]. */
  readonly size?: number;
}

const PETALS = 5;
/** How far the blossom nods to the front, and how far its petals stand up from its plane [rad]. */
const NOD = 0.85;
const CUP = 0.35;

/**
 * A flower with exactly `vertices` vertices, its stem on y = 0.
 * @example
 * ```ts
 * const mesh = flower();
 * ```
 */
export function flower(options: FlowerOptions = {}): TriangleMesh {
  expectKnownFields('flower', options, ['vertices', 'size']);
  const { vertices = 1200, size = 1 } = options;
  requireCount('vertices', vertices, 700, 20000);
  requirePositive('size', size);
  return meshShape(modelFlower, {
    vertices,
    size,
    bounds: [
      [-0.45, -0.1, -0.3],
      [0.45, 1.25, 0.5],
    ],
  });
}

function modelFlower(thinnest: number): BlendedShape {
  const shape = new BlendedShape(thinnest);
  shape
    .limb(
      [
        [0, -0.05, 0, 0.03],
        [0.015, 0.25, -0.02, 0.022],
        [-0.01, 0.55, -0.02, 0.02],
        [0, 0.8, 0.02, 0.022],
        [0, 0.86, 0.06, 0.028],
      ],
      { blend: 0.02 },
    )
    .sheet([0.13, 0.3, 0], [0.12, 0.04], 0.011, { blend: 0.03, turn: [[0, 0, 1], 0.6] })
    .sheet([-0.12, 0.4, -0.02], [0.1, 0.035], 0.011, { blend: 0.03, turn: [[0, 0, 1], -0.65] });
  addBlossom(shape, [0, 0.87, 0.08]);
  return shape.standOn(0, 0.02);
}

function addBlossom(shape: BlendedShape, centre: Vec3): void {
  const nod = fromAxisAngle([1, 0, 0], NOD);
  for (let n = 0; n < PETALS; n++) {
    const around = multiply(nod, fromAxisAngle([0, 1, 0], (2 * Math.PI * n) / PETALS));
    const turn = multiply(around, fromAxisAngle([1, 0, 0], Math.PI / 2 - CUP));
    const out = rotate(turn, [0, 0.165, 0]);
    shape.sheet([centre[0] + out[0], centre[1] + out[1], centre[2] + out[2]], [0.068, 0.12], 0.013, {
      blend: 0.025,
      turn: axisAngleOf(turn),
    });
  }
  shape.ellipsoid(centre, [0.075, 0.05, 0.075], { blend: 0.02, turn: [[1, 0, 0], NOD] });
}

function axisAngleOf([x, y, z, w]: Quaternion): [Vec3, number] {
  const sineOfHalf = Math.sqrt(x * x + y * y + z * z);
  return [[x / sineOfHalf, y / sineOfHalf, z / sineOfHalf], 2 * arcTangent(sineOfHalf, w)];
}
