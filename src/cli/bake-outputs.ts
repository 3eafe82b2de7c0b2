// The files of a bake: whether they can be written where they are wanted, and writing them.

import { readdir, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { BakeRecord } from '../bake/bake-record.js';
import { type BakedScene, distinctNames, type OutputFile, type Track } from '../bake/baked-scene.js';
import { bakedFiles, checkBaked, isFolder } from '../bake/formats.js';
import type { GlbOptions } from '../bake/glb.js';
import { CliError, toLine } from './cli-error.js';
import { checkOutput, expectOther, writeOutput } from './files.js';
import { checkFolder, writeFolder } from './output-folder.js';
import { startNotice } from './progress.js';

/** Throws where a name is none that a bake can be written to, or its folder cannot be written in. */
export async function checkNames(outputs: readonly string[]): Promise<void> {
  for (const [n, output] of outputs.entries()) {
    try {
      checkBaked(output);
    } catch (error) {
      throw new CliError(`${output}: ${(error as Error).message}`);
    }
    if (outputs.indexOf(output) !== n) throw new CliError(`${output}: expected each file once`);
    if (isFolder(output)) await checkFolder(output, true);
    else await checkOutput(output);
  }
}

export class BakeOutputs {
  /** Those that were looked at, and those of them that were there before. */
  private readonly known = new Set<string>();
  private readonly replaced: string[] = [];

  private constructor(
    private readonly outputs: readonly string[],
    private readonly mayReplace: boolean,
  ) {}

  /**
   * Throws where a file would be replaced without leave: the names of all bodies and frames are known beforehand, those of what
   * is cut on the way are looked at when they are written.
   */
  static async open(
    outputs: readonly string[],
    bodies: readonly string[],
    { fps, frameCount }: Pick<BakedScene, 'fps' | 'frameCount'>,
    mayReplace: boolean,
  ): Promise<BakeOutputs> {
    const own = new BakeOutputs(outputs, mayReplace);
    const mesh = { positions: new Float64Array(0), triangles: new Uint32Array(0) };
    const tracks = distinctNames(bodies).map(
      (name): Track => ({ name, mesh, firstFrame: 0, frameCount, frame: async () => new Float32Array(0) }),
    );
    const baked: BakedScene = { fps, start: 0, frameCount, tracks, obstacles: [] };
    for (const output of outputs) {
      if (isFolder(output)) await checkFolder(output, mayReplace);
      else await own.expectFree(bakedFiles(baked, output));
    }
    return own;
  }

  /** Throws where a file that is read would be written over. */
  async expectOthers(input: string): Promise<void> {
    for (const file of this.replaced) await expectOther(file, input);
  }

  /** Each is looked at once: later it is our own. */
  private async expectFree(files: readonly OutputFile[]): Promise<void> {
    const fresh = files.map(({ name }) => name).filter((name) => !this.known.has(name));
    if (fresh.length === 0) return;
    const there = new Set(await readdir(dirname(fresh[0])).catch(() => []));
    const taken = fresh.filter((name) => there.has(basename(name)));
    if (taken.length > 0 && !this.mayReplace)
      throw new CliError(`${taken[0]}: there is a file of this name; --force replaces it`);
    this.replaced.push(...taken);
    for (const name of fresh) this.known.add(name);
  }

  /** Writes all files of a bake; each is there whole or not at all. */
  async write(record: BakeRecord, options: GlbOptions, { name, quiet }: { name: string; quiet: boolean }) {
    const baked = record.baked();
    const notice = startNotice(`${name}: writing …`, quiet);
    const say = (file: string) => notice.say(`${name}: writing ${file} …`);
    const lines: string[] = [];
    try {
      for (const output of this.outputs) {
        const files = bakedFiles(baked, output, options);
        if (isFolder(output)) await writeFolder(output, files, say);
        else {
          await this.expectFree(files);
          for (const file of files) {
            say(file.name);
            await writeOutput(file.name, file.pieces(), `.${basename(file.name)}.isochore-draft`);
          }
        }
        lines.push(await describeOutput(output, files, baked), ...describeCuts(output, baked));
      }
    } finally {
      notice.stop();
    }
    if (!quiet) process.stdout.write(lines.map((line) => `${toLine(line)}\n`).join(''));
  }
}

async function describeOutput(output: string, files: readonly OutputFile[], baked: BakedScene): Promise<string> {
  const { tracks, frameCount, fps } = baked;
  const vertices = tracks.reduce(
    (sum, { mesh, firstFrame }) => sum + (firstFrame === 0 ? mesh.positions.length / 3 : 0),
    0,
  );
  const paths = isFolder(output)
    ? files.map((file) => `${output}/${basename(file.name)}`)
    : files.map((file) => file.name);
  const sizes = await Promise.all(paths.map((path) => stat(path).then(({ size }) => size)));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  const count = files.length === 1 ? '' : ` in ${files.length} files`;
  return `${output}: ${frameCount} frames at ${fps} a second, ${vertices} vertices, ${showBytes(bytes)}${count}`;
}

/** What each topology of a cut body is in, where a format does not say itself when it is there. */
function describeCuts(output: string, { tracks, frameCount }: BakedScene): string[] {
  if (!/\.(pc2|mdd|vat)$/i.test(output)) return [];
  return tracks
    .filter((track) => track.frameCount < frameCount)
    .map(({ name, firstFrame, frameCount: count }) => {
      const format = output.slice(output.lastIndexOf('.'));
      return `${output}: ${name} is there in frames ${firstFrame + 1} to ${firstFrame + count} only, as it was cut; a ${format} cannot hide it in others`;
    });
}

function showBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${Number((bytes / 1000 ** power).toPrecision(3))} ${units[power]}`;
}
