// The page's end of the line to the worker that holds the world.

import type { Answer, Command } from '../protocol.js';

type Listener<T extends Answer['type']> = (answer: Extract<Answer, { type: T }>) => void;

export class WorldLink {
  private readonly worker: Worker;
  private readonly listeners = new Map<string, ((answer: never) => void)[]>();

  constructor() {
    this.worker = new Worker(new URL('../worker/world-worker.ts', import.meta.url), { type: 'module', name: 'world' });
    this.worker.onmessage = ({ data }: MessageEvent<Answer>) => this.tell(data);
    this.worker.onerror = (event) => {
      this.tell({ type: 'failed', about: 'step', message: event.message || 'the worker could not be started' });
    };
  }

  private tell(answer: Answer): void {
    for (const listener of this.listeners.get(answer.type) ?? []) listener(answer as never);
  }

  on<T extends Answer['type']>(type: T, listener: Listener<T>): void {
    this.listeners.set(type, [...(this.listeners.get(type) ?? []), listener as (answer: never) => void]);
  }

  send(command: Command, transfer: Transferable[] = []): void {
    this.worker.postMessage(command, transfer);
  }
}
