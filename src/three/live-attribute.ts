// An attribute over an array that may move: a WebAssembly memory that grows takes its arrays away and gives new ones.

import { BufferAttribute, DynamicDrawUsage } from 'three';

export class LiveAttribute extends BufferAttribute {
  constructor(
    /** Gives the array as it is now; always of one length. */
    public read: () => Float32Array,
    itemSize: number,
  ) {
    super(read(), itemSize);
    // Asked for whenever it is used: between an update and the next picture a body may be added, and the memory grow.
    Object.defineProperty(this, 'array', { get: () => this.read(), enumerable: true });
    this.setUsage(DynamicDrawUsage);
  }

  /** A copy of what it shows now, which does not move. */
  override clone(): this {
    return new BufferAttribute(this.read().slice(), this.itemSize, this.normalized) as this;
  }
}
