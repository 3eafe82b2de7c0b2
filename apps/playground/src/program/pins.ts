// What holds bodies: the pins of the scene, those the user sets, and the user's hand.

import type { Body, Grip, Pin, Vec3 } from 'isochore';
import { poseAt } from '../../../../src/math/motion.js';
import { fromAxisAngle, multiply, type Quaternion } from '../../../../src/math/quaternion.js';
import { add, distance, mix, normalize, pointAt, scale, subtract } from '../../../../src/math/vec3.js';
import type { PinInfo } from '../protocol.js';

/** The surface within this share of the body's size goes with the hand. */
const GRIP = 0.14;
/** Time in which the hand's patch takes up most of its distance from the pointer [s]: hides the steps between its messages. */
const FOLLOW_TIME = 0.03;
/** Fastest that a hand moves, in body sizes per second. */
const FASTEST = 40;

export interface SetPin {
  readonly id: number;
  readonly body: number;
  readonly pin: Pin;
  /** Place in the scene's list; −1 for the user's. */
  readonly fromScene: number;
  /** Whether the user has moved it. */
  touched: boolean;
}

interface Hand {
  readonly set: SetPin;
  /** Whether the pin goes when the hand lets go. */
  readonly temporary: boolean;
  readonly from: Vec3;
  readonly startPosition: Vec3;
  readonly startRotation: Quaternion;
  readonly axis: Vec3;
  readonly twist: boolean;
  position: Vec3;
  target: Vec3;
  angle: number;
  targetAngle: number;
}

/** The vertices that the surface connects with a vertex within a rest distance of it. */
export function patchAround(body: Body, vertex: number, radius: number): number[] {
  const { particles, volume, mesh } = body.prepared;
  const { neighbourOffsets, neighbours } = volume.neighbours;
  const places = new Uint32Array(particles.count);
  particles.order.forEach((own, place) => {
    places[own] = place;
  });
  const centre = pointAt(mesh.positions, vertex);
  const seen = new Set([vertex]);
  // A set is walked in the order in which it grows.
  for (const found of seen) {
    const place = places[found];
    for (let e = neighbourOffsets[place]; e < neighbourOffsets[place + 1]; e++) {
      const next = particles.order[neighbours[e]];
      if (!seen.has(next) && distance(pointAt(mesh.positions, next), centre) < radius) seen.add(next);
    }
  }
  return [...seen];
}

export class Pins {
  readonly list: SetPin[] = [];
  private hand: Hand | undefined;
  /** A body in hand, and where the gripped point was from the pointer: the picture is a little older than the body [m]. */
  private gripped: { readonly grip: Grip; readonly offset: Vec3 } | undefined;
  private lastId = 0;

  constructor(private readonly bodies: readonly Body[]) {}

  add(body: number, vertices: ArrayLike<number>, motion: Pin['motion'] = [], fromScene = -1): SetPin {
    const set = { id: ++this.lastId, body, pin: this.bodies[body].pin(vertices, motion), fromScene, touched: false };
    this.list.push(set);
    return set;
  }

  addAround(body: number, vertex: number): SetPin {
    return this.add(body, patchAround(this.bodies[body], vertex, GRIP * this.bodies[body].prepared.volume.size));
  }

  remove(id: number): void {
    const index = this.list.findIndex((set) => set.id === id);
    if (index < 0) return;
    const [set] = this.list.splice(index, 1);
    this.bodies[set.body].unpin(set.pin);
  }

  /** Takes hold of a body at a point of its surface. */
  grab(body: number, point: Vec3): void {
    this.release();
    const grip = this.bodies[body].grab(point, { radius: GRIP * this.bodies[body].prepared.volume.size });
    this.gripped = { grip, offset: subtract(grip.point, point) };
  }

  /** Takes hold of the surface round a vertex, to twist it. */
  twist(body: number, vertex: number, point: Vec3, time: number): void {
    this.release();
    this.takeHold(this.addAround(body, vertex), point, time, true, true);
  }

  hold(id: number, point: Vec3, time: number, twist: boolean): void {
    this.release();
    const set = this.list.find((other) => other.id === id);
    if (set) this.takeHold(set, point, time, twist, false);
  }

  private takeHold(set: SetPin, from: Vec3, time: number, twist: boolean, temporary: boolean): void {
    const { position, rotation } = poseAt(set.pin.motion, time);
    const body = this.bodies[set.body];
    // The axis runs through the pinned set and the body's middle: turning about it wrings the body.
    let centre: Vec3 = [0, 0, 0];
    for (const vertex of set.pin.vertices) centre = add(centre, pointAt(body.positions, vertex));
    const axis = normalize(subtract(scale(centre, 1 / set.pin.vertices.length), body.centreOfMass()));
    set.touched = true;
    this.hand = {
      ...{ set, temporary, from, axis, twist },
      startPosition: position,
      startRotation: rotation,
      position,
      target: position,
      angle: 0,
      targetAngle: 0,
    };
    set.pin.motion = [{ time: 0, position, rotation }];
  }

  drag(point: Vec3, angle: number): void {
    this.gripped?.grip.moveTo(add(point, this.gripped.offset));
    if (!this.hand) return;
    if (this.hand.twist) this.hand.targetAngle = angle;
    else this.hand.target = add(this.hand.startPosition, subtract(point, this.hand.from));
    this.bodies[this.hand.set.body].wake();
  }

  release(): void {
    this.gripped?.grip.release();
    this.gripped = undefined;
    if (this.hand?.temporary) this.remove(this.hand.set.id);
    this.hand = undefined;
  }

  /** Moves the pin in hand to where it is after a step [s]. */
  follow(timeStep: number): void {
    const { hand } = this;
    if (!hand) return;
    const share = Math.min(1, timeStep / FOLLOW_TIME);
    const farthest = FASTEST * timeStep * this.bodies[hand.set.body].prepared.volume.size;
    const away = distance(hand.position, hand.target) * share;
    hand.position = mix(hand.position, hand.target, away > farthest ? (share * farthest) / away : share);
    hand.angle += (hand.targetAngle - hand.angle) * share;
    const rotation = hand.twist
      ? multiply(fromAxisAngle(hand.axis, hand.angle), hand.startRotation)
      : hand.startRotation;
    hand.set.pin.motion = [{ time: 0, position: hand.position, rotation }];
  }

  describe(): PinInfo[] {
    return this.list.map((set) => ({
      id: set.id,
      body: set.body,
      vertices: set.pin.vertices.slice(),
      held: this.hand?.set === set && this.hand.temporary,
    }));
  }
}
