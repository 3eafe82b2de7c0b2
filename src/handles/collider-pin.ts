// Vertices that are attached to an obstacle: pins that go with it, and tell the force that holds them.

import type { Obstacle } from '../contact/obstacles/obstacle.js';
import type { Touches } from '../contact/response/touches.js';
import { captureFields, type StateTree } from '../math/state-tree.js';
import { add, pointAt, scale, subtract, type Vec3 } from '../math/vec3.js';
import type { InnerMass } from '../solvers/inner-mass.js';
import { PinnedSet } from './pinned-set.js';
import { massOf } from './rigid-handle.js';
import type { Successors } from './successors.js';

/** What of it outlives a step, beside what pins have. */
const STATE = ['impulse', 'moment', 'places'];

export class ColliderPin extends PinnedSet {
  /** Momentum that the body got through it in the last step [kg m/s], and its moment about the collider's position. */
  readonly impulse = new Float64Array(3);
  readonly moment = new Float64Array(3);
  /** Where the vertices are in the collider's frame [m]. */
  private places: Float64Array;

  constructor(
    vertices: Uint32Array,
    points: readonly Vec3[],
    readonly collider: Obstacle,
  ) {
    super(vertices, points, []);
    this.places = new Float64Array(3 * points.length);
    const place = new Float64Array(3);
    points.forEach(([x, y, z], n) => {
      collider.end.toLocal(x, y, z, place);
      this.places.set(place, 3 * n);
    });
  }

  override capture(): { [key: string]: StateTree } {
    return { ...super.capture(), ...captureFields(this, { only: STATE }) };
  }

  override get isKinematic(): boolean {
    return this.collider.isMoving;
  }

  override follow(successors: Successors): boolean {
    const { places, collider } = this;
    const found = successors.follow(this.vertices);
    const point = new Float64Array(3);
    const followed = new Float64Array(3 * found.length);
    found.forEach(({ place, shift }, n) => {
      collider.end.toWorld(places[3 * place], places[3 * place + 1], places[3 * place + 2], point);
      collider.end.toLocal(point[0] + shift[0], point[1] + shift[1], point[2] + shift[2], point);
      followed.set(point, 3 * n);
    });
    this.places = followed;
    return super.follow(successors);
  }

  /** At the end of the collider's current step, whatever the time. */
  override writeTargets(_time: number, targets: Float64Array): void {
    const point = new Float64Array(3);
    for (let k = 0; k < this.places.length; k += 3) {
      this.collider.end.toWorld(this.places[k], this.places[k + 1], this.places[k + 2], point);
      targets.set(point, k);
    }
  }
}

/** A body whose pins' forces can be told, in the mesh's own vertex order. */
export interface MeasuredBody {
  readonly pins: readonly PinnedSet[];
  readonly asleep: boolean;
  readonly masses: Float64Array;
  readonly innerMass?: InnerMass;
  readonly positions: ArrayLike<number>;
  readonly touches: Touches<object>;
  /** Σ m v of the solver's own velocities [kg m/s]. */
  solverMomentum(): Vec3;
  /** What pins did to the velocity of a vertex in the last substep [m/s]. */
  pinChangeOf(vertex: number): Vec3;
}

const isMeasured = (body: MeasuredBody): boolean => !body.asleep && body.pins.some((pin) => pin instanceof ColliderPin);

/** Momentum that each body has got from everything that it touched so far in this step. */
function contactImpulses(bodies: readonly MeasuredBody[]): Map<object, Vec3> {
  const sums = new Map<object, Vec3>();
  for (const body of bodies) {
    for (const { other, impulse } of body.touches.found) {
      sums.set(body, add(sums.get(body) ?? [0, 0, 0], impulse));
      sums.set(other, subtract(sums.get(other) ?? [0, 0, 0], impulse));
    }
  }
  return sums;
}

/**
 * Runs a substep and finds what went through attachments to obstacles: what the pins did to their vertices, and of what
 * the volume constraint pressed against them, which it does not keep from a pinned body's momentum, a share by mass.
 */
export function measureAttached(
  bodies: readonly MeasuredBody[],
  gravity: Vec3,
  timeStep: number,
  runSubstep: () => void,
): void {
  const measured = bodies.filter(isMeasured);
  if (measured.length === 0) {
    runSubstep();
    return;
  }
  const before = measured.map((body) => body.solverMomentum());
  const touchedBefore = contactImpulses(bodies);
  runSubstep();
  const touchedAfter = contactImpulses(bodies);
  measured.forEach((body, index) => {
    const mass = massOf(body);
    const touched = subtract(touchedAfter.get(body) ?? [0, 0, 0], touchedBefore.get(body) ?? [0, 0, 0]);
    const gained = subtract(body.solverMomentum(), before[index]);
    shareImpulse(body, subtract(subtract(gained, touched), scale(gravity, mass * timeStep)));
  });
}

/** `all` went through all pins; each vertex has its own part of it, the rest is shared by mass. */
function shareImpulse(body: MeasuredBody, all: Vec3): void {
  // The latest pin decides about a vertex of several.
  const holders = new Map<number, PinnedSet>();
  for (const pin of body.pins) for (const vertex of pin.vertices) holders.set(vertex, pin);
  let rest = all;
  let mass = 0;
  for (const vertex of holders.keys()) {
    mass += body.masses[vertex];
    rest = subtract(rest, scale(body.pinChangeOf(vertex), body.masses[vertex]));
  }
  for (const [vertex, pin] of holders) {
    if (!(pin instanceof ColliderPin)) continue;
    const m = body.masses[vertex];
    const got = add(scale(body.pinChangeOf(vertex), m), scale(rest, m / mass));
    const [rx, ry, rz] = subtract(pointAt(body.positions, vertex), pin.collider.end.position);
    for (let c = 0; c < 3; c++) pin.impulse[c] += got[c];
    pin.moment[0] += ry * got[2] - rz * got[1];
    pin.moment[1] += rz * got[0] - rx * got[2];
    pin.moment[2] += rx * got[1] - ry * got[0];
  }
}
