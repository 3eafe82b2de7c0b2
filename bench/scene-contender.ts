// A whole scene as a contender.

import { type BuiltScene, buildScene, checkScene, type SceneFile } from '../src/scenes/index.js';
import type { Contender } from './interleave.js';
import { listMembers } from './naive-kernels.js';
import { WorldRunner } from './world-runner.js';

export interface SceneContenderOptions {
  /** All that are there unless set. */
  readonly threads?: number;
  /** Those that sum member by member, where they are to be used. */
  readonly naive?: Uint8Array<ArrayBuffer>;
  /** What steps the scene. */
  readonly runner?: new (
    built: BuiltScene,
  ) => WorldRunner;
}

export async function sceneContender(
  name: string,
  file: SceneFile,
  { threads, naive, runner: SceneRunner = WorldRunner }: SceneContenderOptions,
): Promise<Contender> {
  const scene = checkScene(file);
  const sizes = new Set(scene.bodies.map(({ solver }) => ('regionSize' in solver ? solver.regionSize : undefined)));
  const [regionSize] = sizes.size === 1 ? [...sizes] : [];
  const build = async () => {
    const built = await buildScene(scene, { backend: 'wasm', threads, kernels: naive });
    if (naive) listMembers(built.world);
    return new SceneRunner(built);
  };
  const counted = await build();
  const particles = counted.bodies.reduce((sum, { masses }) => sum + masses.length, 0);
  counted.dispose();
  const method = naive ? 'naive' : 'fast';
  return {
    row: {
      name,
      method,
      backend: 'wasm',
      threads: threads ?? 0,
      particles,
      regionSize: (regionSize as number | undefined) ?? null,
    },
    build,
  };
}
