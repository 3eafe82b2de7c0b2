// Playing a scene: the frames are the steps of the world that buildScene makes, and the world never outlives the loop.

import { afterEach, describe, expect, it, vi } from 'vitest';
import { buildScene } from '../../src/scenes/build-scene.js';
import { checkScene } from '../../src/scenes/parse-scene.js';
import { type Frame, type PlaySceneOptions, playScene } from '../../src/scenes/play-scene.js';
import type { SceneFile } from '../../src/scenes/scene-schema.js';
import { World } from '../../src/world/world.js';
import { BOTH_BACKENDS } from '../both-backends.js';

const SCENE: SceneFile = {
  isochore: 1,
  timeStep: 0.01,
  steps: 12,
  bodies: [
    { name: 'low', mesh: { shape: 'box', divisions: 2 }, position: [0, 0.6, 0] },
    { name: 'high', mesh: { shape: 'box', divisions: 2 }, position: [0, 1.7, 0] },
  ],
  colliders: [{ shape: 'plane' }],
};
const scene = checkScene(SCENE);

afterEach(() => {
  vi.restoreAllMocks();
});

describe.each(BOTH_BACKENDS)('playScene on %s', (backend) => {
  it('yields the start and the state after every step, to the bit', async () => {
    const { world, bodies } = await buildScene(scene, { backend, threads: 1 });
    let count = 0;
    for await (const frame of playScene(scene, { backend, threads: 1 })) {
      if (count > 0) world.step();
      expect(frame).toMatchObject({ step: count, steps: 12, time: world.time, nonFinite: 0, last: count === 12 });
      expect(frame.bodies.map(({ name }) => name)).toEqual(['low', 'high']);
      frame.bodies.forEach(({ positions }, index) => {
        expect(positions).toEqual(bodies[index].positions);
      });
      count++;
    }
    expect(count).toBe(13);
    world.dispose();
  });

  it('ends with the first state that is not finite', async () => {
    const velocity: [number, number, number] = [1e308, 1e308, 1e308];
    const wild = checkScene({ ...SCENE, gravity: velocity, bodies: [{ ...SCENE.bodies[0], velocity }] });
    const frames: Frame[] = [];
    for await (const frame of playScene(wild, { backend })) frames.push(frame);
    expect(frames.map(({ step }) => step)).toEqual([0, 1]);
    expect(frames[1].nonFinite).toBeGreaterThan(0);
    expect(frames[1].last).toBe(true);
  });
});

describe('the world of playScene', () => {
  /** A scene to play, and how often worlds were disposed of since. */
  function watched(options: PlaySceneOptions = {}) {
    const dispose = vi.spyOn(World.prototype, 'dispose');
    const frames = playScene(scene, { backend: 'reference', ...options });
    return { frames, disposals: () => dispose.mock.calls.length };
  }

  it('is there at the last frame and gone after it', async () => {
    const { frames, disposals } = watched({ steps: 3 });
    let world: World | undefined;
    for await (const frame of frames) {
      expect(disposals()).toBe(0);
      world = frame.world;
    }
    expect(disposals()).toBe(1);
    expect(() => world?.step()).toThrow('the world has been disposed of');
  });

  it('goes with break', async () => {
    const { frames, disposals } = watched();
    for await (const { step } of frames) if (step === 2) break;
    expect(disposals()).toBe(1);
    expect(await frames.next()).toEqual({ done: true, value: undefined });
  });

  it('goes with an error in the loop', async () => {
    const { frames, disposals } = watched();
    const loop = async () => {
      for await (const { step } of frames) if (step === 2) throw new Error('of my own');
    };
    await expect(loop()).rejects.toThrow('of my own');
    expect(disposals()).toBe(1);
  });

  it('goes with return() while it is being built, and is never built by return() alone', async () => {
    const { frames, disposals } = watched();
    const [first, end] = await Promise.all([frames.next(), frames.return()]);
    expect([first.done, end.done]).toEqual([false, true]);
    expect(disposals()).toBe(1);
    const unasked = watched();
    await unasked.frames.return();
    expect(await unasked.frames.next()).toEqual({ done: true, value: undefined });
    expect(unasked.disposals()).toBe(1);
  });

  it('goes with an error of a step', async () => {
    const { frames, disposals } = watched();
    vi.spyOn(World.prototype, 'step').mockImplementation(() => {
      throw new Error('of a step');
    });
    await frames.next();
    await expect(frames.next()).rejects.toThrow('of a step');
    expect(disposals()).toBe(1);
  });

  it('goes with an error of what is built into it', async () => {
    const withFile = checkScene({ isochore: 1, bodies: [{ mesh: 'a.obj' }] });
    const dispose = vi.spyOn(World.prototype, 'dispose');
    await expect(playScene(withFile).next()).rejects.toThrow('no mesh files can be loaded here');
    expect(dispose).toHaveBeenCalledTimes(1);
  });
});

describe('a signal', () => {
  const steps = async (options: PlaySceneOptions, abortAt = Number.NaN, stop = new AbortController()) => {
    const seen: [number, boolean][] = [];
    for await (const frame of playScene(scene, { backend: 'reference', signal: stop.signal, ...options })) {
      if (frame.step === abortAt) stop.abort();
      seen.push([frame.step, frame.last]);
    }
    return seen;
  };

  it('given in the loop makes that frame the last', async () => {
    expect(await steps({}, 2)).toEqual([
      [0, false],
      [1, false],
      [2, true],
    ]);
  });

  it('given before leaves the start', async () => {
    const stop = new AbortController();
    stop.abort();
    expect(await steps({}, Number.NaN, stop)).toEqual([[0, true]]);
  });

  it('given from outside is heard though nobody waits, and ends what would play for ever', async () => {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), 60);
    const seen = await steps({ steps: Number.POSITIVE_INFINITY }, Number.NaN, stop);
    clearTimeout(timer);
    expect(seen.length).toBeGreaterThan(1);
    expect(seen.filter(([, last]) => last)).toEqual([seen.at(-1)]);
  });
});

it.each([-1, 1.5, Number.NaN, Number.NEGATIVE_INFINITY])('refuses %d steps', async (steps) => {
  const dispose = vi.spyOn(World.prototype, 'dispose');
  await expect(playScene(scene, { steps }).next()).rejects.toThrow(
    `steps: expected an integer from 0, or Infinity, got ${steps}`,
  );
  expect(dispose).not.toHaveBeenCalled();
});
