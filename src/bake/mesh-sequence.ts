// A mesh file per frame (.obj, .ply): NAME.0001.obj and so on, all bodies of a frame in one .obj, each in its own .ply.

import { writeMeshes } from '../mesh/io/write-mesh.js';
import { type BakedScene, frameNumber, type OutputFile, type Track } from './baked-scene.js';
import { plainDrawn } from './drawn-mesh.js';
import { writeObjFrame } from './obj-frame.js';

export function sequenceFiles(baked: BakedScene, base: string, format: 'obj' | 'ply'): OutputFile[] {
  const digits = Math.max(4, String(frameNumber(baked, baked.frameCount - 1) + 1).length);
  const number = (n: number) => String(frameNumber(baked, n) + 1).padStart(digits, '0');
  return Array.from({ length: baked.frameCount }, (_, n) => n).flatMap((n) => {
    const there = baked.tracks.filter(({ firstFrame, frameCount }) => n >= firstFrame && n < firstFrame + frameCount);
    if (format === 'obj') return [{ name: `${base}.${number(n)}.obj`, pieces: () => writeObj(there, n) }];
    return there.map((track) => ({
      name: `${base}${there.length === 1 ? '' : `-${track.name}`}.${number(n)}.ply`,
      pieces: () => writePly(track, n),
    }));
  });
}

async function* writeObj(tracks: readonly Track[], n: number): AsyncGenerator<Uint8Array> {
  const bodies = [];
  for (const [index, track] of tracks.entries()) {
    const { name, mesh, firstFrame, frame, drawn = plainDrawn(mesh, name, index) } = track;
    bodies.push({ name, drawn, positions: await frame(n - firstFrame) });
  }
  yield writeObjFrame(bodies);
}

/** Positions and triangles: the format has no texture coordinates that readers agree on. */
async function* writePly({ name, mesh, firstFrame, frame }: Track, n: number): AsyncGenerator<Uint8Array> {
  const positions = Float64Array.from(await frame(n - firstFrame));
  yield writeMeshes([{ name, mesh: { positions, triangles: mesh.triangles } }], 'frame.ply');
}
