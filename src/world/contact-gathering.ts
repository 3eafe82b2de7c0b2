// The contacts of several steps as one history: what begins, goes on and ends between two looks at the world.

import type { Body } from './body.js';
import { type ContactEvent, ContactRecords, IMPULSE, NUMBERS, type Thing } from './contact-records.js';

export class ContactGathering {
  private readonly records = new ContactRecords();
  /** Where the contacts are that have not ended yet. */
  private readonly open = new Map<Body, Map<Thing, number>>();

  clear(): void {
    this.records.count = 0;
    this.open.clear();
  }

  /** Adds a step: a contact that goes on adds its impulse to what is there of it. */
  add(step: ContactRecords): void {
    for (let n = 0; n < step.count; n++) {
      const phase = step.phases[n];
      const own = this.openOf(step.bodies[n]);
      const place = own.get(step.others[n]);
      if (phase === 'persist' && place !== undefined) this.goOn(place, step, n);
      else {
        const count = this.copy(phase, step, n);
        if (phase === 'end') own.delete(step.others[n]);
        else own.set(step.others[n], count);
      }
    }
  }

  /** Adds what goes on while no step is taken: what touches still does, and presses nobody. */
  addWithoutStep(last: ContactRecords): void {
    for (let n = 0; n < last.count; n++) {
      if (last.phases[n] === 'end' || last.bodies[n].removed || last.others[n].removed) continue;
      const at = NUMBERS * this.copy('persist', last, n);
      this.records.numbers.fill(0, at + IMPULSE, at + NUMBERS);
    }
  }

  events(): readonly ContactEvent[] {
    return this.records.events();
  }

  private openOf(body: Body): Map<Thing, number> {
    let own = this.open.get(body);
    if (!own) {
      own = new Map();
      this.open.set(body, own);
    }
    return own;
  }

  /** Returns which record it is. */
  private copy(phase: ContactEvent['phase'], from: ContactRecords, n: number): number {
    const at = this.records.add(phase, from.bodies[n], from.others[n]);
    this.records.numbers.set(from.numbers.subarray(NUMBERS * n, NUMBERS * (n + 1)), at);
    return at / NUMBERS;
  }

  private goOn(place: number, step: ContactRecords, n: number): void {
    const { numbers } = this.records;
    const [at, from] = [NUMBERS * place, NUMBERS * n];
    // Of point and normal those that count most: of an impact the impact's, not those of what trembles after it.
    if (squareAt(step.numbers, from + IMPULSE) > squareAt(numbers, at + IMPULSE)) {
      for (let k = 0; k < IMPULSE; k++) numbers[at + k] = step.numbers[from + k];
    }
    for (let k = IMPULSE; k < NUMBERS; k++) numbers[at + k] += step.numbers[from + k];
  }
}

const squareAt = (v: Float64Array, k: number): number => v[k] ** 2 + v[k + 1] ** 2 + v[k + 2] ** 2;
