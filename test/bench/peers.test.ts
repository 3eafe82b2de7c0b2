// The other engines in small versions of the scenes: each takes the mesh as it is, and is measured by us.

import { describe, expect, it } from 'vitest';
import { ammo } from '../../bench/peers/ammo.js';
import { comparePeers } from '../../bench/peers/index.js';
import { isochore } from '../../bench/peers/isochore.js';
import { jolt } from '../../bench/peers/jolt.js';
import type { Peer } from '../../bench/peers/peer.js';
import { rapier } from '../../bench/peers/rapier.js';
import { cubeScene, PEER_WORLD, pileScene, plateAt, squeezeScene } from '../../bench/peers/scene.js';

const PEERS: readonly Peer[] = [
  isochore({ threads: 1, regionSize: 3 }),
  jolt({ compliance: 1e-5, tetrahedra: { compliance: 0, centreMass: 100 } }, 'tets'),
  jolt({ compliance: 1e-6, pressure: 100 }, 'pressure'),
  rapier({ volumeFrequency: 4000, particleRadius: 0.01 }, 'tuned'),
  ammo({ pressure: 100, iterations: 1, stiffness: 0.9 }, 'pressure'),
];

const named = PEERS.map((peer) => [`${peer.method}, ${peer.settings}`, peer] as const);

it.each(named)('%s: starts from the mesh where the scene puts it, and falls freely', async (_, peer) => {
  const scene = cubeScene(3);
  const world = await peer.build(scene);
  const [{ mesh, position }] = scene.bodies;
  const farthest = Array.from(world.positions(0)).reduce(
    (most, x, k) => Math.max(most, Math.abs(x - mesh.positions[k] - position[k % 3])),
    0,
  );
  // Single precision of coordinates near 1.
  expect(farthest).toBeLessThan(1e-6);
  const steps = 8;
  for (let step = 0; step < steps; step++) world.step();
  const heights = Array.from(world.positions(0)).filter((_, k) => k % 3 === 1);
  const fallen = position[1] - heights.reduce((sum, y) => sum + y, 0) / heights.length;
  const expected = 0.5 * -PEER_WORLD.gravity[1] * (steps * PEER_WORLD.timeStep) ** 2;
  // Engines differ in when gravity acts within a step: (n ± 1)/n of the closed form. Jolt damps velocities by 0.1 per second.
  expect(Math.abs(fallen - expected)).toBeLessThan((1.05 * expected) / steps);
  world.dispose();
});

describe('a small comparison', () => {
  it('gives a row for each engine, squeezed as far as the plate went', async () => {
    const scene = squeezeScene(8, 60);
    const { plate } = scene;
    const done: number[] = [];
    const rows = await comparePeers([[scene, PEERS]], { update: (step) => done.push(step), stop: () => {} });
    expect(done.at(-1)).toBe(scene.steps);
    expect(rows.map(({ method }) => method)).toEqual(PEERS.map(({ method }) => method));
    const gap = plate ? plateAt(plate, scene.steps)[1] - plate.size[1] / 2 : Number.NaN;
    for (const row of rows) {
      expect(row).toMatchObject({ name: 'squeeze', backend: 'wasm', threads: 1, particles: 4 * (8 * 7 + 2) });
      expect(row.note).toBeUndefined();
      expect(row.msPerStep).toBeGreaterThan(0);
      expect(row.settings).toBeTypeOf('string');
      // Bullet lets coarse bodies sink 3 cm into floor and plate; half of the gap is what no body here slumps to.
      expect(row.height).toBeLessThan(gap + 0.1);
      expect(row.height).toBeGreaterThan(gap / 2);
    }
    // The bound that single precision is held to in every scene.
    expect(rows[0].maxVolumeErrorPercent).toBeLessThan(0.002);
  });

  it('tells when a pile has come to rest, and how deep its bodies lie in each other', async () => {
    const scene = pileScene(1, 1, 500);
    const [ours, theirs] = await comparePeers([[scene, [PEERS[0], PEERS[3]]]], { update: () => {}, stop: () => {} });
    for (const row of [ours, theirs]) {
      // They fall 10 cm, which takes 0.14 s, and lie still within two of the two and a half seconds that they are given.
      expect(row.restSeconds).toBeGreaterThan(0.14);
      expect(row.restSeconds).toBeLessThan(2);
      expect(row.overlapPercent).toBeLessThan(1);
    }
    const [falling] = await comparePeers([[pileScene(1, 1, 20), [PEERS[0]]]], { update: () => {}, stop: () => {} });
    expect(falling.restSeconds).toBeNull();
  });
});
