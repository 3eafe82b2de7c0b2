// A ball goes down a throat: a collider under the skin, which bulges where it is and nowhere else. After [CDD11] Fig. 4. Posed.

import type { SceneFile } from './scene-schema.js';

/** Length of the throat, and how far from its middle the ball turns back, so that it stays inside [m]. */
const [LENGTH, WAY] = [4, 1.4];

export function swallow(): SceneFile {
  return {
    isochore: 1,
    timeStep: 1 / 24,
    steps: 95,
    bodies: [
      {
        name: 'throat',
        mesh: { shape: 'capsule', radius: 0.4, height: LENGTH, segments: 24 },
        // What is swallowed comes on top: the ball's volume beyond the throat's own there, in volumes of the throat.
        solver: { type: 'deformer', reach: 0.2, volumeTarget: 1.1 },
      },
    ],
    colliders: [
      {
        name: 'ball',
        shape: 'sphere',
        radius: 0.55,
        position: [0, WAY, 0],
        press: { inside: true, margin: 0.05 },
        motion: [
          { time: 0, position: [0, WAY, 0] },
          { time: 4, position: [0, -WAY, 0] },
        ],
      },
    ],
  };
}
