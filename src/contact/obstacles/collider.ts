// An obstacle: a shape with a pose that may move, a friction coefficient, and the questions contact asks of it.

import { expectVector } from '../../math/expect.js';
import { PoseFollower } from '../../math/follower.js';
import { expectKnownFields } from '../../math/known-fields.js';
import type { Keyframe, Pose } from '../../math/motion.js';
import { IDENTITY, normalizeQuaternion, type Quaternion, writeMatrix } from '../../math/quaternion.js';
import { pointAt, type Vec3 } from '../../math/vec3.js';
import { type ContactSettings, expectContactSettings } from '../contact-settings.js';
import { GROUP_DEFAULTS, type Groups } from '../groups.js';
import { type ColliderShape, checkPrimitive, copyShape, SHAPE_FIELDS } from './collider-shape.js';
import { Heightfield } from './heightfield.js';
import { MeshObstacle } from './mesh-obstacle.js';
import { measureDistance, type PrimitiveShape, thinnest } from './shapes.js';
import type { SurfacePoint } from './surface-point.js';

export const COLLIDER_DEFAULTS = Object.freeze({ friction: 0.5, restitution: 0, ...GROUP_DEFAULTS });

/** What every obstacle has beside its shape. */
const COMMON_FIELDS = [
  ...['shape', 'name', 'position', 'rotation'],
  ...['friction', 'restitution', 'group', 'collidesWith', 'motion'],
];

export type ColliderOptions = ColliderShape & {
  readonly name?: string;
  /** [m] */
  readonly position?: Vec3;
  readonly rotation?: Quaternion;
  /** Coulomb friction coefficient, ≥ 0. */
  readonly friction?: number;
  /** Share of the speed of an impact that contact gives back, 0…1, on top of what elasticity does. */
  readonly restitution?: number;
  /** Bits of the groups it belongs to (1 unless set) and of those it touches (all unless set). */
  readonly group?: number;
  readonly collidesWith?: number;
  /** Poses over time; a moving obstacle pushes and drags by its velocity. */
  readonly motion?: readonly Keyframe[];
};

/** A pose with its rotation as a matrix, ready for many points. */
class Frame {
  position: Vec3 = [0, 0, 0];
  rotation: Quaternion = IDENTITY;
  readonly matrix = new Float64Array(9);

  constructor() {
    writeMatrix(IDENTITY, this.matrix);
  }

  set(pose: Pose): void {
    this.position = pose.position;
    this.rotation = pose.rotation;
    writeMatrix(pose.rotation, this.matrix);
  }

  equals(other: Frame): boolean {
    for (let k = 0; k < 3; k++) if (this.position[k] !== other.position[k]) return false;
    for (let k = 0; k < 9; k++) if (this.matrix[k] !== other.matrix[k]) return false;
    return true;
  }

  /** World point → own frame. */
  toLocal(x: number, y: number, z: number, out: Float64Array): void {
    const r = this.matrix;
    const dx = x - this.position[0];
    const dy = y - this.position[1];
    const dz = z - this.position[2];
    out[0] = r[0] * dx + r[3] * dy + r[6] * dz;
    out[1] = r[1] * dx + r[4] * dy + r[7] * dz;
    out[2] = r[2] * dx + r[5] * dy + r[8] * dz;
  }

  /** Own point → world. */
  toWorld(x: number, y: number, z: number, out: Float64Array): void {
    const r = this.matrix;
    out[0] = this.position[0] + r[0] * x + r[1] * y + r[2] * z;
    out[1] = this.position[1] + r[3] * x + r[4] * y + r[5] * z;
    out[2] = this.position[2] + r[6] * x + r[7] * y + r[8] * z;
  }
}

export class Collider implements Groups {
  readonly name: string;
  readonly shape: ColliderShape;
  /**
   * The shape, where it takes more than a formula.
   * @internal
   */
  readonly obstacle: MeshObstacle | Heightfield | undefined;
  /**
   * A particle that moves further than a part of this in a step is followed along its way [m].
   * @internal
   */
  readonly thinnest: number;
  /** How it behaves in contact. */
  private contact: Omit<ContactSettings, 'selfContact'>;
  /** Whether that was changed since bodies were last woken for it. */
  private altered = false;
  /** Why it may not be changed any more; undefined while it is in a world. */
  private gone: string | undefined;
  /**
   * Where it is over time.
   * @internal
   */
  readonly follower: PoseFollower;
  /**
   * Whether the pose changes in the current step.
   * @internal
   */
  isMoving = false;
  /**
   * Impulse and torque of the last step.
   * @internal
   */
  readonly reaction = new Float64Array(6);
  /**
   * Frames at the start and at the end of the current step.
   * @internal
   */
  readonly start = new Frame();
  /** @internal */
  readonly end = new Frame();

