// Who touched whom, as numbers: events are made of them where somebody asks for them.

import { pointAt, type Vec3 } from '../math/vec3.js';
import type { Body } from './body.js';
import type { Collider } from './collider.js';

/** A pair that touches, began to, or no longer does. */
export interface ContactEvent {
  /**
   * `begin` in the first step of a contact, `persist` while it lasts, `end` in the first step without it. Over the steps of an
   * `advance` a contact is one event for as long as it lasts, and one more where it ends: a `begin` stands for what follows it.
   */
  readonly phase: 'begin' | 'persist' | 'end';
  readonly body: Body;
  /** A collider, or a body that was added to the world after `body`. */
  readonly other: Body | Collider;
  /** Centre of the pressure [m], over several steps in the one that pressed most; of an ended contact the last there was. */
  readonly point: Vec3;
  /** Unit vector out of `other`, towards `body`. */
  readonly normal: Vec3;
  /** Momentum that `body` got from `other`, in the step or in all steps of the `advance` [kg m/s]. */
  readonly impulse: Vec3;
}

export type Thing = Body | Collider;

/** Point, normal and impulse of a contact. */
export const NUMBERS = 9;
export const IMPULSE = 6;

/** Contacts in a row. */
export class ContactRecords {
  /** How many there are; the lists below keep their room, so they may be longer. */
  count = 0;
  readonly phases: ContactEvent['phase'][] = [];
  readonly bodies: Body[] = [];
  readonly others: Thing[] = [];
  /** NUMBERS for each. */
  numbers = new Float64Array(NUMBERS);

  /** Adds a contact; returns where its numbers go. */
  add(phase: ContactEvent['phase'], body: Body, other: Thing): number {
    const at = NUMBERS * this.count;
    this.phases[this.count] = phase;
    this.bodies[this.count] = body;
    this.others[this.count] = other;
    this.count++;
    if (this.numbers.length < at + NUMBERS) {
      const { numbers } = this;
      this.numbers = new Float64Array(2 * numbers.length);
      this.numbers.set(numbers);
    }
    return at;
  }

  /** Whether there is a contact n, of this body. */
  isOf(body: Body, n: number): boolean {
    return n < this.count && this.bodies[n] === body;
  }

  events(): ContactEvent[] {
    const { bodies, others, numbers } = this;
    return this.phases.slice(0, this.count).map((phase, n) => ({
      phase,
      ...{ body: bodies[n], other: others[n] },
      point: pointAt(numbers, 3 * n),
      normal: pointAt(numbers, 3 * n + 1),
      impulse: pointAt(numbers, 3 * n + 2),
    }));
  }
}
