// Point caches, the positions of all vertices sample by sample: .pc2 (Blender, Maya, 3ds Max) and .mdd (Blender, LightWave, Cinema 4D).
// The mesh itself stands beside them as .obj, with its vertices in the same order.

import { pointCacheHeader } from '../mesh/io/point-cache.js';
import { type BakedScene, frameNumber, type OutputFile, type Track } from './baked-scene.js';
import { plainDrawn } from './drawn-mesh.js';
import { writeObjFrame } from './obj-frame.js';

/** One cache and one mesh per track; the track's name stands in theirs where there are several. */
export function pointCacheFiles(baked: BakedScene, base: string, format: 'pc2' | 'mdd'): OutputFile[] {
  return baked.tracks.flatMap((track) => {
    const name = baked.tracks.length === 1 ? base : `${base}-${track.name}`;
    const pieces = () => (format === 'pc2' ? writePc2(baked, track) : writeMdd(baked, track));
    return [
      { name: `${name}.${format}`, pieces },
      { name: `${name}.obj`, pieces: () => restMesh(track) },
    ];
  });
}

/** As it is in the first frame: what a cache is put on. */
async function* restMesh(track: Track): AsyncGenerator<Uint8Array> {
  const { name, mesh, drawn = plainDrawn(mesh, name, 0) } = track;
  yield writeObjFrame([{ name, drawn, positions: await track.frame(0) }]);
}

/** Frame numbers begin at 1, one sample each. */
async function* writePc2(baked: BakedScene, track: Track): AsyncGenerator<Uint8Array> {
  yield pointCacheHeader(track.mesh.positions.length / 3, frameNumber(baked, track.firstFrame) + 1, track.frameCount);
  for (let n = 0; n < track.frameCount; n++) yield toBytes(await track.frame(n), true);
}

/** Big-endian: counts, the time of each sample [s], the samples. */
async function* writeMdd(baked: BakedScene, track: Track): AsyncGenerator<Uint8Array> {
  const header = new DataView(new ArrayBuffer(8 + 4 * track.frameCount));
  header.setInt32(0, track.frameCount);
  header.setInt32(4, track.mesh.positions.length / 3);
  for (let n = 0; n < track.frameCount; n++)
    header.setFloat32(8 + 4 * n, frameNumber(baked, track.firstFrame + n) / baked.fps);
  yield new Uint8Array(header.buffer);
  for (let n = 0; n < track.frameCount; n++) yield toBytes(await track.frame(n), false);
}

function toBytes(numbers: Float32Array, littleEndian: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 * numbers.length));
  for (let k = 0; k < numbers.length; k++) view.setFloat32(4 * k, numbers[k], littleEndian);
  return new Uint8Array(view.buffer);
}
