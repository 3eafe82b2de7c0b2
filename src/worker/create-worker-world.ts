// Makes worlds that live in workers, in browsers and in Node, from every bundler: the worker's program is a text that the library carries.

import { MAX_THREADS } from '../backends/wasm/layout.js';
import { adoptWorker, type FrameThread, processorCount, startThread } from '../deformer/frame-thread.js';
import { expectKnownFields } from '../math/known-fields.js';
import { WORLD_OPTIONS, type WorldOptions } from '../world/world-options.js';
import { type FromHost, type ToHost, WORLD, type WorldInfo } from './messages.js';
import { WorkerWorld } from './worker-world.js';
import { WorldLink } from './world-link.js';

/** A worker of a browser, or one of Node's `worker_threads`. */
export interface GivenWorker {
  // biome-ignore lint/suspicious/noExplicitAny: browsers and Node name different types here
  postMessage(message: any, transfer?: any): void;
  terminate(): unknown;
}

/** What a world in a worker is made with. */
export interface WorkerWorldOptions extends WorldOptions {
  /**
   * Whether positions come in memory that page and worker share. Where the page is isolated (and in Node) unless set; elsewhere buffers are
   * handed over.
   */
  readonly shared?: boolean;
  /** A worker of your own, whose file calls `hostWorld`: code of yours runs beside the world. It ends with the world. */
  readonly worker?: GivenWorker;
  /** Called with what goes wrong in the worker where nobody waits for it; the console tells of it unless set. */
  readonly onFault?: (error: Error) => void;
}

/**
 * Creates a world in a worker. `threads` are all processors but one, which the page needs to draw, unless set.
 *
 * @example
 * ```ts
 * const world = await createWorkerWorld({ gravity: [0, -9.81, 0] });
 * world.addCollider({ shape: 'plane', normal: [0, 1, 0] });
 * const ball = world.add(await world.prepare(icosphere({ detail: 2 })), { position: [0, 2, 0] });
 * await world.step(100);   // or, once per picture: world.advance(seconds)
 * console.log(ball.positions, await ball.volume());
 * world.dispose();
 * ```
 */
export async function createWorkerWorld(options: WorkerWorldOptions = {}): Promise<WorkerWorld> {
  expectKnownFields('createWorkerWorld', options, [...WORLD_OPTIONS, 'shared', 'onFault', 'worker']);
  const { shared = canShare(), onFault, worker, ...given } = options;
  if (shared && !canShare()) throw new RangeError('shared: expected false, as this page is not cross-origin isolated');
  const threads = given.threads ?? Math.min(MAX_THREADS, Math.max(1, processorCount() - 1));
  const args = [{ ...given, threads }, shared];
  const started = worker
    ? await inGivenWorker(worker, args)
    : ((await inOwnThread(args)) ?? (await inThisThread(args)));
  const { link, info, inWorker } = started;
  const world = new WorkerWorld(link, info, { gravity: options.gravity, inWorker });
  if (onFault) world.onFault = onFault;
  return world;
}

/** Whether memory can be shared with a worker. */
const canShare = (): boolean =>
  typeof SharedArrayBuffer === 'function' &&
  (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated !== false;

/** Time that a worker of the user's own has to be loaded and to answer [s]: slow lines need some of it, and nobody waits longer. */
const PATIENCE = 60;

/** In a worker that the user has started. */
async function inGivenWorker(worker: GivenWorker, args: readonly unknown[]) {
  let fault = '';
  let patience: ReturnType<typeof setTimeout> | undefined;
  const made = await inThread(args, (onMessage, onError) => {
    const lose = (why: string): void => {
      fault ||= why;
      onError(why);
    };
    patience = setTimeout(() => lose(`no answer within ${PATIENCE} s`), 1000 * PATIENCE);
    return adoptWorker<ToHost, FromHost>(worker, onMessage, lose);
  }).finally(() => clearTimeout(patience));
  if (!made) throw new Error(`worker: expected one that calls hostWorld, got one that could not start: ${fault}`);
  return made;
}

/** Undefined where no worker can be started: a page's policy may forbid it. */
async function inOwnThread(args: readonly unknown[]) {
  // Only who asks for a worker carries its text.
  const { WORKER } = await import('./worker.generated.js');
  return inThread(args, (onMessage, onError) => startThread<ToHost, FromHost>(WORKER, onMessage, onError));
}

type Start = (onMessage: (message: FromHost) => void, onError: (fault: string) => void) => FrameThread<ToHost>;

/** Undefined where the thread is lost before its world is there. */
async function inThread(args: readonly unknown[], start: Start) {
  const link = new WorldLink();
  let started: FrameThread<ToHost> | undefined;
  const lost = new Promise<undefined>((resolve) => {
    try {
      const lose = (fault: string): void => {
        resolve(undefined);
        link.onFault(new Error(`the worker has stopped: ${fault}`), WORLD);
        link.close();
      };
      started = start((message) => link.take(message), lose);
    } catch {
      resolve(undefined);
    }
  });
  if (!started) return undefined;
  link.connect(started);
  const made = link.make('world', WORLD, args);
  // Where the worker is lost this is refused too, and nobody waits for it.
  made.catch(() => {});
  try {
    const info = (await Promise.race([lost, made])) as WorldInfo | undefined;
    return info && { link, info, inWorker: true };
  } catch (error) {
    const { isOpen } = link;
    link.close();
    // The worker's own refusal; a worker that was lost refuses by closing.
    if (isOpen) throw error;
    return undefined;
  }
}

/** On the calling thread, in turns of its own. */
async function inThisThread(args: readonly unknown[]) {
  const { WorldHost } = await import('./world-host.js');
  const link = new WorldLink();
  const host = new WorldHost((message) => link.take(message));
  link.connect({ send: (message) => host.take(message), end: () => host.end() });
  const info = (await link.make('world', WORLD, args)) as WorldInfo;
  return { link, info, inWorker: false };
}
