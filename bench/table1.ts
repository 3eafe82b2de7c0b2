// [DBB11] Table 1: whole scenes, stage by stage; sums over paths against sums member by member, one thread against all.

import { STAGES } from '../src/index.js';
import { findScene, type SceneFile } from '../src/scenes/index.js';
import type { Benchmark } from './benchmark.js';
import { type Contender, interleave } from './interleave.js';
import { naiveKernels } from './naive-kernels.js';
import { sceneContender } from './scene-contender.js';
import { WorldRunner } from './world-runner.js';

/** The scenes; ω where it is the same for all bodies. */
const SCENES = ['creatures', 'ducks-and-tori', 'balls-in-glass', 'squeeze', 'twist', 'cube', 'stairs'] as const;
const STEPS = 300;

class StageRunner extends WorldRunner {
  private readonly times = STAGES.map((): number[] => []);

  override step(): void {
    super.step();
    STAGES.forEach((stage, index) => {
      this.times[index].push(this.world.profile[stage]);
    });
  }

  /** Medians of the stages [ms]. */
  override figures() {
    const middle = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
    const stages = STAGES.map((stage, index) => [`${stage}Ms`, middle(this.times[index])]);
    return { ...super.figures(), ...Object.fromEntries(stages) };
  }
}

export const table1: Benchmark = async (progress) => {
  const kernels = await naiveKernels();
  const contenders: Contender[] = [];
  for (const name of SCENES) {
    const scene = findScene(name)?.make() as SceneFile;
    for (const options of [{ threads: 1, naive: kernels }, { threads: 1 }, {}]) {
      contenders.push(await sceneContender(name, scene, { ...options, runner: StageRunner }));
    }
  }
  return interleave(contenders, { steps: STEPS, onStep: progress.update });
};
