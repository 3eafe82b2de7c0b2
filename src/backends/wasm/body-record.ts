// A body's record in the kernels' memory, and the blocks that it points to: fields by their place in the layout, blocks by name.

import type { StateTree } from '../../math/state-tree.js';
import * as layout from './layout.js';
import type { WasmMemory } from './memory.js';

export class BodyRecord {
  /** Where it is. */
  readonly address: number;
  /** Blocks that outlive a step, by name. */
  private blocks = new Map<string, number>();
  /** Fields that are this world's own, addresses and counts. */
  private readonly own = new Set<number>([layout.BODY_PAIRS]);

  constructor(readonly memory: WasmMemory) {
    this.address = this.allocate('record', layout.BODY_BYTES);
  }

  allocate(name: string, bytes: number): number {
    const address = this.memory.allocate(bytes);
    this.blocks.set(name, address);
    return address;
  }

  /** Sets a field that says where something is in memory, or how much of it. */
  setOwn(field: number, value: number): void {
    this.own.add(field);
    this.setInteger(field, value);
  }

  integer(field: number): number {
    return this.memory.integer(this.address + field);
  }

  setInteger(field: number, value: number): void {
    this.memory.setInteger(this.address + field, value);
  }

  number(field: number): number {
    return this.memory.number(this.address + field);
  }

  setNumber(field: number, value: number): void {
    this.memory.setNumber(this.address + field, value);
  }

  /** One in single precision. */
  single(field: number): number {
    return this.memory.floats(this.address + field, 1)[0];
  }

  setSingle(field: number, value: number): void {
    this.memory.floats(this.address + field, 1)[0] = value;
  }

  /** Numbers that stand in the record itself. */
  doubles(field: number, count: number): Float64Array {
    return this.memory.doubles(this.address + field, count);
  }

  /** Numbers of an array that a field points to. */
  floats(field: number, count: number): Float32Array {
    return this.memory.floats(this.integer(field), count);
  }

  bytes(field: number, count: number): Uint8Array {
    return this.memory.bytes(this.integer(field), count);
  }

  /** Makes all blocks but the record anew; where there is no room for them, it stays as it was. */
  renew(make: () => void): void {
    const { memory, blocks, address } = this;
    const before = memory.bytes(address, layout.BODY_BYTES).slice();
    this.blocks = new Map([['record', address]]);
    try {
      make();
    } catch (error) {
      this.blocks = blocks;
      memory.bytes(address, layout.BODY_BYTES).set(before);
      throw error;
    }
    for (const [name, at] of blocks) if (name !== 'record') memory.release(at);
  }

  /** Without what is this world's own: the same state gives the same bytes, wherever it lies. */
  capture(): { readonly [name: string]: Uint8Array } {
    const { memory } = this;
    const copies = [...this.blocks].map(([name, at]): [string, Uint8Array] => [
      name,
      memory.bytes(at, memory.sizeOf(at)).slice(),
    ]);
    const blocks = Object.fromEntries(copies);
    for (const field of this.own) blocks.record.fill(0, field, field + 4);
    return blocks;
  }

  /** The record says where things are in this world, and how many: a snapshot may have been made by anyone. */
  restore(saved: { readonly [name: string]: StateTree }): void {
    const { memory, address } = this;
    const own = memory.integers(address, layout.BODY_BYTES / 4).slice();
    for (const [name, at] of this.blocks) memory.bytes(at, memory.sizeOf(at)).set(saved[name] as Uint8Array);
    for (const field of this.own) this.setInteger(field, own[field / 4]);
  }

  dispose(): void {
    for (const address of this.blocks.values()) this.memory.release(address);
    this.blocks.clear();
  }
}
