// Makes bodies of the pieces of one: the backend's part of it, and what holds the body goes with what it holds.

import type { Backend, BackendBody } from '../backends/backend.js';
import type { Collider } from '../contact/obstacles/collider.js';
import { ColliderPin } from '../handles/collider-pin.js';
import type { Pin } from '../handles/pin.js';
import { Successors } from '../handles/successors.js';
import { captureFields, restoreFields } from '../math/state-tree.js';
import { signedVolume } from '../mesh/measure.js';
import type { Prepared } from '../solvers/solver.js';
import { prepareChange, prepareTopology } from '../solvers/topology.js';
import type { TopologyChange } from '../solvers/topology-change.js';
import type { Attachment } from './attachment.js';
import type { Body } from './body.js';
import { makePin } from './snapshot.js';
import { captureTopology, type TopologyState } from './snapshot-topology.js';
import { followGrip, followTopology } from './topology.js';

/** What separation asks of a world. */
export interface SeparatingWorld {
  readonly backend: Backend;
  readonly attachments: readonly Attachment[];
  /** Adds a body of so much mass [kg], at rest. */
  add(prepared: Prepared, mass: number, name: string): { body: Body; state: BackendBody };
  /** Attaches vertices where they are now. */
  attach(body: Body, vertices: Uint32Array, other: Body | Collider, breakForce: number): void;
}

/** A piece: its body, and the vertex that each of the whole's is in it. */
interface Piece {
  readonly body: Body;
  readonly state: BackendBody;
  readonly change: TopologyChange;
  readonly vertexOf: ReadonlyMap<number, number>;
}

/** The bodies that a body becomes, itself first as the largest; only itself where it is in one piece. */
export function separateBody(body: Body, state: BackendBody, world: SeparatingWorld): readonly Body[] {
  const changes = state.hostModel?.divide?.() ?? [];
  if (changes.length < 2) return [body];
  const volumeOf = ({ mesh }: TopologyChange): number => signedVolume(mesh.positions, mesh.triangles);
  const sorted = [...changes].sort((a, b) => volumeOf(b) - volumeOf(a));
  const whole = wholeOf(body, state);
  const before = Float64Array.from(state.positions);
  const holds = describeHolds(body, world.attachments);
  const captured = state.capture();
  const others = sorted.slice(1).map((change): Piece => {
    const twin = world.add(whole, body.mass, body.name);
    twin.state.restore(captured);
    Object.assign(twin.state.contactSettings, state.contactSettings);
    twin.body.shown.interpolated.set(body.shown.interpolated);
    twin.body.shown.previous.set(body.shown.previous);
    return becomePiece(twin.body, twin.state, change, world.backend);
  });
  const pins = state.pins.filter((pin) => !(pin instanceof ColliderPin));
  const clones = pins.map((pin) => others.map(() => clonePin(pin)));
  const grips = body.grips.filter(({ patch }) => others.some((piece) => piece.vertexOf.has(patch.corners[0])));
  const moved = grips.map((grip) => ({ grip, corners: grip.patch.corners.slice() }));
  for (const { grip } of moved) state.grips.splice(state.grips.indexOf(grip.patch), 1);
  const kept = becomePiece(body, state, sorted[0], world.backend);
  // What is left of each pin; one with nothing left here goes on at the first piece that has some of it.
  const heldAll = pins.map((pin) => pin.vertices.slice());
  followTopology({ body, state, origin: sorted[0].origin, before }, world.attachments);
  others.forEach((piece, k) => {
    const successors = new Successors(piece.change.origin, before, piece.state.positions);
    pins.forEach((pin, n) => {
      if (!heldAll[n].some((vertex) => piece.vertexOf.has(vertex))) return;
      const clone = clones[n][k];
      clone.follow(successors);
      const isLost = !state.pins.includes(pin) && !others.some(({ state: other }) => other.pins.includes(pin));
      if (isLost) restoreFields(pin, captureFields(clone));
      if (isLost) (pin as { vertices: Uint32Array }).vertices = clone.vertices;
      piece.body.takePin(isLost ? pin : clone);
    });
    for (const { grip, corners } of moved) {
      if (!piece.vertexOf.has(corners[0])) continue;
      const changed = { body: piece.body, state: piece.state, origin: piece.change.origin, before };
      if (followGrip(grip.patch, successors, changed)) piece.body.takeGrip(grip);
    }
  });
  const pieces = [kept, ...others];
  for (const hold of holds) reattach(hold, body, pieces, world);
  for (const piece of pieces) piece.state.wake();
  return pieces.map((piece) => piece.body);
}

/** Rest data of the whole, as its nodes are now. */
function wholeOf(body: Body, state: BackendBody): Prepared {
  const topology = captureTopology(body, state) as unknown as TopologyState;
  const isAsPrepared = !state.hostModel?.structure?.(state.prepared);
  if (topology === null || isAsPrepared) return state.prepared;
  const { positions, triangles, maps, structure } = topology;
  return prepareTopology(body.made.prepared, { positions, triangles }, maps, structure);
}

function becomePiece(body: Body, state: BackendBody, change: TopologyChange, backend: Backend): Piece {
  backend.rebuild(state, prepareChange(state.prepared, change), change.origin);
  body.followTopology(change.origin);
  // It is what it would be if it had been added as this.
  body.made = { prepared: state.prepared, mass: body.mass };
  const { corners } = change.origin;
  const vertexOf = new Map<number, number>();
  for (let vertex = 0; 3 * vertex < corners.length; vertex++) vertexOf.set(corners[3 * vertex], vertex);
  return { body, state, change, vertexOf };
}

function clonePin(pin: Pin): Pin {
  const fields = captureFields(pin);
  const clone = makePin(fields);
  restoreFields(clone, fields);
  return clone;
}

/** What an attachment held before its body was divided. */
interface Hold {
  readonly attachment: Attachment;
  readonly vertices: Uint32Array;
  /** A vertex of the body that it is held to, where that is the one divided. */
  readonly corner: number | undefined;
}

const describeHolds = (body: Body, attachments: readonly Attachment[]): Hold[] =>
  attachments
    .filter((one) => one.body === body || one.other === body)
    .map((attachment) => ({
      attachment,
      vertices: attachment.vertices.slice(),
      corner: attachment.other === body ? attachment.joint?.corners[0] : undefined,
    }));

/** Attaches what went to other pieces as it was. What stayed with the largest has followed it. */
function reattach(
  { attachment, vertices, corner }: Hold,
  body: Body,
  pieces: readonly Piece[],
  world: SeparatingWorld,
): void {
  const { breakForce, other } = attachment;
  if (corner !== undefined) {
    const piece = pieces.find(({ vertexOf }) => vertexOf.has(corner));
    if (!piece || piece.body === body) return;
    world.attach(attachment.body, attachment.vertices, piece.body, breakForce);
    attachment.detach();
    return;
  }
  for (const piece of pieces.slice(1)) {
    const own = Array.from(vertices).filter((vertex) => piece.vertexOf.has(vertex));
    if (own.length === 0) continue;
    world.attach(
      piece.body,
      Uint32Array.from(own, (vertex) => piece.vertexOf.get(vertex) as number),
      other,
      breakForce,
    );
  }
}
