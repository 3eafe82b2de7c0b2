// The contacts of all steps between two frames, as numbers that can be sent: a contact is one event for as long as it lasts, and one more
// where it ends, as in `World.contactEvents` after `advance`.

import type { Body } from '../world/body.js';
import type { Collider } from '../world/collider.js';
import type { ContactEvent } from '../world/contact-events.js';
import { CONTACT_NUMBERS, PHASES } from './messages.js';

const IMPULSE = 9;

export class ContactFrame {
  private numbers: number[][] = [];
  /** Contacts that last, by the numbers of what touches, with the greatest push of one step so far [kg m/s]. */
  private open = new Map<string, { readonly row: number[]; strongest: number }>();

  constructor(private readonly numberOf: (thing: Body | Collider) => number | undefined) {}

  /** Takes the events of a step. */
  add(events: readonly ContactEvent[]): void {
    for (const { phase, body, other, point, normal, impulse } of events) {
      const [first, second] = [this.numberOf(body), this.numberOf(other)];
      if (first === undefined || second === undefined) continue;
      const key = `${first} ${second}`;
      const strength = impulse[0] ** 2 + impulse[1] ** 2 + impulse[2] ** 2;
      const lasting = this.open.get(key);
      if (phase !== 'persist' || !lasting) {
        const row = [PHASES.indexOf(phase), first, second, ...point, ...normal, ...impulse];
        this.numbers.push(row);
        if (phase === 'end') this.open.delete(key);
        else this.open.set(key, { row, strongest: strength });
        continue;
      }
      const { row } = lasting;
      impulse.forEach((x, c) => {
        row[IMPULSE + c] += x;
      });
      if (strength <= lasting.strongest) continue;
      lasting.strongest = strength;
      [...point, ...normal].forEach((x, n) => {
        row[3 + n] = x;
      });
    }
  }

  /** All since the last time. Without a step there is nothing new: what touches goes on. */
  take(): Float64Array {
    const numbers = new Float64Array(CONTACT_NUMBERS * this.numbers.length);
    this.numbers.forEach((row, n) => {
      numbers.set(row, CONTACT_NUMBERS * n);
    });
    this.numbers = [];
    this.open.clear();
    return numbers;
  }
}
