// Brings buffers to the host: a ring of staging buffers, so that one may be mapped while the next is filled. Nothing is made per step.

import { type Buffers, USAGE } from './buffers.js';

/** A range of a buffer. */
export interface Range {
  readonly name: string;
  readonly offset: number;
  readonly bytes: number;
}

/** GPUMapMode.READ. */
const READ = 1;
const RING = 3;

export class Readback {
  private readonly ring: (GPUBuffer | undefined)[] = new Array(RING).fill(undefined);
  private next = 0;
  /** How often something was mapped, and how many staging buffers were made. */
  mapped = 0;
  made = 0;
  bytesReceived = 0;

  constructor(
    private readonly device: GPUDevice,
    private readonly buffers: Buffers,
  ) {}

  /** Copies ranges as they are after all that was enqueued; the promise has their bytes one after the other. */
  async read(ranges: readonly Range[]): Promise<ArrayBuffer> {
    const bytes = ranges.reduce((sum, range) => sum + range.bytes, 0);
    const staging = this.staging(bytes);
    const encoder = this.device.createCommandEncoder();
    let at = 0;
    for (const { name, offset, bytes: count } of ranges) {
      encoder.copyBufferToBuffer(this.buffers.get(name), offset, staging, at, count);
      at += count;
    }
    this.device.queue.submit([encoder.finish()]);
    this.mapped++;
    await staging.mapAsync(READ, 0, bytes);
    const copy = staging.getMappedRange(0, bytes).slice(0);
    staging.unmap();
    // Another took its place meanwhile.
    if (!this.ring.includes(staging)) staging.destroy();
    this.bytesReceived += bytes;
    return copy;
  }

  private staging(bytes: number): GPUBuffer {
    const slot = this.next;
    this.next = (slot + 1) % RING;
    const known = this.ring[slot];
    if (known && known.size >= bytes && known.mapState === 'unmapped') return known;
    if (known?.mapState === 'unmapped') known.destroy();
    const made = this.device.createBuffer({ size: Math.max(256, bytes), usage: USAGE.MAP_READ | USAGE.COPY_DST });
    this.ring[slot] = made;
    this.made++;
    return made;
  }

  dispose(): void {
    for (const buffer of this.ring) buffer?.destroy();
  }
}
