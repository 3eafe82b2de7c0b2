// The paper's crowded scenes for all of their 2000 steps; and with the real armadillo and duck where ../shared/meshes is
// there. On WebAssembly.

import { describe, expect, it } from 'vitest';
import { readMesh } from '../../src/index.js';
import { seededRandom } from '../../src/math/random.js';
import { checkScene, findScene, runScene, type SceneFile } from '../../src/scenes/index.js';
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

describe.each(['balls-in-glass', 'ducks-and-tori', 'creatures'])('%s', (name) => {
  it('keeps volumes and distances, to the same bits with one thread and two', async () => {
    const run = (threads: number) => runScene(checkScene(sceneOf(name)), { backend: 'wasm', threads });
    const report = await run(1);
    expect(report.nonFinite).toBe(0);
    for (const { maxVolumeErrorPercent, maxPenetration, bounds } of report.bodies) {
      expect(maxVolumeErrorPercent).toBeLessThan(VOLUME_PERCENT);
      const size = Math.hypot(...[0, 1, 2].map((c) => bounds[1][c] - bounds[0][c]));
      expect(maxPenetration / size).toBeLessThan(DEPTH);
    }
    expect((await run(2)).hash).toBe(report.hash);
  });
});

/** Every body up to half a millimetre from its place: what happens in a crowd depends on every bit of its start. */
function shaken(scene: SceneFile, seed: number): SceneFile {
  const random = seededRandom(seed);
  const shake = (x: number) => x + 1e-3 * (random() - 0.5);
  const bodies = scene.bodies.map((body) => {
    const [x, y, z] = body.position ?? [0, 0, 0];
    return { ...body, position: [shake(x), shake(y), shake(z)] as [number, number, number] };
  });
  return { ...scene, bodies };
}

describe.each([1, 2, 3])('ducks-and-tori, shaken (%i)', (seed) => {
  it('keeps volumes and distances', async () => {
    const report = await runScene(checkScene(shaken(sceneOf('ducks-and-tori'), seed)), { backend: 'wasm' });
    expect(report.nonFinite).toBe(0);
    for (const { maxVolumeErrorPercent, maxPenetration, bounds } of report.bodies) {
      expect(maxVolumeErrorPercent).toBeLessThan(VOLUME_PERCENT);
      const size = Math.hypot(...[0, 1, 2].map((c) => bounds[1][c] - bounds[0][c]));
      expect(maxPenetration / size).toBeLessThan(DEPTH);
    }
  });
});

/** Two balls in each other at the bottom of a tube, three more falling on them; or all of them falling. */
describe.each([
  { name: 'two of them in each other', apart: 0.3 },
  { name: 'apart', apart: 1.05 },
])('balls of 2562 vertices in a tube, $name', ({ apart }) => {
  it('come to lie outside each other', async () => {
    const volume = { globalShare: 0.5, innerShare: 0.1 };
    const heights = [0.65, 0.65 + apart, 1.8 + apart, 2.85 + apart, 3.9 + apart];
    const report = await runScene(
      checkScene({
        isochore: 1,
        steps: 600,
        bodies: heights.map((y, n) => ({
          name: `ball${n}`,
          mesh: { shape: 'icosphere', detail: 4, radius: 0.5 },
          position: [n === 0 ? 0 : n === 1 ? 0.02 : 0.01, y, 0],
          friction: 0.25,
          solver: { type: 'surface', regionSize: 2, damping: 0.9, volume },
        })),
        colliders: [{ shape: 'glass', radius: 1.1, height: 8, wall: 0.1, friction: 0.25 }],
      }),
      { backend: 'wasm' },
    );
    for (const { maxVolumeErrorPercent, maxPenetration } of report.bodies) {
      expect(maxVolumeErrorPercent).toBeLessThan(VOLUME_PERCENT);
      expect(maxPenetration).toBeLessThan(DEPTH);
    }
  });
});

describe('with real meshes (../shared/meshes absent: skipped)', () => {
  const real = sharedMeshesAvailable
    ? ([
        ['creatures', 'creature', 'closed/armadillo_5407.obj', 600, 0],
        ['ducks-and-tori', 'duck', 'closed/duck_2500.obj', 600, 0],
        ['ducks-and-tori', 'duck', 'closed/duck_2500.obj', 600, 1],
      ] as const)
    : [];
  it('has files to try', () => {
    expect(real.length).toBe(sharedMeshesAvailable ? 3 : 0);
  });

  it.each(real)('%s, each %s from %s, %i steps, shaken (%i)', async (name, shape, file, steps, seed) => {
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
    const scene = shaken(sceneOf(name), seed);
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
