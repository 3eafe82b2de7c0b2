// Two bars turned by a whole turn between their ends, with and without the volume constraint. After [DBB11] Fig. 6.

import { fromAxisAngle, type Quaternion } from '../math/quaternion.js';
import type { SceneFile } from './scene-schema.js';

/** Local weights: with global ones the volume flows away along the bar, and a neck forms at 335°. */
const BARS = { conserved: { globalShare: 0.2, innerShare: 0.1 }, plain: false } as const;

/** One of 4 × 1 × 1 lets go before a whole turn: a neck forms where it is twisted most, as volume flows along the bar. */
const HALF_LENGTH = 2.5;

const turn = (degrees: number): [number, number, number, number] => {
  const [x, y, z, w]: Quaternion = fromAxisAngle([1, 0, 0], (degrees * Math.PI) / 180);
  return [x, y, z, w];
};

/** The vertices of the end face at `x`. */
const endFace = (x: number): { box: [[number, number, number], [number, number, number]] } => ({
  box: [
    [x - 1e-6, -1, -1],
    [x + 1e-6, 1, 1],
  ],
});

export function twist(): SceneFile {
  const names = Object.keys(BARS) as (keyof typeof BARS)[];
  return {
    isochore: 1,
    gravity: [0, 0, 0],
    timeStep: 0.005,
    steps: 1000,
    bodies: names.map((name, index) => ({
      name,
      mesh: { shape: 'box', size: [2 * HALF_LENGTH, 1, 1], divisions: [40, 10, 10] },
      position: [0, 0, 3 * index],
      selfContact: true,
      solver: { regionSize: 5, stiffness: 0.9, damping: 0.3, volume: BARS[name] },
    })),
    pins: names.flatMap((body) => [
      { body, select: endFace(-HALF_LENGTH) },
      {
        body,
        select: endFace(HALF_LENGTH),
        // A keyframe every quarter: between two that lie half a turn apart the way round would be open.
        motion: [0, 1, 2, 3, 4].map((time) => ({ time, rotation: turn(90 * time) })),
      },
    ]),
  };
}
