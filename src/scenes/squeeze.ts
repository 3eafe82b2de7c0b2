// Four spheres under one plate that comes down to half their height: the volume constraint with global weights, with
// local weights and inner pairs, with local weights alone, and none. After [DBB11] Fig. 7.

import type { SceneFile } from './scene-schema.js';

const VOLUMES = {
  global: { globalShare: 1, innerShare: 0 },
  'local-inner': { globalShare: 0.2, innerShare: 0.1 },
  local: { globalShare: 0.2, innerShare: 0 },
  none: false,
} as const;

/** Half the height makes a sphere about 1.45 radii wide: neighbours stay clear of each other. */
const SPACING = 3.2;
const PLATE_THICKNESS = 0.2;

/** Centre of the plate for a gap between it and the floor [m]. */
const plateAt = (gap: number): [number, number, number] => [0, gap + PLATE_THICKNESS / 2, 0];

export function squeeze(): SceneFile {
  const names = Object.keys(VOLUMES) as (keyof typeof VOLUMES)[];
  return {
    isochore: 1,
    gravity: [0, -9.81, 0],
    timeStep: 0.005,
    steps: 400,
    bodies: names.map((name, index) => ({
      name,
      mesh: { shape: 'uv-sphere', segments: 40, radius: 1 },
      position: [(index - (names.length - 1) / 2) * SPACING, 1, 0],
      solver: { regionSize: 3, stiffness: 0.9, damping: 0.3, volume: VOLUMES[name] },
    })),
    colliders: [
      { name: 'floor', shape: 'plane', normal: [0, 1, 0], offset: 0, friction: 0.5 },
      {
        name: 'plate',
        shape: 'box',
        size: [names.length * SPACING, PLATE_THICKNESS, 4],
        position: plateAt(2.01),
        friction: 0.5,
        motion: [
          { time: 0, position: plateAt(2.01) },
          { time: 1.5, position: plateAt(1) },
        ],
      },
    ],
  };
}
