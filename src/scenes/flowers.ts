// Forty flowers in the wind, through which a ball is rolled: they are refined where it touches them. After [SOG08] Fig. 6.

import { fromAxisAngle, type Quaternion } from '../math/quaternion.js';
import { seededRandom } from '../math/random.js';
import type { SceneFile } from './scene-schema.js';

const ROWS = 5;
const COLUMNS = 8;
/** Between two rows [m]. */
const SPACING = 1.1;
/** Height of a flower [m]. */
const SIZE = 1.6;
/** [m/s²]: a thin stem bears a blossom of its own matter no better; in that of the earth it lies down. */
const GRAVITY = [0, -0.3, 0] as const;
const RADIUS = 0.35;

export function flowers(): SceneFile {
  const random = seededRandom(7);
  const names = Array.from({ length: ROWS * COLUMNS }, (_, index) => `flower${index}`);
  const half = 0.5 * SPACING;
  return {
    isochore: 1,
    gravity: [...GRAVITY],
    timeStep: 0.005,
    steps: 800,
    bodies: names.map((name, index) => {
      const [x, y, z, w]: Quaternion = fromAxisAngle([0, 1, 0], 1.2 * (random() - 0.5));
      const [column, row] = [index % COLUMNS, Math.floor(index / COLUMNS)];
      return {
        name,
        mesh: { shape: 'flower' as const, vertices: 700, size: SIZE },
        position: [
          SPACING * (column - 0.5 * (COLUMNS - 1)) + 0.3 * (random() - 0.5),
          0,
          SPACING * (row - 0.5 * (ROWS - 1)) + 0.3 * (random() - 0.5),
        ],
        rotation: [x, y, z, w],
        density: 100,
        solver: { type: 'octree', cells: 4, levels: 3, width: 1, stiffness: 1, damping: 0.2 },
      };
    }),
    colliders: [
      {
        name: 'ball',
        shape: 'sphere',
        radius: RADIUS,
        friction: 0.1,
        motion: [
          { time: 0, position: [-6, 1.1, half] },
          { time: 4, position: [6, 1.1, half] },
        ],
      },
    ],
    pins: names.map((body) => ({
      body,
      select: {
        box: [
          [-SIZE, -0.01, -SIZE],
          [SIZE, 0.25 * SIZE, SIZE],
        ],
      },
    })),
    fields: [{ type: 'wind', velocity: [2.5, 0, 0.8], gusts: 0.8, gustSize: 2.5, drag: 0.35, seed: 3 }],
    detail: { touch: true },
  };
}
