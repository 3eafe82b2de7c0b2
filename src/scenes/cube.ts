// A fine cube of 30 248 particles: free fall, then the floor. The size of [DBB11] Table 2, with its largest regions: three
// rings of so fine a mesh are a membrane that its own weight folds.

import type { SceneFile } from './scene-schema.js';

export function cube(): SceneFile {
  return {
    isochore: 1,
    gravity: [0, -9.81, 0],
    timeStep: 0.005,
    steps: 200,
    bodies: [
      {
        name: 'cube',
        mesh: { shape: 'box', size: [1, 1, 1], divisions: 71 },
        position: [0, 0.7, 0],
        solver: { regionSize: 5, stiffness: 0.9, damping: 0.3 },
      },
    ],
    colliders: [{ name: 'floor', shape: 'plane', normal: [0, 1, 0], offset: 0, friction: 0.5 }],
  };
}
