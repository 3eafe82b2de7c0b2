// An obstacle: a shape with a pose that may move, a friction coefficient, and the questions contact asks of it.

import { expectNumber, expectPositive, expectVector } from '../math/expect.js';
import { PoseFollower } from '../math/follower.js';
import type { Keyframe, Pose } from '../math/motion.js';
import { IDENTITY, normalizeQuaternion, type Quaternion, writeMatrix } from '../math/quaternion.js';
import { pointAt, type Vec3 } from '../math/vec3.js';
import { expectBits, GROUP_DEFAULTS, type Groups } from './groups.js';
import { Heightfield, type HeightfieldShape } from './heightfield.js';
import { MeshObstacle, type MeshShape } from './mesh-obstacle.js';
import { measureDistance, type PrimitiveShape, thinnest } from './shapes.js';
import type { SurfacePoint } from './surface-point.js';

export const COLLIDER_DEFAULTS = { friction: 0.5, restitution: 0, ...GROUP_DEFAULTS };

/** What an obstacle can be; lengths in metres. */
export type ColliderShape = PrimitiveShape | MeshShape | HeightfieldShape;

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
  /** The shape, where it takes more than a formula. */
  readonly obstacle: MeshObstacle | Heightfield | undefined;
  /** A particle that moves further than a part of this in a step is followed along its way [m]. */
  readonly thinnest: number;
  friction: number;
  restitution: number;
  /** Bits of the groups it belongs to, and of those it touches. */
  group: number;
  collidesWith: number;
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
    if (options.shape === 'mesh') this.obstacle = new MeshObstacle(options.mesh);
    else if (options.shape === 'heightfield') this.obstacle = new Heightfield(options);
    else checkShape(options);
    this.thinnest = this.obstacle?.thinnest ?? thinnest(options as PrimitiveShape);
    this.name = options.name ?? options.shape;
    this.shape = options;
    this.friction = options.friction ?? COLLIDER_DEFAULTS.friction;
    expectNumber('friction', this.friction, 0);
    this.restitution = options.restitution ?? COLLIDER_DEFAULTS.restitution;
    expectNumber('restitution', this.restitution, 0, 1);
    this.group = options.group ?? COLLIDER_DEFAULTS.group;
    expectBits('group', this.group);
    this.collidesWith = options.collidesWith ?? COLLIDER_DEFAULTS.collidesWith;
    expectBits('collidesWith', this.collidesWith);
    expectVector('position', options.position ?? [0, 0, 0]);
    expectVector('rotation', options.rotation ?? IDENTITY, 4);
    const rest = {
      position: options.position ?? [0, 0, 0],
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
    this.follower.motion = motion;
  }

  /** Where the collider is without motion. */
  get rest(): Pose {
    return this.follower.rest;
  }

  set rest(pose: Pose) {
    this.follower.rest = pose;
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
    this.follower.send(position, rotation);
  }

  /** Sets the frames for a step between two times [s]. */
  moveThrough(startTime: number, endTime: number): void {
    this.start.set(this.follower.poseAt(startTime));
    // Between two steps it may have been put somewhere else.
    this.isMoving = !this.start.equals(this.end);
    this.end.set(this.follower.poseAt(endTime));
    this.isMoving ||= !this.start.equals(this.end);
  }

  /** Signed distance [m] and world normal at a world point, at the end of the step. */
  measure(x: number, y: number, z: number, out: SurfacePoint): void {
    this.end.toLocal(x, y, z, local);
    this.measureLocal(local[0], local[1], local[2], out);
    this.turnNormal(out);
  }

  /** The same in the collider's own frame. */
  measureLocal(x: number, y: number, z: number, out: SurfacePoint): void {
    if (this.obstacle) this.obstacle.measure(x, y, z, out);
    else measureDistance(this.shape as PrimitiveShape, x, y, z, out);
  }

  /** Turns a normal from the collider's frame to the world, at the end of the step. */
  turnNormal(out: SurfacePoint): void {
    const r = this.end.matrix;
    const { nx, ny, nz } = out;
    out.nx = r[0] * nx + r[1] * ny + r[2] * nz;
    out.ny = r[3] * nx + r[4] * ny + r[5] * nz;
    out.nz = r[6] * nx + r[7] * ny + r[8] * nz;
  }

  /** How far the collider's point now at (x, y, z) has moved in this step [m]. */
  displacementAt(x: number, y: number, z: number, out: Float64Array): void {
    this.end.toLocal(x, y, z, local);
    this.start.toWorld(local[0], local[1], local[2], out);
    out[0] = x - out[0];
    out[1] = y - out[1];
    out[2] = z - out[2];
  }
}

const local = new Float64Array(3);

function checkShape(shape: PrimitiveShape): void {
  switch (shape.shape) {
    case 'plane':
      expectVector('plane.normal', shape.normal);
      expectPositive('plane.normal length', Math.sqrt(shape.normal.reduce((sum, n) => sum + n * n, 0)));
      expectNumber('plane.offset', shape.offset ?? 0);
      return;
    case 'box':
      expectVector('box.size', shape.size);
      shape.size.forEach((edge, axis) => {
        expectPositive(`box.size[${axis}]`, edge);
      });
      return;
    case 'sphere':
      expectPositive('sphere.radius', shape.radius);
      return;
    case 'capsule':
      expectPositive('capsule.radius', shape.radius);
      expectNumber('capsule.height', shape.height, 2 * shape.radius);
      return;
    case 'cylinder':
      expectPositive('cylinder.radius', shape.radius);
      expectPositive('cylinder.height', shape.height);
      return;
    case 'glass':
      expectPositive('glass.wall', shape.wall);
      expectNumber('glass.radius', shape.radius, 2 * shape.wall);
      expectNumber('glass.height', shape.height, 2 * shape.wall);
      return;
    default:
      throw new RangeError(
        `shape: expected one of plane, box, sphere, capsule, cylinder, glass, mesh, heightfield, got ${(shape as { shape: unknown }).shape}`,
      );
  }
}
