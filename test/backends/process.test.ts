// Worlds and the process they are in: it ends by itself whatever becomes of them, worlds that are forgotten are collected,
// and workers that have nothing to do use no processor.

import { describe, expect, it } from 'vitest';
import { runScript } from '../built-package.js';

/** A world that four threads step, in a function so that nothing else holds it. */
const PRELUDE = `
  const { createWorld, prepare, surface, uvSphere } = isochore;
  const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const workers = { started: 0, alive: 0 };
  process.on('worker', (worker) => {
    workers.started++;
    workers.alive++;
    worker.on('exit', () => workers.alive--);
  });
  const prepared = prepare(uvSphere({ segments: 65 }), surface({ regionSize: 1 }));
  async function threadedWorld(steps = 20) {
    const world = await createWorld({ threads: 4 });
    world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: -1.1 });
    world.add(prepared);
    for (let step = 0; step < steps; step++) {
      world.step();
      await sleep(5);
    }
    return world;
  }
`;
/** A process without workers takes about 0.1 s to end; a stuck worker would keep it for good. */
const SOON = 2000;

describe('a process with threads', () => {
  it.each([
    ['is not disposed of', '', 0],
    ['is disposed of', 'world.dispose();', 0],
    ['is disposed of twice', 'world.dispose(); world.dispose();', 0],
    ['is left by an error', "throw new Error('of my own');", 1],
  ])('ends by itself when its world %s', async (_, ending, exitCode) => {
    const { code, stdout, stderr, lingered } = await runScript(
      `${PRELUDE}const world = await threadedWorld(); console.log(workers.started); ${ending}`,
    );
    expect(stdout).toBe('3\n');
    if (exitCode === 0) expect(stderr).toBe('');
    else expect(stderr).toContain('of my own');
    expect(code).toBe(exitCode);
    expect(lingered).toBeLessThan(SOON);
  });

  it('ends by itself while its workers are still on their way', async () => {
    for (const ending of ['', 'world.dispose();']) {
      const { code, stderr, lingered } = await runScript(
        `${PRELUDE}const world = await threadedWorld(0); world.step(); console.log('stepped'); ${ending}`,
      );
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(lingered).toBeLessThan(SOON);
    }
  });

  it('loses its workers with their world, disposed of or forgotten', async () => {
    const { code, stdout, stderr } = await runScript(
      `${PRELUDE}
      const until = async (done) => {
        for (let n = 0; n < 200 && !done(); n++) { gc(); await sleep(20); }
      };
      let world = await threadedWorld();
      console.log('running', workers.alive);
      world.dispose();
      await until(() => workers.alive === 0);
      console.log('disposed', workers.alive);
      world = undefined;
      let collected = 0;
      const registry = new FinalizationRegistry(() => collected++);
      await (async () => { registry.register(await threadedWorld()); })();
      console.log('running', workers.alive);
      await until(() => workers.alive === 0 && collected === 1);
      console.log('forgotten', workers.alive, 'collected', collected);`,
      ['--expose-gc'],
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe('running 3\ndisposed 0\nrunning 3\nforgotten 0 collected 1\n');
  });

  it('forgets small worlds that nobody disposed of', async () => {
    const { code, stdout, stderr } = await runScript(
      `const { createWorld, icosphere, prepare, surface } = isochore;
      const ball = prepare(icosphere({ detail: 1 }), surface({ regionSize: 1 }));
      let collected = 0;
      const registry = new FinalizationRegistry(() => collected++);
      for (let n = 0; n < 60; n++) {
        const world = await createWorld();
        world.add(ball);
        world.step();
        registry.register(world);
        if (n % 20 === 0) { gc(); await new Promise((resolve) => setTimeout(resolve, 5)); }
      }
      for (let n = 0; n < 100 && collected < 59; n++) { gc(); await new Promise((resolve) => setTimeout(resolve, 10)); }
      console.log(collected >= 59);`,
      ['--expose-gc'],
    );
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'true\n', stderr: '' });
  });

  it('uses no processor time while nobody steps', async () => {
    const { code, stdout } = await runScript(
      `${PRELUDE}
      const world = await threadedWorld();
      await sleep(200);
      const before = process.cpuUsage();
      await sleep(500);
      const { user, system } = process.cpuUsage(before);
      console.log(workers.alive, (user + system) / 1000);`,
    );
    expect(code).toBe(0);
    const [alive, used] = stdout.trim().split(' ').map(Number);
    expect(alive).toBe(3);
    // [ms] A thread that looks for work without sleeping would use 500; what the engine does for itself is a few.
    expect(used).toBeLessThan(100);
  });
});
