// A muscle hangs by its upper end, contracts and lifts a weight: it bulges and keeps its volume.

import type { SceneFile } from './scene-schema.js';

const LENGTH = 1;
const RADIUS = 0.16;
const END = 0.1;
/** From a little more than holds the weight to all within half a second: it rises by 36 cm. */
const LIFT = [
  { time: 0, value: 0.4 },
  { time: 0.5, value: 1 },
];

export function muscle(): SceneFile {
  return {
    isochore: 1,
    timeStep: 1 / 240,
    steps: 360,
    bodies: [
      {
        name: 'muscle',
        mesh: { shape: 'capsule', radius: RADIUS, height: LENGTH },
        position: [0, 2, 0],
        // Flesh, along its length; fully active it would hold half a tonne.
        solver: {
          ...{ type: 'tetrahedra', cells: 9, youngsModulus: 2e4 },
          ...{ fibres: { axis: [0, 1, 0] }, strength: 6e4, activation: LIFT, damping: { mass: 1, stiffness: 0.02 } },
        },
      },
      {
        name: 'weight',
        mesh: { shape: 'icosphere', detail: 3, radius: 0.25 },
        position: [0, 2 - LENGTH / 2 - 0.24, 0],
        density: 1500,
        solver: { stiffness: 1 },
      },
    ],
    pins: [{ body: 'muscle', select: { box: [[-1, LENGTH / 2 - END, -1], [1, LENGTH, 1]] } }], // biome-ignore format: a box
    attachments: [
      { body: 'muscle', to: 'weight', select: { box: [[-1, -LENGTH, -1], [1, END - LENGTH / 2, 1]] } }, // biome-ignore format: a box
    ],
    colliders: [{ name: 'floor', shape: 'plane', normal: [0, 1, 0], friction: 0.5 }],
  };
}
