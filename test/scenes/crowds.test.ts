// The paper's crowded scenes: bodies pile up, keep their volume and their distance, and rest; with the real armadillo and
// duck where ../shared/meshes is there. On WebAssembly, as the reference would take minutes. Shorter than the scenes' 2000
// steps, but beyond their impacts; `creatures` takes 12 ms a step.

import { describe, expect, it } from 'vitest';
import { readMesh } from '../../src/index.js';
import { buildScene, checkScene, findScene, runScene, type SceneFile } from '../../src/scenes/index.js';
import { readSharedMesh, sharedMeshesAvailable } from '../shared-meshes.js';

/** Of |V/V₀ − 1| at every step [%]: the requirement. */
const VOLUME_PERCENT = 0.002;
/** Deepest vertex of a body inside another, in body sizes: the requirement. */
const DEPTH = 0.01;

const sceneOf = (name: string): SceneFile => {
  const scene = findScene(name);
  if (!scene) throw new Error(`${name} is no built-in scene`);
  return scene.make();
};

describe.each([
  ['balls-in-glass', 7640, 300],
  ['ducks-and-tori', 21280, 480],
  ['creatures', 32442, 160],
] as const)('%s', (name, particles, steps) => {
  it('keeps volumes and distances', async () => {
    const scene = checkScene(sceneOf(name));
    const report = await runScene(scene, { backend: 'wasm', threads: 1, steps });
    // Counts of [DBB11] Table 1, to 2 %.
    expect(Math.abs(report.particles / particles - 1)).toBeLessThan(0.02);
    expect(report.nonFinite).toBe(0);
    expect(report.bodies.reduce((sum, { contacts }) => sum + contacts, 0)).toBeGreaterThan(100);
    for (const { maxVolumeErrorPercent, maxPenetration, bounds } of report.bodies) {
      expect(maxVolumeErrorPercent).toBeLessThan(VOLUME_PERCENT);
      const size = Math.hypot(...[0, 1, 2].map((c) => bounds[1][c] - bounds[0][c]));
      expect(maxPenetration / size).toBeLessThan(DEPTH);
    }
  });

  it('runs to the same bits with one thread and two', async () => {
    const run = async (threads: number) =>
      (await runScene(checkScene(sceneOf(name)), { backend: 'wasm', threads, steps: 100 })).hash;
    expect(await run(2)).toBe(await run(1));
  });
});

it('balls stay in the glass, come to rest and sleep', async () => {
  const { world, bodies } = await buildScene(checkScene(sceneOf('balls-in-glass')), { backend: 'wasm', threads: 1 });
  const energy = () => bodies.reduce((sum, body) => sum + body.kineticEnergy(), 0);
  let highest = 0;
  for (let step = 0; step < 1200; step++) {
    world.step();
    highest = Math.max(highest, energy());
  }
  // By a factor of 10⁴ within 5 s of the fall, which takes one.
  expect(energy()).toBeLessThan(1e-4 * highest);
  for (let step = 1200; step < 1600; step++) world.step();
  expect(energy()).toBeLessThan(1e-4 * highest);
  expect(bodies.filter(({ asleep }) => asleep).length).toBeGreaterThan(bodies.length / 2);
  for (const body of bodies) {
    const [x, y, z] = body.centreOfMass();
    expect(Math.hypot(x, z)).toBeLessThan(1.6);
    expect(y).toBeGreaterThan(0.1);
  }
  world.dispose();
});

describe('with real meshes (../shared/meshes absent: skipped)', () => {
  const real = sharedMeshesAvailable
    ? ([
        ['creatures', 'creature', 'closed/armadillo_5407.obj', 120],
        ['ducks-and-tori', 'duck', 'closed/duck_2500.obj', 160],
      ] as const)
    : [];
  it('has files to try', () => {
    expect(real.length).toBe(sharedMeshesAvailable ? 2 : 0);
  });

  it.each(real)('%s, each %s from %s', async (name, shape, file, steps) => {
    const mesh = await readMesh(readSharedMesh(file), file);
    const positions = mesh.positions;
    const [low, high] = [0, 1].map((side) =>
      [0, 1, 2].map((c) => {
        let bound = positions[c];
        for (let k = c; k < positions.length; k += 3) {
          bound = side === 0 ? Math.min(bound, positions[k]) : Math.max(bound, positions[k]);
        }
        return bound;
      }),
    );
    const extent = Math.max(...[0, 1, 2].map((c) => high[c] - low[c]));
    const scene = sceneOf(name);
    const bodies = scene.bodies.map((body) => {
      const { mesh: generated } = body;
      if (typeof generated === 'string' || generated.shape !== shape) return body;
      const size = 'size' in generated && typeof generated.size === 'number' ? generated.size : 1;
      return { ...body, mesh: file, scale: size / extent };
    });
    const report = await runScene(checkScene({ ...scene, bodies }), {
      ...{ backend: 'wasm', threads: 1, steps },
      loadMesh: async () => mesh,
    });
    expect(report.nonFinite).toBe(0);
    for (const { maxVolumeErrorPercent } of report.bodies) expect(maxVolumeErrorPercent).toBeLessThan(VOLUME_PERCENT);
  });
});
