// Whether a snapshot's state fits a world, found before anything of the world changes. Its hash says that bytes are undamaged,
// not who made them: a snapshot may come over a network. So every field has to be one that the world itself would save, of the
// same kind and size; every number of a body, a collider or a vertex has to be one that there is.

import { TOUCH_STATE, Touch } from '../contact/response/touches.js';
import { PatchGrip } from '../handles/grip.js';
import { expectNumber, expectPositive, expectVector } from '../math/expect.js';
import { copyMotion, type Keyframe } from '../math/motion.js';
import { captureFields, isTypedArray, type StateTree } from '../math/state-tree.js';
import { recalledSettings, replaceSettings } from '../solvers/live-settings.js';
import { checkMaps } from '../solvers/maps.js';
import type { Body } from './body.js';
import {
  type AttachmentState,
  type BodyState,
  emptyLinkOf,
  type Fields,
  makeGrip,
  makePin,
  type SavedWorld,
  type WorldState,
} from './snapshot.js';
import type { TopologyState } from './snapshot-topology.js';
import type { WorldParts } from './world-parts.js';

const refuse = (path: string, expected: string) => new RangeError(`snapshot: expected ${expected} as ${path}`);

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isTypedArray(value);

/** Numbers that say how large something is. */
const SIZES = /\.(particles\.count|particleCount)$/;

/** Checks that saved state has the fields, the kinds and the sizes of a world's own. */
function expectLike(own: StateTree, saved: StateTree, path: string): void {
  if (path.endsWith('.follower')) checkFollower(saved, path);
  else if (path.endsWith('.settings')) fieldsAt(saved, path);
  else if (/\.(position|rotation)$/.test(path)) {
    // As the user gave them, which may be lists or arrays.
    expectVector(`snapshot${path}`, saved as unknown as number[], (own as unknown as number[]).length);
  } else if (isTypedArray(own)) {
    const fits = isTypedArray(saved) && saved.constructor === own.constructor && saved.length === own.length;
    if (!fits) throw refuse(path, `${own.length} numbers (${own.constructor.name})`);
  } else if (Array.isArray(own)) {
    const items = listAt(saved, path);
    if (items.length !== own.length) throw refuse(path, `a list of ${own.length}`);
    items.forEach((item, n) => {
      expectLike(own[n], item, `${path}[${n}]`);
    });
  } else if (isFields(own)) {
    const fields = fieldsAt(saved, path, Object.keys(own));
    for (const [key, value] of Object.entries(own)) expectLike(value, fields[key], `${path}.${key}`);
  } else if (typeof saved !== typeof own || (SIZES.test(path) && saved !== own)) {
    throw refuse(path, SIZES.test(path) ? `${own}` : `a ${typeof own}`);
  }
}

/** Fields, and where names are given these, all of them and no others. */
function fieldsAt(saved: unknown, path: string, names?: readonly string[]): Fields {
  if (!isFields(saved)) throw refuse(path, 'fields');
  if (!names) return saved;
  const found = Object.keys(saved);
  const other = found.find((name) => !names.includes(name)) ?? names.find((name) => !found.includes(name));
  if (other !== undefined) throw refuse(path, `the fields ${names.join(', ')}`);
  return saved;
}

function listAt(saved: unknown, path: string): readonly StateTree[] {
  if (!Array.isArray(saved)) throw refuse(path, 'a list');
  return saved;
}

/** A whole number below a count, such as that of a vertex. */
function expectPlace(value: unknown, count: number, path: string): void {
  if (!(Number.isInteger(value) && (value as number) >= 0 && (value as number) < count))
    throw refuse(path, `a whole number below ${count}`);
}

function expectPlaces(values: unknown, count: number, path: string): Uint32Array {
  if (!(values instanceof Uint32Array && values.length > 0)) throw refuse(path, 'numbers of vertices');
  values.forEach((value) => {
    expectPlace(value, count, path);
  });
  return values;
}

function checkFollower(saved: StateTree, path: string): void {
  const { pose, keys, goal } = fieldsAt(saved, path, ['pose', 'keys', 'goal']);
  const poses = [fieldsAt(pose, `${path}.pose`, ['position', 'rotation'])];
  if (goal !== undefined) poses.push(fieldsAt(goal, `${path}.goal`, ['position', 'rotation']));
  poses.forEach(({ position, rotation }, n) => {
    expectVector(`snapshot${path}`, position as unknown as number[]);
    if (n === 0 || rotation !== undefined) expectVector(`snapshot${path}`, rotation as unknown as number[], 4);
  });
  for (const key of listAt(keys, `${path}.keys`)) if (!isFields(key)) throw refuse(`${path}.keys`, 'keyframes');
  copyMotion(keys as unknown as readonly Keyframe[]);
}

