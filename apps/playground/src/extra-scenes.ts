// Scenes of the playground's own, beside the built-in ones.

import type { CatalogueEntry, SceneFile } from 'isochore/scenes';

/** The same duck twice, its surface matched directly and carried by a lattice. */
function latticeAgainstSurface(): SceneFile {
  const mesh = { shape: 'duck', vertices: 800, size: 1.2 } as const;
  const solvers = {
    'on its surface': { regionSize: 4, stiffness: 0.8, damping: 0.1 },
    'on a lattice': { type: 'lattice', regionSize: 2, resolution: 10, stiffness: 0.8, damping: 0.1 },
  } as const;
  return {
    isochore: 1,
    gravity: [0, -9.81, 0],
    timeStep: 0.005,
    steps: 600,
    bodies: Object.entries(solvers).map(([name, solver], index) => ({
      name,
      mesh,
      position: [1.8 * index - 0.9, 0.9, 0],
      rotation: [0, 0, Math.sin(0.35), Math.cos(0.35)],
      solver,
    })),
    colliders: [{ name: 'floor', shape: 'plane', normal: [0, 1, 0], offset: 0, friction: 0.5 }],
  };
}

export const extraScenes: readonly CatalogueEntry[] = [
  {
    name: 'lattice-against-surface',
    summary: 'the same duck on both solvers: surface regions and a lattice',
    make: latticeAgainstSurface,
  },
];
