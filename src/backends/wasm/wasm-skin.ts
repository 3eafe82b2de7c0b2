// A visible mesh in the kernels' memory that follows a body there.

import { type Embedding, embed } from '../../embedding/embedding.js';
import { expectCagePositions } from '../../embedding/skin.js';
import * as layout from './layout.js';
import type { WasmMemory } from './memory.js';
import type { SkinRest } from './skin-rest.js';
import type { BoundSkin, WasmBody } from './wasm-body.js';

/** What a skin asks of the world's backend. */
export interface SkinHost {
  readonly memory: WasmMemory;
  /** Runs the kernels over a skin's record. */
  follow(record: number, vertexCount: number): void;
  /** A share of the rest data of an embedding over a body, and giving it back. */
  share(body: WasmBody, embedding: Embedding): SkinRest;
  giveBack(body: WasmBody, embedding: Embedding): void;
}

export class WasmSkin implements BoundSkin {
  embedding: Embedding;
  private readonly record: number;
  private vertexCount = 0;
  private readonly blocks: number[] = [];
  /** Those whose size is the visible mesh's. */
  private readonly ownBlocks: number[] = [];
  /** Those whose size is the body's. */
  private readonly cageBlocks: number[] = [];
  /** Where particles are put that are not the body's own; made when it is first needed. */
  private given = 0;
  private views: { positions: Float32Array; normals: Float32Array; tangents: Float32Array | null };
  private disposed = false;

  constructor(
    private readonly host: SkinHost,
    embedding: Embedding,
    readonly body: WasmBody,
  ) {
    this.embedding = embedding;
    this.record = this.allocate(layout.SKIN_BYTES, this.blocks);
    this.allocateShown();
    this.attach();
    this.views = this.view();
    this.update();
  }

  /** Room for what is shown. */
  private allocateShown(): void {
    const { binding, tangents } = this.embedding;
    const { ownBlocks } = this;
    this.vertexCount = binding.count;
    this.setInteger(layout.SKIN_COUNT, binding.count);
    this.setInteger(layout.SKIN_POSITIONS, this.allocate(12 * binding.count, ownBlocks));
    this.setInteger(layout.SKIN_NORMALS, this.allocate(12 * binding.count, ownBlocks));
    if (tangents) this.setInteger(layout.SKIN_TANGENTS, this.allocate(16 * binding.count, ownBlocks));
  }

  /** Takes the rest data of its embedding. */
  private attach(): void {
    const { own, borrowed, hasFar } = this.host.share(this.body, this.embedding);
    const { count } = this.body.rest;
    for (const [field, address] of [...own, ...borrowed]) this.setInteger(field, address);
    this.setInteger(layout.SKIN_PARTICLES, count);
    this.setInteger(layout.SKIN_HAS_FAR, hasFar ? 1 : 0);
    for (const field of [layout.SKIN_GRADIENTS, layout.SKIN_SCRATCH])
      this.setInteger(field, this.allocate(layout.GRADIENT_BYTES * count, this.cageBlocks));
  }

  unbind(): void {
    this.host.giveBack(this.body, this.embedding);
    this.release(this.cageBlocks);
    this.given = 0;
  }

  bind(): void {
    this.embedding = embed(this.body.prepared.mesh, this.embedding.original);
    if (this.embedding.binding.count !== this.vertexCount) {
      this.release(this.ownBlocks);
      this.allocateShown();
      this.views = this.view();
    }
    this.attach();
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
      this.given ||= this.allocate(16 * this.body.rest.padded, this.cageBlocks);
      this.pack(simulated, memory.floats(this.given, 4 * this.body.rest.padded));
      this.setInteger(layout.SKIN_PARTICLE_POSITIONS, this.given);
    } else {
      const { record } = this.body;
      const origin = memory.doubles(record + layout.BODY_ORIGIN, 3);
      memory.doubles(this.record + layout.SKIN_ORIGIN, 3).set(origin);
      this.setInteger(layout.SKIN_PARTICLE_POSITIONS, memory.integer(record + layout.BODY_POSITIONS));
    }
    this.host.follow(this.record, this.vertexCount);
  }

  dispose(): void {
    if (this.disposed) return;
    const { positions, normals, tangents } = this.current();
    this.views = { positions: positions.slice(), normals: normals.slice(), tangents: tangents?.slice() ?? null };
    this.disposed = true;
    this.unbind();
    this.release(this.ownBlocks);
    this.release(this.blocks);
    this.body.skins.delete(this);
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
    const { vertexCount } = this;
    const at = (field: number) => memory.integer(this.record + field);
    return {
      positions: memory.floats(at(layout.SKIN_POSITIONS), 3 * vertexCount),
      normals: memory.floats(at(layout.SKIN_NORMALS), 3 * vertexCount),
      tangents: this.embedding.tangents ? memory.floats(at(layout.SKIN_TANGENTS), 4 * vertexCount) : null,
    };
  }

  private allocate(bytes: number, blocks: number[]): number {
    const address = this.host.memory.allocate(bytes);
    blocks.push(address);
    return address;
  }

  private release(blocks: number[]): void {
    for (const address of blocks) this.host.memory.release(address);
    blocks.length = 0;
  }

  private setInteger(field: number, value: number): void {
    this.host.memory.setInteger(this.record + field, value);
  }
}
