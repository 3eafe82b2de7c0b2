// The recorder over a scene that is played: frames on a grid of 1/30 s, positions of all bodies one after the other.

import { expect, it } from 'vitest';
import { RECORDED_RATE, Recorder } from '../../apps/playground/src/worker/recorder.js';
import { checkScene, playScene } from '../../src/scenes/index.js';

const scene = checkScene({
  isochore: 1,
  gravity: [0, -10, 0],
  timeStep: 0.01,
  steps: 100,
  bodies: [{ mesh: { shape: 'box', divisions: 1 } }, { mesh: { shape: 'box', divisions: 2 }, position: [3, 0, 0] }],
});

it('keeps the frames of a second of free fall', async () => {
  const recorder = new Recorder(8 + 26);
  const kept: number[] = [];
  for await (const frame of playScene(scene, { backend: 'reference' })) {
    const count = recorder.frames.length;
    recorder.note(frame);
    if (recorder.frames.length > count) kept.push(frame.time);
    const { frames } = recorder;
    if (frames.length === count) continue;
    // Both bodies, rounded to single precision and nothing else.
    const expected = frame.bodies.flatMap(({ positions }) => [...positions]);
    expect([...(frames.at(-1) as Float32Array)]).toEqual(expected.map(Math.fround));
  }
  // The first step at or after each n/30 s.
  const due = Array.from({ length: RECORDED_RATE + 1 }, (_, n) => Math.ceil((100 * n) / RECORDED_RATE - 1e-9) / 100);
  expect(kept.length).toBe(due.length);
  kept.forEach((time, n) => {
    expect(Math.abs(time - due[n])).toBeLessThan(1e-9);
  });
  expect(Math.abs(recorder.duration - 1)).toBeLessThan(1e-12);
});
