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

/** Seconds that a breath in or out takes. */
const BREATH = 0.8;
/** What an air cushion is blown up to, in volumes at rest. */
const FULL = 2.4;

/** Air cushions take turns to breathe under a board with a duck on it. */
function inflate(): SceneFile {
  const breaths = (first: number) =>
    Array.from({ length: 24 }, (_, n) => ({ time: BREATH * (n + 1), value: n % 2 === first ? FULL : 0.8 }));
  const cushion = (name: string, x: number, first: number) => ({
    name,
    mesh: { shape: 'cylinder', radius: 0.5, height: 0.5, segments: 24 } as const,
    position: [x, 0.25, 0] as [number, number, number],
    friction: 1,
    solver: { stiffness: 0.7, damping: 0.3, volume: { globalShare: 1, target: breaths(first) } },
  });
  return {
    isochore: 1,
    gravity: [0, -9.81, 0],
    timeStep: 0.005,
    steps: 800,
    bodies: [
      cushion('left cushion', -1, 0),
      cushion('right cushion', 1, 1),
      {
        name: 'board',
        mesh: { shape: 'box', size: [3.2, 0.2, 1], divisions: [16, 2, 6] },
        position: [0, 0.61, 0],
        density: 200,
        friction: 1,
        solver: { stiffness: 1, damping: 0.5, regionRadius: 0.6 },
      },
      {
        name: 'duck',
        mesh: { shape: 'duck', vertices: 600, size: 0.9 },
        position: [0, 1.1, 0],
        density: 300,
        friction: 1,
        solver: { stiffness: 0.6, damping: 0.2 },
      },
    ],
    colliders: [{ name: 'floor', shape: 'plane', normal: [0, 1, 0], offset: 0, friction: 1 }],
  };
}

export const extraScenes: readonly CatalogueEntry[] = [
  { name: 'inflate', summary: 'two air cushions take turns to breathe under a board with a duck on it', make: inflate },
  {
    name: 'lattice-against-surface',
    summary: 'the same duck on both solvers: surface regions and a lattice',
    make: latticeAgainstSurface,
  },
];
