// The last seconds as an animation: a GLB file with a mesh for each body, and another for each topology that it had.

import { plainLook, sceneLooks, showCut, showLook, type Track, writeGlb } from 'isochore/bake';
import { RECORDED_RATE, type RecordedBody } from './recorder.js';
import type { Simulation } from './simulation.js';

/** Throws where fewer than two frames were recorded. */
export async function writeAnimation(
  { recorder, opened, applied }: Pick<Simulation, 'recorder'> & Partial<Pick<Simulation, 'opened' | 'applied'>>,
  seconds: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const frames = recorder.lastSeconds(seconds);
  if (frames.length < 2) throw new Error('nothing has moved yet: let the scene run for a moment');
  // Bodies of files as these show them.
  const looks = applied && opened ? await sceneLooks(applied, [...applied.bodies.keys()], opened) : [];
  const tracks = frames[0].flatMap((_, body) =>
    tracksOf(frames, body).map((track) => {
      const { name, topology, faces, visible } = frames[track.firstFrame][body];
      const look = looks[body] ?? (visible && plainLook(visible));
      if (topology > 0) return showCut(track, { look, faces, body: name, index: body });
      return look ? showLook(track, look, body) : track;
    }),
  );
  return writeGlb({ fps: RECORDED_RATE, start: 0, frameCount: frames.length, tracks, obstacles: [] });
}

/** A body, cut where its topology changes. */
function tracksOf(frames: readonly (readonly RecordedBody[])[], body: number): Track[] {
  const starts = frames.flatMap((frame, n) => (n === 0 || frame[body].mesh !== frames[n - 1][body].mesh ? [n] : []));
  return starts.map((firstFrame, k) => {
    const { name, mesh } = frames[firstFrame][body];
    return {
      ...{ name: k === 0 ? name : `${name}-${k + 1}`, mesh, firstFrame },
      frameCount: (starts[k + 1] ?? frames.length) - firstFrame,
      frame: async (n) => frames[firstFrame + n][body].positions,
    };
  });
}
