// Makes bodies of the pieces of one: the backend's part of it, and what holds the body goes with what it holds.

import { ColliderPin } from '../handles/collider-pin.js';
import type { PinnedSet } from '../handles/pinned-set.js';
import { Successors } from '../handles/successors.js';
import { restoreFields } from '../math/state-tree.js';
import { signedVolume } from '../mesh/measure.js';
import type { Prepared } from '../solvers/solver.js';
import { prepareChange, prepareTopology } from '../solvers/topology.js';
import type { TopologyChange } from '../solvers/topology-change.js';
import { bind } from './attach.js';
import { type Bond, bindLink } from './bond.js';
import { ResidentBody } from './resident-body.js';
import { makePin } from './snapshot.js';
import { captureTopology, type TopologyState } from './snapshot-topology.js';
import { followGrip, followTopology } from './topology.js';
import type { WorldParts } from './world-parts.js';

/** Adds a body of so much mass [kg], at rest. */
type AddBody = (prepared: Prepared, mass: number, name: string) => ResidentBody;

/** A piece: its body, and the vertex that each of the whole's is in it. */
interface Piece {
  readonly resident: ResidentBody;
  readonly change: TopologyChange;
  readonly vertexOf: ReadonlyMap<number, number>;
}

/** The bodies that a body becomes, itself first as the largest; only itself where it is in one piece. */
export function separateBody(body: ResidentBody, world: WorldParts, addBody: AddBody): readonly ResidentBody[] {
  const { state } = body;
  const changes = state.hostModel?.divide?.() ?? [];
  if (changes.length < 2) return [body];
  const volumeOf = ({ mesh }: TopologyChange): number => signedVolume(mesh.positions, mesh.triangles);
  const sorted = [...changes].sort((a, b) => volumeOf(b) - volumeOf(a));
  const whole = wholeOf(body);
  const before = Float64Array.from(state.positions);
  const holds = describeHolds(body, world.bonds.list);
  const captured = state.capture();
  const pending = state.hostModel?.pending?.record() ?? null;
  const others = sorted.slice(1).map((change): Piece => {
    const twin = addBody(whole, body.mass, body.name);
    twin.state.restore(captured);
    twin.state.hostModel?.pending?.read(pending)();
    Object.assign(twin.state.contactSettings, state.contactSettings);
    twin.shown.interpolated.set(body.shown.interpolated);
    twin.shown.previous.set(body.shown.previous);
    return becomePiece(twin, change, world);
  });
  const pins = state.pins.filter((pin) => !(pin instanceof ColliderPin));
  const clones = pins.map((pin) => others.map(() => clonePin(pin)));
  const grips = state.grips.filter(({ corners }) => others.some((piece) => piece.vertexOf.has(corners[0])));
  const moved = grips.map((grip) => ({ grip, corner: grip.corners[0] }));
  for (const grip of grips) state.grips.splice(state.grips.indexOf(grip), 1);
  const kept = becomePiece(body, sorted[0], world);
  // What is left of each pin; one with nothing left here goes on at the first piece that has some of it.
  const heldAll = pins.map((pin) => pin.vertices.slice());
  followTopology({ resident: body, origin: sorted[0].origin, before }, world.bonds.list);
  others.forEach(({ resident, change, vertexOf }, k) => {
    const successors = new Successors(change.origin, before, resident.state.positions);
    pins.forEach((pin, n) => {
      if (!heldAll[n].some((vertex) => vertexOf.has(vertex))) return;
      const clone = clones[n][k];
      clone.follow(successors);
      const isLost = ![body, ...others.map((other) => other.resident)].some((one) => one.state.pins.includes(pin));
      if (isLost) {
        restoreFields(pin, clone.capture());
        (pin as { vertices: Uint32Array }).vertices = clone.vertices;
        resident.pins.takeFrom(body.pins, pin);
      }
      resident.addPin(isLost ? pin : clone);
    });
    for (const { grip, corner } of moved) {
      if (!vertexOf.has(corner)) continue;
      if (!followGrip(grip, successors, { resident, origin: change.origin, before })) continue;
      resident.grips.takeFrom(body.grips, grip);
      resident.addGrip(grip);
    }
  });
  const pieces = [kept, ...others];
  for (const hold of holds) reattach(hold, body, pieces, world);
  for (const { resident } of pieces) resident.state.wake();
  return pieces.map(({ resident }) => resident);
}

