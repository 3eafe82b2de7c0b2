// Who touches whom: events of the last step, and what bodies did to obstacles.

import type { BackendBody } from '../backends/backend.js';
import { Collider } from '../contact/collider.js';
import type { Touch, TouchSums } from '../contact/touches.js';
import { pointAt, type Vec3 } from '../math/vec3.js';
import type { Body } from './body.js';

/** A pair that touches, began to, or no longer does. */
export interface ContactEvent {
  /** `begin` in the first step of a contact, `persist` while it lasts, `end` in the first step without it. */
  readonly phase: 'begin' | 'persist' | 'end';
  readonly body: Body;
  /** A collider, or a body that was added to the world after `body`. */
  readonly other: Body | Collider;
  /** Centre of the pressure [m]; of an ended contact the last there was. */
  readonly point: Vec3;
  /** Unit vector out of `other`, towards `body`. */
  readonly normal: Vec3;
  /** Momentum that `body` got from `other` in the step [kg m/s]. */
  readonly impulse: Vec3;
}

export class ContactLog {
  /** Of the last step: by body in the world's order, colliders before other bodies. */
  events: readonly ContactEvent[] = [];
  /** Colliders, then bodies; and the place in this list of each, and of each body's state. */
  private things: readonly (Collider | Body)[] = [];
  private places: ReadonlyMap<object, number> = new Map();

  /** Takes a step's contacts. `states` are those of the bodies, by place. */
  update(bodies: readonly Body[], states: readonly BackendBody[], colliders: readonly Collider[]): void {
    this.list(bodies, states, colliders);
    for (const collider of colliders) collider.reaction.fill(0);
    const { events: before } = this;
    const events: ContactEvent[] = [];
    let end = 0;
    for (let n = 0; n < bodies.length; n++) {
      // The events of the step before are in the same order, but for bodies that are gone.
      let begin = end;
      while (begin < before.length && (this.places.get(before[begin].body) ?? -1) < colliders.length + n) begin++;
      for (end = begin; end < before.length && before[end].body === bodies[n]; ) end++;
      const first = events.length;
      for (const touch of states[n].touches.found) this.addTouch(events, bodies[n], touch, before, begin, end);
      this.addEnded(events, first, before, begin, end);
      this.sort(events, first);
    }
    this.events = events;
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

  /** Adds the event of a contact; those of the body in the step before are at `before[begin…end]`. */
  private addTouch(
    events: ContactEvent[],
    body: Body,
    touch: Touch<Collider | BackendBody>,
    before: readonly ContactEvent[],
    begin: number,
    end: number,
  ): void {
    const place = this.places.get(touch.other);
    if (place === undefined) return;
    const other = this.things[place];
    if (other instanceof Collider) react(other, touch);
    let phase: ContactEvent['phase'] = 'begin';
    for (let k = begin; k < end; k++) if (before[k].other === other && before[k].phase !== 'end') phase = 'persist';
    const { point, normal } = touch;
    events.push({ phase, body, other, point, normal, impulse: pointAt(touch.impulse, 0) });
  }

  /** Adds the ends of contacts that are not among those found, `events[first…]`. */
  private addEnded(
    events: ContactEvent[],
    first: number,
    before: readonly ContactEvent[],
    begin: number,
    end: number,
  ): void {
    const last = events.length;
    for (let k = begin; k < end; k++) {
      const event = before[k];
      if (event.phase === 'end' || !this.places.has(event.other)) continue;
      let isFound = false;
      for (let n = first; n < last; n++) isFound ||= events[n].other === event.other;
      if (!isFound) events.push({ ...event, phase: 'end', impulse: [0, 0, 0] });
    }
  }

  /** Sorts a body's events by what it touched; most are in order. */
  private sort(events: ContactEvent[], first: number): void {
    for (let n = first + 1; n < events.length; n++) {
      const event = events[n];
      const place = this.placeOf(event);
      let k = n;
      for (; k > first && this.placeOf(events[k - 1]) > place; k--) events[k] = events[k - 1];
      events[k] = event;
    }
  }

  private placeOf({ other }: ContactEvent): number {
    return this.places.get(other) ?? 0;
  }
}

function react({ reaction }: Collider, { impulse, moment }: TouchSums): void {
  for (let c = 0; c < 3; c++) {
    reaction[c] -= impulse[c];
    reaction[3 + c] -= moment[c];
  }
}
