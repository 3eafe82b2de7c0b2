// Who touches whom: events of the last step, and what bodies did to obstacles.

import type { BackendBody } from '../backends/backend.js';
import { Collider } from '../contact/collider.js';
import type { Touch } from '../contact/touches.js';
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

  /** Takes a step's contacts. `states` are those of the bodies, by place. */
  update(bodies: readonly Body[], states: readonly BackendBody[], colliders: readonly Collider[]): void {
    const places = new Map<Body | Collider, number>();
    for (const thing of [...colliders, ...bodies]) places.set(thing, places.size);
    const bodyOf = new Map(states.map((state, index) => [state, bodies[index]]));
    const before = new Map<Body, ContactEvent[]>();
    for (const event of this.events) {
      if (event.phase === 'end' || !places.has(event.body) || !places.has(event.other)) continue;
      before.set(event.body, [...(before.get(event.body) ?? []), event]);
    }
    for (const collider of colliders) collider.reaction.fill(0);
    const events: ContactEvent[] = [];
    bodies.forEach((body, index) => {
      const known = before.get(body) ?? [];
      const found: ContactEvent[] = [];
      for (const [thing, touch] of states[index].touches.entries()) {
        const other = thing instanceof Collider ? thing : bodyOf.get(thing);
        if (!other || !places.has(other)) continue;
        if (other instanceof Collider) react(other, touch);
        const phase = known.some((event) => event.other === other) ? 'persist' : 'begin';
        const { point, normal } = touch;
        found.push({ phase, body, other, point, normal, impulse: pointAt(touch.impulse, 0) });
      }
      for (const event of known) {
        if (found.some(({ other }) => other === event.other)) continue;
        found.push({ ...event, phase: 'end', impulse: [0, 0, 0] });
      }
      events.push(...found.sort((a, b) => (places.get(a.other) ?? 0) - (places.get(b.other) ?? 0)));
    });
    this.events = events;
  }
}

function react({ reaction }: Collider, { impulse, moment }: Touch): void {
  for (let c = 0; c < 3; c++) {
    reaction[c] -= impulse[c];
    reaction[3 + c] -= moment[c];
  }
}
