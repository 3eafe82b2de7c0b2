// Worker threads of one world. Workers sleep between steps; during a step the calling thread takes part. Phases are kept
// apart by gates and barriers inside the kernels; the last one, at the end of the step, waits for all.

import { spinsFor, startWorker } from '../../kernels/worker-thread.js';
import { WORLD_GENERATION, WORLD_JOINED } from './layout.js';
import { NAP } from './modules.js';

/** What a worker needs to join. */
interface WorkerTask {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  world: number;
  workingMemory: number;
  thread: number;
  /** Where in the world record the threads' flags are. */
  generation: number;
  joined: number;
  spins: number;
}

/** The generation that ends the workers. */
const END = -1;
/** Bits of a generation that say how many threads take part in its step; the others count steps. */
const THREADS_MASK = 31;
const THREADS_BITS = 5;
const LAST_STEP = 0x3ffffff;

/**
 * What a worker runs: says that it is there, then waits for the generation to change and takes its part in the step, again
 * and again. It looks for a while before it sleeps, as at a barrier: the next step often follows at once. As text, because
 * build tools rewrite functions and a worker has nothing but this text.
 */
const SERVE = `(task, finish) => {
  const flags = new Int32Array(task.memory.buffer);
  const sleep = (at, value) => Atomics.wait(flags, at >> 2, value);
  const wake = (at) => Atomics.notify(flags, at >> 2);
  const nap = () => Atomics.wait(flags, 0, Atomics.load(flags, 0), ${NAP});
  const imports = { env: { memory: task.memory, now: () => 0, sleep, nap, wake, abort: () => {} } };
  const kernels = new WebAssembly.Instance(task.module, imports).exports;
  kernels.attach(task.world, task.workingMemory, 1, task.spins);
  const generation = (task.world + task.generation) >> 2;
  let seen = 0;
  Atomics.add(flags, (task.world + task.joined) >> 2, 1);
  for (;;) {
    for (let looks = 0; looks < task.spins && Atomics.load(flags, generation) === seen; looks++);
    Atomics.wait(flags, generation, seen);
    const current = Atomics.load(flags, generation);
    if (current === seen) continue;
    seen = current;
    if (seen === ${END}) break;
    if (task.thread < (seen & ${THREADS_MASK})) kernels.step(task.thread);
  }
  finish();
}`;

export class ThreadPool {
  private readonly flags: Int32Array;
  private readonly generation: number;
  private readonly joined: number;
  private current = 0;

  constructor(
    module: WebAssembly.Module,
    memory: WebAssembly.Memory,
    world: number,
    /** Working memory of each worker. */
    workingMemories: readonly number[],
  ) {
    this.flags = new Int32Array(memory.buffer);
    this.generation = (world + WORLD_GENERATION) >> 2;
    this.joined = (world + WORLD_JOINED) >> 2;
    workingMemories.forEach((workingMemory, index) => {
      const task: WorkerTask = {
        module,
        memory,
        world,
        workingMemory,
        thread: index + 1,
        generation: WORLD_GENERATION,
        joined: WORLD_JOINED,
        spins: spinsFor(workingMemories.length + 1),
      };
      try {
        startWorker(SERVE, task, () => this.giveUp());
      } catch {
        this.giveUp();
      }
    });
    this.workers = workingMemories.length;
  }

  private readonly workers: number;

  /** Whether workers cannot be had here (a policy of the page or of the process forbids them). */
  failed = false;

  /** Whether all workers have joined; until then steps run on the calling thread alone. */
  get ready(): boolean {
    return !this.failed && (this.current > 0 || Atomics.load(this.flags, this.joined) === this.workers);
  }

  private giveUp(): void {
    this.failed = true;
    this.dispose();
  }

  /**
   * Sends workers into a step of so many threads in all; the calling thread is to take its part, which ends when theirs have
   * ended. One number tells which step and how many: nobody waits for workers that do not take part, and what they read later
   * may be of the next step.
   */
  begin(threads: number): void {
    this.current = (this.current % LAST_STEP) + 1;
    Atomics.store(this.flags, this.generation, (this.current << THREADS_BITS) | threads);
    Atomics.notify(this.flags, this.generation);
  }

  dispose(): void {
    Atomics.store(this.flags, this.generation, END);
    Atomics.notify(this.flags, this.generation);
  }
}
