// Threads that share one body's kernels. A call has tasks that write nothing in common; the calling thread and the workers take one after
// the other, so nobody waits for a worker that has taken none, and the bits do not depend on who does what. Workers look for the next
// call for a while and then sleep. Beside busy neighbours fewer threads do more: `ThreadChoice` finds out.

import type { CompiledModule, KernelMemory } from './engine-types.js';
import { GENERATION, JOINED, REALS, SLEEPERS, TAKING_PART, WORDS } from './kernel-layout.js';
import { ThreadChoice } from './thread-choice.js';
import { processors, sharesMemory, spinsFor, startWorker } from './worker-thread.js';

/** What kernels of a team export. */
export interface TeamKernels {
  /** Does the tasks from `first` to `end` of an operation on the calling thread. */
  performAlone(operation: number, first: number, end: number): void;
  /** Does those that nobody else takes; and waits until so many are done. */
  perform(operation: number, first: number, end: number): void;
  settle(count: number): void;
}

/** The generation that ends workers. */
const END = -1;
/** Tasks of one call: sixteen bits. */
const MOST_TASKS = 65535;
const MOST_THREADS = 16;
/** What a worker runs, as text: see thread-pool.ts of the WebAssembly backend. */
const SERVE = `(task, finish) => {
  const flags = new Int32Array(task.memory.buffer);
  const imports = { env: { memory: task.memory, wake: () => {}, abort: () => {} } };
  const kernels = new WebAssembly.Instance(task.module, imports).exports;
  const [generation, sleepers, joined] = [${GENERATION}, ${SLEEPERS}, ${JOINED}].map((at) => (task.record + at) >> 2);
  Atomics.add(flags, joined, 1);
  for (;;) {
    const seen = Atomics.load(flags, generation);
    if (seen === ${END}) break;
    kernels.help(task.thread);
    for (let looks = 0; looks < task.spins && Atomics.load(flags, generation) === seen; looks++);
    if (Atomics.load(flags, generation) !== seen) continue;
    Atomics.add(flags, sleepers, 1);
    Atomics.wait(flags, generation, seen);
    Atomics.sub(flags, sleepers, 1);
  }
  finish();
}`;

/** Workers of bodies that are gone end. */
const forgotten = new FinalizationRegistry<() => void>((end) => end());

export class KernelTeam {
  private readonly words: Uint32Array;
  private readonly reals: Float64Array;
  private readonly flags: Int32Array;
  private readonly joined: number;
  private readonly end: () => void;
  /** Workers that were started. */
  private workers = 0;
  /** How many of the threads work is worth. */
  readonly choice: ThreadChoice;

  constructor(
    private readonly module: CompiledModule,
    private readonly memory: KernelMemory,
    private readonly kernels: TeamKernels,
    /** Place of the record. */
    private readonly record: number,
    /** The calling thread and workers. */
    private readonly threads: number,
  ) {
    const { buffer } = memory;
    this.words = new Uint32Array(buffer, record + WORDS, 32);
    this.reals = new Float64Array(buffer, record + REALS, 4);
    const flags = new Int32Array(buffer);
    const generation = (record + GENERATION) >> 2;
    this.flags = flags;
    this.joined = (record + JOINED) >> 2;
    this.choice = new ThreadChoice(threads);
    this.end = () => {
      Atomics.store(flags, generation, END);
      Atomics.notify(flags, generation);
    };
  }

  /** Threads that a team may have here, of as many as are wanted. */
  static threadsFor(wanted: number): number {
    return sharesMemory() ? Math.min(wanted, MOST_THREADS) : 1;
  }

  /** Whether all workers are there; until then the calling thread does everything. */
  get isComplete(): boolean {
    return Atomics.load(this.flags, this.joined) === this.threads - 1;
  }

  /** Does the tasks from `first` to `end` of an operation that reads these words and numbers. */
  perform(
    operation: number,
    first: number,
    end: number,
    words: readonly number[],
    reals: readonly number[] = [],
  ): void {
    if (this.workers === 0 && this.threads > 1) this.start();
    for (let k = 0; k < words.length; k++) this.words[k] = words[k];
    for (let k = 0; k < reals.length; k++) this.reals[k] = reals[k];
    const count = end - first;
    const { threads } = this.choice;
    if (threads === 1 || count < 2 || count > MOST_TASKS || !this.isComplete) {
      this.kernels.performAlone(operation, first, end);
      return;
    }
    this.words[TAKING_PART] = threads;
    this.kernels.perform(operation, first, end);
    this.kernels.settle(count);
  }

  /** Work that is the same in every step: by how long it takes it is seen how many threads it is worth. */
  measure(work: () => void): void {
    const begin = performance.now();
    work();
    if (this.isComplete) this.choice.took(performance.now() - begin);
  }

  /** The tasks of an operation on things in chunks of a size; `words` from the third on. */
  performChunks(operation: number, size: number, count: number, words: readonly number[]): void {
    this.perform(operation, 0, Math.ceil(count / size), [size, count, ...words]);
  }

  dispose(): void {
    this.end();
  }

  private start(): void {
    const { module, memory, record, threads, end } = this;
    this.workers = threads - 1;
    const spins = spinsFor(Math.min(threads, processors()));
    for (let thread = 1; thread < threads; thread++) {
      try {
        startWorker(SERVE, { module, memory, record, thread, spins }, () => {});
      } catch {
        // A page or a process that allows none: the calling thread does everything.
      }
    }
    forgotten.register(this, end);
  }
}
