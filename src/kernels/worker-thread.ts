// Worker threads that are a text and a task: in Node, and in pages that are cross-origin isolated.

interface NodeWorker {
  postMessage(task: object): void;
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

/** Addresses of workers' texts; one for all of a kind, and kept: not every browser has read it when `new Worker` returns. */
const addresses = new Map<string, string>();

/**
 * Starts a worker that calls `serve`, the text of a function of a task and of what ends the worker. Throws or calls `onError` where
 * that is not possible.
 */
export function startWorker(serve: string, task: object, onError: () => void): void {
  const node = nodeWorkerThreads();
  if (node) {
    const source = `const { parentPort } = process.getBuiltinModule('node:worker_threads');
parentPort.once('message', (task) => (${serve})(task, () => parentPort.close()));`;
    // The process's own flags are about its own program: --input-type, for one, would be taken for the worker's text.
    const worker = new node.Worker(source, { eval: true, execArgv: [] });
    worker.once('error', onError);
    worker.postMessage(task);
    worker.unref();
    return;
  }
  let address = addresses.get(serve);
  if (!address) {
    const source = `onmessage = ({ data }) => (${serve})(data, close);`;
    address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
    addresses.set(serve, address);
  }
  const worker = new Worker(address);
  worker.addEventListener('error', (event) => {
    event.preventDefault();
    onError();
  });
  worker.postMessage(task);
}
