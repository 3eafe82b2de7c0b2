// A creature of finite elements falls flat on a floor. After [ISF07] Fig. 4.

import type { SceneFile } from './scene-schema.js';

export function creatureDrop(): SceneFile {
  return {
    isochore: 1,
    timeStep: 1 / 240,
    steps: 360,
    bodies: [
      {
        name: 'creature',
        mesh: { shape: 'creature' },
        position: [0, 1.6, 0],
        rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
        solver: { type: 'tetrahedra', cells: 13, youngsModulus: 1e5 },
      },
    ],
    colliders: [{ name: 'floor', shape: 'plane', normal: [0, 1, 0], friction: 0.5 }],
  };
}
