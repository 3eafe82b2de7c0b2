// The last seconds as an animation: a GLB file in which every recorded frame is a morph target of its body.

import { type AnimatedMesh, writeAnimation as writeFrames } from 'isochore/mesh';
import { RECORDED_RATE } from './recorder.js';
import type { Simulation } from './simulation.js';

/** Throws where fewer than two frames were recorded. The bodies are those of the recording, whose topology may have changed since. */
export async function writeAnimation(
  { recorder }: Pick<Simulation, 'recorder'>,
  seconds: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const frames = recorder.lastSeconds(seconds);
  if (frames.length < 2) throw new Error('nothing has moved yet: let the scene run for a moment');
  let start = 0;
  const meshes = recorder.bodies.map(({ name, vertexCount, triangles }): AnimatedMesh => {
    const first = start;
    start += 3 * vertexCount;
    return { name, triangles, frames: frames.map((frame) => frame.subarray(first, first + 3 * vertexCount)) };
  });
  return writeFrames(
    meshes,
    frames.map((_, k) => k / RECORDED_RATE),
    'simulation',
  );
}
