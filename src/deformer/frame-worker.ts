// The program of a worker, in Node and in browsers: scripts/build-worker makes one text of it and all that it imports.

import type { FromWorker, ToWorker } from './frame-messages.js';
import { FrameServer } from './frame-server.js';

interface NodePort {
  on(event: 'message', listener: (message: ToWorker) => void): void;
  postMessage(message: FromWorker, transfer: ArrayBuffer[]): void;
}

const server = new FrameServer();

/** Arrays of a result need not be copied. An untouched frame's positions are nobody else's either: they were sent here. */
function transferOf(answer: FromWorker): ArrayBuffer[] {
  if (!('result' in answer)) return [];
  const { positions, normals, helper, maps } = answer.result;
  const arrays = [positions, normals, helper, ...Object.values(maps as unknown as Record<string, Float64Array>)];
  return [...new Set(arrays.map(({ buffer }) => buffer as ArrayBuffer))];
}

const load = (globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } }).process?.getBuiltinModule;
const node = load?.('node:worker_threads') as { parentPort: NodePort | null } | undefined;
const port = node?.parentPort;
if (port) {
  port.on('message', (message) => {
    const answer = server.take(message);
    if (answer) port.postMessage(answer, transferOf(answer));
  });
} else {
  const scope = globalThis as unknown as {
    onmessage: (event: { data: ToWorker }) => void;
    postMessage(message: FromWorker, transfer: ArrayBuffer[]): void;
  };
  scope.onmessage = ({ data }) => {
    const answer = server.take(data);
    if (answer) scope.postMessage(answer, transferOf(answer));
  };
}
