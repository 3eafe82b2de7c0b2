// Twenty ducks and twenty tori fall into a tub. Counts and parameters of [DBB11] Table 1.

import { fromAxisAngle } from '../math/quaternion.js';
import { seededRandom } from '../math/random.js';
import { normalize } from '../math/vec3.js';
import type { SceneFile } from './scene-schema.js';

type Bodies = SceneFile['bodies'];
type Colliders = NonNullable<SceneFile['colliders']>;

const PAIRS = 20;
/** Bodies of one layer on their way down, along each side of a square. */
const SIDE = 3;
/** Of the lowest layer, and from one to the next [m]: with turns of this seed none begins in another, the floor or a wall. */
const [LOWEST, LAYER, SEED] = [1.2, 1.5, 24];
const SPACING = 1.35;
/** Inner width, height and wall of the tub [m]. */
const TUB = { width: 4.4, height: 1.8, wall: 0.3 };

const solver = {
  regionSize: 2,
  stiffness: 1,
  damping: 0.8,
  volume: { globalShare: 0.2, innerShare: 0.1 },
};

/** 632 + 432 particles a pair, 21 280 in all. */
const DUCK = { shape: 'duck' as const, vertices: 632, size: 1 };
const TORUS = {
  shape: 'torus' as const,
  majorRadius: 0.36,
  minorRadius: 0.16,
  majorSegments: 24,
  minorSegments: 18,
};

const walls = (): Colliders => {
  const { width, height, wall } = TUB;
  const reach = (width + wall) / 2;
  return [
    [reach, 0],
    [-reach, 0],
    [0, reach],
    [0, -reach],
  ].map(([x, z], index) => ({
    name: `wall${index}`,
    shape: 'box',
    size: x === 0 ? [width + 2 * wall, height, wall] : [wall, height, width + 2 * wall],
    position: [x, height / 2, z],
    friction: 0.5,
  }));
};

const bodies = (): Bodies => {
  const random = seededRandom(SEED);
  return Array.from({ length: 2 * PAIRS }, (_, index) => {
    const layer = Math.floor(index / (SIDE * SIDE));
    const place = index % (SIDE * SIDE);
    const offset = () => 0.1 * (random() - 0.5);
    const axis = normalize([random() - 0.5, random() - 0.5, random() - 0.5]);
    const [x, y, z, w] = fromAxisAngle(axis, random() * Math.PI);
    return {
      name: index % 2 === 0 ? `duck${index / 2}` : `torus${(index - 1) / 2}`,
      mesh: index % 2 === 0 ? DUCK : TORUS,
      position: [
        ((place % SIDE) - 1) * SPACING + offset(),
        LOWEST + LAYER * layer,
        (Math.floor(place / SIDE) - 1) * SPACING + offset(),
      ],
      rotation: [x, y, z, w],
      solver,
    };
  });
};

export function ducksAndTori(): SceneFile {
  return {
    isochore: 1,
    gravity: [0, -9.81, 0],
    timeStep: 0.005,
    steps: 2000,
    bodies: bodies(),
    colliders: [{ name: 'floor', shape: 'plane', normal: [0, 1, 0], offset: 0, friction: 0.5 }, ...walls()],
  };
}
