// Where a body's arrays lie: each on its own, or all in the memory of the body's kernels, which TypeScript reads and writes too.

import { KernelTeam } from '../../kernels/kernel-team.js';
import { TEAM, TEAM_BYTES } from './kernel-layout.js';
import { TETRA_KERNELS, type TetraKernels } from './kernels.js';

/** Pairs of doubles are read at once; places are multiples of this [bytes]. */
const ALIGNMENT = 16;

export class TetraMemory {
  private used = TEAM + TEAM_BYTES;
  private readonly shared = new Map<Float64Array | Uint32Array, Float64Array | Uint32Array>();

  /**
   * `buffer`: the kernels' memory; with `isDry`, arrays have no length and are only counted; otherwise each array is its own.
   */
  private constructor(
    /** What works on the arrays instead of TypeScript. */
    readonly kernels?: TetraKernels,
    private readonly buffer?: ArrayBuffer,
    private readonly isDry = false,
    /** Of a large body with kernels: whoever shares its work, if only this thread. */
    readonly team?: KernelTeam,
    /** Of that team. */
    readonly threads = 1,
  ) {}

  /** Whether there are no kernels, nor may there be. */
  get isHeap(): boolean {
    return !this.buffer && !this.isDry;
  }

  static onHeap(): TetraMemory {
    return new TetraMemory();
  }

  /**
   * Builds something out of arrays: in kernels where they are wanted and the engine has them, where it is built twice, the
   * first time to count. A large body has a team of up to so many threads.
   */
  static build<T>(make: (memory: TetraMemory) => T, kernels: boolean, isLarge = false, wantedThreads = 1): T {
    if (!kernels) return make(TetraMemory.onHeap());
    const threads = isLarge ? KernelTeam.threadsFor(wantedThreads) : 1;
    const dry = new TetraMemory(undefined, undefined, true, undefined, threads);
    make(dry);
    const instance = TETRA_KERNELS.instantiate(dry.used, threads > 1);
    if (!instance) return make(TetraMemory.onHeap());
    const { exports, memory, module, shared } = instance;
    const team = isLarge ? new KernelTeam(module, shared, exports, TEAM, threads) : undefined;
    return make(new TetraMemory(exports, memory, false, team, threads));
  }

  reals(length: number): Float64Array {
    if (!this.buffer) return new Float64Array(this.isDry ? this.count(8 * length) : length);
    return new Float64Array(this.buffer, this.take(8 * length), length);
  }

  singles(length: number): Float32Array {
    if (!this.buffer) return new Float32Array(this.isDry ? this.count(4 * length) : length);
    return new Float32Array(this.buffer, this.take(4 * length), length);
  }

  wholes(length: number): Uint32Array {
    if (!this.buffer) return new Uint32Array(this.isDry ? this.count(4 * length) : length);
    return new Uint32Array(this.buffer, this.take(4 * length), length);
  }

  bytes(length: number): Uint8Array {
    if (!this.buffer) return new Uint8Array(this.isDry ? this.count(length) : length);
    return new Uint8Array(this.buffer, this.take(length), length);
  }

  /** What nobody writes to: the list itself, or a copy where kernels are to read it. */
  share<T extends Float64Array | Uint32Array>(list: T): T {
    if (this.isHeap) return list;
    const known = this.shared.get(list);
    if (known) return known as T;
    const copy = (list instanceof Float64Array ? this.reals(list.length) : this.wholes(list.length)) as T;
    if (!this.isDry) copy.set(list);
    this.shared.set(list, copy);
    return copy;
  }

  private count(bytes: number): 0 {
    this.take(bytes);
    return 0;
  }

  private take(bytes: number): number {
    const at = this.used;
    this.used += Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
    return at;
  }
}
