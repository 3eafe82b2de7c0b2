// A liver that hangs and is cut three times: the lower pieces fall. After [SOG08] Fig. 3.

import type { SceneFile } from './scene-schema.js';

/** Height of the liver [m]. */
const SIZE = 1.6;
/** How high its lowest point hangs [m]. */
const HEIGHT = 1;

export function cutLiver(): SceneFile {
  const at = (x: number, y: number): [number, number, number] => [x * SIZE, HEIGHT + y * SIZE, 0];
  return {
    isochore: 1,
    timeStep: 0.005,
    steps: 900,
    bodies: [
      {
        name: 'liver',
        mesh: { shape: 'liver', vertices: 1600, size: SIZE },
        position: [0, HEIGHT, 0],
        selfContact: true,
        solver: { type: 'octree', cells: 6, levels: 2, stiffness: 0.7, damping: 0.3 },
      },
    ],
    colliders: [{ name: 'floor', shape: 'plane', normal: [0, 1, 0], offset: 0, friction: 0.6 }],
    pins: [
      {
        body: 'liver',
        select: {
          box: [
            [-0.7 * SIZE, 0.9 * SIZE, -SIZE],
            [0.15 * SIZE, 1.1 * SIZE, SIZE],
          ],
        },
      },
    ],
    cuts: [
      // The thin lobe, then the lower tip; then a blade goes half-way up into what is left.
      { body: 'liver', time: 0.8, plane: { point: at(0.35, 0.7), normal: [1, 0.15, 0] } },
      { body: 'liver', time: 1.8, plane: { point: at(-0.3, 0.3), normal: [-0.2, 1, 0.1] } },
      {
        ...{ body: 'liver', time: 2.8, until: 3.2, blade: [0, 0, 2 * SIZE] as const },
        path: [0.1, 0.65].map((y) => {
          const [x, height] = at(-0.25, y);
          return [x, height, -SIZE] as const;
        }),
      },
    ],
  };
}
