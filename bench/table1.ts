// [DBB11] Table 1: whole scenes, stage by stage; sums over paths against sums member by member, one thread against all.

import { STAGES } from '../src/index.js';
import { buildScene, checkScene, findScene } from '../src/scenes/index.js';
import type { Benchmark } from './benchmark.js';
import { type Contender, interleave } from './interleave.js';
import { listMembers, naiveKernels } from './naive-kernels.js';
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

async function sceneContender(
  name: string,
  method: 'fast' | 'naive',
  threads: number | undefined,
  kernels?: Uint8Array<ArrayBuffer>,
): Promise<Contender> {
  const found = findScene(name);
  if (!found) throw new RangeError(`scene: expected the name of a built-in, got ${name}`);
  const scene = checkScene(found.make());
  const sizes = new Set(scene.bodies.map(({ solver }) => ('regionSize' in solver ? solver.regionSize : undefined)));
  const [regionSize] = sizes.size === 1 ? [...sizes] : [];
  const build = async () => {
    const built = await buildScene(scene, { backend: 'wasm', threads, kernels });
    if (kernels) listMembers(built.world);
    return new StageRunner(built);
  };
  const counted = await build();
  const particles = counted.bodies.reduce((sum, { masses }) => sum + masses.length, 0);
  counted.dispose();
  return {
    row: { name, method, backend: 'wasm', threads: threads ?? 0, particles, regionSize: regionSize ?? null },
    build,
  };
}

export const table1: Benchmark = async (progress) => {
  const kernels = await naiveKernels();
  const contenders: Contender[] = [];
  for (const name of SCENES) {
    contenders.push(await sceneContender(name, 'naive', 1, kernels));
    contenders.push(await sceneContender(name, 'fast', 1));
    contenders.push(await sceneContender(name, 'fast', undefined));
  }
  return interleave(contenders, { steps: STEPS, onStep: progress.update });
};