/** Rest data of the whole, as its nodes are now. */
function wholeOf(body: ResidentBody): Prepared {
  const { state, made } = body;
  const topology = captureTopology(body) as unknown as TopologyState;
  const isAsPrepared = !state.hostModel?.structure?.(state.prepared);
  if (topology === null || isAsPrepared) return state.prepared;
  const { positions, triangles, maps, structure } = topology;
  const whole = prepareTopology(made.prepared, { positions, triangles }, maps, structure);
  body.history.recall(whole.mesh);
  return whole;
}

function becomePiece(resident: ResidentBody, change: TopologyChange, { backend }: WorldParts): Piece {
  const { state } = resident;
  backend.rebuild(state, prepareChange(state.prepared, change), change.origin);
  resident.followTopology(change.origin);
  // It is what it would be if it had been added as this.
  resident.made = { prepared: state.prepared, mass: resident.mass };
  const { corners } = change.origin;
  const vertexOf = new Map<number, number>();
  for (let vertex = 0; 3 * vertex < corners.length; vertex++) vertexOf.set(corners[3 * vertex], vertex);
  return { resident, change, vertexOf };
}

function clonePin(pin: PinnedSet): PinnedSet {
  const fields = pin.capture();
  const clone = makePin(fields);
  restoreFields(clone, fields);
  return clone;
}

/** What an attachment held before its body was divided. */
interface Hold {
  readonly bond: Bond;
  readonly vertices: Uint32Array;
  /** Of one to another body: the corners that each vertex hangs on, their weights, and how far it is from there. */
  readonly corners: Uint32Array;
  readonly weights: Float64Array;
  readonly offsets: Float64Array;
}

const describeHolds = (body: ResidentBody, bonds: readonly Bond[]): Hold[] =>
  bonds
    .filter((one) => one.owner === body || one.target === body)
    .map((bond) => ({
      bond,
      vertices: bond.link.vertices.slice(),
      corners: bond.joint?.corners.slice() ?? new Uint32Array(0),
      weights: bond.joint?.weights.slice() ?? new Float64Array(0),
      offsets: bond.joint?.offsets.slice() ?? new Float64Array(0),
    }));

/** What a joint holds of some of its places, by the numbers that a piece has. */
function takePlaces(
  { corners, weights, offsets }: Hold,
  places: readonly number[],
  vertices: Uint32Array,
  cornerOf: (corner: number) => number = (corner) => corner,
) {
  const triples = <A extends Uint32Array | Float64Array>(values: A, out: A): A => {
    places.forEach((place, n) => {
      out.set(values.subarray(3 * place, 3 * place + 3), 3 * n);
    });
    return out;
  };
  return {
    vertices,
    corners: triples(corners, new Uint32Array(3 * places.length)).map(cornerOf),
    weights: triples(weights, new Float64Array(3 * places.length)),
    offsets: triples(offsets, new Float64Array(3 * places.length)),
  };
}

/** Attaches what went to other pieces as it was, tension and all. What stayed with the largest has followed it. */
function reattach(held: Hold, body: ResidentBody, pieces: readonly Piece[], world: WorldParts): void {
  const { bond, vertices, corners } = held;
  const hold = (owner: ResidentBody, own: Uint32Array, target: Bond['target']): Bond => {
    const other = target instanceof ResidentBody ? world.bodies.facadeOf(target) : world.colliders.facadeOf(target);
    const options = bond.breakForce < Infinity ? { breakForce: bond.breakForce } : {};
    return bind(world, { body: world.bodies.facadeOf(owner), other }, bindLink(owner, own, target), options);
  };
  const placesOf = (isOwn: (place: number) => boolean): number[] =>
    Array.from(vertices, (_, place) => place).filter(isOwn);
  if (bond.target === body && bond.joint) {
    for (const { resident, vertexOf } of pieces) {
      const places = placesOf((place) => vertexOf.has(corners[3 * place]));
      const own = Uint32Array.from(places, (place) => vertices[place]);
      const made = takePlaces(held, places, own, (corner) => vertexOf.get(corner) as number);
      if (resident === body) {
        if (places.length > 0) bond.joint.replace(made);
      } else if (places.length > 0) hold(bond.owner, own, resident).joint?.replace(made);
    }
    const stays = placesOf((place) => pieces[0].vertexOf.has(corners[3 * place])).length > 0;
    if (!stays) bond.detach();
    return;
  }
  for (const { resident, vertexOf } of pieces.slice(1)) {
    const places = placesOf((place) => vertexOf.has(vertices[place]));
    if (places.length === 0) continue;
    const own = Uint32Array.from(places, (place) => vertexOf.get(vertices[place]) as number);
    hold(resident, own, bond.target).joint?.replace(takePlaces(held, places, own));
  }
}
