// Two hands held out by their palms, which look down: one alike all over, the other with a soft little finger and a hard thumb. After
// [SOG08] Fig. 4.

import { fromAxisAngle, type Quaternion } from '../math/quaternion.js';
import type { SceneFile } from './scene-schema.js';

/** Height of a hand [m]. */
const SIZE = 2;
/** [m/s²]: on earth all fingers of so soft a hand hang down. */
const GRAVITY = -3;
/** Where a hand's wrist is held [m]. */
const HEIGHT = 1.2;

/** From upright to lying: the fingers along +Z, the palm down. */
const lying = (): [number, number, number, number] => {
  const [x, y, z, w]: Quaternion = fromAxisAngle([1, 0, 0], Math.PI / 2);
  return [x, y, z, w];
};

type Maps = NonNullable<SceneFile['bodies'][number]['maps']>;

/** Factors on the stiffness, of balls around the two fingers, in heights of the hand. */
const PAINTED: Maps = {
  stiffness: [
    { ball: { centre: [0.28 * SIZE, 0.64 * SIZE, 0], radius: 0.15 * SIZE }, value: 0.05 },
    { ball: { centre: [-0.28 * SIZE, 0.42 * SIZE, 0.06 * SIZE], radius: 0.14 * SIZE }, value: 3 },
  ],
};

export function handStiffness(): SceneFile {
  return {
    isochore: 1,
    gravity: [0, GRAVITY, 0],
    timeStep: 0.005,
    steps: 600,
    bodies: (['even', 'painted'] as const).map((name, index) => ({
      name,
      mesh: { shape: 'hand' as const, vertices: 2500, size: SIZE },
      position: [2 * index - 1, HEIGHT, -1],
      rotation: lying(),
      solver: { type: 'octree', cells: 6, levels: 3, stiffness: 0.3, damping: 0.4 },
      maps: name === 'painted' ? PAINTED : undefined,
    })),
    colliders: [{ name: 'floor', shape: 'plane', normal: [0, 1, 0], offset: 0, friction: 0.5 }],
    pins: ['even', 'painted'].map((body) => ({
      body,
      select: {
        box: [
          [-0.17 * SIZE, -0.01, -SIZE],
          [SIZE, 0.45 * SIZE, SIZE],
        ],
      },
    })),
  };
}