  constructor(options: ColliderOptions) {
    this.shape = copyShape(options);
    expectKnownFields(`addCollider ${this.shape.shape}`, options, [
      ...SHAPE_FIELDS[this.shape.shape],
      ...COMMON_FIELDS,
    ]);
    if (this.shape.shape === 'mesh') this.obstacle = new MeshObstacle(this.shape.mesh);
    else if (this.shape.shape === 'heightfield') this.obstacle = new Heightfield(this.shape);
    else checkPrimitive(this.shape);
    this.thinnest = this.obstacle?.thinnest ?? thinnest(this.shape as PrimitiveShape);
    this.name = options.name ?? options.shape;
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

  /** Poses over time; may be replaced while the world runs. */
  get motion(): readonly Keyframe[] {
    return this.follower.motion;
  }

  set motion(motion: readonly Keyframe[]) {
    this.expectPresent();
    this.follower.motion = motion;
  }

  /** Where the collider is without motion. */
  get rest(): Pose {
    return this.follower.rest;
  }

  set rest(pose: Pose) {
    this.expectPresent();
    expectVector('rotation', pose.rotation, 4);
    this.follower.rest = { position: pose.position, rotation: normalizeQuaternion(pose.rotation) };
  }

  /** Coulomb friction coefficient, ≥ 0. */
  get friction(): number {
    return this.contact.friction;
  }

  set friction(friction: number) {
    this.set({ friction });
  }

  /** Share of the speed of an impact that contact gives back, 0…1, on top of what elasticity does. */
  get restitution(): number {
    return this.contact.restitution;
  }

  set restitution(restitution: number) {
    this.set({ restitution });
  }

  /** Bits of the groups that it belongs to. */
  get group(): number {
    return this.contact.group;
  }

  set group(group: number) {
    this.set({ group });
  }

  /** Bits of the groups that it touches. Two things touch where each touches a group of the other. */
  get collidesWith(): number {
    return this.contact.collidesWith;
  }

  set collidesWith(collidesWith: number) {
    this.set({ collidesWith });
  }

  private set(changes: Partial<Collider['contact']>): void {
    this.expectPresent();
    expectContactSettings(changes);
    this.contact = { ...this.contact, ...changes };
    this.altered = true;
  }

  /**
   * Whether how it behaves in contact has changed since this was last asked: bodies that sleep on it wake.
   * @internal
   */
  takeAltered(): boolean {
    const { altered } = this;
    this.altered = false;
    return altered;
  }

  /** Whether it was taken out of its world, or that was disposed of. */
  get removed(): boolean {
    return this.gone !== undefined;
  }

  /**
   * Called by the world when it goes: from here on it refuses to be changed, and says why.
   * @internal
   */
  leave(reason: string): void {
    this.gone ??= `collider ${JSON.stringify(this.name)}: ${reason}`;
  }

  private expectPresent(): void {
    if (this.gone !== undefined) throw new RangeError(this.gone);
  }

  /** Momentum that bodies gave it in the last step, by contact and by attachments [kg m/s]. */
  get impulse(): Vec3 {
    return pointAt(this.reaction, 0);
  }

  /** Angular momentum about its position that bodies gave it in the last step [kg m²/s]. */
  get torque(): Vec3 {
    return pointAt(this.reaction, 1);
  }

  /** Where it is at the end of the last step [m]. */
  get position(): Vec3 {
    return this.end.position;
  }

  /** How it is turned at the end of the last step (x, y, z, w). */
  get rotation(): Quaternion {
    return this.end.rotation;
  }

  /**
   * Moves it to a pose during the next step, at even speed, so that it pushes and drags what it meets; then it stays there.
   * For obstacles that something else moves, such as a rigid-body engine. Without a rotation it keeps its own.
   */
  moveTo(position: Vec3, rotation?: Quaternion): void {
    this.expectPresent();
    this.follower.send(position, rotation);
  }

  /**
   * Sets the frames for a step between two times [s].
   * @internal
   */
  moveThrough(startTime: number, endTime: number): void {
    this.start.set(this.follower.poseAt(startTime));
    // Between two steps it may have been put somewhere else.
    this.isMoving = !this.start.equals(this.end);
    this.end.set(this.follower.poseAt(endTime));
    this.isMoving ||= !this.start.equals(this.end);
  }

  /**
   * Signed distance [m] and world normal at a world point, at the end of the step.
   * @internal
   */
  measure(x: number, y: number, z: number, out: SurfacePoint): void {
    this.end.toLocal(x, y, z, local);
    this.measureLocal(local[0], local[1], local[2], out);
    this.turnNormal(out);
  }

  /**
   * The same in the collider's own frame.
   * @internal
   */
  measureLocal(x: number, y: number, z: number, out: SurfacePoint): void {
    if (this.obstacle) this.obstacle.measure(x, y, z, out);
    else measureDistance(this.shape as PrimitiveShape, x, y, z, out);
  }

  /**
   * Turns a normal from the collider's frame to the world, at the end of the step.
   * @internal
   */
  turnNormal(out: SurfacePoint): void {
    const r = this.end.matrix;
    const { nx, ny, nz } = out;
    out.nx = r[0] * nx + r[1] * ny + r[2] * nz;
    out.ny = r[3] * nx + r[4] * ny + r[5] * nz;
    out.nz = r[6] * nx + r[7] * ny + r[8] * nz;
  }

  /**
   * How far the collider's point now at (x, y, z) has moved in this step [m].
   * @internal
   */
  displacementAt(x: number, y: number, z: number, out: Float64Array): void {
    this.end.toLocal(x, y, z, local);
    this.start.toWorld(local[0], local[1], local[2], out);
    out[0] = x - out[0];
    out[1] = y - out[1];
    out[2] = z - out[2];
  }
}

const local = new Float64Array(3);
