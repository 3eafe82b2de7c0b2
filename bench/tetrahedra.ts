// Balls of elements dropped on a floor at 2 m/s in steps of 1/240 s: beside other engines' finite elements, and without kernels; then the
// cost of a step from 1k to 200k elements, and what the solves take for it.

import { createWorld, prepare, tetrahedra } from '../src/index.js';
import { neoHookean } from '../src/solvers/tetrahedra/materials.js';
import type { TetrahedraOptions } from '../src/solvers/tetrahedra/settings.js';
import type { TetrahedraModel } from '../src/solvers/tetrahedra/tetrahedra-model.js';
import { stateOf } from '../src/world/world-parts.js';
import type { Benchmark } from './benchmark.js';
import { type Contender, interleave } from './interleave.js';
import { mujocoFlex } from './peers/mujoco-flex.js';
import { rapierFem } from './peers/rapier-fem.js';
import type { RowHead } from './rows.js';
import { ballOf, DROP, solidContender } from './solid-drop.js';
import { WorldRunner } from './world-runner.js';

/** Cells of the ball of 2k tetrahedra that all engines get, as large as Rapier does in a minute [m]. */
const PEER_CELL = 0.15;
/** Of 1k, 4k and 20k tetrahedra; of 108k and 200k [m]. */
const CELLS = [0.18, 0.12, 0.0693];
const LARGE_CELLS = [0.0393, 0.0315];
const STEPS = 40;
/** A frame of 1/24 s: the paper has 104k elements at 18 s a frame, of a length that it does not give. */
const FRAME = 10;

export interface TetrahedraContender {
  /** [m] */
  readonly cell: number;
  readonly backend?: 'wasm' | 'reference';
  readonly threads?: number;
  /** The usual one where not given, and what it is called. */
  readonly material?: TetrahedraOptions['material'];
  readonly named?: string;
}

export function tetrahedraContender(given: TetrahedraContender): Contender {
  const { cell, backend = 'wasm', threads = 1, material = 'neo-hookean', named = String(material) } = given;
  const mesh = ballOf(cell);
  const [nodes, tetraCount] = [mesh.positions.length / 3, mesh.tetrahedra.length / 4];
  const settings = `one-rings within 0.1 %, E ${DROP.youngsModulus}, ${named}`;
  return {
    row: {
      ...{ name: `drop-${tetraCount}`, method: 'one-ring', backend, threads, particles: nodes, regionSize: null },
      ...{ nodes, tetrahedra: tetraCount, settings },
    },
    async build() {
      const world = await createWorld({ backend, threads, timeStep: DROP.timeStep });
      const start = performance.now();
      const { youngsModulus } = DROP;
      const prepared = prepare(mesh, tetrahedra({ youngsModulus, material, damping: { mass: 0, stiffness: 0 } }));
      const prepareSeconds = (performance.now() - start) / 1000;
      world.addCollider({ shape: 'plane', normal: [0, 1, 0], friction: DROP.friction });
      const body = world.add(prepared, { position: [0, DROP.radius, 0], velocity: [0, -DROP.speed, 0] });
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
    const { report } = stateOf(this.world, this.bodies[0]).hostModel as TetrahedraModel;
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
      maxOneRingErrorPercent: 100 * this.ringError,
      newtonSteps: newton / steps,
      elasticIterations: elastic / steps,
      pressureIterations: pressure / steps,
    };
  }
}

/** One of the user's own does in TypeScript what the usual one does in kernels. */
const MATERIALS = [
  { material: 'neo-hookean' },
  { material: 'corotated' },
  { material: 'st-venant-kirchhoff' },
  { material: { ...neoHookean(DROP.youngsModulus / 3, 0), plain: undefined }, named: 'own energy' },
] as const;

const PEERS = [
  mujocoFlex(
    { poissonRatio: 0.49, contactTime: 0.0084, isTrilinear: false },
    'nu 0.49, all nodes free, contacts 8.4 ms',
  ),
  mujocoFlex(
    { poissonRatio: 0.49, contactTime: 0.0084, isTrilinear: true },
    'nu 0.49, led by 8 corners, contacts 8.4 ms',
  ),
  rapierFem({ poissonRatio: 0.49 }, 'nu 0.49'),
  rapierFem({ poissonRatio: 0.49, volumeFrequency: 4000 }, 'nu 0.49, volume of the whole at 4000 Hz'),
];

export const tetrahedraDrop: Benchmark = async (progress) => {
  const groups: [contenders: Contender[], steps: number][] = [
    [
      [
        tetrahedraContender({ cell: PEER_CELL }),
        tetrahedraContender({ cell: PEER_CELL, backend: 'reference' }),
        ...PEERS.map((peer) => solidContender(peer, PEER_CELL)),
      ],
      STEPS,
    ],
    [
      [...CELLS.map((cell) => tetrahedraContender({ cell })), tetrahedraContender({ cell: CELLS[2], threads: 2 })],
      STEPS,
    ],
    [MATERIALS.map((given) => tetrahedraContender({ cell: CELLS[1], ...given })), STEPS],
    [[1, 2].flatMap((threads) => LARGE_CELLS.map((cell) => tetrahedraContender({ cell, threads }))), FRAME],
  ];
  const total = groups.reduce((sum, [, steps]) => sum + steps, 0);
  const rows = [];
  let before = 0;
  for (const [contenders, steps] of groups) {
    rows.push(...(await interleave(contenders, { steps, onStep: (done) => progress.update(before + done, total) })));
    before += steps;
  }
  return rows.map((row) => ({
    ...row,
    nsPerTetrahedron: row.minMsPerStep && (1e6 * row.minMsPerStep) / Number(row.tetrahedra),
    secondsPerFrame: row.msPerStep && (FRAME * row.msPerStep) / 1000,
  }));
};
