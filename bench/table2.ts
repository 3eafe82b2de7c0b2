// [DBB11] Table 2: the cost of a step of a cube against the size of its regions, with sums member by member and over paths,
// and of a lattice of as many particles with naive and with fast sums. One thread; free fall, damping and volume included.

import { box, createWorld, prepare, surface, vertexCount } from '../src/index.js';
import type { Benchmark } from './benchmark.js';
import { type Contender, interleave } from './interleave.js';
import { LatticeRunner } from './lattice-runner.js';
import { listMembers, naiveKernels } from './naive-kernels.js';
import { WorldRunner } from './world-runner.js';

const REGION_SIZES = [1, 2, 3, 4, 5];
const STEPS = 60;
/** The naive lattice takes a second and more for a step. */
const LATTICE_STEPS = 4;

export interface Table2Options {
  /** Of the cube's edges; 71 make 30 248 particles. */
  readonly divisions: number;
  /** Cells along the lattice's edges; 30 make 31³ particles, 31 of them along an edge. */
  readonly cells: number;
  readonly regionSizes: readonly number[];
  readonly steps: number;
  readonly latticeSteps: number;
}

export const TABLE2: Table2Options = {
  divisions: 71,
  cells: 30,
  regionSizes: REGION_SIZES,
  steps: STEPS,
  latticeSteps: LATTICE_STEPS,
};

/** The surface rows, then the lattice rows. */
export async function table2Rows(options: Table2Options, onStep?: (done: number, total: number) => void) {
  const kernels = await naiveKernels();
  const { regionSizes, steps, latticeSteps, divisions, cells } = options;
  const surfaces = regionSizes.flatMap((regionSize) => [
    surfaceContender(regionSize, divisions, 'naive', kernels),
    surfaceContender(regionSize, divisions, 'fast'),
  ]);
  const lattices = regionSizes.flatMap((regionSize) => [
    latticeContender(regionSize, cells, 'naive'),
    latticeContender(regionSize, cells, 'fast'),
  ]);
  const rows = await interleave(surfaces, { steps, onStep });
  return [...rows, ...(await interleave(lattices, { steps: latticeSteps, stepsPerTurn: 1 }))];
}

function surfaceContender(
  regionSize: number,
  divisions: number,
  method: 'fast' | 'naive',
  kernels?: Uint8Array<ArrayBuffer>,
): Contender {
  const mesh = box({ size: [1, 1, 1], divisions });
  return {
    row: { name: 'cube', method, backend: 'wasm', threads: 1, particles: vertexCount(mesh), regionSize },
    async build() {
      const world = await createWorld({ backend: 'wasm', threads: 1, kernels });
      const body = world.add(prepare(mesh, surface({ regionSize })));
      if (kernels) listMembers(world);
      return new WorldRunner({ world, bodies: [body] });
    },
  };
}

function latticeContender(regionSize: number, cells: number, method: 'fast' | 'naive'): Contender {
  // The lattice's own surface particles: the mesh has a vertex at each of them.
  const mesh = box({ size: [1, 1, 1], divisions: cells });
  return {
    row: {
      name: 'cube',
      method: method === 'fast' ? 'fast-lsm' : 'lsm',
      backend: 'reference',
      threads: 1,
      particles: (cells + 1) ** 3,
      regionSize,
    },
    build: () => new LatticeRunner(mesh, regionSize, cells, method),
  };
}

export const table2: Benchmark = (progress) => table2Rows(TABLE2, progress.update);
