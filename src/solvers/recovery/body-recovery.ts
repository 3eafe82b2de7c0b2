// Recovery of a body: each of its closed parts is looked at, and where it is broken drawn back, on its own. Parts may lie anywhere to each
// other, so that they do not fit the rest shape as a whole says nothing.

import { restoreFields, type StateTree } from '../../math/state-tree.js';
import type { RecoverableBody, Surroundings } from './recoverable-body.js';
import { type PartedBody, RecoverablePart } from './recoverable-part.js';
import { Recovery } from './recovery.js';

export class BodyRecovery {
  private parts: readonly Recovery[] = [];
  /** How often parts of topologies before were found broken. */
  private countBefore = 0;
  /** The part that is being drawn: what it writes itself is no news to the others. */
  private current: Recovery | undefined;

  /** The body has so many parts from here on. */
  divide(count: number): void {
    this.countBefore = this.count;
    this.parts = Array.from({ length: count }, () => new Recovery());
  }

  /** How often one of them was found broken. */
  get count(): number {
    return this.parts.reduce((sum, part) => sum + part.count, this.countBefore);
  }

  /** Whether any is on its way back: it does not sleep then. */
  get isActive(): boolean {
    const { parts } = this;
    for (let n = 0; n < parts.length; n++) if (parts[n].isActive) return true;
    return false;
  }

  /** Whether any is, or was placed by hand and not looked at since. */
  get isAsked(): boolean {
    for (const part of this.parts) if (part.isAsked) return true;
    return false;
  }

  /** Share of V₀ that the volume constraint is to keep of a part; 0 for none. */
  volumeShareOf(part: number): number {
    return this.parts[part].volumeShare;
  }

  /** Whether the volume of any part, or of every one, is to be kept. */
  get keepsAny(): boolean {
    const { parts } = this;
    for (let n = 0; n < parts.length; n++) if (parts[n].volumeShare > 0) return true;
    return false;
  }

  get keepsAll(): boolean {
    const { parts } = this;
    for (let n = 0; n < parts.length; n++) if (parts[n].volumeShare === 0) return false;
    return true;
  }

  /** The particles were placed by hand; `rotation` is how the rest shape is turned there, where that is known. */
  renew(rotation?: ArrayLike<number>): void {
    if (this.current) this.current.renew(rotation);
    else for (const part of this.parts) part.renew(rotation);
  }

  /** Before a step of `timeStep` [s]: looks at the parts, and moves those that are broken. */
  update(body: RecoverableBody & PartedBody, around: Surroundings, timeStep: number): void {
    const isWhole = this.parts.length === 1;
    try {
      for (let n = 0; n < this.parts.length; n++) {
        this.current = this.parts[n];
        this.current.update(isWhole ? body : RecoverablePart.of(body, n), around, timeStep);
      }
    } finally {
      this.current = undefined;
    }
  }

  capture(): StateTree {
    return { countBefore: this.countBefore, parts: this.parts.map((part) => part.capture()) };
  }

  restore(state: StateTree): void {
    const { countBefore, parts } = state as { countBefore: number; parts: readonly { [key: string]: StateTree }[] };
    this.countBefore = countBefore;
    this.parts.forEach((part, n) => {
      restoreFields(part, parts[n]);
    });
  }
}
