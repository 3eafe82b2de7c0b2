// All that a world remembers from one step to the next, and putting it back.

import type { Backend, BackendBody } from '../backends/backend.js';
import { ColliderPin } from '../backends/collider-pin.js';
import { PatchGrip } from '../backends/grip.js';
import { Pin } from '../backends/pin.js';
import type { Collider } from '../contact/collider.js';
import { captureFields, restoreFields, type StateTree } from '../math/state-tree.js';
import type { Attachment } from './attachment.js';
import type { Body } from './body.js';
import type { ContactEvent, ContactLog } from './contact-events.js';

/** What a snapshot is taken of. */
export interface WorldParts {
  readonly backend: Backend;
  readonly bodies: readonly Body[];
  readonly states: readonly BackendBody[];
  readonly colliders: readonly Collider[];
  readonly attachments: readonly Attachment[];
  readonly log: ContactLog;
  /** Makes an attachment that is not there any more. */
  attach(body: Body, vertices: Uint32Array, other: Body | Collider, breakForce: number): Attachment;
}

type Fields = { [key: string]: StateTree };

/** Fields of a collider that are fixed by what it is. */
const COLLIDER_FIXED = ['name', 'shape', 'obstacle', 'thinnest'];
/** Fields of an attachment's link that say what it holds. */
const LINK_FIXED = ['first', 'second', 'collider'];

export function captureWorld(parts: WorldParts): StateTree {
  const { backend, bodies, states, colliders, attachments, log } = parts;
  const places = placesOf(parts);
  const placeOf = (thing: object) => places.get(thing) ?? -1;
  return {
    backend: backend.capture(),
    bodies: states.map((state, n) => ({
      state: state.capture(),
      shown: captureFields(bodies[n].shown),
      grips: state.grips.map((grip) => captureFields(grip)),
      pins: state.pins.map((pin) => (pin instanceof ColliderPin ? null : captureFields(pin))),
      touches: state.touches.capture(placeOf),
    })),
    colliders: colliders.map((collider) => captureFields(collider, { without: COLLIDER_FIXED })),
    attachments: attachments.map(({ handle, body, other, vertices, breakForce, link }) => ({
      ...{ handle, body: placeOf(body), other: placeOf(other), vertices, breakForce },
      place: link instanceof ColliderPin ? states[placeOf(body) - colliders.length].pins.indexOf(link) : -1,
      link: captureFields(link, { without: LINK_FIXED }),
    })),
    events: log.events.map(({ body, other, ...event }) => ({
      ...event,
      ...{ body: placeOf(body), other: placeOf(other) },
    })),
  };
}

/** Colliders, then bodies, by number. */
function placesOf({ colliders, bodies, states }: WorldParts): Map<object, number> {
  const places = new Map<object, number>([...colliders, ...bodies].map((thing, n) => [thing, n]));
  states.forEach((state, n) => {
    places.set(state, colliders.length + n);
  });
  return places;
}

interface BodyState {
  readonly state: StateTree;
  readonly shown: Fields;
  readonly grips: readonly Fields[];
  readonly pins: readonly (Fields | null)[];
  readonly touches: StateTree;
}

interface AttachmentState {
  readonly handle: number;
  readonly body: number;
  readonly other: number;
  readonly vertices: Uint32Array;
  readonly breakForce: number;
  readonly place: number;
  readonly link: Fields;
}

export function restoreWorld(parts: WorldParts, saved: StateTree): void {
  const { backend, bodies, states, colliders, log } = parts;
  const world = saved as unknown as {
    backend: StateTree;
    bodies: readonly BodyState[];
    colliders: readonly Fields[];
    attachments: readonly AttachmentState[];
    events: readonly (Omit<ContactEvent, 'body' | 'other'> & { body: number; other: number })[];
  };
  const things = [...colliders, ...bodies];
  const inner = [...colliders, ...states];
  // What holds bodies first, as it wakes them. Attachments to colliders are among the pins.
  const kept = reviveAttachments(parts, things, world.attachments);
  world.bodies.forEach(({ pins, grips }, n) => {
    reviveList(states[n].grips, grips, makeGrip);
    const free = states[n].pins.filter((pin) => !(pin instanceof ColliderPin));
    reviveList(
      free,
      pins.filter((fields) => fields !== null),
      makePin,
    );
    const attached = kept.filter(({ body }) => body === bodies[n]);
    let next = 0;
    const ordered = pins.map((fields, place) =>
      fields === null ? attached.find((one) => one.place === place)?.link : free[next++],
    );
    states[n].pins.splice(0, Infinity, ...ordered.filter((pin) => pin instanceof Pin));
  });
  world.colliders.forEach((fields, n) => {
    restoreFields(colliders[n], fields);
  });
  world.bodies.forEach(({ state, shown, touches }, n) => {
    states[n].restore(state);
    bodies[n].restoreShown(shown);
    states[n].touches.restore(touches, (place) => inner[place]);
  });
  log.events = world.events.map(
    (event) => ({ ...event, body: things[event.body], other: things[event.other] }) as ContactEvent,
  );
  backend.restore(world.backend, colliders);
}

/** Makes a list hold what was saved: handles that are still there stay the same objects. */
function reviveList<T extends { handle: number }>(
  list: T[],
  saved: readonly Fields[],
  make: (fields: Fields) => T,
): void {
  const known = new Map(list.map((item) => [item.handle, item]));
  const revived = saved.map((fields) => {
    const item = known.get(fields.handle as number) ?? make(fields);
    restoreFields(item, fields);
    return item;
  });
  list.splice(0, Infinity, ...revived);
}

const makeGrip = (fields: Fields): PatchGrip => {
  const { corners, barycentrics, vertices, weights, target } = fields as unknown as PatchGrip;
  return new PatchGrip(corners, barycentrics, vertices, weights, target);
};

const makePin = ({ vertices }: Fields): Pin => new Pin(vertices as Uint32Array, [[0, 0, 0]], []);

function reviveAttachments(
  parts: WorldParts,
  things: readonly (Body | Collider)[],
  saved: readonly AttachmentState[],
): { body: Body; place: number; link: object }[] {
  const known = new Map(parts.attachments.map((attachment) => [attachment.handle, attachment]));
  const wanted = new Set(saved.map(({ handle }) => handle));
  for (const attachment of parts.attachments) if (!wanted.has(attachment.handle)) attachment.detach();
  return saved.map(({ handle, body, other, vertices, breakForce, place, link }) => {
    const owner = things[body] as Body;
    const attachment = known.get(handle) ?? parts.attach(owner, vertices, things[other], breakForce);
    attachment.handle = handle;
    restoreFields(attachment.link, link);
    return { body: owner, place, link: attachment.link };
  });
}
