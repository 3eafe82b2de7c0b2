// What posed frames are written to: one file for all of them (.glb, .pc2), or a file for each (.obj).

import { stat } from 'node:fs/promises';
import { unitNormals } from '../deformer/deformed-maps.js';
import { writeAnimation, writeMeshes, writePointCache } from '../mesh/index.js';
import type { PosedBody, PosedFrame } from '../scenes/index.js';
import { CliError } from './cli-error.js';
import { checkOutput, writeOutput } from './files.js';

const FORMATS = ['glb', 'pc2', 'obj'] as const;
export type FrameFormat = (typeof FORMATS)[number];

/** Told by the name's ending. */
export function formatOf(output: string): FrameFormat {
  const extension = /\.([^./\\]+)$/.exec(output)?.[1].toLowerCase();
  const format = FORMATS.find((name) => name === extension);
  if (format) return format;
  throw new CliError(
    `${output}: expected a name that ends with one of ${FORMATS.map((name) => `.${name}`).join(', ')}`,
  );
}

/** The file of one frame of a sequence: `walk.obj` becomes `walk.0037.obj`, `walk-##.obj` becomes `walk-37.obj`. */
export function sequenceFile(output: string, frame: number): string {
  const marks = /#+(?=[^#/\\]*$)/;
  if (marks.test(output)) return output.replace(marks, ({ length }) => String(frame).padStart(length, '0'));
  return output.replace(/(\.[^./\\]+)$/, `.${String(frame).padStart(4, '0')}$1`);
}

export const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Throws where the output could not be written, or would replace a file without leave. */
export async function checkFrameOutput(output: string, force: boolean): Promise<void> {
  await checkOutput(output);
  if (formatOf(output) === 'obj' || force || !(await exists(output))) return;
  throw new CliError(`${output}: expected the name of a new file, as this one exists (--force replaces it)`);
}

/** Throws where a format does not hold these bodies or frames. */
export function checkFrameFormat(output: string, bodies: readonly PosedBody[], frames: readonly number[]): void {
  if (formatOf(output) !== 'pc2') return;
  if (bodies.length > 1) {
    throw new CliError(
      `${output}: expected a name that ends with .glb or .obj for ${bodies.length} posed bodies in one file`,
    );
  }
  if (frames[frames.length - 1] - frames[0] !== frames.length - 1)
    throw new CliError(`${output}: expected frames that follow each other, as a .pc2 has no gaps`);
}

const meshesOf = (bodies: readonly PosedBody[], frame: PosedFrame) =>
  bodies.map(({ name, shown }, n) => ({
    name,
    mesh: { positions: frame.bodies[n].positions, triangles: shown.triangles },
  }));

/** One frame of a sequence. */
export async function writeSequenceFrame(
  output: string,
  bodies: readonly PosedBody[],
  frame: PosedFrame,
): Promise<void> {
  const file = sequenceFile(output, frame.frame);
  await writeOutput(file, await writeMeshes(meshesOf(bodies, frame), file));
}

/** All frames, ascending. */
export async function writeFrames(
  output: string,
  bodies: readonly PosedBody[],
  frames: readonly PosedFrame[],
): Promise<void> {
  if (formatOf(output) === 'pc2') {
    const samples = frames.map((frame) => frame.bodies[0].positions);
    await writeOutput(output, writePointCache(samples, frames[0].frame));
    return;
  }
  const meshes = bodies.map(({ name, shown, mesh, toBound, toShown }, n) => {
    const positions = frames.map((frame) => frame.bodies[n].positions);
    // Of the surface without its seams, or they would show.
    const normals = positions.map((points) => toShown(unitNormals(toBound(points, 3), mesh.triangles)));
    return { name, triangles: shown.triangles, frames: positions, normals };
  });
  const times = frames.map(({ time }) => time);
  try {
    await writeOutput(output, await writeAnimation(meshes, times, 'deform'));
  } catch (error) {
    throw error instanceof RangeError ? new CliError(`${output}: ${error.message}`) : error;
  }
}
