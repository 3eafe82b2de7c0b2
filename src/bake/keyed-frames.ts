// A track with every frame as it is: the first is the mesh, each other one a shape that is fully on at its moment and mixed with its
// neighbours between, so that two are on at a time.

import { farOrigin } from '../mesh/io/write-mesh.js';
import type { BodySize, Track } from './baked-scene.js';
import { type DrawnMesh, drawnNormals } from './drawn-mesh.js';
import type { NormalModes } from './normal-modes.js';
import type { ShapeModes } from './shape-modes.js';

/** Weights are a number per frame and shape: beyond this they alone would be 64 MB. */
const MOST_FRAMES = 4096;
/** Bytes of a vertex in a frame, its position and its normal, and of a whole body: beyond this few machines have the memory to write it. */
const VERTEX_BYTES = 24;
const MOST_BYTES = 2 ** 30;

/** Throws where a body is too large to be written with every frame. */
export function checkKeyed({ name, vertexCount, frameCount }: BodySize): void {
  const advice = 'give a --tolerance above 0';
  if (frameCount > MOST_FRAMES)
    throw new RangeError(
      `${name}: expected at most ${MOST_FRAMES} frames where every one is kept, got ${frameCount}; ${advice}`,
    );
  const most = Math.floor(MOST_BYTES / VERTEX_BYTES);
  if (vertexCount * frameCount > most)
    throw new RangeError(
      `${name}: expected at most ${most} vertices times frames where every one is kept, got ${vertexCount} times ${frameCount}; ${advice}`,
    );
}

export async function keyFrames(track: Track, drawn: DrawnMesh): Promise<{ modes: ShapeModes; normals: NormalModes }> {
  const { name, frameCount } = track;
  checkKeyed({ name, vertexCount: drawn.sources.length, frameCount });
  const first = await track.frame(0);
  const origin = Float32Array.from(farOrigin({ positions: Float64Array.from(first) }));
  const base = first.map((x, i) => x - origin[i % 3]);
  const baseNormals = drawnNormals(drawn, base);
  const shapes: Float32Array[] = [];
  const turns: Float32Array[] = [];
  for (let n = 1; n < frameCount; n++) {
    const frame = await track.frame(n);
    shapes.push(frame.map((x, i) => x - origin[i % 3] - base[i]));
    turns.push(drawnNormals(drawn, frame).map((x, i) => x - baseNormals[i]));
  }
  const weights = new Float32Array(frameCount * shapes.length);
  for (let n = 1; n < frameCount; n++) weights[n * shapes.length + n - 1] = 1;
  return {
    modes: { size: 1, centres: origin, rotations: Float32Array.of(0, 0, 0, 1), base, shapes, weights },
    normals: { base: baseNormals, shapes: turns },
  };
}
