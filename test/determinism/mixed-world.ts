// Solvers beside each other in one WebAssembly world: a lattice, two surface bodies with different maps, one of them inflated, joints,
// sleep; the same bits for any number of threads, after a snapshot, and in another process.

import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body, World } from '../../src/index.js';
import * as isochore from '../../src/index.js';
import { runScript } from '../built-package.js';
import { hashOf, workersJoin } from '../threaded-world.js';

/** A function of the library alone, so that its text runs in another process. */
async function build(
  { createWorld, icosphere, box, lattice, prepare, surface }: typeof isochore,
  threads: number,
): Promise<World> {
  const world = await createWorld({ backend: 'wasm', threads });
  world.addCollider({ shape: 'plane', normal: [0, 1, 0] });
  const ball = icosphere({ detail: 3, radius: 0.5 });
  const half = Array.from({ length: ball.positions.length / 3 }, (_, i) => (ball.positions[3 * i] > 0 ? 0.2 : 1));
  const stiff = prepare(ball, surface({ regionSize: 3 }), { maps: { stiffness: half, friction: half } });
  const heavy = prepare(ball, surface({ regionSize: 3 }), { maps: { density: half, volumeWeight: half } });
  const cage = world.add(prepare(box({ divisions: 20 }), lattice({ resolution: 8 })), { position: [0, 0.52, 0] });
  const lower = world.add(stiff, { position: [1.1, 0.52, 0] });
  const upper = world.add(heavy, { position: [0.3, 1.7, 0.1] });
  world.attach(lower, lower.select({ sphere: { centre: [-0.5, 0, 0], radius: 0.15 } }), cage);
  // One that lies by itself and sleeps.
  world.add(prepare(box({ divisions: 12 }), lattice({ resolution: 6 })), { position: [6, 0.5, 0] });
  upper.set({ volume: { target: 1.5 } });
  return world;
}

const error = ({ bodies }: World): number =>
  Math.max(...bodies.map((body: Body) => Math.abs(body.volume() / body.targetVolume - 1)));

async function run(threads: number, steps: number, onStep?: (world: World, step: number) => void): Promise<World> {
  const world = await build(isochore, threads);
  if (threads > 1) await workersJoin(world);
  for (let step = 1; step <= steps; step++) {
    world.step();
    onStep?.(world, step);
  }
  return world;
}

/** Runs the world for so many steps in every way; the snapshot is taken half-way. */
export const describeMixedWorld = (steps: number) =>
  describe('a world of several solvers', () => {
    const file = join(tmpdir(), `isochore-mixed-${process.pid}.bin`);
    let expected: string;
    let worst = 0;
    let slept = false;

    beforeAll(async () => {
      const world = await run(1, steps, (now, step) => {
        worst = Math.max(worst, error(now));
        slept ||= now.bodies[3].asleep;
        if (step === steps / 2) writeFileSync(file, now.snapshot());
      });
      expected = hashOf(world);
      world.dispose();
    });
    afterAll(() => rmSync(file, { force: true }));

    it('has every volume in every step, and what lies by itself sleeps', () => {
      expect(100 * worst).toBeLessThan(0.002);
      if (steps >= 400) expect(slept).toBe(true);
    });

    it.each([2, 4])('has the same bits with %d threads', async (threads) => {
      const world = await run(threads, steps);
      expect(hashOf(world)).toBe(expected);
      world.dispose();
    });

    it('goes on from a snapshot with the same bits, here and in another process', async () => {
      const world = await run(1, 3);
      world.restore(readFileSync(file));
      for (let step = 0; step < steps / 2; step++) world.step();
      expect(hashOf(world)).toBe(expected);
      const { stdout, stderr } = await runScript(`
      const { readFileSync } = await import('node:fs');
      const { createHash } = await import('node:crypto');
      const world = await (${build.toString().replaceAll(/__vite_ssr_import_\d+__/g, 'isochore')})(isochore, 1);
      world.restore(readFileSync(${JSON.stringify(file)}));
      for (let step = 0; step < ${steps / 2}; step++) world.step();
      console.log(createHash('sha256').update(world.snapshot()).digest('hex'));
      world.dispose();
    `);
      expect(stderr).toBe('');
      // All that the world goes on from, not only what is shown.
      expect(stdout.trim()).toBe(createHash('sha256').update(world.snapshot()).digest('hex'));
      world.dispose();
    });
  });
