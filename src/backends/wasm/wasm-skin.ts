// A visible mesh in the kernels' memory that follows a body there.

import type { Embedding } from '../../embedding/embedding.js';
import { expectCagePositions, type Skin } from '../../embedding/skin.js';
import * as layout from './layout.js';
import type { WasmMemory } from './memory.js';
import type { SkinRest } from './skin-rest.js';
import type { WasmBody } from './wasm-body.js';

/** Bytes of a gradient. */
const GRADIENT = 48;

/** What a skin asks of the world's backend. */
export interface SkinHost {
  readonly memory: WasmMemory;
  /** Runs the kernels over a skin's record. */
  follow(record: number, vertexCount: number): void;
  /** Gives its share of the rest data back. */
  release(skin: WasmSkin): void;
}

export class WasmSkin implements Skin {
  private readonly record: number;
  private readonly blocks: number[] = [];
  /** Where particles are put that are not the body's own; made when it is first needed. */
  private given = 0;
  private views: { positions: Float32Array; normals: Float32Array; tangents: Float32Array | null };
  private disposed = false;

  constructor(
    private readonly host: SkinHost,
    readonly embedding: Embedding,
    readonly body: WasmBody,
    readonly rest: SkinRest,
  ) {
    const { vertexCount, own, borrowed } = rest;
    const { count } = body.rest;
    this.record = this.allocate(layout.SKIN_BYTES);
    for (const [field, address] of [...own, ...borrowed]) this.setInteger(field, address);
    this.setInteger(layout.SKIN_COUNT, vertexCount);
    this.setInteger(layout.SKIN_PARTICLES, count);
    this.setInteger(layout.SKIN_HAS_FAR, rest.hasFar ? 1 : 0);
    this.setInteger(layout.SKIN_POSITIONS, this.allocate(12 * vertexCount));
    this.setInteger(layout.SKIN_NORMALS, this.allocate(12 * vertexCount));
    if (embedding.tangents) this.setInteger(layout.SKIN_TANGENTS, this.allocate(16 * vertexCount));
    for (const field of [layout.SKIN_GRADIENTS, layout.SKIN_SCRATCH])
      this.setInteger(field, this.allocate(GRADIENT * count));
    this.views = this.view();
    this.update();
  }

  get positions(): Float32Array {
    return this.current().positions;
  }

  get normals(): Float32Array {
    return this.current().normals;
  }

  get tangents(): Float32Array | null {
    return this.current().tangents;
  }

  update(simulated?: ArrayLike<number>): void {
    if (this.disposed) return;
    const { memory } = this.host;
    if (simulated) {
      expectCagePositions(this.embedding, simulated);
      this.given ||= this.allocate(16 * this.body.rest.padded);
      this.pack(simulated, memory.floats(this.given, 4 * this.body.rest.padded));
      this.setInteger(layout.SKIN_PARTICLE_POSITIONS, this.given);
    } else {
      const { record } = this.body;
      const origin = memory.doubles(record + layout.BODY_ORIGIN, 3);
      memory.doubles(this.record + layout.SKIN_ORIGIN, 3).set(origin);
      this.setInteger(layout.SKIN_PARTICLE_POSITIONS, memory.integer(record + layout.BODY_POSITIONS));
    }
    this.host.follow(this.record, this.rest.vertexCount);
  }

  dispose(): void {
    if (this.disposed) return;
    const { positions, normals, tangents } = this.current();
    this.views = { positions: positions.slice(), normals: normals.slice(), tangents: tangents?.slice() ?? null };
    this.disposed = true;
    for (const address of this.blocks) this.host.memory.release(address);
    this.blocks.length = 0;
    this.host.release(this);
  }

  /** Writes positions of the mesh's vertices as particles relative to their mean. */
  private pack(simulated: ArrayLike<number>, packed: Float32Array): void {
    const { order, count } = this.body.prepared.particles;
    const origin = this.host.memory.doubles(this.record + layout.SKIN_ORIGIN, 3);
    origin.fill(0);
    for (let k = 0; k < 3 * count; k++) origin[k % 3] += simulated[k] / count;
    order.forEach((vertex, place) => {
      for (let c = 0; c < 3; c++) packed[4 * place + c] = simulated[3 * vertex + c] - origin[c];
    });
  }

  /** The views, anew where the memory has moved. */
  private current() {
    const moved = this.views.positions.buffer !== this.host.memory.buffer;
    if (moved && !this.disposed) this.views = this.view();
    return this.views;
  }

  private view() {
    const { memory } = this.host;
    const { vertexCount } = this.rest;
    const at = (field: number) => memory.integer(this.record + field);
    return {
      positions: memory.floats(at(layout.SKIN_POSITIONS), 3 * vertexCount),
      normals: memory.floats(at(layout.SKIN_NORMALS), 3 * vertexCount),
      tangents: this.embedding.tangents ? memory.floats(at(layout.SKIN_TANGENTS), 4 * vertexCount) : null,
    };
  }

  private allocate(bytes: number): number {
    const address = this.host.memory.allocate(bytes);
    this.blocks.push(address);
    return address;
  }

  private setInteger(field: number, value: number): void {
    this.host.memory.setInteger(this.record + field, value);
  }
}
