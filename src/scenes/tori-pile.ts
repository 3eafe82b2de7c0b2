// Forty rings of finite elements fall into a glass. After [ISF07] Fig. 5.

import { seededRandom } from '../math/random.js';
import type { SceneFile } from './scene-schema.js';

const COUNT = 40;
/** Rings per layer, and the height of one [m]. */
const PER_LAYER = 4;
const LAYER = 0.5;

export function toriPile(): SceneFile {
  const random = seededRandom(5);
  return {
    isochore: 1,
    timeStep: 1 / 240,
    steps: 960,
    bodies: Array.from({ length: COUNT }, (_, n) => {
      const layer = Math.floor(n / PER_LAYER);
      const [x, z] = [n % 2 === 0 ? -1 : 1, n % PER_LAYER < 2 ? -1 : 1];
      const tilt = () => 0.4 * (random() - 0.5);
      return {
        name: `ring${n}`,
        mesh: { shape: 'torus', majorRadius: 0.28, minorRadius: 0.11, majorSegments: 32, minorSegments: 14 },
        position: [0.42 * x, 0.4 + LAYER * layer, 0.42 * z],
        rotation: [tilt(), tilt(), tilt(), 1],
        solver: { type: 'tetrahedra', cells: 6, youngsModulus: 4e5 },
      };
    }),
    colliders: [
      { name: 'floor', shape: 'plane', normal: [0, 1, 0], friction: 0.4 },
      { name: 'glass', shape: 'glass', radius: 1.1, height: 4, wall: 0.1, friction: 0.2 },
    ],
  };
}
