// The page's end of the line to the worker that holds a world: calls and their answers, frames one at a time, faults that nobody waits for.

import type { FrameThread } from '../deformer/frame-thread.js';
import { unpackFault } from './fault.js';
import type { Frame, FromHost, Kind, ToHost } from './messages.js';

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

const DISPOSED = 'the world has been disposed of';

export class WorldLink {
  /** Called with each frame. */
  onFrame: (frame: Frame) => void = () => {};
  /** Called with what went wrong where nobody waits for it, and the number of what it is about. */
  onFault: (error: Error, id: number) => void = () => {};
  private readonly calls = new Map<number, Waiting>();
  private lastCall = 0;
  private lastThing = 0;
  private thread: FrameThread<ToHost> | undefined;
  /** Who waits for the frame that is under way, and for the one after it. */
  private underWay: Waiting[] | undefined;
  private next: Waiting[] = [];
  /** Time that the next frame has to make up for [s]. */
  private elapsed = 0;
  private spare: ArrayBuffer | undefined;

  connect(thread: FrameThread<ToHost>): void {
    this.thread = thread;
  }

  get isOpen(): boolean {
    return this.thread !== undefined;
  }

  expectOpen(): void {
    if (!this.thread) throw new Error(DISPOSED);
  }

  /** A number for something that is to be made. */
  newId(): number {
    return ++this.lastThing;
  }

  take(message: FromHost): void {
    if (message.kind === 'frame') {
      this.takeFrame(message.frame);
      return;
    }
    const waiting = this.calls.get(message.call);
    this.calls.delete(message.call);
    this.hold();
    if (message.kind === 'answer') waiting?.resolve(message.value);
    else if (waiting) waiting.reject(unpackFault(message.fault));
    else this.onFault(unpackFault(message.fault), message.id);
  }

  /** Sends what needs no answer. */
  send(message: ToHost): void {
    this.expectOpen();
    this.post(message);
  }

  /** Makes something; the promise is of what the worker says of it, or of its refusal. */
  make(what: Kind, id: number, args: readonly unknown[]): Promise<unknown> {
    return this.ask((call) => ({ kind: 'make', what, id, call, args }));
  }

  call(id: number, name: string, args: readonly unknown[] = []): Promise<unknown> {
    return this.ask((call) => ({ kind: 'call', id, call, name, args }));
  }

  callProgram(name: string, args: readonly unknown[]): Promise<unknown> {
    return this.ask((call) => ({ kind: 'program', call, name, args }));
  }

  /** A call that nobody waits for. */
  tell(id: number, name: string, args: readonly unknown[] = []): void {
    this.send({ kind: 'call', id, call: 0, name, args });
  }

  set(id: number, name: string, value: unknown): void {
    this.send({ kind: 'set', id, call: 0, name, value });
  }

  /** Resolves with the steps of the first frame that has made up for the time [s]. Those that are asked for meanwhile are one. */
  frame(elapsed: number): Promise<number> {
    this.expectOpen();
    this.elapsed += elapsed;
    const done = new Promise<unknown>((resolve, reject) => {
      this.next.push({ resolve, reject });
    });
    this.askForFrame();
    return done as Promise<number>;
  }

  close(): void {
    this.thread?.end();
    this.thread = undefined;
    for (const { reject } of this.calls.values()) reject(new Error(DISPOSED));
    this.calls.clear();
    // Loops that wait for frames end as if nothing had happened.
    for (const { resolve } of [...(this.underWay ?? []), ...this.next]) resolve(0);
    this.underWay = undefined;
    this.next = [];
  }

  private ask(describe: (call: number) => ToHost): Promise<unknown> {
    this.expectOpen();
    const call = ++this.lastCall;
    return new Promise((resolve, reject) => {
      try {
        this.post(describe(call));
      } catch (error) {
        // What cannot be sent, such as a function among the options.
        reject(new RangeError(`expected plain values, ${(error as Error).message}`));
        return;
      }
      this.calls.set(call, { resolve, reject });
      this.hold();
    });
  }

  private askForFrame(): void {
    if (this.underWay || this.next.length === 0) return;
    this.underWay = this.next;
    this.next = [];
    const { elapsed, spare } = this;
    this.elapsed = 0;
    this.spare = undefined;
    this.hold();
    this.post({ kind: 'frame', elapsed, buffer: spare }, spare ? [spare] : []);
  }

  private takeFrame(frame: Frame): void {
    const waiting = this.underWay ?? [];
    this.underWay = undefined;
    this.hold();
    this.onFrame(frame);
    for (const { resolve } of waiting) resolve(frame.taken);
    this.askForFrame();
  }

  /** Takes back a buffer that is shown no more. */
  giveBack(buffer: ArrayBuffer): void {
    this.spare = buffer;
  }

  private post(message: ToHost, transfer: readonly ArrayBuffer[] = []): void {
    this.thread?.send(message, transfer);
  }

  /** Node waits for a worker that owes an answer, and for no other. */
  private hold(): void {
    this.thread?.hold?.(this.calls.size > 0 || this.underWay !== undefined);
  }
}
