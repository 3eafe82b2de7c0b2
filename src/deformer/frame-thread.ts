// One worker thread as the pool holds it, in Node and in browsers.

import type { FromWorker, ToWorker } from './frame-messages.js';

export interface FrameThread {
  send(message: ToWorker): void;
  end(): void;
}

interface NodeWorker {
  postMessage(message: ToWorker): void;
  on(event: 'message', listener: (answer: FromWorker) => void): void;
  on(event: 'error', listener: (error: Error) => void): void;
  terminate(): Promise<number>;
}

interface NodeThreads {
  Worker: new (source: string, options: { eval: boolean; execArgv: readonly string[] }) => NodeWorker;
}

/** Node's own modules, without an import that bundlers for browsers would stumble over. */
function nodeModule<T>(name: string): T | undefined {
  const load = (globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } }).process?.getBuiltinModule;
  return load?.(name) as T | undefined;
}

/** Processors of this machine that workers could keep busy. */
export const processorCount = (): number =>
  Math.max(
    1,
    globalThis.navigator?.hardwareConcurrency ??
      nodeModule<{ availableParallelism(): number }>('node:os')?.availableParallelism() ??
      1,
  );

/** Address of the worker's text; one for all, and kept: not every browser has read it when `new Worker` returns. */
let address: string | undefined;

/** Starts a worker that runs the text. Throws, or calls `onError`, where that is not possible. */
export function startThread(
  source: string,
  onAnswer: (answer: FromWorker) => void,
  onError: (fault: string) => void,
): FrameThread {
  const node = nodeModule<NodeThreads>('node:worker_threads');
  if (node) {
    // The process's own flags are about its own program: --input-type, for one, would be taken for the worker's text.
    const worker = new node.Worker(source, { eval: true, execArgv: [] });
    worker.on('message', onAnswer);
    worker.on('error', ({ message }) => onError(message));
    return { send: (message) => worker.postMessage(message), end: () => void worker.terminate() };
  }
  address ??= URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  const worker = new Worker(address);
  worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => onAnswer(data));
  worker.addEventListener('error', (event) => {
    event.preventDefault();
    onError(event.message || 'no worker can be started here');
  });
  return { send: (message) => worker.postMessage(message), end: () => worker.terminate() };
}
