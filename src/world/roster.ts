// The things of one kind in a world, in the order in which they were added: as users hold them, and what is behind them.

import type { Membership } from './membership.js';

export class Roster<Facade, Inner> {
  private readonly held: Facade[] = [];
  private readonly behind: Inner[] = [];
  private readonly memberships = new Map<Facade, Membership>();

  /** As users hold them. */
  get facades(): readonly Facade[] {
    return this.held;
  }

  /** What is behind each. */
  get inner(): readonly Inner[] {
    return this.behind;
  }

  add(facade: Facade, inner: Inner, membership: Membership): void {
    this.held.push(facade);
    this.behind.push(inner);
    this.memberships.set(facade, membership);
  }

  has(facade: unknown): boolean {
    return this.memberships.has(facade as Facade);
  }

  /** What is behind one; undefined where it is not here. */
  innerOf(facade: Facade): Inner | undefined {
    return this.has(facade) ? this.behind[this.held.indexOf(facade)] : undefined;
  }

  /** What users hold of one that is here. */
  facadeOf(inner: Inner): Facade {
    return this.held[this.behind.indexOf(inner)];
  }

  /** Lets one go; undefined where it was not here. */
  remove(facade: Facade, reason: string): Inner | undefined {
    const place = this.held.indexOf(facade);
    if (place < 0) return undefined;
    this.memberships.get(facade)?.end(reason);
    this.memberships.delete(facade);
    this.held.splice(place, 1);
    return this.behind.splice(place, 1)[0];
  }

  clear(reason: string): void {
    for (const facade of [...this.held]) this.remove(facade, reason);
  }
}
