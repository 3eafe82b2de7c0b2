// How the cost of a step grows with the particles: in one cube of 1k to 1M vertices, and in many cubes of 1k; ω = 3. With
// what a particle takes of memory, and how long preparing the mesh takes.

import type { WasmBackend } from '../src/backends/wasm/wasm-backend.js';
import { box, createWorld, prepare, surface, vertexCount } from '../src/index.js';
import { partsOf } from '../src/world/world-parts.js';
import type { Benchmark } from './benchmark.js';
import { type Contender, interleave } from './interleave.js';
import { WorldRunner } from './world-runner.js';

/** A cube of n divisions has 6n² + 2 vertices: 1016, 10 088, 30 248, 99 848, 998 786. */
const DIVISIONS = [13, 41, 71, 129, 408];
/** Cubes of 1016 vertices side by side. */
const COPIES = [10, 100, 984];
const REGION_SIZE = 3;
const STEPS = 40;

export interface ScalingOptions {
  readonly divisions: number;
  readonly copies?: number;
}

export function scalingContender({ divisions, copies = 1 }: ScalingOptions): Contender {
  const mesh = box({ size: [1, 1, 1], divisions });
  const each = vertexCount(mesh);
  return {
    row: {
      name: copies === 1 ? `one-${each}` : `${copies}-of-${each}`,
      method: 'fast',
      backend: 'wasm',
      threads: 1,
      particles: copies * each,
      regionSize: REGION_SIZE,
    },
    async build() {
      const world = await createWorld({ backend: 'wasm', threads: 1 });
      const start = performance.now();
      const prepared = prepare(mesh, surface({ regionSize: REGION_SIZE }));
      const prepareSeconds = (performance.now() - start) / 1000;
      const bodies = Array.from({ length: copies }, (_, n) => world.add(prepared, { position: [2 * n, 0, 0] }));
      const { memoryUsed } = partsOf(world).backend as WasmBackend;
      return new WorldRunner({ world, bodies }, { prepareSeconds, bytesPerParticle: memoryUsed / (copies * each) });
    },
  };
}

export const scaling: Benchmark = async (progress) => {
  const contenders = [
    ...DIVISIONS.map((divisions) => scalingContender({ divisions })),
    ...COPIES.map((copies) => scalingContender({ divisions: DIVISIONS[0], copies })),
  ];
  const rows = await interleave(contenders, { steps: STEPS, onStep: progress.update });
  return rows.map((row) => ({ ...row, nsPerParticle: row.minMsPerStep && (1e6 * row.minMsPerStep) / row.particles }));
};
