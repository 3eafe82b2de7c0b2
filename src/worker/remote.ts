// What the page holds of a thing that lives in a worker: its number, whether it is still there, and whether it came to be at all.

import { Membership } from '../world/membership.js';
import type { WorldLink } from './world-link.js';

export class Remote {
  readonly membership: Membership;
  private promise: Promise<unknown>;
  private isWatched = false;

  constructor(
    readonly link: WorldLink,
    readonly id: number,
    /** Its kind and name, as messages have them. */
    what: string,
    /** Settles when it was made. */
    made: Promise<unknown> = Promise.resolve(),
  ) {
    this.membership = new Membership(what);
    this.promise = made;
    made.catch((error: Error) => {
      this.membership.end(error.message);
      if (link.isOpen && !this.isWatched) link.onFault(error, id);
    });
  }

  /** When it was made, or why it could not be. Who asks for it is told; otherwise the world is. */
  get ready(): Promise<unknown> {
    this.isWatched = true;
    return this.promise;
  }

  /** Throws where it has gone, or its world has. */
  expect(): void {
    this.link.expectOpen();
    this.membership.expect();
  }

  /** Calls a method without waiting for it. */
  tell(name: string, ...args: readonly unknown[]): void {
    this.expect();
    this.link.tell(this.id, name, args);
  }

  ask<T>(name: string, ...args: readonly unknown[]): Promise<T> {
    this.expect();
    return this.link.call(this.id, name, args) as Promise<T>;
  }

  set(name: string, value: unknown): void {
    this.expect();
    this.link.set(this.id, name, value);
  }

  /** Takes it out of the world. */
  drop(reason: string): void {
    if (this.membership.ended) return;
    this.membership.end(reason);
    if (this.link.isOpen) this.link.send({ kind: 'drop', id: this.id });
  }
}
