// A ring is pressed into three bodies that differ in reach alone: a soft one is dented where it is touched, a stiff one gives way as a
// whole. After [CDD11] Fig. 3. Posed: any frame by itself.

import type { SceneFile } from './scene-schema.js';

const REACHES = { soft: 0, middle: 0.42, stiff: 1 } as const;
/** Between the middles of two bodies [m]. */
const APART = 2.6;
/** The ring's middle when it just touches the top, and when it is deepest [m]. */
const [ABOVE, DEEPEST] = [1.25, 0.75];

/**
 * Distance that bodies keep from the ring [m]: between their vertices they reach into it by up to 0.007, which shows as flecks of the one
 * in the other.
 */
const MARGIN = 0.01;

export function imprint(): SceneFile {
  const names = Object.keys(REACHES) as (keyof typeof REACHES)[];
  const at = (index: number, y: number): [number, number, number] => [APART * (index - 1), y, 0];
  return {
    isochore: 1,
    timeStep: 1 / 24,
    steps: 95,
    bodies: names.map((name, index) => ({
      name,
      mesh: { shape: 'icosphere', detail: 3 },
      position: at(index, 0),
      group: 2 << index,
      solver: { type: 'deformer', reach: REACHES[name], cells: 8 },
    })),
    colliders: names.map((name, index) => ({
      name: `ring-${name}`,
      shape: 'mesh',
      mesh: { shape: 'torus', majorRadius: 0.5, minorRadius: 0.2, majorSegments: 32, minorSegments: 12 },
      collidesWith: 2 << index,
      position: at(index, ABOVE),
      press: { direction: [0, -1, 0], margin: MARGIN },
      motion: [
        { time: 0, position: at(index, ABOVE) },
        { time: 2, position: at(index, DEEPEST) },
        { time: 4, position: at(index, ABOVE) },
      ],
    })),
  };
}
