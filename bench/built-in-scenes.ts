// Every built-in scene that is simulated, from beginning to end on one thread: what each of its bodies did, beside what a step of the whole
// scene took. Bodies that only follow an input have their own benchmark (deformer).

import { checkScene, runScene, type Scene, scenes } from '../src/scenes/index.js';
import type { Benchmark } from './benchmark.js';
import type { Row } from './rows.js';

const isPosed = (scene: Scene): boolean => scene.bodies.every(({ solver }) => solver.type === 'deformer');

export interface BuiltInScenesOptions {
  readonly names: readonly string[];
  /** Instead of the scenes' own. */
  readonly steps?: number;
  readonly onStep?: (done: number, total: number) => void;
}

export async function builtInSceneRows({ names, steps, onStep }: BuiltInScenesOptions): Promise<Row[]> {
  const chosen = scenes
    .filter(({ name }) => names.includes(name))
    .map(({ name, make }) => ({ name, scene: checkScene(make()) }))
    .filter(({ scene }) => !isPosed(scene));
  const total = chosen.reduce((sum, { scene }) => sum + (steps ?? scene.steps), 0);
  const rows: Row[] = [];
  let before = 0;
  for (const { name, scene } of chosen) {
    let least = Number.POSITIVE_INFINITY;
    const { bodies, msPerStep, hash } = await runScene(scene, {
      ...{ name, steps, backend: 'wasm', threads: 1 },
      onFrame: ({ step, took }) => {
        if (step > 0) least = Math.min(least, took);
        onStep?.(before + step, total);
      },
    });
    before += steps ?? scene.steps;
    for (const body of bodies) {
      rows.push({
        ...{ name, method: body.solver, backend: 'wasm', threads: 1, particles: body.particles, regionSize: null },
        ...{ msPerStep: msPerStep.total, minMsPerStep: least },
        ...{ maxVolumeErrorPercent: body.maxVolumeErrorPercent, hash },
        ...{ body: body.name, nodes: body.nodes, parts: body.parts.length, recoveries: body.recoveries },
        ...{ selfIntersections: body.selfIntersections, maxPenetration: body.maxPenetration },
        tetrahedra: body.tetrahedra as number | undefined,
        maxOneRingErrorPercent: body.maxOneRingErrorPercent as number | undefined,
        invertedTetrahedra: body.invertedTetrahedra as number | undefined,
      });
    }
  }
  return rows;
}

export const builtInScenes: Benchmark = (progress) =>
  builtInSceneRows({ names: scenes.map(({ name }) => name), onStep: progress.update });
