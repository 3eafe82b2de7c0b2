// How the cost of a step grows with the particles of one body: cubes of 1k to 30k vertices, ω = 3.

import { box, createWorld, prepare, surface, vertexCount } from '../src/index.js';
import type { Benchmark } from './benchmark.js';
import { type Contender, interleave } from './interleave.js';
import { WorldRunner } from './world-runner.js';

/** A cube of n divisions has 6n² + 2 vertices. */
const DIVISIONS = [13, 22, 41, 71];
const REGION_SIZE = 3;
const STEPS = 100;

export function scalingContender(divisions: number): Contender {
  const mesh = box({ size: [1, 1, 1], divisions });
  const particles = vertexCount(mesh);
  return {
    row: {
      name: `cube-${particles}`,
      method: 'fast',
      backend: 'wasm',
      threads: 1,
      particles,
      regionSize: REGION_SIZE,
    },
    async build() {
      const world = await createWorld({ backend: 'wasm', threads: 1 });
      world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0, friction: 0.5 });
      const start = performance.now();
      const prepared = prepare(mesh, surface({ regionSize: REGION_SIZE }));
      const prepareSeconds = (performance.now() - start) / 1000;
      const body = world.add(prepared, { position: [0, 0.51, 0] });
      return new WorldRunner({ world, bodies: [body] }, { prepareSeconds });
    },
  };
}

export const scaling: Benchmark = async (progress) => {
  const rows = await interleave(DIVISIONS.map(scalingContender), { steps: STEPS, onStep: progress.update });
  return rows.map((row) => ({ ...row, nsPerParticle: row.msPerStep && (1e6 * row.msPerStep) / row.particles }));
};
