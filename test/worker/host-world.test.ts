// A worker of the user's own, with a program beside its world: steps, calls and frames of it, things that it makes and takes away, other worlds.

import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { createWorld, icosphere, prepare, surface } from '../../src/index.js';
import { createWorkerWorld, hostWorld, type WorkerWorld } from '../../src/worker/index.js';

const ball = icosphere({ detail: 1, radius: 0.5 });
const soft = surface({ regionRadius: 0.3, stiffness: 0.7 });

let text = '';
beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('tide-worker.ts', import.meta.url))],
    ...{ bundle: true, write: false, format: 'cjs', platform: 'node', target: 'es2022', logLevel: 'error' },
  });
  text = outputFiles[0].text;
});

let worlds: { dispose(): void }[] = [];
afterEach(() => {
  for (const world of worlds) world.dispose();
  worlds = [];
});

const faults: string[] = [];

async function tide(): Promise<WorkerWorld> {
  faults.length = 0;
  const worker = new Worker(text, { eval: true, execArgv: [] });
  const world = await createWorkerWorld({ threads: 1, worker, onFault: ({ message }) => faults.push(message) });
  worlds.push(world);
  return world;
}

it('runs before and after each step, to the bits of a world that is asked so', async () => {
  const world = await tide();
  const body = world.add(await world.prepare(ball, soft), { position: [0, 0.7, 0] });
  await world.step(60);
  const direct = await createWorld({ threads: 1 });
  worlds.push(direct);
  const twin = direct.add(prepare(ball, soft), { position: [0, 0.7, 0] });
  for (let n = 0; n < 60; n++) {
    twin.applyForce([100 * Math.sin(direct.time), 0, 0]);
    direct.step();
  }
  expect([...body.positions]).toEqual([...twin.positions]);
  expect(world.programFrame).toEqual({ steps: 60, time: world.time, isRunning: false });
});

it('answers calls, and says what it does not know', async () => {
  const world = await tide();
  expect(await world.call('double', 21)).toBe(42);
  await expect(world.call('dobule', 21)).rejects.toThrow(
    /^call: did you mean double\? expected one of .*, got "dobule"$/,
  );
  await expect(world.call('refuse')).rejects.toThrow(new RangeError('refuse: expected nothing'));
  const plain = await createWorkerWorld({ threads: 1 });
  worlds.push(plain);
  await expect(plain.call('double', 21)).rejects.toThrow(
    'call: expected a worker whose program has calls, got "double"',
  );
  expect(plain.programFrame).toBe(undefined);
  expect(() => hostWorld()).toThrow('hostWorld: expected to be called in a worker');
  expect(() => hostWorld({ beforStep() {} } as object)).toThrow(/unknown option beforStep, did you mean beforeStep\?/);
});

it('ends a run with the step that it wants', async () => {
  const world = await tide();
  world.add(await world.prepare(ball, soft));
  await world.call('stopAt', 23);
  world.run();
  while ((world.programFrame as { isRunning: boolean } | undefined)?.isRunning !== false || world.stepCount === 0)
    await world.advance(0);
  expect(world.stepCount).toBe(23);
  // It goes on when it is told to.
  world.run();
  while (world.stepCount < 30) await world.advance(0);
});

it('makes bodies, obstacles and attachments that the page has with the next frame, and takes them away', async () => {
  const world = await tide();
  await world.call('addBall', 'made here');
  await world.step();
  const [body] = world.bodies;
  const [hook] = world.colliders;
  expect([body.name, hook.name, hook.shape.shape, world.attachments.length]).toEqual([
    'made here',
    'hook',
    'sphere',
    1,
  ]);
  expect(world.attachments[0].body).toBe(body);
  expect(Math.abs((body.positions[1] - body.mesh.positions[1]) / 3 - 1)).toBeLessThan(0.01);
  // They are as good as those of the page.
  expect(await body.volume()).toBeGreaterThan(0.3);
  const skin = body.embed(icosphere({ detail: 2, radius: 0.5 }));
  hook.friction = 0.1;
  await world.step();
  expect(Math.abs(skin.positions[1] / body.positions[1] - 1)).toBeLessThan(0.3);
  await world.call('removeBalls');
  await world.step();
  expect([world.bodies.length, world.colliders.length, world.attachments.length]).toEqual([0, 0, 0]);
  expect(body.removed && hook.removed).toBe(true);
  expect(() => body.wake()).toThrow('body "made here": it was removed from its world');
  expect(faults).toEqual([]);
});

it('puts another world in the place of the first', async () => {
  const world = await tide();
  const prepared = await world.prepare(ball, soft);
  const body = world.add(prepared);
  const grip = body.grab([0, 0.5, 0]);
  await world.step(3);
  await world.call('openOther');
  // The page does not know yet: what it says of the first world is heard by nobody.
  body.wake();
  grip.moveTo([0, 1, 0]);
  grip.release();
  world.remove(body);
  await world.step(2);
  expect([world.timeStep, world.stepCount, world.capabilities.backend]).toEqual([0.01, 2, 'reference']);
  expect(world.bodies.map(({ name }) => name)).toEqual(['other']);
  expect(body.removed).toBe(true);
  // What was prepared is good for any world.
  const next = world.add(prepared, { name: 'next' });
  await world.step();
  expect(world.bodies).toHaveLength(2);
  expect(await next.volume()).toBeGreaterThan(0.3);
  expect(faults).toEqual([]);
});

it('says so where the worker cannot start', async () => {
  const broken = () => new Worker('throw new Error("no tide today")', { eval: true, execArgv: [] });
  await expect(createWorkerWorld({ worker: broken() })).rejects.toThrow(
    /expected one that calls hostWorld, .*no tide today/,
  );
  const silent = new Worker('', { eval: true, execArgv: [] });
  await expect(createWorkerWorld({ worker: silent })).rejects.toThrow(
    /expected one that calls hostWorld, .*it has ended/,
  );
});

it('waits a minute for a worker that never calls hostWorld, and ends it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const terminate = vi.fn();
    // As browsers have them: such a worker neither answers nor ends.
    const worker = Object.assign(new EventTarget(), { postMessage: () => {}, terminate });
    const made = createWorkerWorld({ worker });
    const refused = expect(made).rejects.toThrow(/expected one that calls hostWorld, .*no answer within 60 s/);
    await vi.advanceTimersByTimeAsync(59_000);
    expect(terminate).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2_000);
    await refused;
    expect(terminate).toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
