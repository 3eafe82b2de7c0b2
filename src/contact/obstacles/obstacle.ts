// An obstacle: a shape with a pose that may move, how it behaves in contact, and the questions contact asks of it.

import { expectVector, showInput } from '../../math/expect.js';
import { PoseFollower } from '../../math/follower.js';
import { expectKnownFields } from '../../math/known-fields.js';
import { IDENTITY, normalizeQuaternion } from '../../math/quaternion.js';
import { captureFields, restoreFields, type StateTree } from '../../math/state-tree.js';
import { type ContactSettings, expectContactSettings } from '../contact-settings.js';
import type { Groups } from '../groups.js';
import { COLLIDER_DEFAULTS, COMMON_FIELDS, type ColliderOptions } from './collider-options.js';
import { type ColliderShape, checkPrimitive, copyShape, SHAPE_FIELDS } from './collider-shape.js';
import { Frame } from './frame.js';
import { Heightfield } from './heightfield.js';
import { MeshObstacle } from './mesh-obstacle.js';
import { measureDistance, type PrimitiveShape, thinnest } from './shapes.js';
import type { SurfacePoint } from './surface-point.js';

/** How an obstacle behaves in contact. */
export type ObstacleSettings = Omit<ContactSettings, 'selfContact'>;

/** What a step changes of an obstacle, or its user: the rest is fixed by what it is. */
const STATE = ['contact', 'altered', 'follower', 'isMoving', 'reaction', 'start', 'end'];

export class Obstacle implements Groups {
  readonly name: string;
  readonly shape: ColliderShape;
  /** The shape, where it takes more than a formula. */
  readonly solid: MeshObstacle | Heightfield | undefined;
  /** A particle that moves further than a part of this in a step is followed along its way [m]. */
  readonly thinnest: number;
  /** Whether it only reports. */
  readonly sensor: boolean;
  private contact: ObstacleSettings;
  /** Whether that was changed since bodies were last woken for it. */
  private altered = false;
  /** Where it is over time. */
  readonly follower: PoseFollower;
  /** Whether the pose changes in the current step. */
  isMoving = false;
  /** Impulse and torque of the last step. */
  readonly reaction = new Float64Array(6);
  /** Frames at the start and at the end of the current step. */
  readonly start = new Frame();
  readonly end = new Frame();

  constructor(options: ColliderOptions) {
    this.shape = copyShape(options);
    expectKnownFields(`addCollider ${this.shape.shape}`, options, [
      ...SHAPE_FIELDS[this.shape.shape],
      ...COMMON_FIELDS,
    ]);
    if (this.shape.shape === 'mesh') this.solid = new MeshObstacle(this.shape.mesh);
    else if (this.shape.shape === 'heightfield') this.solid = new Heightfield(this.shape);
    else checkPrimitive(this.shape);
    this.thinnest = this.solid?.thinnest ?? thinnest(this.shape as PrimitiveShape);
    this.name = options.name ?? options.shape;
    this.sensor = options.sensor ?? false;
    if (typeof this.sensor !== 'boolean')
      throw new RangeError(`sensor: expected true or false, got ${showInput(this.sensor)}`);
    const { friction, restitution, group, collidesWith } = options;
    this.contact = {
      friction: friction ?? COLLIDER_DEFAULTS.friction,
      restitution: restitution ?? COLLIDER_DEFAULTS.restitution,
      group: group ?? COLLIDER_DEFAULTS.group,
      collidesWith: collidesWith ?? COLLIDER_DEFAULTS.collidesWith,
    };
    expectContactSettings(this.contact);
    expectVector('position', options.position ?? [0, 0, 0]);
    expectVector('rotation', options.rotation ?? IDENTITY, 4);
    const rest = {
      position: options.position ?? ([0, 0, 0] as const),
      rotation: normalizeQuaternion(options.rotation ?? IDENTITY),
    };
    this.follower = new PoseFollower(rest, options.motion ?? []);
    this.moveThrough(0, 0);
  }

  get friction(): number {
    return this.contact.friction;
  }

  get restitution(): number {
    return this.contact.restitution;
  }

  get group(): number {
    return this.contact.group;
  }

  get collidesWith(): number {
    return this.contact.collidesWith;
  }

  /** Changes how it behaves in contact; bodies that sleep on it wake with the next step. */
  set(changes: Partial<ObstacleSettings>): void {
    expectContactSettings(changes);
    this.contact = { ...this.contact, ...changes };
    this.altered = true;
  }

  /** Whether how it behaves in contact has changed since this was last asked. */
  takeAltered(): boolean {
    const { altered } = this;
    this.altered = false;
    return altered;
  }

  /** Sets the frames for a step between two times [s]. */
  moveThrough(startTime: number, endTime: number): void {
    const { start, end, follower } = this;
    const [from, to] = [follower.poseAt(startTime), follower.poseAt(endTime)];
    // Most obstacles never move.
    if (start.isAt(from) && end.isAt(from) && end.isAt(to)) {
      this.isMoving = false;
      return;
    }
    start.set(from);
    // Between two steps it may have been put somewhere else.
    this.isMoving = !start.equals(end);
    end.set(to);
    this.isMoving ||= !start.equals(end);
  }

  /** Signed distance [m] and world normal at a world point, at the end of the step. */
  measure(x: number, y: number, z: number, out: SurfacePoint): void {
    this.end.toLocal(x, y, z, local);
    this.measureLocal(local[0], local[1], local[2], out);
    this.turnNormal(out);
  }

  /** The same in the obstacle's own frame. */
  measureLocal(x: number, y: number, z: number, out: SurfacePoint): void {
    if (this.solid) this.solid.measure(x, y, z, out);
    else measureDistance(this.shape as PrimitiveShape, x, y, z, out);
  }

  /** Turns a normal from the obstacle's frame to the world, at the end of the step. */
  turnNormal(out: SurfacePoint): void {
    const r = this.end.matrix;
    const { nx, ny, nz } = out;
    out.nx = r[0] * nx + r[1] * ny + r[2] * nz;
    out.ny = r[3] * nx + r[4] * ny + r[5] * nz;
    out.nz = r[6] * nx + r[7] * ny + r[8] * nz;
  }

  /** How far the obstacle's point now at (x, y, z) has moved in this step [m]. */
  displacementAt(x: number, y: number, z: number, out: Float64Array): void {
    this.end.toLocal(x, y, z, local);
    this.start.toWorld(local[0], local[1], local[2], out);
    out[0] = x - out[0];
    out[1] = y - out[1];
    out[2] = z - out[2];
  }

  /** What a snapshot holds of it. */
  capture(): { [key: string]: StateTree } {
    return captureFields(this, { only: STATE });
  }

  restore(state: { readonly [key: string]: StateTree }): void {
    restoreFields(this, state);
  }
}

const local = new Float64Array(3);
