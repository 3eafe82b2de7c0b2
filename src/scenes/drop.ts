// Three balls of the same finite elements fall side by side: one keeps the volume of every one-ring, the others have Poisson's
// ratios of 0.45 (loses volume) and 0.499 (locks). After [ISF07] Fig. 2.

import type { SceneFile } from './scene-schema.js';

const RATIOS = { 'one-ring': 'incompressible', 'poisson-0.45': 0.45, 'poisson-0.499': 0.499 } as const;

export function drop(): SceneFile {
  return {
    isochore: 1,
    timeStep: 1 / 240,
    steps: 240,
    bodies: Object.entries(RATIOS).map(([name, poissonRatio], index) => ({
      name,
      mesh: { shape: 'icosphere', detail: 4, radius: 0.5 },
      position: [1.5 * (index - 1), 0.52, 0],
      velocity: [0, -2, 0],
      solver: { type: 'tetrahedra', cells: 6, youngsModulus: 5e4, poissonRatio },
    })),
    colliders: [{ name: 'floor', shape: 'plane', normal: [0, 1, 0], friction: 0 }],
  };
}
