// Frames that are done, kept beside the output until it is written, so that an interrupted run goes on where it was. Each is known by a
// hash of all that it was made from: what was made from something else is not found.

import { createHash, type Hash } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { PosedBody, PosedFrame } from '../scenes/index.js';
import { VERSION } from '../scenes/index.js';
import { CliError } from './cli-error.js';
import { reasonOf, writeOutput } from './files.js';

export class FrameStore {
  readonly folder: string;
  private readonly bodies: readonly PosedBody[];
  private readonly meshHashes = new WeakMap<object, string>();
  /** Of what all frames share. */
  private readonly shared: string;

  constructor(output: string, bodies: readonly PosedBody[]) {
    this.folder = `${output}.frames`;
    this.bodies = bodies;
    const hash = createHash('sha256').update(VERSION);
    for (const { name, mesh, settings, shown } of bodies) this.feed(hash, { name, mesh, settings, shown });
    this.shared = hash.digest('hex');
  }

  /** A frame that was done before; undefined where there is none, or none that can be read. */
  async find(frame: number, time: number): Promise<PosedFrame | undefined> {
    const bytes = await readFile(this.fileOf(frame, time)).catch(() => undefined);
    if (!bytes) return undefined;
    try {
      const size = bytes.readUInt32LE(0);
      const reports = JSON.parse(
        bytes.subarray(4, 4 + size).toString('utf8'),
      ) as PosedFrame['bodies'][number]['report'][];
      let at = 4 + size;
      const bodies = this.bodies.map(({ name, shown }, n) => {
        const positions = new Float64Array(shown.positions.length);
        new Uint8Array(positions.buffer).set(bytes.subarray(at, at + positions.byteLength));
        at += positions.byteLength;
        return { name, positions, report: reports[n] };
      });
      return at === bytes.length ? { frame, time, bodies } : undefined;
    } catch {
      return undefined;
    }
  }

  async keep({ frame, time, bodies }: PosedFrame): Promise<void> {
    await mkdir(this.folder, { recursive: true }).catch((error: unknown) => {
      throw new CliError(`${this.folder}: ${reasonOf(error)}`);
    });
    const head = Buffer.from(JSON.stringify(bodies.map(({ report }) => report)));
    const size = Buffer.alloc(4);
    size.writeUInt32LE(head.length);
    const arrays = bodies.map(({ positions: p }) => new Uint8Array(p.buffer, p.byteOffset, p.byteLength));
    await writeOutput(this.fileOf(frame, time), Buffer.concat([size, head, ...arrays]));
  }

  /** Away with all of it. */
  async remove(): Promise<void> {
    const names = await readdir(this.folder).catch(() => undefined);
    // Nothing of others.
    if (names?.every((name) => NAME.test(name))) await rm(this.folder, { recursive: true, force: true });
  }

  private fileOf(frame: number, time: number): string {
    const hash = createHash('sha256').update(this.shared);
    for (const { frameAt, behind } of this.bodies) {
      this.feed(hash, frameAt(time));
      this.feed(
        hash,
        behind.map(({ body, at }) => ({ body, ...at(time) })),
      );
    }
    return join(this.folder, `${String(frame).padStart(6, '0')}-${hash.digest('hex').slice(0, 32)}.bin`);
  }

  private feed(hash: Hash, value: unknown): void {
    if (ArrayBuffer.isView(value)) {
      hash.update(`[${value.byteLength}]`).update(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
    } else if (Array.isArray(value)) {
      hash.update(`[${value.length}`);
      for (const item of value) this.feed(hash, item);
    } else if (typeof value === 'object' && value !== null) {
      hash.update('{');
      for (const [name, item] of Object.entries(value)) {
        hash.update(`${JSON.stringify(name)}:`);
        if (name === 'mesh') hash.update(this.hashMesh(item as object));
        else this.feed(hash, item);
      }
    } else hash.update(`${typeof value}${String(value)};`);
  }

  /** Meshes of colliders are the same in all frames. */
  private hashMesh(mesh: object): string {
    let known = this.meshHashes.get(mesh);
    if (known === undefined) {
      const hash = createHash('sha256');
      for (const array of Object.values(mesh)) this.feed(hash, array);
      known = hash.digest('hex');
      this.meshHashes.set(mesh, known);
    }
    return known;
  }
}

/** Frames, and what a killed process left of one. */
const NAME = /^(\d{6,}-[\da-f]{32}\.bin|\.isochore-[\da-f-]+\.tmp)$/;
