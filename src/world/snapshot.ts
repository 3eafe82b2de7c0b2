// All that a world remembers from one step to the next, and putting it back.

import { ColliderPin } from '../handles/collider-pin.js';
import { PatchGrip } from '../handles/grip.js';
import { PinnedSet } from '../handles/pinned-set.js';
import { captureFields, equalStates, restoreFields, type StateTree } from '../math/state-tree.js';
import type { Vec3 } from '../math/vec3.js';
import { bind } from './attach.js';
import type { Body } from './body.js';
import { type Bond, emptyLink, type Link } from './bond.js';
import type { Collider } from './collider.js';
import type { ContactEvent } from './contact-events.js';
import type { ResidentBody } from './resident-body.js';
import { captureTopology, type TopologyState } from './snapshot-topology.js';
import { type Clock, innerOf, type WorldParts } from './world-parts.js';

export type Fields = { [key: string]: StateTree };

export function captureWorld(parts: WorldParts): StateTree {
  const { backend, pipeline, bodies, colliders, bonds, log, levels } = parts;
  const places = placesOf(parts);
  const placeOf = (thing: object) => places.get(thing) ?? -1;
  return {
    backend: { own: backend.capture(), pipeline: pipeline.capture(), detail: levels.capture(bodies.facades) },
    bodies: bodies.inner.map((resident) => ({
      topology: captureTopology(resident),
      state: resident.state.capture(),
      pending: resident.state.hostModel?.pending?.record() ?? null,
      shown: captureFields(resident.shown),
      grips: resident.state.grips.map((grip) => grip.capture()),
      pins: resident.state.pins.map((pin) => (pin instanceof ColliderPin ? null : pin.capture())),
      touches: resident.state.touches.capture(placeOf),
    })),
    colliders: colliders.inner.map((obstacle) => obstacle.capture()),
    attachments: bonds.list.map(({ handle, owner, target, breakForce, link }) => ({
      ...{ handle, body: placeOf(owner), other: placeOf(target), vertices: link.vertices, breakForce },
      place: link instanceof ColliderPin ? owner.state.pins.indexOf(link) : -1,
      link: link.capture(),
    })),
    // Of those whose body or collider was removed since, nothing is left to go back to.
    events: log.events
      .map(({ body, other, ...event }) => ({ ...event, ...{ body: placeOf(body), other: placeOf(other) } }))
      .filter(({ body, other }) => body >= 0 && other >= 0),
  };
}

/** Colliders, then bodies, by number: what users hold, what is behind it, and bodies' states. */
function placesOf({ colliders, bodies }: WorldParts): Map<object, number> {
  const places = new Map<object, number>();
  for (const things of [colliders.facades, colliders.inner]) {
    things.forEach((thing, n) => {
      places.set(thing, n);
    });
  }
  bodies.inner.forEach((resident, n) => {
    for (const thing of [resident, resident.state, bodies.facades[n]]) places.set(thing, colliders.inner.length + n);
  });
  return places;
}

/** Fields that stay as they were made: two with the same number but other ones of these are not the same. */
const GRIP_MADE = ['corners', 'barycentrics', 'vertices', 'weights'];
const PIN_MADE = ['vertices', 'centre', 'offsets'];
const LINK_MADE = [...PIN_MADE, 'places', 'corners', 'weights', 'offsets'];

export type SavedWorld = {
  readonly clock: Readonly<Clock>;
  readonly gravity: Vec3;
  readonly world: StateTree;
};

export interface BodyState {
  readonly topology: TopologyState;
  readonly state: StateTree;
  readonly pending: StateTree;
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
  const { backend, pipeline, bodies, colliders, log, levels } = parts;
  const world = saved as unknown as WorldState;
  const things = [...colliders.facades, ...bodies.facades];
  const states = bodies.inner.map(({ state }) => state);
  const inner = [...colliders.inner, ...states];
  // What holds bodies first, as it wakes them. Attachments to colliders are among the pins.
  const kept = reviveBonds(parts, things, world.attachments);
  world.bodies.forEach(({ pins, grips }, n) => {
    reviveList(states[n].grips, grips, GRIP_MADE, makeGrip);
    const free = states[n].pins.filter((pin) => !(pin instanceof ColliderPin));
    reviveList(
      free,
      pins.filter((fields) => fields !== null),
      PIN_MADE,
      makePin,
    );
    const attached = kept.filter(({ owner }) => owner === bodies.inner[n]);
    let next = 0;
    const ordered = pins.map((fields, place) =>
      fields === null ? attached.find((one) => one.place === place)?.link : free[next++],
    );
    states[n].pins.splice(0, Infinity, ...ordered.filter((pin) => pin instanceof PinnedSet));
  });
  world.colliders.forEach((fields, n) => {
    colliders.inner[n].restore(fields);
  });
  world.bodies.forEach(({ state, pending, shown, touches }, n) => {
    states[n].restore(state);
    states[n].hostModel?.pending?.read(pending)();
    bodies.inner[n].restoreShown(shown);
    states[n].touches.restore(touches, (place) => inner[place]);
  });
  log.events = world.events.map(
    (event) => ({ ...event, body: things[event.body], other: things[event.other] }) as ContactEvent,
  );
  const { own, pipeline: displacements, detail } = world.backend as Record<'own' | 'pipeline' | 'detail', StateTree>;
  backend.restore(own);
  pipeline.restore(displacements, colliders.inner);
  levels.restore(detail, bodies.facades);
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
export const makePin = ({ vertices }: Fields): PinnedSet =>
  new PinnedSet(
    vertices as Uint32Array,
    Array.from(vertices as Uint32Array, () => [0, 0, 0]),
    [],
  );

function reviveBonds(
  parts: WorldParts,
  things: readonly (Body | Collider)[],
  saved: readonly AttachmentState[],
): { owner: ResidentBody; place: number; link: object }[] {
  const kept = saved.map(({ handle, body, other, breakForce, link }) =>
    parts.bonds.list.find(
      (one) =>
        one.owner === innerOf(parts, things[body]) &&
        one.target === innerOf(parts, things[other]) &&
        one.breakForce === breakForce &&
        isSame(one, one.link, handle, link, LINK_MADE),
    ),
  );
  for (const bond of parts.bonds.list) if (!kept.includes(bond)) bond.detach();
  return saved.map(({ handle, body, other, vertices, breakForce, place, link }, n) => {
    const pair = { body: things[body] as Body, other: things[other] };
    const options = breakForce < Infinity ? { breakForce } : {};
    const bond = kept[n] ?? bind(parts, pair, emptyLinkOf(parts, pair, vertices), options);
    bond.handle = handle;
    restoreFields(bond.link, link);
    return { owner: bond.owner, place, link: bond.link };
  });
}

/** A link between two things that holds nothing yet. */
export const emptyLinkOf = (
  parts: WorldParts,
  { body, other }: { readonly body: Body; readonly other: Body | Collider },
  vertices: Uint32Array,
): Link => emptyLink(parts.bodies.innerOf(body) as ResidentBody, vertices, innerOf(parts, other) as Bond['target']);
