// Carries the state of bodies over to other places in the buffers, on the GPU: bodies come and go while steps are under way.

import { type Buffers, USAGE } from './buffers.js';
import { FRAME } from './layout.js';
import { PARTICLE_BYTES, type PackedPlace } from './packed-bodies.js';

const KEPT = ['positions', 'starts', 'velocities', 'quaternions', 'contacts'] as const;

export class KeptState {
  private readonly copies = new Map<string, GPUBuffer>();
  private readonly encoder: GPUCommandEncoder;

  constructor(
    private readonly device: GPUDevice,
    private readonly buffers: Buffers,
    hasState: boolean,
  ) {
    this.encoder = device.createCommandEncoder();
    for (const name of hasState ? [...KEPT, 'frames'] : []) {
      const source = buffers.get(name);
      const copy = device.createBuffer({ size: source.size, usage: USAGE.COPY_SRC | USAGE.COPY_DST });
      this.encoder.copyBufferToBuffer(source, 0, copy, 0, source.size);
      this.copies.set(name, copy);
    }
    // Before anything is written to the buffers, or they are made anew.
    device.queue.submit([this.encoder.finish()]);
    this.encoder = device.createCommandEncoder();
  }

  /** Puts what is kept of a body where it is now. */
  copy(from: PackedPlace, fromNumber: number, to: PackedPlace, toNumber: number): void {
    for (const name of KEPT) {
      const bytes = PARTICLE_BYTES[name];
      this.move(name, bytes * from.first, bytes * to.first, bytes * from.rest.count);
    }
    const bytes = 4 * FRAME.words;
    this.move('frames', bytes * fromNumber, bytes * toNumber, bytes);
  }

  private move(name: string, from: number, to: number, bytes: number): void {
    const source = this.copies.get(name);
    if (source) this.encoder.copyBufferToBuffer(source, from, this.buffers.get(name), to, bytes);
  }

  finish(): void {
    // What contacts remember is of bodies in other places.
    this.encoder.clearBuffer(this.buffers.get('bodyContacts'));
    this.device.queue.submit([this.encoder.finish()]);
    for (const copy of this.copies.values()) copy.destroy();
  }
}
