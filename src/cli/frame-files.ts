// What posed frames are written to: files for all of them as bakes have them, or a file for each (.obj).

import { stat } from 'node:fs/promises';
import { bakePoses } from '../bake/bake-poses.js';
import { fileDrawn, plainDrawn } from '../bake/drawn-mesh.js';
import { bakedFiles, filesBeside } from '../bake/formats.js';
import { writeObjFrame } from '../bake/obj-frame.js';
import type { MeshLook } from '../mesh/index.js';
import type { OpenScene, PosedBody, PosedFrame } from '../scenes/index.js';
import { CliError } from './cli-error.js';
import { checkOutput, writeOutput } from './files.js';

const FORMATS = ['glb', 'gltf', 'pc2', 'mdd', 'usda', 'obj'] as const;
export type FrameFormat = (typeof FORMATS)[number];

/** The posed bodies of a scene, what presses them, and how they look. */
export interface OpenBodies extends OpenScene {
  readonly looks: readonly (MeshLook | undefined)[];
}

/** What is to be written, and how. */
interface FrameOutput {
  readonly output: string;
  readonly fps: number;
  readonly tolerance?: number;
  readonly compress?: boolean;
  /** Whether what presses the bodies is written as well: as an input of another scene the file has their vertices only. */
  readonly colliders?: boolean;
}

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
  if (formatOf(output) !== 'obj' && !force) await expectNew([output, ...filesBeside(output)]);
}

/** Meshes beside caches are kept where they are there: see `writeFrames`. */
async function expectNew(files: readonly string[]): Promise<void> {
  for (const file of files) {
    if (!file.endsWith('.obj') && (await exists(file)))
      throw new CliError(`${file}: expected the name of a new file, as this one exists (--force replaces it)`);
  }
}

/** Throws where a format does not hold these frames, or a body's own cache is there already. */
export async function checkFrameFormat(
  output: string,
  bodies: readonly PosedBody[],
  frames: readonly number[],
  force: boolean,
): Promise<void> {
  const format = formatOf(output);
  if (format !== 'pc2' && format !== 'mdd') return;
  if (format === 'pc2' && frames[frames.length - 1] - frames[0] !== frames.length - 1)
    throw new CliError(`${output}: expected frames that follow each other, as a .pc2 has no gaps`);
  const files = bakedFiles(bakePoses(bodies, [], { fps: 1 }), output);
  if (!force) await expectNew(files.map(({ name }) => name));
}

/** One frame of a sequence, with all digits. */
export async function writeSequenceFrame(
  output: string,
  { bodies, looks }: Pick<OpenBodies, 'bodies' | 'looks'>,
  { frame, bodies: posed }: PosedFrame,
): Promise<void> {
  const shown = bodies.map(({ name, shown }, n) => {
    const look = looks[n];
    const drawn = look ? fileDrawn(look, name, n) : plainDrawn(shown, name, n);
    return { name, drawn, positions: posed[n].positions };
  });
  await writeOutput(sequenceFile(output, frame), writeObjFrame(shown));
}

/** All frames, ascending. What stands beside a cache already is kept: it may be the mesh that is deformed. */
export async function writeFrames(
  { output, fps, tolerance = 0, compress, colliders: withColliders }: FrameOutput,
  { bodies, looks, colliders }: OpenBodies,
  frames: readonly PosedFrame[],
): Promise<void> {
  const baked = bakePoses(bodies, frames, { fps, looks, ...(withColliders && { colliders }) });
  for (const { name, pieces } of bakedFiles(baked, output, { tolerance, compress })) {
    if (name.endsWith('.obj') && (await exists(name))) continue;
    await writeOutput(name, pieces());
  }
}