/** The topologies in a saved state of so many bodies; throws RangeError where it has none that could be some. */
export function checkTopologies(bodyCount: number, state: StateTree): readonly TopologyState[] {
  const { world } = fieldsAt(state, '.', ['clock', 'gravity', 'world']);
  const bodies = listAt(fieldsAt(world, '.world').bodies, '.bodies');
  if (bodies.length !== bodyCount) throw refuse('.bodies', `a list of ${bodyCount}`);
  return bodies.map((body, n) => {
    const path = `.bodies[${n}].topology`;
    const { topology } = fieldsAt(body, `.bodies[${n}]`);
    if (topology === null) return null;
    const names = ['positions', 'triangles', 'maps', 'structure'];
    const { positions, triangles, maps, structure } = fieldsAt(topology, path, names);
    if (!(positions instanceof Float64Array && triangles instanceof Uint32Array)) throw refuse(path, 'a mesh');
    const painted = fieldsAt(maps, `${path}.maps`) as Record<string, Float64Array>;
    return { positions, triangles, maps: checkMaps(painted, positions.length / 3), structure };
  });
}

/** Throws RangeError where a saved state does not fit a world, whose own state is `own`. */
export function checkSnapshot(parts: WorldParts, own: SavedWorld, state: StateTree): void {
  const { clock, gravity, world } = fieldsAt(state, '.', ['clock', 'gravity', 'world']) as unknown as SavedWorld;
  expectLike({ ...own.clock }, clock, '.clock');
  expectNumber('snapshot.clock.steps', clock.steps, 0);
  expectNumber('snapshot.clock.accumulated', clock.accumulated, 0);
  expectVector('snapshot.gravity', gravity);
  const mine = own.world as unknown as WorldState;
  const saved = fieldsAt(world, '.world', Object.keys(mine)) as unknown as WorldState;
  checkBackend(mine.backend, saved.backend);
  expectLike(mine.colliders, saved.colliders, '.colliders');
  const bodies = listAt(saved.bodies, '.bodies');
  if (bodies.length !== mine.bodies.length) throw refuse('.bodies', `a list of ${mine.bodies.length}`);
  const attachments = listAt(saved.attachments, '.attachments') as unknown as readonly AttachmentState[];
  attachments.forEach((attachment, n) => {
    checkAttachment(parts, attachment, `.attachments[${n}]`);
  });
  bodies.forEach((body, n) => {
    const held = attachments.filter((one) => one.place >= 0 && one.body === parts.colliders.inner.length + n);
    checkBody(parts, mine.bodies[n], body, held, n);
  });
  listAt(saved.events, '.events').forEach((event, n) => {
    checkEvent(parts, event, `.events[${n}]`);
  });
}

/** A backend's own: numbers, of which lists may be longer or shorter. */
function checkBackend(own: StateTree, saved: StateTree, path = '.backend'): void {
  if (Array.isArray(own)) {
    for (const number of listAt(saved, path)) expectNumber(`snapshot${path}`, number as number);
    if (path.endsWith('.gravity')) expectVector(`snapshot${path}`, saved as unknown as number[]);
  } else if (isFields(own)) {
    const fields = fieldsAt(saved, path, Object.keys(own));
    for (const [key, value] of Object.entries(own)) checkBackend(value, fields[key], `${path}.${key}`);
  } else if (!(Number.isInteger(saved) && (saved as number) >= 0)) throw refuse(path, 'a whole number');
}

function checkBody(
  parts: WorldParts,
  own: BodyState,
  saved: StateTree,
  attached: readonly AttachmentState[],
  n: number,
): void {
  const path = `.bodies[${n}]`;
  const body = fieldsAt(saved, path, Object.keys(own)) as unknown as BodyState;
  const { state } = parts.bodies.inner[n];
  const count = state.masses.length;
  expectLike(own.state, body.state, `${path}.state`);
  const { pending } = state.hostModel ?? {};
  if (pending) pending.read(body.pending);
  else if (body.pending !== null) throw refuse(`${path}.pending`, 'nothing');
  const { settings } = body.state as { settings?: Fields };
  const { solver } = state.prepared;
  replaceSettings(solver, recalledSettings(solver, settings ?? {}));
  expectLike(own.shown, body.shown, `${path}.shown`);
  listAt(body.grips, `${path}.grips`).forEach((grip, k) => {
    checkGrip(grip, count, `${path}.grips[${k}]`);
  });
  // Attachments to colliders are among the pins, one at each place that is left to them.
  const places = new Set(attached.map(({ place }) => place));
  const pins = listAt(body.pins, `${path}.pins`);
  pins.forEach((pin, k) => {
    if ((pin === null) !== places.has(k)) throw refuse(`${path}.pins[${k}]`, 'a pin or an attachment');
    if (pin !== null) checkPin(pin, count, `${path}.pins[${k}]`);
  });
  const free = pins.filter((pin) => pin === null).length;
  if (free !== attached.length) throw refuse(`${path}.pins`, 'a place for each attachment');
  checkTouches(body.touches, parts.colliders.inner.length + parts.bodies.inner.length, `${path}.touches`);
}

