// Worker threads of one world. Workers sleep between steps; during a step the calling thread takes part. Phases are kept
// apart by gates and barriers inside the kernels; the last one, at the end of the step, waits for all.

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
const NODE_SOURCE = `const { parentPort } = process.getBuiltinModule('node:worker_threads');
parentPort.once('message', (task) => (${SERVE})(task, () => parentPort.close()));`;
const BROWSER_SOURCE = `onmessage = ({ data }) => (${SERVE})(data, close);`;

interface NodeWorker {
  postMessage(task: WorkerTask): void;
  once(event: 'error', listener: () => void): void;
  unref(): void;
}

interface NodeWorkerThreads {
  Worker: new (source: string, options: { eval: boolean; execArgv: readonly string[] }) => NodeWorker;
}

/** Node's worker threads, without an import that bundlers for browsers would stumble over. */
function nodeWorkerThreads(): NodeWorkerThreads | undefined {
  const load = (globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } }).process?.getBuiltinModule;
  return load?.('node:worker_threads') as NodeWorkerThreads | undefined;
}

/** Whether threads can share memory here: in Node, and in pages that are cross-origin isolated. */
export function sharesMemory(): boolean {
  if (typeof SharedArrayBuffer !== 'function') return false;
  if (nodeWorkerThreads()) return true;
  return typeof Worker === 'function' && (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated === true;
}

/** Processors of this machine that threads could keep busy. */
export function processors(): number {
  return Math.max(1, globalThis.navigator?.hardwareConcurrency ?? nodeProcessors());
}

function nodeProcessors(): number {
  const load = (globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } }).process?.getBuiltinModule;
  const os = load?.('node:os') as { availableParallelism(): number } | undefined;
  return os?.availableParallelism() ?? 1;
}

/**
 * Looks at a barrier before a thread goes to sleep there. A tenth of a millisecond is longer than threads are apart, and going
 * to sleep and waking takes as long: two threads gained 1.55 times with a tenth of this, 1.85 times with it. Where there are
 * more threads than processors, the others need this one's.
 */
export const spinsFor = (threads: number): number => (threads <= processors() ? 60_000 : 1000);

/** Whether the calling thread may sleep until others are done; a browser's main thread may not, and looks again and again. */
export function mayBlock(): boolean {
  try {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 1);
    return true;
  } catch {
    return false;
  }
}

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
        startWorker(task, () => this.giveUp());
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

/** Address of the workers' text; one for all, and kept: not every browser has read it when `new Worker` returns. */
let workerAddress: string | undefined;

/** Starts a worker; throws or calls `onError` where that is not possible. */
function startWorker(task: WorkerTask, onError: () => void): void {
  const node = nodeWorkerThreads();
  if (node) {
    // The process's own flags are about its own program: --input-type, for one, would be taken for the worker's text.
    const worker = new node.Worker(NODE_SOURCE, { eval: true, execArgv: [] });
    worker.once('error', onError);
    worker.postMessage(task);
    worker.unref();
    return;
  }
  workerAddress ??= URL.createObjectURL(new Blob([BROWSER_SOURCE], { type: 'text/javascript' }));
  const worker = new Worker(workerAddress);
  worker.addEventListener('error', (event) => {
    event.preventDefault();
    onError();
  });
  worker.postMessage(task);
}
