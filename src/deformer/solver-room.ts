// Where the solver's arrays lie: in the memory of kernels, one beside the other, or wherever the engine puts them. Who works on arrays
// asks whether kernels see them; a room without kernels gives the same results from the loops in TypeScript.

import type { KernelInstance } from '../kernels/inlined-kernels.js';
import { type DeformerKernels, deformerKernels } from './kernels.js';

/** Arrays begin at multiples of this [bytes]. */
const ALIGNMENT = 16;

export class SolverRoom {
  private readonly instance: KernelInstance<DeformerKernels> | undefined;
  private used = ALIGNMENT;

  /** @param bytes that will be asked for; with 0 there are no kernels. */
  constructor(bytes: number) {
    this.instance = bytes > 0 ? deformerKernels.instantiate(bytes + ALIGNMENT) : undefined;
  }

  numbers(count: number): Float64Array {
    return new Float64Array(...this.place(8 * count), count);
  }

  /** A copy in the room. */
  indices(values: Uint32Array): Uint32Array {
    const copy = new Uint32Array(...this.place(4 * values.length), values.length);
    copy.set(values);
    return copy;
  }

  /** The kernels, where they see all of the arrays. Three at most and no list of them, as every vector operation asks. */
  kernelsFor(a: ArrayBufferView, b: ArrayBufferView = a, c: ArrayBufferView = a): DeformerKernels | undefined {
    const { instance } = this;
    if (!instance) return undefined;
    const { memory } = instance;
    return a.buffer === memory && b.buffer === memory && c.buffer === memory ? instance.exports : undefined;
  }

  private place(bytes: number): [ArrayBuffer, number] {
    const { instance, used } = this;
    const end = used + Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
    if (!instance || end > instance.memory.byteLength) return [new ArrayBuffer(bytes), 0];
    this.used = end;
    return [instance.memory, used];
  }
}

/** Arrays that the engine places. */
export const ANYWHERE = new SolverRoom(0);
