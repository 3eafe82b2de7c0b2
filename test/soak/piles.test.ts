// Twenty piles of thirty mixed meshes of 400 to 10 000 vertices, dropped into a box, by turns with default and stiff settings: no energy
// from nothing, nothing leaves, what the impact has pressed into each other comes out again, and all sleep within ten seconds. Our own
// shapes, and the shared real meshes where they are there. On WebAssembly.

import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  box,
  capsule,
  creature,
  cylinder,
  duck,
  hand,
  icosphere,
  liver,
  prepare,
  readMesh,
  surface,
  type TriangleMesh,
  torus,
} from '../../src/index.js';
import { seededRandom } from '../../src/math/random.js';
import { worldOn } from '../both-backends.js';
import { readSharedMesh, sharedMeshesAvailable, sharedMeshPath } from '../shared-meshes.js';

const PILES = 20;
const BODIES = 30;
const MOST_VERTICES = 10_000;
/** Half the width of the box, and the longest side of each body's [m]. */
const WALL = 1.5;
const SIZE = 0.85;
/** Mechanical energy over its start: rounding of single precision, and what walls give to bodies that begin at them. */
const ENERGY = 1.002;
/** Deepest vertex of a body inside another, in body sizes, 200 steps after the impact and when all sleep. */
const DEPTH_AFTER = 0.1;
const DEPTH_AT_REST = 0.02;
/** Steps in ten seconds, and those after which the last ones have fallen. */
const STEPS = 2000;
const FALLEN = 270;

async function readMeshes(): Promise<TriangleMesh[]> {
  const names = sharedMeshesAvailable ? readdirSync(sharedMeshPath('closed')).sort() : [];
  const meshes = await Promise.all(names.map((name) => readMesh(readSharedMesh(`closed/${name}`), name)));
  const ours = [
    torus({ majorSegments: 30, minorSegments: 14 }),
    torus({ minorRadius: 0.22, majorSegments: 60, minorSegments: 14 }),
    icosphere({ detail: 3 }),
    icosphere({ detail: 4 }),
    box({ divisions: 10 }),
    box({ size: [1, 0.5, 0.7], divisions: 20 }),
    capsule(),
    cylinder(),
    duck({ vertices: 400 }),
    duck({ vertices: 2500 }),
    duck({ vertices: 9900 }),
    creature({ vertices: 600 }),
    creature({ vertices: 5400 }),
    liver({ vertices: 1600 }),
    hand({ vertices: 900 }),
    hand({ vertices: 4000 }),
  ];
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

it.each(Array.from({ length: PILES }, (_, n) => [n + 1, n % 2 === 0 ? 'default' : 'stiff'] as const))(
  'pile %i, %s, stays in its box, comes apart and sleeps',
  async (seed, setting) => {
    const random = seededRandom(seed);
    const meshes = await readMeshes();
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
      const which = Math.floor(random() * meshes.length);
      const prepared = known.get(which) ?? prepare(meshes[which], SETTINGS[setting]);
      known.set(which, prepared);
      const turn = [random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5];
      const length = Math.hypot(...turn);
      const [x, z] = [(n % 2) - 0.5, ((n >> 1) % 2) - 0.5].map((at) => 1.5 * at + 0.1 * (random() - 0.5));
      world.add(prepared, {
        position: [x, 0.8 + 1.3 * Math.floor(n / 4), z],
        rotation: turn.map((q) => q / length) as [number, number, number, number],
      });
    }
    const energy = () =>
      world.bodies.reduce((sum, body) => sum + 9.81 * body.mass * body.centreOfMass()[1] + body.kineticEnergy(), 0);
    const depth = () => Math.max(...world.bodies.map((body) => world.penetration(body))) / SIZE;
    const start = energy();
    for (let step = 1; step <= STEPS && world.bodies.some(({ asleep }) => !asleep); step++) {
      world.step();
      expect(energy() / start).toBeLessThan(ENERGY);
      if (step === FALLEN + 200) expect(depth()).toBeLessThan(DEPTH_AFTER);
    }
    expect(world.bodies.filter(({ asleep }) => !asleep).length).toBe(0);
    expect(depth()).toBeLessThan(DEPTH_AT_REST);
    for (const body of world.bodies) {
      const [x, y, z] = body.centreOfMass();
      expect(Math.max(Math.abs(x), Math.abs(z))).toBeLessThan(WALL);
      expect(y).toBeGreaterThan(0);
    }
    world.dispose();
  },
);
