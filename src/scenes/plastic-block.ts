// A ball is pressed into two blocks and taken away: the elastic one springs back, the plastic one keeps the dent. After [SOG08] Fig. 5.

import type { SceneFile } from './scene-schema.js';

/** Of the blocks [m]. */
const SIZE: [number, number, number] = [1.6, 0.8, 1.6];
const RADIUS = 0.45;
/** How deep the ball is pressed in [m]. */
const DEPTH = 0.3;
/** A block that yields sooner or flows faster does so all over, and the dent goes: 0.16 m are left of 0.29, of 0.02 and 200/s in cells of 0.27 m 0.04. */
const PLASTICITY = { elastic: false, plastic: { yield: 0.1, creep: 10, max: 2 } } as const;

export function plasticBlock(): SceneFile {
  const names = ['elastic', 'plastic'] as const;
  const top = SIZE[1] + RADIUS;
  return {
    isochore: 1,
    timeStep: 0.005,
    steps: 600,
    bodies: names.map((name, index) => ({
      name,
      mesh: { shape: 'box' as const, size: SIZE, divisions: [16, 8, 16] as [number, number, number] },
      position: [2.4 * index - 1.2, 0.5 * SIZE[1], 0],
      solver: { type: 'octree', cells: 16, levels: 0, stiffness: 0.9, damping: 0.4, plasticity: PLASTICITY[name] },
    })),
    colliders: [
      { name: 'floor', shape: 'plane', normal: [0, 1, 0], offset: 0, friction: 0.8 },
      ...names.map((name, index) => {
        const x = 2.4 * index - 1.2;
        return {
          ...{ name: `press-${name}`, shape: 'sphere' as const, radius: RADIUS, friction: 0.2 },
          motion: [
            { time: 0, position: [x, top + 0.2, 0] as [number, number, number] },
            { time: 0.6, position: [x, top - DEPTH, 0] as [number, number, number] },
            { time: 1.2, position: [x, top - DEPTH, 0] as [number, number, number] },
            { time: 1.6, position: [x, top + 0.8, 0] as [number, number, number] },
          ],
        };
      }),
    ],
  };
}
