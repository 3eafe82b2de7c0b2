// The program of a worker that holds a world, in Node and in browsers: scripts/build-worker makes one text of it and all that it imports.

import type { FromHost, ToHost } from './messages.js';
import { WorldHost } from './world-host.js';

interface NodePort {
  on(event: 'message', listener: (message: ToHost) => void): void;
  postMessage(message: FromHost, transfer: readonly ArrayBuffer[]): void;
}

const load = (globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } }).process?.getBuiltinModule;
const node = load?.('node:worker_threads') as { parentPort: NodePort | null } | undefined;
const port = node?.parentPort;
if (port) {
  const host = new WorldHost((message, transfer) => port.postMessage(message, transfer));
  port.on('message', (message) => host.take(message));
} else {
  const scope = globalThis as unknown as {
    onmessage: (event: { data: ToHost }) => void;
    postMessage(message: FromHost, transfer: readonly ArrayBuffer[]): void;
  };
  const host = new WorldHost((message, transfer) => scope.postMessage(message, transfer));
  scope.onmessage = ({ data }) => host.take(data);
}
