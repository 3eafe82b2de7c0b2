// One cube for each degenerate start state, free in space: every one of them comes back to its shape. After [DBB11] Fig. 3.

import { DEFORMATIONS } from '../world/deform.js';
import type { SceneFile } from './scene-schema.js';

export function recover(): SceneFile {
  return {
    isochore: 1,
    gravity: [0, 0, 0],
    timeStep: 0.005,
    steps: 600,
    seed: 1,
    bodies: DEFORMATIONS.map((deform, index) => ({
      name: deform,
      mesh: { shape: 'box', size: [1, 1, 1], divisions: 8 },
      position: [3 * (index - (DEFORMATIONS.length - 1) / 2), 0, 0],
      solver: { regionSize: 3, stiffness: 0.9, damping: 0.3 },
      deform,
    })),
  };
}
