// Whole scenes on one thread and on two, alone and while another process keeps a processor busy: threads are never to hurt. All
// rows in one run, each with its neighbour at its turn.

import { findScene, type SceneFile } from '../src/scenes/index.js';
import type { Benchmark } from './benchmark.js';
import { type Contender, interleave } from './interleave.js';
import { Neighbour } from './neighbour.js';
import { sceneContender } from './scene-contender.js';

const SCENES = ['balls-in-glass', 'ducks-and-tori', 'creatures', 'cube'] as const;
const THREADS = [1, 2];
const STEPS = 300;

export interface ContendedOptions {
  readonly scenes: Readonly<Record<string, SceneFile>>;
  readonly steps: number;
  readonly onStep?: (done: number, total: number) => void;
}

export async function contendedRows({ scenes, steps, onStep }: ContendedOptions) {
  const neighbour = new Neighbour();
  try {
    const contenders: Contender[] = [];
    for (const [name, scene] of Object.entries(scenes)) {
      for (const threads of THREADS) contenders.push(await sceneContender(name, scene, { threads }));
    }
    // Those beside the neighbour after all others: it begins and ends once in a round.
    const rows = [false, true].flatMap((busy) => contenders.map((contender) => beside(contender, neighbour, busy)));
    return await interleave(rows, { steps, onStep });
  } finally {
    neighbour.dispose();
  }
}

/** The contender with a neighbour that is busy at its turns, or is not. */
function beside(contender: Contender, neighbour: Neighbour, busy: boolean): Contender {
  return {
    row: { ...contender.row, neighbour: busy ? 'busy' : 'none' },
    async build() {
      const runner = await contender.build();
      runner.beginTurn = () => neighbour.set(busy);
      return runner;
    },
  };
}

export const contended: Benchmark = (progress) =>
  contendedRows({
    scenes: Object.fromEntries(SCENES.map((name) => [name, findScene(name)?.make() as SceneFile])),
    steps: STEPS,
    onStep: progress.update,
  });
