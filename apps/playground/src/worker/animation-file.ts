// The last seconds as an animation: a GLB file in which every recorded frame is a morph target of its body.

import { Document, Logger, WebIO } from '@gltf-transform/core';
import { RECORDED_RATE } from './recorder.js';
import type { Simulation } from './simulation.js';

/** Throws where fewer than two frames were recorded. The bodies are those of the recording, whose topology may have changed since. */
export async function writeAnimation(
  { recorder }: Pick<Simulation, 'recorder'>,
  seconds: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const frames = recorder.lastSeconds(seconds);
  if (frames.length < 2) throw new Error('nothing has moved yet: let the scene run for a moment');
  const document = new Document().setLogger(new Logger(Logger.Verbosity.SILENT));
  document.getRoot().getAsset().generator = 'isochore';
  const buffer = document.createBuffer();
  const scene = document.createScene();
  document.getRoot().setDefaultScene(scene);
  const animation = document.createAnimation('simulation');
  // The first frame is the mesh itself, each further one a target that is fully on at its moment.
  const targets = frames.length - 1;
  const times = document
    .createAccessor()
    .setType('SCALAR')
    .setArray(Float32Array.from(frames, (_, k) => k / RECORDED_RATE))
    .setBuffer(buffer);
  const weights = new Float32Array(frames.length * targets);
  for (let frame = 1; frame < frames.length; frame++) weights[frame * targets + frame - 1] = 1;
  const output = document.createAccessor().setType('SCALAR').setArray(weights).setBuffer(buffer);
  let start = 0;
  for (const { name, vertexCount: particleCount, triangles } of recorder.bodies) {
    const part = (frame: Float32Array) => frame.subarray(start, start + 3 * particleCount);
    const first = part(frames[0]).slice();
    const vectors = (array: Float32Array) =>
      document.createAccessor().setType('VEC3').setArray(array).setBuffer(buffer);
    const corners = particleCount <= 0xffff ? Uint16Array.from(triangles) : triangles.slice();
    const indices = document.createAccessor().setType('SCALAR').setArray(corners).setBuffer(buffer);
    const primitive = document.createPrimitive().setAttribute('POSITION', vectors(first)).setIndices(indices);
    for (const frame of frames.slice(1)) {
      const offsets = part(frame).map((x, k) => x - first[k]);
      primitive.addTarget(document.createPrimitiveTarget().setAttribute('POSITION', vectors(offsets)));
    }
    const mesh = document.createMesh(name).addPrimitive(primitive).setWeights(new Array(targets).fill(0));
    const node = document.createNode(name).setMesh(mesh);
    scene.addChild(node);
    const sampler = document.createAnimationSampler().setInput(times).setOutput(output).setInterpolation('LINEAR');
    const channel = document.createAnimationChannel().setTargetNode(node).setTargetPath('weights').setSampler(sampler);
    animation.addSampler(sampler).addChannel(channel);
    start += 3 * particleCount;
  }
  return (await new WebIO().writeBinary(document)) as Uint8Array<ArrayBuffer>;
}
