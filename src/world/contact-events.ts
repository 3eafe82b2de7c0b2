// Who touches whom: events of the last step or the last `advance`, and what bodies did to obstacles.

import type { Obstacle } from '../contact/obstacles/obstacle.js';
import type { Touch } from '../contact/response/touches.js';
import type { Body } from './body.js';
import type { Collider } from './collider.js';
import { ContactGathering } from './contact-gathering.js';
import { type ContactEvent, ContactRecords, IMPULSE, NUMBERS, type Thing } from './contact-records.js';
import type { ResidentBody } from './resident-body.js';
import type { Roster } from './roster.js';
import { Sensors } from './sensors.js';

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
  /** Colliders, then bodies; and the place in this list of each, and of each obstacle and each body's state behind them. */
  private things: readonly Thing[] = [];
  private places: ReadonlyMap<object, number> = new Map();
  /** What a body touches, sorted by the places of what is touched. */
  private readonly sorted: Touch[] = [];
  private readonly sortedPlaces: number[] = [];
  private sortedCount = 0;
  private readonly sensors = new Sensors();

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

  /** Takes a step's contacts, and who is in a sensor after it. */
  update(
    bodies: Roster<Body, ResidentBody>,
    colliders: Roster<Collider, Obstacle>,
    sensors: readonly Obstacle[],
  ): void {
    this.list(bodies, colliders);
    for (const { reaction } of colliders.inner) reaction.fill(0);
    [this.current, this.before] = [this.before, this.current];
    this.current.count = 0;
    this.isGathered = false;
    this.made = undefined;
    let last = 0;
    for (let n = 0; n < bodies.inner.length; n++) {
      const { state } = bodies.inner[n];
      const { found } = state.touches;
      this.sort(sensors.length > 0 ? [...found, ...this.sensors.find(state, sensors)] : found);
      last = this.addBody(bodies.facades[n], colliders.inner, last);
    }
  }

  /** Numbers colliders and bodies where they are not the same as in the step before. */
  private list(bodies: Roster<Body, ResidentBody>, colliders: Roster<Collider, Obstacle>): void {
    const { things } = this;
    const count = colliders.facades.length;
    const same =
      things.length === count + bodies.facades.length &&
      colliders.facades.every((collider, n) => collider === things[n]) &&
      bodies.facades.every((body, n) => body === things[count + n]);
    if (same) return;
    this.things = [...colliders.facades, ...bodies.facades];
    const places = new Map<object, number>(this.things.map((thing, place) => [thing, place]));
    colliders.inner.forEach((obstacle, n) => {
      places.set(obstacle, n);
    });
    bodies.inner.forEach(({ state }, n) => {
      places.set(state, count + n);
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
  private addBody(body: Body, obstacles: readonly Obstacle[], first: number): number {
    const { sorted, sortedPlaces, before, current } = this;
    const place = this.placeOf(body);
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
      if (sortedPlaces[n] < obstacles.length) sorted[n].takeFrom(obstacles[sortedPlaces[n]].reaction);
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
