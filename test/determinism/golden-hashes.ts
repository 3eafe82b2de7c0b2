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

interface Golden {
  readonly steps: number;
  readonly reference: string;
  readonly wasm: string;
}

export const GOLDEN: Readonly<Record<string, Golden>> = {
  'two boxes': { steps: 120, reference: 'f190c0b8bbe18a85', wasm: '17fdda383fb68845' },
  'large and small': { steps: 40, reference: 'f9fd7b4c1617bc14', wasm: '1fae1156cdc12b0d' },
  squeeze: { steps: 40, reference: '8f6f754dc1f1ddc6', wasm: 'adc444a75bf86453' },
  twist: { steps: 40, reference: 'd1cc68357c34a971', wasm: '1e58bacb9c298d7e' },
  recover: { steps: 40, reference: '17a5954cbcc7be45', wasm: 'a687e0f4444f3bd4' },
  stairs: { steps: 120, reference: 'c6b970036b212d78', wasm: 'e9374f275fd334cf' },
};

export function goldenScene(name: string): Scene {
  if (name === 'two boxes') return checkScene(twoBoxes);
  if (name === 'large and small') return checkScene(largeAndSmall);
  return checkScene(findScene(name)?.make());
}
