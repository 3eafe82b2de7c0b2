// A ball between two plates that come together to 1.1 % of its height, and open again. After [ISF07] Fig. 6.

import type { SceneFile } from './scene-schema.js';

const RADIUS = 0.5;
/**
 * What each of so many equal times leaves of the gap between the plates, 1.1 % in all, and gives back: plates of constant speed would halve
 * the height within a step in the end, and open to twice of it in the first one, where the ball snaps through itself.
 */
const [KEPT, TIMES] = [0.8287, 24];
/** Time to get there, to wait, to come to the ball's height again, and to be out of its way [s]. */
const [CLOSED, WAITED, OPEN, AWAY] = [1, 1.1, 2.1, 2.4];
const THICKNESS = 0.2;

/** A plate above (1) or below (−1) that moves in, waits and goes. */
const plate = (side: 1 | -1): NonNullable<SceneFile['colliders']>[number] => {
  const at = (gap: number): [number, number, number] => [0, side * (gap / 2 + THICKNESS / 2), 0];
  const gaps = [2 * RADIUS];
  for (let n = 0; n < TIMES; n++) gaps.push(KEPT * gaps[n]);
  return {
    name: side > 0 ? 'upper' : 'lower',
    shape: 'box',
    size: [16, THICKNESS, 16],
    position: at(2 * RADIUS),
    friction: 0,
    motion: [
      ...gaps.map((gap, n) => ({ time: (CLOSED * n) / TIMES, position: at(gap) })),
      ...gaps.map((gap, n) => ({ time: OPEN - ((OPEN - WAITED) * n) / TIMES, position: at(gap) })).reverse(),
      { time: AWAY, position: at(4 * RADIUS) },
    ],
  };
};

export function press(): SceneFile {
  return {
    isochore: 1,
    gravity: [0, 0, 0],
    timeStep: 1 / 240,
    steps: 600,
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
