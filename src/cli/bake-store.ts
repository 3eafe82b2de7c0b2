// Where a bake is kept until its files are written: a folder beside the first of them, with the frames so far and a checkpoint from
// which the simulation goes on with the same bits.

import { type FileHandle, mkdir, open, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { FrameStore, RecordedTrack } from '../bake/bake-record.js';
import { CliError } from './cli-error.js';
import { reasonOf } from './files.js';

/** What has to be the same for a bake to go on. */
export type BakePlan = Readonly<Record<string, unknown>>;

export interface Checkpoint {
  /** Steps done, and the state of the world after them. */
  readonly step: number;
  readonly snapshot: Uint8Array;
  readonly tracks: readonly RecordedTrack[];
  /** See BakeRecord. */
  readonly extent: number;
}

/** A checkpoint's head: everything but the snapshot, which follows it. */
interface Head {
  readonly plan: BakePlan;
  readonly step: number;
  readonly extent: number;
  /** Numbers of all frames so far. */
  readonly length: number;
  /** Meshes are files of their own: they are large and do not change. */
  readonly tracks: readonly Omit<RecordedTrack, 'mesh' | 'faces'>[];
}

export class BakeStore implements FrameStore {
  private readonly folder: string;
  private frames: FileHandle | undefined;
  /** Numbers written. */
  private length = 0;
  private meshes = 0;
  /** Whether there is something to go on from. */
  hasCheckpoint = false;

  /** For a bake whose first file has this name. */
  constructor(output: string) {
    this.folder = join(dirname(output), `.${basename(output)}.isochore-bake`);
  }

  /** Whether a bake was begun here. */
  async exists(): Promise<boolean> {
    return (await stat(this.folder).catch(() => undefined)) !== undefined;
  }

  /** Begins anew. */
  async begin(): Promise<void> {
    await this.remove();
    await this.guard(async () => {
      await mkdir(this.folder);
      this.frames = await open(join(this.folder, 'frames'), 'w+');
    });
  }

  /** Goes on: what is beyond the last checkpoint is forgotten. Undefined where there is none of this plan yet. */
  async resume(plan: BakePlan): Promise<Checkpoint | undefined> {
    const bytes = await readFile(join(this.folder, 'checkpoint')).catch(() => undefined);
    if (!bytes) return undefined;
    this.hasCheckpoint = true;
    const headEnd = 4 + bytes.readUInt32LE(0);
    const head = JSON.parse(bytes.toString('utf8', 4, headEnd)) as Head;
    if (JSON.stringify(head.plan) !== JSON.stringify(plan)) {
      throw new CliError(
        `${this.folder}: expected a bake of the same scene with the same options; --force begins anew`,
      );
    }
    return this.guard(async () => {
      await truncate(join(this.folder, 'frames'), 4 * head.length);
      this.frames = await open(join(this.folder, 'frames'), 'r+');
      this.length = head.length;
      this.meshes = head.tracks.length;
      const meshes = await Promise.all(head.tracks.map((_, n) => this.readMesh(n)));
      const tracks = head.tracks.map((track, n) => ({ ...track, ...meshes[n] }));
      return { step: head.step, extent: head.extent, snapshot: new Uint8Array(bytes.subarray(headEnd)), tracks };
    });
  }

  async append(numbers: Float32Array): Promise<number> {
    const place = this.length;
    const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
    await this.guard(() => this.file().write(bytes, 0, bytes.length, 4 * place));
    this.length += numbers.length;
    return place;
  }

  async read(place: number, count: number): Promise<Float32Array> {
    const numbers = new Float32Array(count);
    await this.guard(() => this.file().read(new Uint8Array(numbers.buffer), 0, 4 * count, 4 * place));
    return numbers;
  }

  /** The checkpoint is there whole or the one before it is. */
  async keep(plan: BakePlan, { step, snapshot, tracks, extent }: Checkpoint): Promise<void> {
    await this.guard(async () => {
      for (; this.meshes < tracks.length; this.meshes++) await this.writeMesh(this.meshes, tracks[this.meshes]);
      await this.file().sync();
      const bare = tracks.map(({ mesh: _mesh, faces: _faces, ...track }) => track);
      const head = Buffer.from(
        JSON.stringify({ plan, step, extent, length: this.length, tracks: bare } satisfies Head),
      );
      const size = Buffer.alloc(4);
      size.writeUInt32LE(head.length);
      const draft = join(this.folder, 'checkpoint.draft');
      await writeFile(draft, Buffer.concat([size, head, snapshot]), { flush: true });
      await rename(draft, join(this.folder, 'checkpoint'));
      this.hasCheckpoint = true;
    });
  }

  private async writeMesh(n: number, { mesh: { positions, triangles }, faces }: RecordedTrack): Promise<void> {
    const [marked, uvs] = [faces?.triangles ?? new Uint32Array(0), faces?.uvs ?? new Float32Array(0)];
    const sizes = Uint32Array.of(positions.length, triangles.length, marked.length, uvs.length);
    const parts = [sizes, positions, triangles, marked, uvs].map((part) =>
      Buffer.from(part.buffer, part.byteOffset, part.byteLength),
    );
    await writeFile(join(this.folder, `mesh-${n}`), Buffer.concat(parts), { flush: true });
  }

  private async readMesh(n: number): Promise<Pick<RecordedTrack, 'mesh' | 'faces'>> {
    const { buffer } = new Uint8Array(await readFile(join(this.folder, `mesh-${n}`)));
    const [coordinates, corners, markedCount, uvCount] = new Uint32Array(buffer, 0, 4);
    const at = [16, 8 * coordinates, 4 * corners, 4 * markedCount].map((_, k, sizes) =>
      sizes.slice(0, k + 1).reduce((sum, size) => sum + size, 0),
    );
    const positions = new Float64Array(buffer, at[0], coordinates);
    const mesh = { positions, triangles: new Uint32Array(buffer, at[1], corners) };
    if (markedCount === 0) return { mesh };
    const triangles = new Uint32Array(buffer, at[2], markedCount);
    return { mesh, faces: { triangles, uvs: new Float32Array(buffer, at[3], uvCount) } };
  }

  async close(): Promise<void> {
    await this.frames?.close();
    this.frames = undefined;
  }

  /** Nothing of it is left. */
  async remove(): Promise<void> {
    await this.close();
    await this.guard(() => rm(this.folder, { recursive: true, force: true }));
  }

  private file(): FileHandle {
    if (!this.frames) throw new Error('the store is not open');
    return this.frames;
  }

  private async guard<T>(use: () => Promise<T>): Promise<T> {
    try {
      return await use();
    } catch (error) {
      throw error instanceof CliError ? error : new CliError(`${this.folder}: ${reasonOf(error)}`);
    }
  }
}
