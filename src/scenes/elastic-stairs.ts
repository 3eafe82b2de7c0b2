// A ball, or a creature, of finite elements tumbles down a flight of stairs. After [ISF07] Fig. 1 and 3.

import type { SceneFile } from './scene-schema.js';
import { stairColliders, TOP } from './stairs.js';

type SceneBody = SceneFile['bodies'][number];

function tumble(body: SceneBody, height: number): SceneFile {
  return {
    isochore: 1,
    timeStep: 1 / 240,
    steps: 720,
    bodies: [{ position: [0.4, TOP + height, 0], velocity: [1.5, 0, 0], ...body }],
    colliders: stairColliders(),
  };
}

export const sphereStairs = (): SceneFile =>
  tumble(
    {
      name: 'ball',
      mesh: { shape: 'icosphere', detail: 4, radius: 0.4 },
      solver: { type: 'tetrahedra', cells: 5, youngsModulus: 4e4 },
    },
    0.45,
  );

export const creatureStairs = (): SceneFile =>
  tumble(
    {
      name: 'creature',
      mesh: { shape: 'creature' },
      scale: 0.6,
      solver: { type: 'tetrahedra', cells: 13, youngsModulus: 1e5 },
    },
    0.8,
  );
