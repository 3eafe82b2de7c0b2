// Six creatures fall onto each other and an obstacle course. Counts and parameters of [DBB11] Table 1.

import { fromAxisAngle, type Quaternion } from '../math/quaternion.js';
import type { SceneFile } from './scene-schema.js';

type Colliders = NonNullable<SceneFile['colliders']>;

const COUNT = 6;
/** Height of a creature [m]: with regions of three rings of so fine a mesh a smaller one lies down under its weight. */
const SIZE = 4;

const turn = (axis: readonly [number, number, number], degrees: number): [number, number, number, number] => {
  const [x, y, z, w]: Quaternion = fromAxisAngle(axis, (degrees * Math.PI) / 180);
  return [x, y, z, w];
};

const course = (): Colliders => [
  { name: 'floor', shape: 'plane', normal: [0, 1, 0], offset: 0, friction: 0.5 },
  {
    name: 'ramp',
    shape: 'box',
    size: [5, 0.4, 5],
    position: [-2.2, 2.2, 0],
    rotation: turn([0, 0, 1], -28),
    friction: 0.3,
  },
  { name: 'ball', shape: 'sphere', radius: 1.1, position: [2.6, 1.1, 1.2], friction: 0.5 },
  { name: 'post', shape: 'cylinder', radius: 0.5, height: 2.4, position: [2.4, 1.2, -2.2], friction: 0.5 },
  {
    name: 'rail',
    shape: 'capsule',
    radius: 0.3,
    height: 6,
    position: [4.6, 1.2, 0],
    rotation: turn([1, 0, 0], 90),
    friction: 0.5,
  },
];

export function creatures(): SceneFile {
  return {
    isochore: 1,
    gravity: [0, -9.81, 0],
    timeStep: 0.005,
    steps: 2000,
    bodies: Array.from({ length: COUNT }, (_, index) => ({
      name: `creature${index}`,
      mesh: { shape: 'creature', vertices: 5407, size: SIZE },
      position: [[-2.4, 0.6, 2.2][index % 3], 4.5 + 3.4 * index, [0, 0.8, -0.8][index % 3]],
      rotation: turn([1, 0.3 * index, 0.5], 40 + 61 * index),
      solver: {
        regionSize: 3,
        stiffness: 0.9,
        damping: 0.8,
        volume: { globalShare: 0.1, innerShare: 0.1 },
      },
    })),
    colliders: course(),
  };
}
