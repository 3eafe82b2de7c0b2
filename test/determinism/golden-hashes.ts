// The recorded state hashes (of all position bits): one place, so that a change of the arithmetic shows in one diff. A
// commit that changes one says why. Every failure of the tests here prints the hash that it found.

import { checkScene, findScene, type Scene, type SceneFile } from '../../src/scenes/index.js';

/** Boxes alone: contact with a plane and a sphere, a scattered start, local weights. */
const twoBoxes: SceneFile = {
  isochore: 1,
  bodies: [
    {
      name: 'a',
      mesh: { shape: 'box', size: [1, 1, 1], divisions: 6 },
      position: [0, 1, 0],
      rotation: [0.5, 0.5, 0.5, 0.5],
      velocity: [0.5, -2, 0],
      spin: [1, 2, 3],
      solver: { type: 'surface', regionSize: 2 },
    },
    {
      name: 'b',
      mesh: { shape: 'box', size: [2, 1, 1], divisions: [8, 4, 4] },
      position: [4, 0.5, 0],
      solver: { type: 'surface', regionSize: 3, volume: { globalShare: 0.1, innerShare: 0.3 } },
      deform: 'random',
    },
  ],
  colliders: [
    { shape: 'plane', normal: [0, 1, 0], offset: 0 },
    { shape: 'sphere', radius: 0.5, position: [0.3, 0, 0] },
  ],
};

/** Enough particles for threads: one body that they share, and small ones that they take whole. */
const largeAndSmall: SceneFile = {
  isochore: 1,
  bodies: [
    {
      name: 'large',
      mesh: { shape: 'uv-sphere', segments: 60 },
      position: [0, 1.02, 4],
      velocity: [1, -4, 0],
      solver: { regionSize: 3 },
    },
    ...[0, 1, 2].map((n) => ({
      name: `small${n}`,
      mesh: { shape: 'box' as const, divisions: 10 },
      solver: { regionSize: 3 },
      position: [2 * n, 0.7, 0] as [number, number, number],
      velocity: [0, -3, 0] as [number, number, number],
      spin: [n, 1, 2] as [number, number, number],
    })),
  ],
  colliders: [{ shape: 'plane', normal: [0, 1, 0], offset: 0 }],
};

/** Bodies that touch each other and themselves: creatures and balls thrown into a glass. */
const crowd: SceneFile = {
  isochore: 1,
  bodies: [0, 1, 2, 3, 4].map((n) => ({
    name: `body${n}`,
    mesh:
      n % 2 === 0
        ? { shape: 'creature' as const, vertices: 300 }
        : { shape: 'icosphere' as const, detail: 2, radius: 0.3 },
    position: [0.2 * (n % 2) - 0.1, 0.1 + 0.3 * n, 0.1 * (n % 3)] as [number, number, number],
    velocity: [0, -8, 0] as [number, number, number],
    spin: [n, 1, 0] as [number, number, number],
    solver: { type: 'surface' as const, regionSize: 2, stiffness: 0.6 },
    selfContact: true,
  })),
  colliders: [{ shape: 'glass', radius: 0.7, height: 3, wall: 0.1 }],
};

interface Golden {
  readonly steps: number;
  readonly reference: string;
  readonly wasm: string;
}

export const GOLDEN: Readonly<Record<string, Golden>> = {
  'two boxes': { steps: 120, reference: '4d48e9d4e0cc5012', wasm: '5618ae4de4777de9' },
  'large and small': { steps: 40, reference: '936e4f63b18bd1c4', wasm: 'c32565c888573a0e' },
  squeeze: { steps: 40, reference: 'd1d598a9fb1f7b9a', wasm: 'eaa7e076f758a4e9' },
  twist: { steps: 40, reference: '750cf79374c1e359', wasm: '61febc380c355ced' },
  recover: { steps: 40, reference: '70139305f393d50b', wasm: '4872fef3350ded38' },
  crowd: { steps: 60, reference: 'c0e2d4c2e5e8d47b', wasm: '1e916f9dbb834632' },
  stairs: { steps: 120, reference: 'cb4a818a6e88e41f', wasm: 'aca68c0500fc71a8' },
};

export function goldenScene(name: string): Scene {
  if (name === 'two boxes') return checkScene(twoBoxes);
  if (name === 'large and small') return checkScene(largeAndSmall);
  if (name === 'crowd') return checkScene(crowd);
  return checkScene(findScene(name)?.make());
}
