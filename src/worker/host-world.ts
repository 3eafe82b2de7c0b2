// Holds a world in the worker that calls it, in Node and in browsers, with a program of the user's own beside it.

import { expectKnownFields } from '../math/known-fields.js';
import type { FromHost, ToHost } from './messages.js';
import { WorldHost } from './world-host.js';
import type { HostedWorld, WorldProgram } from './world-program.js';

interface NodePort {
  on(event: 'message', listener: (message: ToHost) => void): void;
  postMessage(message: FromHost, transfer: readonly ArrayBuffer[]): void;
}

interface WorkerScope {
  onmessage: (event: { data: ToHost }) => void;
  postMessage(message: FromHost, transfer: readonly ArrayBuffer[]): void;
}

const HOOKS = ['createWorld', 'beforeStep', 'afterStep', 'frame', 'calls'];

/**
 * Makes the worker that calls it one that holds a world, with code of your own beside it: call it once, while the worker's file is read. The page
 * gives that worker to `createWorkerWorld({ worker })`. The worker's messages are the world's.
 *
 * @example
 * ```ts
 * // The worker's file; how a page starts it is in the guide to workers.
 * let steps = 0;
 * const start = () =>
 *   hostWorld({
 *     beforeStep: (world) => world.bodies.forEach((body) => body.applyForce([0, 0, Math.sin(world.time)])),
 *     afterStep: () => void steps++,
 *     frame: () => ({ steps }), // world.programFrame on the page
 *     calls: { double: (x: number) => 2 * x }, // await world.call('double', 21)
 *   });
 * console.log(start.name); // in a worker: start()
 * ```
 */
export function hostWorld(program: WorldProgram = {}): HostedWorld {
  expectKnownFields('hostWorld', program, HOOKS);
  const load = (globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } }).process?.getBuiltinModule;
  const node = load?.('node:worker_threads') as { parentPort: NodePort | null } | undefined;
  const scope = globalThis as unknown as WorkerScope & { document?: unknown };
  const port = node?.parentPort;
  if (node ? !port : scope.document || typeof scope.postMessage !== 'function')
    throw new Error('hostWorld: expected to be called in a worker');
  if (port) {
    const host = new WorldHost((message, transfer) => port.postMessage(message, transfer), program);
    port.on('message', (message) => host.take(message));
    return host;
  }
  const host = new WorldHost((message, transfer) => scope.postMessage(message, transfer), program);
  scope.onmessage = ({ data }) => host.take(data);
  return host;
}
