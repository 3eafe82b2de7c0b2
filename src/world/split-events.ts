// Which bodies came apart: events of the last step, or of all steps of the last `advance`.

import type { Body } from './body.js';

/** A body that is in more closed parts than before. */
export interface SplitEvent {
  readonly body: Body;
  /** Its closed parts before and after. */
  readonly before: number;
  readonly after: number;
}

export class SplitLog {
  private events: SplitEvent[] = [];
  private isGathering = false;

  get shown(): readonly SplitEvent[] {
    return this.events;
  }

  /** Begins an `advance`, whose steps are told of together, or ends it. */
  gather(isGathering: boolean): void {
    if (isGathering) this.events = [];
    this.isGathering = isGathering;
  }

  /** Begins a step. */
  begin(): void {
    if (!this.isGathering) this.events = [];
  }

  add(body: Body, before: number, after: number): void {
    if (after > before) this.events.push(Object.freeze({ body, before, after }));
  }

  clear(): void {
    this.events = [];
  }
}
