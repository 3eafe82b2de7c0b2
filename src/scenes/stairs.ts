// A ring rolls over the edge of a flight of stairs and tumbles down it.

import type { SceneFile } from './scene-schema.js';

const STEP_COUNT = 8;
const TREAD = 0.8;
const RISE = 0.35;
const WIDTH = 4;
/** Height of the uppermost tread [m]. */
export const TOP = STEP_COUNT * RISE;

/** Stairs that fall along +x; each is a box from the floor up, so that no gap opens behind an edge. */
const stair = (index: number): NonNullable<SceneFile['colliders']>[number] => {
  const height = (STEP_COUNT - index) * RISE;
  return {
    name: `stair${index}`,
    shape: 'box',
    size: [TREAD, height, WIDTH],
    position: [(index + 0.5) * TREAD, height / 2, 0],
    friction: 0.6,
  };
};

/** A floor, and the stairs on it. */
export const stairColliders = (): NonNullable<SceneFile['colliders']> => [
  { name: 'floor', shape: 'plane', normal: [0, 1, 0], offset: 0, friction: 0.6 },
  ...Array.from({ length: STEP_COUNT }, (_, index) => stair(index)),
];

export function stairs(): SceneFile {
  return {
    isochore: 1,
    gravity: [0, -9.81, 0],
    timeStep: 0.005,
    steps: 800,
    bodies: [
      {
        name: 'ring',
        mesh: { shape: 'torus', majorRadius: 0.4, minorRadius: 0.16, majorSegments: 48, minorSegments: 20 },
        position: [0.4, TOP + 0.6, 0],
        rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
        velocity: [1, 0, 0],
        spin: [0.1, 0, -2],
        solver: { regionSize: 4, stiffness: 0.9, damping: 0.1 },
      },
    ],
    colliders: stairColliders(),
  };
}
