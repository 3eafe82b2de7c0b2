// A pile of every solver in one WebAssembly world: tetrahedra under a lattice, an octree and a surface body in a trough. Volumes
// hold, nothing sinks into anything, and the bits are the same for any number of threads.

import { describe, expect, it } from 'vitest';
import { box, createWorld, icosphere, lattice, octree, prepare, surface, tetrahedra } from '../../../src/index.js';
import { hashOf, workersJoin } from '../../threaded-world.js';

const ball = icosphere({ detail: 3, radius: 0.5 });
const solid = prepare(ball, tetrahedra({ cells: 3, youngsModulus: 1e5 }));
const others = [
  prepare(box({ divisions: 12 }), lattice({ resolution: 5 })),
  prepare(ball, octree({ cells: 3, levels: 1 })),
  // Many vertices: below 4096 in all, one thread does everything.
  prepare(icosphere({ detail: 4, radius: 0.5 }), surface({ regionSize: 4 })),
];

async function build(threads: number) {
  const world = await createWorld({ backend: 'wasm', threads });
  world.addCollider({ shape: 'plane', normal: [0, 1, 0] });
  for (const side of [-1, 1]) world.addCollider({ shape: 'plane', normal: [-side, 0, 0], offset: -0.8 });
  for (const side of [-1, 1]) world.addCollider({ shape: 'plane', normal: [0, 0, -side], offset: -0.6 });
  const lower = world.add(solid, { position: [-0.25, 0.5, 0], density: 1000 });
  others.forEach((rest, n) => {
    world.add(rest, { position: [n % 2 === 0 ? 0.25 : -0.2, 1.45 + 1.02 * n, 0.02 * n], density: 300 });
  });
  if (threads > 1) await workersJoin(world);
  return { world, lower };
}

/** Runs the pile for so many steps. */
export const describePile = (steps: number) =>
  describe('a pile of tetrahedra, lattice, octree and surface', () => {
    it('keeps every volume, and has the same bits for one thread and two', async () => {
      const { world, lower } = await build(1);
      let [own, worst] = [0, 0];
      for (let n = 0; n < steps; n++) {
        world.step();
        const errors = world.bodies.map((body) => Math.abs(body.volume() / body.targetVolume - 1));
        own = Math.max(own, errors[0]);
        worst = Math.max(worst, ...errors.slice(1));
      }
      // Tetrahedra are pushed by the others after their own solve: what that takes comes back in the next step.
      expect(100 * own).toBeLessThan(0.5);
      // Single precision, see both-backends.ts.
      expect(100 * worst).toBeLessThan(0.002);
      for (const body of world.bodies) {
        expect(body.positions.every(Number.isFinite)).toBe(true);
        expect(world.penetration(body)).toBeLessThan(0.02);
      }
      expect(lower.contactCount).toBeGreaterThan(3);
      const expected = hashOf(world);
      world.dispose();
      const threaded = (await build(2)).world;
      for (let n = 0; n < steps; n++) threaded.step();
      expect(hashOf(threaded)).toBe(expected);
      threaded.dispose();
    });
  });
