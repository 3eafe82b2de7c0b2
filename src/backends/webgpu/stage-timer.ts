// Milliseconds of each stage on the GPU, by timestamps at the begin and the end of its pass.

import { STAGES, type Stage } from '../backend.js';
import { type Buffers, USAGE } from './buffers.js';
import type { Range } from './readback.js';

/** GPUBufferUsage.QUERY_RESOLVE. */
const QUERY_RESOLVE = 512;
const BYTES = 16 * STAGES.length;

export class StageTimer {
  private readonly queries: GPUQuerySet;

  constructor(
    device: GPUDevice,
    private readonly buffers: Buffers,
  ) {
    this.queries = device.createQuerySet({ type: 'timestamp', count: 2 * STAGES.length });
    buffers.reserve('timestamps', BYTES, QUERY_RESOLVE | USAGE.COPY_SRC);
  }

  /** What the pass of a stage is begun with. */
  passOf(stage: Stage): GPUComputePassDescriptor {
    const at = 2 * STAGES.indexOf(stage);
    const timestampWrites = { querySet: this.queries, beginningOfPassWriteIndex: at, endOfPassWriteIndex: at + 1 };
    return { label: stage, timestampWrites };
  }

  resolve(encoder: GPUCommandEncoder): void {
    encoder.resolveQuerySet(this.queries, 0, 2 * STAGES.length, this.buffers.get('timestamps'), 0);
  }

  /** Where the times are; they come back with the state. */
  readonly range: Range = { name: 'timestamps', offset: 0, bytes: BYTES };

  /** Milliseconds by stage, of the bytes that came back. */
  static read(bytes: ArrayBuffer): Partial<Record<Stage, number>> {
    const times = new BigUint64Array(bytes);
    const found: Partial<Record<Stage, number>> = {};
    STAGES.forEach((stage, n) => {
      // A stage without a dispatch has no times; some devices give an end before the begin.
      const took = Number(times[2 * n + 1] - times[2 * n]) / 1e6;
      if (times[2 * n] > 0n && took >= 0) found[stage] = took;
    });
    return found;
  }

  dispose(): void {
    this.queries.destroy();
  }
}
