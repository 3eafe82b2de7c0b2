// A ball between two plates that come together to a tenth of its height, and open again. After [ISF07] Fig. 6.

import type { SceneFile } from './scene-schema.js';

const RADIUS = 0.5;
/** What is left between the plates, in heights. */
const LEFT = 0.1;
/** Time to get there, and to open again [s]. */
const [CLOSED, OPEN] = [1, 2];
const THICKNESS = 0.2;

/** A plate above (1) or below (−1) that moves in, waits and goes. */
const plate = (side: 1 | -1): NonNullable<SceneFile['colliders']>[number] => {
  const at = (gap: number): [number, number, number] => [0, side * (gap / 2 + THICKNESS / 2), 0];
  return {
    name: side > 0 ? 'upper' : 'lower',
    shape: 'box',
    size: [8, THICKNESS, 8],
    position: at(2 * RADIUS),
    friction: 0,
    motion: [
      { time: 0, position: at(2 * RADIUS) },
      { time: CLOSED, position: at(2 * RADIUS * LEFT) },
      { time: OPEN, position: at(4 * RADIUS) },
    ],
  };
};

export function press(): SceneFile {
  return {
    isochore: 1,
    gravity: [0, 0, 0],
    timeStep: 1 / 240,
    steps: 480,
    bodies: [
      {
        name: 'ball',
        mesh: { shape: 'icosphere', detail: 4, radius: RADIUS },
        solver: { type: 'tetrahedra', cells: 6, youngsModulus: 5e4 },
      },
    ],
    colliders: [plate(1), plate(-1)],
  };
}
