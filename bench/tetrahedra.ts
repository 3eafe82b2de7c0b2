// Bodies of tetrahedra dropped on a floor at 2 m/s in steps of 1/240 s: the cost of a step from 1k to 200k elements, and what the
// solves take for it. The first one beside the same ball without kernels, in double precision on both sides.

import { createWorld, prepare, tetrahedra } from '../src/index.js';
import { stuff } from '../src/mesh/tetrahedralise/stuff.js';
import type { TetrahedraModel } from '../src/solvers/tetrahedra/tetrahedra-model.js';
import type { Benchmark } from './benchmark.js';
import { type Contender, interleave } from './interleave.js';
import type { RowHead } from './rows.js';
import { WorldRunner } from './world-runner.js';

/** Cells of a ball of radius 0.5 m [m]: 1k, 4k, 20k, 108k and 200k tetrahedra. */
const CELLS = [0.18, 0.12, 0.0693, 0.0393, 0.0315];
const TIME_STEP = 1 / 240;
const SPEED = 2;
const STEPS = 40;

export interface TetrahedraContender {
  /** [m] */
  readonly cell: number;
  readonly backend?: 'wasm' | 'reference';
}

export function tetrahedraContender({ cell, backend = 'wasm' }: TetrahedraContender): Contender {
  const field = (x: number, y: number, z: number): number => Math.sqrt(x * x + y * y + z * z) - 0.5;
  const low = [-0.5, -0.5, -0.5] as const;
  const mesh = stuff(field, [low, [0.5, 0.5, 0.5]], { cell, grading: 0 });
  const tetraCount = mesh.tetrahedra.length / 4;
  return {
    row: {
      name: `drop-${tetraCount}`,
      method: 'one-ring',
      backend,
      threads: 1,
      particles: mesh.positions.length / 3,
      regionSize: null,
      tetrahedra: tetraCount,
    },
    async build() {
      const world = await createWorld({ backend, threads: 1, timeStep: TIME_STEP });
      const start = performance.now();
      const prepared = prepare(mesh, tetrahedra({ youngsModulus: 5e4, damping: { mass: 0, stiffness: 0 } }));
      const prepareSeconds = (performance.now() - start) / 1000;
      world.addCollider({ shape: 'plane', normal: [0, 1, 0] });
      const body = world.add(prepared, { position: [0, 0.5, 0], velocity: [0, -SPEED, 0] });
      return new TetrahedraRunner({ world, bodies: [body] }, { prepareSeconds });
    },
  };
}

/** With the largest one-ring error and the solves' iterations beside the world's own figures. */
class TetrahedraRunner extends WorldRunner {
  private ringError = 0;
  private readonly sums = { newton: 0, elastic: 0, pressure: 0, steps: 0 };

  override step(): void {
    super.step();
    const { report } = (this.bodies[0] as unknown as { state: { hostModel: TetrahedraModel } }).state.hostModel;
    if (!report) return;
    const { sums } = this;
    this.ringError = Math.max(this.ringError, report.ringError);
    sums.newton += report.newtonSteps;
    sums.elastic += report.elasticIterations;
    sums.pressure += report.pressureIterations;
    sums.steps++;
  }

  override figures(): Partial<RowHead> {
    const { newton, elastic, pressure, steps } = this.sums;
    return {
      ...super.figures(),
      maxRingErrorPercent: 100 * this.ringError,
      newtonSteps: newton / steps,
      elasticIterations: elastic / steps,
      pressureIterations: pressure / steps,
    };
  }
}

export const tetrahedraDrop: Benchmark = async (progress) => {
  const contenders = [
    tetrahedraContender({ cell: CELLS[0], backend: 'reference' }),
    ...CELLS.map((cell) => tetrahedraContender({ cell })),
  ];
  const rows = await interleave(contenders, { steps: STEPS, onStep: progress.update });
  return rows.map((row) => ({
    ...row,
    nsPerTetrahedron: row.minMsPerStep && (1e6 * row.minMsPerStep) / Number(row.tetrahedra),
  }));
};
