// Point caches (.pc2): the positions of all vertices, sample by sample, in single precision; frames are numbered from a start.

import { MeshReadError } from './mesh-read-error.js';
import type { MovingMesh } from './moving-mesh.js';
import { MOST_ELEMENTS } from './polygons.js';

const SIGNATURE = 'POINTCACHE2\0';
const VERSION = 1;
const HEADER_BYTES = 32;

/** @param fps frames per second; frame 1 is at time 0. */
export function readPointCache(bytes: Uint8Array, fps: number): MovingMesh {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, SIGNATURE.length));
  if (head !== SIGNATURE) throw new MeshReadError('byte 0: expected "POINTCACHE2"');
  if (bytes.length < HEADER_BYTES) throw new MeshReadError(`byte ${bytes.length}: expected a header of 32 bytes`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = view.getInt32(12, true);
  if (version !== VERSION) throw new MeshReadError(`byte 12: expected version ${VERSION}, found ${version}`);
  const vertexCount = view.getInt32(16, true);
  const startFrame = view.getFloat32(20, true);
  const framesPerSample = view.getFloat32(24, true);
  const sampleCount = view.getInt32(28, true);
  if (!(vertexCount >= 1 && vertexCount <= MOST_ELEMENTS))
    throw new MeshReadError(`byte 16: expected from 1 to ${MOST_ELEMENTS} points, found ${vertexCount}`);
  if (!Number.isFinite(startFrame)) throw new MeshReadError(`byte 20: expected a first frame, found ${startFrame}`);
  if (!(framesPerSample > 0 && Number.isFinite(framesPerSample)))
    throw new MeshReadError(`byte 24: expected frames per sample above 0, found ${framesPerSample}`);
  if (!(sampleCount >= 1)) throw new MeshReadError(`byte 28: expected at least one sample, found ${sampleCount}`);
  const size = 12 * vertexCount;
  if (bytes.length < HEADER_BYTES + sampleCount * size) {
    const needed = HEADER_BYTES + sampleCount * size;
    throw new MeshReadError(`byte ${bytes.length}: expected ${needed} bytes for ${sampleCount} samples`);
  }
  const sample = (index: number): Float64Array => {
    const points = new Float64Array(3 * vertexCount);
    for (let i = 0; i < points.length; i++) {
      points[i] = view.getFloat32(HEADER_BYTES + index * size + 4 * i, true);
      if (!Number.isFinite(points[i])) {
        throw new RangeError(`sample ${index}: expected a number at vertex ${Math.floor(i / 3)}, found ${points[i]}`);
      }
    }
    return points;
  };
  const lastFrame = startFrame + (sampleCount - 1) * framesPerSample;
  return {
    vertexCount,
    duration: Math.max(0, (lastFrame - 1) / fps),
    nodes: [],
    nodeAt(name) {
      throw new RangeError(`node ${JSON.stringify(name)}: expected a glTF file, a point cache has no nodes`);
    },
    positionsAt(time) {
      const place = Math.min(sampleCount - 1, Math.max(0, (1 + time * fps - startFrame) / framesPerSample));
      // Times are rounded: a sample's own time gives that sample.
      const near = Math.round(place);
      if (Math.abs(place - near) < 1e-6) return sample(near);
      const from = sample(Math.floor(place));
      const to = sample(Math.floor(place) + 1);
      const t = place - Math.floor(place);
      return from.map((value, i) => (1 - t) * value + t * to[i]);
    },
  };
}

/** The header of a cache with one sample per frame. */
export function pointCacheHeader(vertexCount: number, startFrame: number, sampleCount: number): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES);
  bytes.set(new TextEncoder().encode(SIGNATURE));
  const view = new DataView(bytes.buffer);
  view.setInt32(12, VERSION, true);
  view.setInt32(16, vertexCount, true);
  view.setFloat32(20, startFrame, true);
  view.setFloat32(24, 1, true);
  view.setInt32(28, sampleCount, true);
  return bytes;
}

/**
 * @param samples positions of all vertices, frame by frame.
 * @example
 * ```ts
 * const bytes = writePointCache([icosphere().positions], 0); // a PC2 file of one sample
 * ```
 */
export function writePointCache(samples: readonly ArrayLike<number>[], startFrame: number): Uint8Array {
  const count = samples[0].length;
  const bytes = new Uint8Array(HEADER_BYTES + 4 * count * samples.length);
  bytes.set(pointCacheHeader(count / 3, startFrame, samples.length));
  const view = new DataView(bytes.buffer, HEADER_BYTES);
  samples.forEach((points, n) => {
    for (let i = 0; i < count; i++) view.setFloat32(4 * (n * count + i), points[i], true);
  });
  return bytes;
}
