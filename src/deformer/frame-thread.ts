// One worker thread as a pool or a world holds it, in Node and in browsers.

import type { FromWorker, ToWorker } from './frame-messages.js';

export interface FrameThread<To = ToWorker> {
  send(message: To, transfer?: readonly ArrayBuffer[]): void;
  end(): void;
  /** Whether Node waits for it; it does at first. */
  hold?(isHeld: boolean): void;
}

interface NodeWorker {
  postMessage(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  on(event: 'message', listener: (answer: never) => void): void;
  on(event: 'error', listener: (error: Error) => void): void;
  on(event: 'exit', listener: () => void): void;
  terminate(): Promise<number>;
  ref(): void;
  unref(): void;
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

/** Addresses of workers' texts; one for all of a kind, and kept: not every browser has read it when `new Worker` returns. */
const addresses = new Map<string, string>();

function addressOf(source: string): string {
  const address = addresses.get(source) ?? URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  addresses.set(source, address);
  return address;
}

/** Starts a worker that runs the text. Throws, or calls `onError`, where that is not possible. */
export function startThread<To = ToWorker, From = FromWorker>(
  source: string,
  onAnswer: (answer: From) => void,
  onError: (fault: string) => void,
): FrameThread<To> {
  const node = nodeModule<NodeThreads>('node:worker_threads');
  // The process's own flags are about its own program: --input-type, for one, would be taken for the worker's text.
  const worker = node ? new node.Worker(source, { eval: true, execArgv: [] }) : new Worker(addressOf(source));
  return adoptWorker(worker, onAnswer, onError);
}

/** Holds a worker that runs already. */
export function adoptWorker<To, From>(
  given: object,
  onAnswer: (answer: From) => void,
  onError: (fault: string) => void,
): FrameThread<To> {
  if (!('addEventListener' in given)) {
    const worker = given as NodeWorker;
    worker.on('message', onAnswer);
    let isOver = false;
    const stop = (fault: string): void => {
      if (!isOver) onError(fault);
      isOver = true;
    };
    worker.on('error', ({ message }) => stop(message));
    worker.on('exit', () => stop('it has ended'));
    return {
      send: (message, transfer) => worker.postMessage(message, transfer),
      end: () => {
        isOver = true;
        void worker.terminate();
      },
      hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
    };
  }
  const worker = given as Worker;
  worker.addEventListener('message', ({ data }: MessageEvent<From>) => onAnswer(data));
  worker.addEventListener('error', (event) => {
    event.preventDefault();
    onError(event.message || 'no worker can be started here');
  });
  return {
    send: (message, transfer = []) => worker.postMessage(message, [...transfer]),
    end: () => worker.terminate(),
  };
}
