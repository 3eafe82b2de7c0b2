// Twenty balls fall into a glass. Counts and parameters of [DBB11] Table 1.

import { seededRandom } from '../math/random.js';
import { cosine, sine } from '../math/trigonometry.js';
import type { SceneFile } from './scene-schema.js';

const COUNT = 20;
const RADIUS = 0.5;
const GLASS = { radius: 1.7, height: 5, wall: 0.1 };
/** Balls of one layer on their way down. */
const LAYER = 3;
/** Little enough that the balls find their places within seconds instead of holding each other up. */
const FRICTION = 0.25;

export function ballsInGlass(): SceneFile {
  const random = seededRandom(7);
  return {
    isochore: 1,
    gravity: [0, -9.81, 0],
    timeStep: 0.005,
    steps: 2000,
    bodies: Array.from({ length: COUNT }, (_, index) => {
      const layer = Math.floor(index / LAYER);
      const angle = 2 * Math.PI * ((index % LAYER) / LAYER + 0.19 * layer);
      // Off the regular places, or the balls would stand on each other.
      const offset = () => 0.1 * RADIUS * (random() - 0.5);
      return {
        name: `ball${index}`,
        mesh: { shape: 'uv-sphere', segments: 20, radius: RADIUS },
        position: [
          0.9 * cosine(angle) + offset(),
          GLASS.wall + 1.1 * RADIUS + 2.2 * RADIUS * layer,
          0.9 * sine(angle) + offset(),
        ],
        friction: FRICTION,
        spin: [random() - 0.5, random() - 0.5, random() - 0.5],
        solver: {
          regionSize: 2,
          stiffness: 1,
          damping: 0.9,
          volume: { globalShare: 0.5, innerShare: 0.1 },
        },
      };
    }),
    colliders: [{ name: 'glass', shape: 'glass', ...GLASS, friction: FRICTION }],
  };
}
