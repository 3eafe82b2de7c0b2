// An obstacle of every shape with flat sides, rims or curves, askew and off the origin, about a unit across.

import type { ColliderOptions } from '../../src/index.js';
import { fromAxisAngle } from '../../src/math/quaternion.js';

export const OBSTACLE_SHAPES: readonly ColliderOptions[] = [
  { shape: 'plane', normal: [0.2, 1, -0.3], offset: -0.2 },
  { shape: 'box', size: [1, 0.6, 1.4], position: [0.2, -0.1, 0], rotation: fromAxisAngle([0, 0, 1], 0.4) },
  { shape: 'sphere', radius: 0.6 },
  { shape: 'capsule', radius: 0.3, height: 1.4, rotation: fromAxisAngle([1, 0, 0], 0.7) },
  { shape: 'cylinder', radius: 0.5, height: 0.8, rotation: fromAxisAngle([1, 0, 0], -0.4) },
];
