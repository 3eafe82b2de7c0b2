// A hand whose index finger is pushed back by a ball and let go: the other fingers stay where they are. After [SOG08] Fig. 1.

import type { SceneFile } from './scene-schema.js';

/** Height of the hand [m]. */
const SIZE = 2;
/** Middle of the index finger's last joint, in heights of the hand. */
const INDEX_TIP = [-0.178, 0.84, 0.06] as const;
const RADIUS = 0.12;
/**
 * Up to where the palm is held, in heights of the hand: between middle and ring finger it begins to part there. Held up to 0.5, what is
 * left of it between the fingers passes the push on, and the others move by a ninth of it when the ball turns back.
 */
const HELD = 0.55;

export function hand(): SceneFile {
  const [x, y, z] = INDEX_TIP.map((share) => share * SIZE);
  return {
    isochore: 1,
    gravity: [0, 0, 0],
    timeStep: 0.005,
    steps: 400,
    bodies: [
      {
        name: 'hand',
        mesh: { shape: 'hand', vertices: 2500, size: SIZE },
        solver: { type: 'octree', cells: 6, levels: 3, stiffness: 0.9, damping: 0.3 },
      },
    ],
    colliders: [
      {
        name: 'push',
        shape: 'sphere',
        radius: RADIUS,
        position: [x, y, z + 0.4],
        friction: 0.2,
        motion: [
          { time: 0, position: [x, y, z + 0.4] },
          { time: 0.8, position: [x, y, z - 0.12] },
          { time: 0.85, position: [x, y, z - 0.12] },
          { time: 1.2, position: [x, y, z + 0.4] },
        ],
      },
    ],
    pins: [
      {
        body: 'hand',
        select: {
          box: [
            [-0.17 * SIZE, -0.01, -SIZE],
            [SIZE, HELD * SIZE, SIZE],
          ],
        },
      },
    ],
  };
}
