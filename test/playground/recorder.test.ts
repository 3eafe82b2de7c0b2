// The recorder over a scene that is played: frames on a grid of 1/30 s, positions of all bodies one after the other.

import { NodeIO } from '@gltf-transform/core';
import { expect, it } from 'vitest';
import { writeAnimation } from '../../apps/playground/src/worker/animation-file.js';
import { RECORDED_RATE, Recorder } from '../../apps/playground/src/worker/recorder.js';
import { type BodyChanges, createWorld, prepare } from '../../src/index.js';
import { checkScene, playScene } from '../../src/scenes/index.js';
import { whole } from '../topology/bar-meshes.js';
import { bar } from '../topology/halves.js';

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

it('ends where a topology changes, says so, and the animation is that of before', async () => {
  const world = await createWorld({ backend: 'reference' });
  const body = world.add(prepare(whole(1), bar({ cells: 1 })), { name: 'bar' });
  const recorder = new Recorder(body.particleCount);
  const run = (steps: number) => {
    for (let n = 0; n < steps; n++) {
      world.step();
      recorder.note(world);
    }
  };
  run(40);
  const { duration } = recorder;
  expect(recorder.ended).toBeUndefined();
  body.set({ split: 1 } as BodyChanges);
  run(40);
  expect(body.parts.length).toBe(2);
  expect(recorder.ended).toBe('the animation ends where the topology of bar changes: a glTF mesh keeps its own');
  expect(recorder.duration).toBe(duration);
  const bytes = await writeAnimation({ recorder }, 10);
  const document = await new NodeIO().readBinary(bytes);
  const [mesh] = document.getRoot().listMeshes();
  expect(mesh.listPrimitives()[0].getAttribute('POSITION')?.getCount()).toBe(12);
  expect(mesh.listPrimitives()[0].getIndices()?.getCount()).toBe(60);
});