const GRIP = new PatchGrip(
  ...([new Uint32Array(3), new Float64Array(3), new Uint32Array(0), new Float64Array(0), new Float64Array(3)] as const),
).capture();

function checkGrip(saved: StateTree, count: number, path: string): void {
  const fields = fieldsAt(saved, path, Object.keys(GRIP));
  const vertices = expectPlaces(fields.vertices, count, `${path}.vertices`);
  expectPlaces(fields.corners, count, `${path}.corners`);
  const weights = new Float64Array(vertices.length);
  expectLike(makeGrip({ ...GRIP, vertices, weights }).capture(), saved, path);
}

function checkPin(saved: StateTree, count: number, path: string): void {
  const vertices = expectPlaces(isFields(saved) && saved.vertices, count, `${path}.vertices`);
  expectLike(makePin({ vertices }).capture(), saved, path);
}

function checkAttachment(parts: WorldParts, saved: AttachmentState, path: string): void {
  const names = ['handle', 'body', 'other', 'vertices', 'breakForce', 'place', 'link'];
  const { handle, body, other, breakForce, place, link } = fieldsAt(saved, path, names) as unknown as AttachmentState;
  const things = [...parts.colliders.facades, ...parts.bodies.facades];
  expectPlace(handle, Number.MAX_SAFE_INTEGER, `${path}.handle`);
  expectPlace(body, things.length, `${path}.body`);
  expectPlace(other, things.length, `${path}.other`);
  if (body < parts.colliders.inner.length || body === other) throw refuse(path, 'a body and another thing');
  const isPin = other < parts.colliders.inner.length;
  if (isPin) expectPlace(place, Number.MAX_SAFE_INTEGER, `${path}.place`);
  else if (place !== -1) throw refuse(`${path}.place`, '-1');
  if (breakForce !== Infinity) expectPositive(`snapshot${path}.breakForce`, breakForce);
  const owner = things[body] as Body;
  const vertices = expectPlaces(saved.vertices, owner.particleCount, `${path}.vertices`);
  const empty = emptyLinkOf(parts, { body: owner, other: things[other] }, vertices);
  expectLike(empty.capture(), link, `${path}.link`);
  expectPlaces(link.vertices, owner.particleCount, `${path}.link.vertices`);
  if (!isPin) expectPlaces(link.corners, (things[other] as Body).particleCount, `${path}.link.corners`);
}

const TOUCH = captureFields(new Touch({}), { only: TOUCH_STATE });

function checkTouches(saved: StateTree, count: number, path: string): void {
  const { found, known } = fieldsAt(saved, path, ['found', 'known']);
  const places = listAt(known, `${path}.known`).map((entry) => {
    const [place, fields] = listAt(entry, `${path}.known`);
    expectPlace(place, count, `${path}.known`);
    expectLike(TOUCH, fields, `${path}.known`);
    return place;
  });
  if (!listAt(found, `${path}.found`).every((place) => places.includes(place)))
    throw refuse(`${path}.found`, 'what is known');
}

function checkEvent(parts: WorldParts, saved: StateTree, path: string): void {
  const [colliders, bodies] = [parts.colliders.inner, parts.bodies.inner];
  const event = fieldsAt(saved, path, ['phase', 'point', 'normal', 'impulse', 'body', 'other']);
  if (!['begin', 'persist', 'end'].includes(event.phase as string)) throw refuse(`${path}.phase`, 'a phase');
  for (const key of ['point', 'normal', 'impulse']) {
    const numbers = listAt(event[key], `${path}.${key}`);
    if (numbers.length !== 3 || numbers.some((x) => typeof x !== 'number')) throw refuse(`${path}.${key}`, '3 numbers');
  }
  expectPlace(event.other, colliders.length + bodies.length, `${path}.other`);
  expectPlace((event.body as number) - colliders.length, bodies.length, `${path}.body`);
}
