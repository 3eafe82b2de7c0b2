// Who touches whom: events of the last step or the last `advance`, and what bodies did to obstacles.

import type { BackendBody } from '../backends/backend.js';
import { Collider } from '../contact/obstacles/collider.js';
import type { Touch } from '../contact/response/touches.js';
import type { Body } from './body.js';
import { ContactGathering } from './contact-gathering.js';
import { type ContactEvent, ContactRecords, IMPULSE, NUMBERS, type Thing } from './contact-records.js';

export type { ContactEvent } from './contact-records.js';

/** Who touches whom. Kept as numbers: events are made where somebody asks for them. */
export class ContactLog {
  private current = new ContactRecords();
  /** Of the step before. */
  private before = new ContactRecords();
  /** Of all steps of the last `advance`, where the last steps were taken by one. */
  private readonly gathering = new ContactGathering();
  private isGathered = false;
  private made: readonly ContactEvent[] | undefined;
  /** Colliders, then bodies; and the place in this list of each, and of each body's state. */
  private things: readonly Thing[] = [];
  private places: ReadonlyMap<object, number> = new Map();
  /** What a body touches, sorted by the places of what is touched. */
  private readonly sorted: Touch[] = [];
  private readonly sortedPlaces: number[] = [];
  private sortedCount = 0;

  /** Since somebody last could look: of the last step, or of all steps of the last `advance`. */
  get shown(): readonly ContactEvent[] {
    this.made ??= this.isGathered ? this.gathering.events() : this.current.events();
    return this.made;
  }

  /** Of the last step: by body in the world's order, colliders before other bodies. */
  get events(): readonly ContactEvent[] {
    return this.current.events();
  }

  set events(events: readonly ContactEvent[]) {
    this.current.count = 0;
    for (const { phase, body, other, point, normal, impulse } of events) {
      const at = this.current.add(phase, body, other);
      this.current.numbers.set([...point, ...normal, ...impulse], at);
    }
    this.isGathered = false;
    this.made = undefined;
  }

  /** Begins an `advance`: nothing has happened yet, what touches goes on. */
  beginGathering(): void {
    this.gathering.clear();
    this.gathering.addWithoutStep(this.current);
    this.isGathered = true;
    this.made = undefined;
  }

  /** Takes the step just made to those of the `advance` before it. */
  gather(isFirst: boolean): void {
    if (isFirst) this.gathering.clear();
    this.gathering.add(this.current);
    this.isGathered = true;
    this.made = undefined;
  }

  /** Takes a step's contacts. `states` are those of the bodies, by place. */
  update(bodies: readonly Body[], states: readonly BackendBody[], colliders: readonly Collider[]): void {
    this.list(bodies, states, colliders);
    for (const collider of colliders) collider.reaction.fill(0);
    [this.current, this.before] = [this.before, this.current];
    this.current.count = 0;
    this.isGathered = false;
    this.made = undefined;
    let last = 0;
    for (let n = 0; n < bodies.length; n++) {
      this.sort(states[n].touches.found);
      last = this.addBody(bodies[n], colliders.length + n, last);
    }
  }

  /** Numbers colliders and bodies where they are not the same as in the step before. */
  private list(bodies: readonly Body[], states: readonly BackendBody[], colliders: readonly Collider[]): void {
    const { things } = this;
    const same =
      things.length === colliders.length + bodies.length &&
      colliders.every((collider, n) => collider === things[n]) &&
      bodies.every((body, n) => body === things[colliders.length + n]);
    if (same) return;
    this.things = [...colliders, ...bodies];
    const places = new Map<object, number>(this.things.map((thing, place) => [thing, place]));
    states.forEach((state, n) => {
      places.set(state, colliders.length + n);
    });
    this.places = places;
  }

  /** Sorts touches by what was touched, without what is there no more. */
  private sort(touches: readonly Touch[]): void {
    const { sorted, sortedPlaces } = this;
    let count = 0;
    for (const touch of touches) {
      const place = this.placeOf(touch.other);
      if (place < 0) continue;
      let k = count++;
      for (; k > 0 && sortedPlaces[k - 1] > place; k--) {
        sorted[k] = sorted[k - 1];
        sortedPlaces[k] = sortedPlaces[k - 1];
      }
      sorted[k] = touch;
      sortedPlaces[k] = place;
    }
    this.sortedCount = count;
  }

  /** Place of a thing or a state; −1 where it is there no more. */
  private placeOf(thing: object): number {
    return this.places.get(thing) ?? -1;
  }

  /**
   * Adds the contacts of a body: those found, which are sorted, and the ends of others. The contacts of the step before are in
   * the same order; those of this body are looked for from `first` on. Returns where they end.
   */
  private addBody(body: Body, place: number, first: number): number {
    const { sorted, sortedPlaces, before, current } = this;
    let k = first;
    while (k < before.count && this.placeOf(before.bodies[k]) < place) k++;
    for (let n = 0; n < this.sortedCount; n++) {
      const other = this.things[sortedPlaces[n]];
      for (; before.isOf(body, k) && before.others[k] !== other; k++) {
        if (this.placeOf(before.others[k]) > sortedPlaces[n]) break;
        this.addEnd(k);
      }
      const isKnown = before.isOf(body, k) && before.others[k] === other;
      const at = current.add(isKnown && before.phases[k] !== 'end' ? 'persist' : 'begin', body, other);
      if (isKnown) k++;
      sorted[n].writeContact(current.numbers, at);
      if (other instanceof Collider) sorted[n].takeFrom(other.reaction);
    }
    for (; before.isOf(body, k); k++) this.addEnd(k);
    return k;
  }

  /** Adds the end of a contact of the step before, unless that was its end already, or the other is there no more. */
  private addEnd(n: number): void {
    const { before, current } = this;
    if (before.phases[n] === 'end' || this.placeOf(before.others[n]) < 0) return;
    const at = current.add('end', before.bodies[n], before.others[n]);
    current.numbers.set(before.numbers.subarray(NUMBERS * n, NUMBERS * n + IMPULSE), at);
    current.numbers.fill(0, at + IMPULSE, at + NUMBERS);
  }
}
