// A mesh file per frame (.obj, .ply): NAME.0001.obj and so on, all bodies of a frame in one .obj, each in its own .ply.

import { writeMeshes } from '../mesh/io/write-mesh.js';
import type { BakedScene, OutputFile, Track } from './baked-scene.js';

export function sequenceFiles(baked: BakedScene, base: string, format: 'obj' | 'ply'): OutputFile[] {
  const digits = Math.max(4, String(baked.frameCount).length);
  const number = (n: number) => String(n + 1).padStart(digits, '0');
  return Array.from({ length: baked.frameCount }, (_, n) => n).flatMap((n) => {
    const there = baked.tracks.filter(({ firstFrame, frameCount }) => n >= firstFrame && n < firstFrame + frameCount);
    if (format === 'obj' || there.length === 1)
      return [{ name: `${base}.${number(n)}.${format}`, pieces: () => writeFrame(there, n, format) }];
    return there.map((track) => ({
      name: `${base}-${track.name}.${number(n)}.${format}`,
      pieces: () => writeFrame([track], n, format),
    }));
  });
}

async function* writeFrame(tracks: readonly Track[], n: number, format: 'obj' | 'ply'): AsyncGenerator<Uint8Array> {
  const meshes = [];
  for (const { name, mesh, firstFrame, frame } of tracks) {
    const positions = Float64Array.from(await frame(n - firstFrame));
    meshes.push({ name, mesh: { positions, triangles: mesh.triangles } });
  }
  yield writeMeshes(meshes, `frame.${format}`);
}
