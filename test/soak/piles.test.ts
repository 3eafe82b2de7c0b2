// Piles of thirty real meshes of 300 to 3600 vertices, dropped into a box: no energy from nothing, nothing leaves, and what the
// impact has pressed into each other comes out again. On WebAssembly.

import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { creature, duck, prepare, readMesh, surface, type TriangleMesh, torus } from '../../src/index.js';
import { seededRandom } from '../../src/math/random.js';
import { worldOn } from '../both-backends.js';
import { readSharedMesh, sharedMeshesAvailable, sharedMeshPath } from '../shared-meshes.js';

const BODIES = 30;
const MOST_VERTICES = 3600;
/** Half the width of the box, and the longest side of each body's [m]. */
const WALL = 1.4;
const SIZE = 0.85;
/** Mechanical energy over its start: rounding of single precision, and what walls give to bodies that begin at them. */
const ENERGY = 1.002;
/** Deepest vertex of a body inside another, in body sizes, 200 steps after the impact and when it is over. */
const DEPTH_AFTER = 0.1;
const DEPTH_AT_REST = 0.035;

async function readMeshes(): Promise<TriangleMesh[]> {
  const names = readdirSync(sharedMeshPath('closed')).sort();
  const meshes = await Promise.all(names.map((name) => readMesh(readSharedMesh(`closed/${name}`), name)));
  const ours = [duck({ vertices: 800 }), creature({ vertices: 2000 }), torus()];
  return [...meshes.filter(({ positions }) => positions.length / 3 <= MOST_VERTICES), ...ours].map(scaled);
}

function scaled({ positions, triangles }: TriangleMesh): TriangleMesh {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  positions.forEach((x, k) => {
    low[k % 3] = Math.min(low[k % 3], x);
    high[k % 3] = Math.max(high[k % 3], x);
  });
  const scale = SIZE / Math.max(...high.map((x, c) => x - low[c]));
  return { positions: Float64Array.from(positions, (x, k) => scale * (x - (low[k % 3] + high[k % 3]) / 2)), triangles };
}

const SETTINGS = {
  default: surface({ regionRadius: 0.3 }),
  stiff: surface({ regionRadius: 0.25, stiffness: 0.9 }),
};

describe.skipIf(!sharedMeshesAvailable).each(['default', 'stiff'] as const)('a pile of real meshes, %s', (setting) => {
  it.each([1, 2, 3])('stays in its box and comes apart (%i)', async (seed) => {
    const random = seededRandom(seed);
    const prepared = (await readMeshes()).map((mesh) => () => prepare(mesh, SETTINGS[setting]));
    const known = new Map<number, ReturnType<typeof prepare>>();
    const world = await worldOn('wasm');
    world.addCollider({ shape: 'plane', normal: [0, 1, 0] });
    for (const [x, z] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ]) {
      world.addCollider({ shape: 'plane', normal: [x, 0, z], offset: -WALL });
    }
    for (let n = 0; n < BODIES; n++) {
      const which = Math.floor(random() * prepared.length);
      if (!known.has(which)) known.set(which, prepared[which]());
      const turn = [random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5];
      const length = Math.hypot(...turn);
      const [x, z] = [(n % 2) - 0.5, ((n >> 1) % 2) - 0.5].map((at) => 1.5 * at + 0.1 * (random() - 0.5));
      world.add(known.get(which) as ReturnType<typeof prepare>, {
        position: [x, 0.8 + 1.3 * Math.floor(n / 4), z],
        rotation: turn.map((q) => q / length) as [number, number, number, number],
      });
    }
    const energy = () =>
      world.bodies.reduce((sum, body) => sum + 9.81 * body.mass * body.centreOfMass()[1] + body.kineticEnergy(), 0);
    const depth = () => Math.max(...world.bodies.map((body) => world.penetration(body))) / SIZE;
    const start = energy();
    for (let step = 1; step <= 1000; step++) {
      world.step();
      expect(energy() / start).toBeLessThan(ENERGY);
      // The last ones have fallen after 260 steps.
      if (step === 460) expect(depth()).toBeLessThan(DEPTH_AFTER);
    }
    expect(depth()).toBeLessThan(DEPTH_AT_REST);
    for (const body of world.bodies) {
      const [x, y, z] = body.centreOfMass();
      expect(Math.max(Math.abs(x), Math.abs(z))).toBeLessThan(WALL);
      expect(y).toBeGreaterThan(0);
    }
    world.dispose();
  });
});
