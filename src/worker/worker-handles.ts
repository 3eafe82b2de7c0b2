// Pins, grips and strokes of bodies in a worker, as the page holds them. Their figures are those of the last frame.

import { expectVector } from '../math/expect.js';
import { copyMotion, type Keyframe } from '../math/motion.js';
import type { Quaternion } from '../math/quaternion.js';
import { pointAt, type Vec3 } from '../math/vec3.js';
import type { Remote } from './remote.js';

/** What the last frame said of a thing. */
export interface Framed {
  take(numbers: Float64Array): void;
}

/** Pinned vertices of a body in a worker. */
export class WorkerPin {
  private isHeld = true;
  private keys: readonly Keyframe[];

  /** Pins are made by `WorkerBody.pin`. */
  constructor(
    private readonly remote: Remote,
    readonly vertices: Uint32Array,
    /** Centre of the pinned set where it was pinned [m]. */
    readonly centre: Vec3,
    motion: readonly Keyframe[] = [],
  ) {
    this.keys = motion;
  }

  /** When the worker has it, or why it could not be made. */
  get ready(): Promise<this> {
    return this.remote.ready.then(() => this);
  }

  /** Whether it still holds its vertices. */
  get held(): boolean {
    return this.isHeld && !this.remote.membership.ended;
  }

  get motion(): readonly Keyframe[] {
    return this.keys;
  }

  set motion(motion: readonly Keyframe[]) {
    this.expectHeld();
    this.keys = copyMotion(motion);
    this.remote.set('motion', this.keys);
  }

  /** As `Pin.moveTo`. */
  moveTo(position: Vec3, rotation?: Quaternion): void {
    this.expectHeld();
    expectVector('position', position);
    if (rotation) expectVector('rotation', rotation, 4);
    this.remote.tell('moveTo', position, rotation);
  }

  /** @internal */
  end(reason: string): void {
    this.remote.membership.end(reason);
  }

  /** @internal */
  drop(): void {
    this.remote.drop('it was unpinned');
  }

  /** @internal */
  take(numbers: Float64Array): void {
    this.isHeld = numbers[0] === 1;
  }

  private expectHeld(): void {
    if (!this.held) throw new RangeError('pin: it holds nothing any more, its vertices were unpinned');
  }
}

/** A grip on a body in a worker. */
export class WorkerGrip {
  private numbers: Float64Array = new Float64Array(7);
  private isHeld = true;
  private to: Vec3;

  /** Grips are made by `WorkerBody.grab`. */
  constructor(
    private readonly remote: Remote,
    point: Vec3,
  ) {
    this.to = point;
    this.numbers.set([1, ...point]);
  }

  get ready(): Promise<this> {
    return this.remote.ready.then(() => this);
  }

  /** Whether it still holds the body. */
  get held(): boolean {
    return this.isHeld && !this.remote.membership.ended;
  }

  /** Where the gripped point of the surface was in the last frame [m]. */
  get point(): Vec3 {
    return pointAt(this.numbers.subarray(1), 0);
  }

  /** Where it is drawn to [m]. */
  get target(): Vec3 {
    return this.to;
  }

  /** Mean force on the body in the last step [N]. */
  get force(): Vec3 {
    return pointAt(this.numbers.subarray(1), 1);
  }

  /** Draws the point towards another place [m], from the next step on. */
  moveTo(point: Vec3): void {
    if (!this.held) throw new RangeError('grip: it holds nothing any more; body.grab gives another');
    expectVector('point', point);
    this.to = [point[0], point[1], point[2]];
    this.remote.tell('moveTo', this.to);
  }

  /** Lets go; the body keeps its velocity. */
  release(): void {
    this.remote.drop('it was released');
  }

  /** @internal */
  end(reason: string): void {
    this.remote.membership.end(reason);
  }

  /** @internal */
  take(numbers: Float64Array): void {
    this.isHeld = numbers[0] === 1;
    this.numbers = numbers;
  }
}

/** A cut by hand, as `CutStroke`. */
export class WorkerStroke {
  private isActive = true;

  constructor(private readonly remote: Remote) {}

  get ready(): Promise<this> {
    return this.remote.ready.then(() => this);
  }

  get active(): boolean {
    return this.isActive && !this.remote.membership.ended;
  }

  moveTo(point: Vec3, direction: Vec3): void {
    if (!this.active) throw new RangeError('moveTo: expected a stroke that goes on, got one that has ended');
    expectVector('point', point);
    expectVector('direction', direction);
    this.remote.tell('moveTo', point, direction);
  }

  end(): void {
    if (!this.active) return;
    this.isActive = false;
    this.remote.tell('end');
    this.remote.drop('it has ended');
  }
}
