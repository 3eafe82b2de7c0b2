// The recorder over a scene that is played: frames on a grid of 1/30 s, positions of all bodies one after the other.

import { validateBytes } from 'gltf-validator';
import { AnimationMixer, type Mesh } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { expect, it } from 'vitest';
import { writeAnimation } from '../../apps/playground/src/program/animation-file.js';
import { RECORDED_RATE, Recorder } from '../../apps/playground/src/program/recorder.js';
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
  const recorder = new Recorder();
  const kept: number[] = [];
  for await (const frame of playScene(scene, { backend: 'reference' })) {
    const count = recorder.frames.length;
    recorder.note(frame);
    if (recorder.frames.length > count) kept.push(frame.time);
    const { frames } = recorder;
    if (frames.length === count) continue;
    // Both bodies, rounded to single precision and nothing else.
    const expected = frame.bodies.map(({ positions }) => Float32Array.from(positions));
    expect(frames.at(-1)?.map(({ positions }) => positions)).toEqual(expected);
  }
  // The first step at or after each n/30 s.
  const due = Array.from({ length: RECORDED_RATE + 1 }, (_, n) => Math.ceil((100 * n) / RECORDED_RATE - 1e-9) / 100);
  expect(kept.length).toBe(due.length);
  kept.forEach((time, n) => {
    expect(Math.abs(time - due[n])).toBeLessThan(1e-9);
  });
  expect(Math.abs(recorder.duration - 1)).toBeLessThan(1e-12);
});

it('goes on where a topology changes, with a mesh for each', async () => {
  const world = await createWorld({ backend: 'reference' });
  const body = world.add(prepare(whole(1), bar({ cells: 1 })), { name: 'bar' });
  const recorder = new Recorder();
  const run = (steps: number) => {
    for (let n = 0; n < steps; n++) {
      world.step();
      recorder.note(world);
    }
  };
  run(40);
  const before = recorder.frames.length;
  body.set({ split: 1 } as BodyChanges);
  run(40);
  expect(body.parts.length).toBe(2);
  expect(recorder.frames.length).toBeGreaterThan(before);
  const bytes = await writeAnimation({ recorder }, 10);
  expect((await validateBytes(bytes)).issues.messages).toEqual([]);
  const gltf = await new GLTFLoader().parseAsync(bytes.buffer, '');
  const mixer = new AnimationMixer(gltf.scene);
  mixer.clipAction(gltf.animations[0]).play();
  const meshes = ['bar', 'bar-2'].map((name) => gltf.scene.getObjectByName(name) as Mesh);
  expect(meshes[0].geometry.getAttribute('position').count).toBe(12);
  expect(meshes[0].geometry.index?.count).toBe(60);
  expect(meshes[1].geometry.index?.count).toBe(body.mesh.triangles.length);
  // One of them is there at a time.
  for (const [frame, shown] of [
    [0, 0],
    [before - 1, 0],
    [before, 1],
    [recorder.frames.length - 1, 1],
  ]) {
    // A little later than the step, but not beyond the end, where it begins anew.
    mixer.setTime(Math.min(frame + 0.01, recorder.frames.length - 1.01) / RECORDED_RATE);
    expect(meshes[shown].scale.x).toBeGreaterThan(0);
    expect(meshes[1 - shown].scale.x).toBe(0);
  }
});
