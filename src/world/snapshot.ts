// All that a world remembers from one step to the next, and putting it back.

import type { Backend, BackendBody } from '../backends/backend.js';
import type { Collider } from '../contact/obstacles/collider.js';
import { ColliderPin } from '../handles/collider-pin.js';
import { PatchGrip } from '../handles/grip.js';
import { Pin } from '../handles/pin.js';
import { captureFields, equalStates, restoreFields, type StateTree } from '../math/state-tree.js';
import type { Vec3 } from '../math/vec3.js';
import type { Attachment, Link } from './attachment.js';
import type { Body } from './body.js';
import type { ContactEvent, ContactLog } from './contact-events.js';
import type { LevelOfDetail } from './level-of-detail.js';
import type { Pipeline } from './pipeline.js';
import { captureTopology, type TopologyState } from './snapshot-topology.js';

/** What a snapshot is taken of. */
export interface WorldParts {
  readonly backend: Backend;
  readonly pipeline: Pipeline;
  readonly bodies: readonly Body[];
  readonly states: readonly BackendBody[];
  readonly colliders: readonly Collider[];
  readonly attachments: readonly Attachment[];
  readonly log: ContactLog;
  readonly levels: LevelOfDetail;
  /** Makes an attachment that is not there any more; its link is empty at first. */
  attach(body: Body, other: Body | Collider, link: Link, breakForce: number): Attachment;
  emptyLink(body: Body, vertices: Uint32Array, other: Body | Collider): Link;
}

export type Fields = { [key: string]: StateTree };

/** Fields of a collider that are fixed by what it is. */
const COLLIDER_FIXED = ['name', 'shape', 'obstacle', 'thinnest'];
/** Fields of an attachment's link that say what it holds. */
export const LINK_FIXED = ['first', 'second', 'collider'];

export function captureWorld(parts: WorldParts): StateTree {
  const { backend, pipeline, bodies, states, colliders, attachments, log, levels } = parts;
  const places = placesOf(parts);
  const placeOf = (thing: object) => places.get(thing) ?? -1;
  return {
    backend: { own: backend.capture(), pipeline: pipeline.capture(), detail: levels.capture(bodies) },
    bodies: states.map((state, n) => ({
      topology: captureTopology(bodies[n], state),
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

/** Fields that stay as they were made: two with the same number but other ones of these are not the same. */
const GRIP_MADE = ['corners', 'barycentrics', 'vertices', 'weights'];
const PIN_MADE = ['vertices', 'centre', 'offsets'];
const LINK_MADE = [...PIN_MADE, 'places', 'corners', 'weights', 'offsets'];

export type SavedWorld = {
  readonly clock: { steps: number; accumulated: number; interpolable: boolean; handles: number };
  readonly gravity: Vec3;
  readonly world: StateTree;
};

export interface BodyState {
  readonly topology: TopologyState;
  readonly state: StateTree;
  readonly shown: Fields;
  readonly grips: readonly Fields[];
  readonly pins: readonly (Fields | null)[];
  readonly touches: StateTree;
}

export interface AttachmentState {
  readonly handle: number;
  readonly body: number;
  readonly other: number;
  readonly vertices: Uint32Array;
  readonly breakForce: number;
  readonly place: number;
  readonly link: Fields;
}

export interface WorldState {
  readonly backend: StateTree;
  readonly bodies: readonly BodyState[];
  readonly colliders: readonly Fields[];
  readonly attachments: readonly AttachmentState[];
  readonly events: readonly (Omit<ContactEvent, 'body' | 'other'> & { body: number; other: number })[];
}

/** Puts back what `checkSnapshot` has found to fit. */
export function restoreWorld(parts: WorldParts, saved: StateTree): void {
  const { backend, pipeline, bodies, states, colliders, log, levels } = parts;
  const world = saved as unknown as WorldState;
  const things = [...colliders, ...bodies];
  const inner = [...colliders, ...states];
  // What holds bodies first, as it wakes them. Attachments to colliders are among the pins.
  const kept = reviveAttachments(parts, things, world.attachments);
  world.bodies.forEach(({ pins, grips }, n) => {
    reviveList(states[n].grips, grips, GRIP_MADE, makeGrip);
    const free = states[n].pins.filter((pin) => !(pin instanceof ColliderPin));
    reviveList(
      free,
      pins.filter((fields) => fields !== null),
      PIN_MADE,
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
  const { own, pipeline: displacements, detail } = world.backend as Record<'own' | 'pipeline' | 'detail', StateTree>;
  backend.restore(own);
  pipeline.restore(displacements, colliders);
  levels.restore(detail, bodies);
}

/**
 * Whether something that is there is what was saved. Numbers repeat: who goes back and does something else gives the same
 * number again.
 */
const isSame = (there: { handle: number }, link: object, handle: number, saved: Fields, made: readonly string[]) =>
  there.handle === handle && made.every((key) => equalStates((link as Fields)[key], saved[key]));

/** Makes a list hold what was saved: handles that are still there stay the same objects. */
function reviveList<T extends { handle: number }>(
  list: T[],
  saved: readonly Fields[],
  made: readonly string[],
  make: (fields: Fields) => T,
): void {
  const revived = saved.map((fields) => {
    const item = list.find((one) => isSame(one, one, fields.handle as number, fields, made)) ?? make(fields);
    restoreFields(item, fields);
    return item;
  });
  list.splice(0, Infinity, ...revived);
}

export const makeGrip = (fields: Fields): PatchGrip => {
  const { corners, barycentrics, vertices, weights, target } = fields as unknown as PatchGrip;
  return new PatchGrip(corners, barycentrics, vertices, weights, target);
};

/** A pin of these vertices, without a place. */
export const makePin = ({ vertices }: Fields): Pin =>
  new Pin(
    vertices as Uint32Array,
    Array.from(vertices as Uint32Array, () => [0, 0, 0]),
    [],
  );

function reviveAttachments(
  parts: WorldParts,
  things: readonly (Body | Collider)[],
  saved: readonly AttachmentState[],
): { body: Body; place: number; link: object }[] {
  const kept = saved.map(({ handle, body, other, breakForce, link }) =>
    parts.attachments.find(
      (one) =>
        one.body === things[body] &&
        one.other === things[other] &&
        one.breakForce === breakForce &&
        isSame(one, one.link, handle, link, LINK_MADE),
    ),
  );
  for (const attachment of parts.attachments) if (!kept.includes(attachment)) attachment.detach();
  return saved.map(({ handle, body, other, vertices, breakForce, place, link }, n) => {
    const owner = things[body] as Body;
    const target = things[other];
    const attachment = kept[n] ?? parts.attach(owner, target, parts.emptyLink(owner, vertices, target), breakForce);
    attachment.handle = handle;
    restoreFields(attachment.link, link);
    return { body: owner, place, link: attachment.link };
  });
}
