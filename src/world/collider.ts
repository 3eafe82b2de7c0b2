// An obstacle in a world, as the user holds it.

import type { ColliderShape } from '../contact/obstacles/collider-shape.js';
import type { Obstacle, ObstacleSettings } from '../contact/obstacles/obstacle.js';
import { expectVector } from '../math/expect.js';
import type { Keyframe, Pose } from '../math/motion.js';
import { normalizeQuaternion, type Quaternion } from '../math/quaternion.js';
import { pointAt, type Vec3 } from '../math/vec3.js';
import type { Membership } from './membership.js';

/** An obstacle of a world, still or moved from outside; made by `World.addCollider`. */
export class Collider {
  /** Yours: nothing here reads it, and snapshots do not hold it. */
  userData: unknown;

  /** Colliders are made by `World.addCollider`. */
  constructor(
    private readonly obstacle: Obstacle,
    private readonly membership: Membership,
  ) {}

  get name(): string {
    return this.obstacle.name;
  }

  get shape(): ColliderShape {
    return this.obstacle.shape;
  }

  /** Whether it only reports who is in it. */
  get sensor(): boolean {
    return this.obstacle.sensor;
  }

  /** Poses over time; may be replaced while the world runs. */
  get motion(): readonly Keyframe[] {
    return this.obstacle.follower.motion;
  }

  set motion(motion: readonly Keyframe[]) {
    this.membership.expect();
    this.obstacle.follower.motion = motion;
  }

  /** Where the collider is without motion. */
  get rest(): Pose {
    return this.obstacle.follower.rest;
  }

  set rest(pose: Pose) {
    this.membership.expect();
    expectVector('rotation', pose.rotation, 4);
    this.obstacle.follower.rest = { position: pose.position, rotation: normalizeQuaternion(pose.rotation) };
  }

  /** Coulomb friction coefficient, ≥ 0. */
  get friction(): number {
    return this.obstacle.friction;
  }

  set friction(friction: number) {
    this.change({ friction });
  }

  /** Share of the speed of an impact that contact gives back, 0…1, on top of what elasticity does. */
  get restitution(): number {
    return this.obstacle.restitution;
  }

  set restitution(restitution: number) {
    this.change({ restitution });
  }

  /** Bits of the groups that it belongs to. */
  get group(): number {
    return this.obstacle.group;
  }

  set group(group: number) {
    this.change({ group });
  }

  /** Bits of the groups that it touches. Two things touch where each touches a group of the other. */
  get collidesWith(): number {
    return this.obstacle.collidesWith;
  }

  set collidesWith(collidesWith: number) {
    this.change({ collidesWith });
  }

  private change(changes: Partial<ObstacleSettings>): void {
    this.membership.expect();
    this.obstacle.set(changes);
  }

  /** Whether it was taken out of its world, or that was disposed of. */
  get removed(): boolean {
    return this.membership.ended;
  }

  /** Momentum that bodies gave it in the last step, by contact and by attachments [kg m/s]. */
  get impulse(): Vec3 {
    return pointAt(this.obstacle.reaction, 0);
  }

  /** Angular momentum about its position that bodies gave it in the last step [kg m²/s]. */
  get torque(): Vec3 {
    return pointAt(this.obstacle.reaction, 1);
  }

  /** Where it is at the end of the last step [m]. */
  get position(): Vec3 {
    return this.obstacle.end.position;
  }

  /** How it is turned at the end of the last step (x, y, z, w). */
  get rotation(): Quaternion {
    return this.obstacle.end.rotation;
  }

  /**
   * Moves it to a pose during the next step, at even speed, so that it pushes and drags what it meets; then it stays there.
   * For obstacles that something else moves, such as a rigid-body engine. Without a rotation it keeps its own.
   */
  moveTo(position: Vec3, rotation?: Quaternion): void {
    this.membership.expect();
    this.obstacle.follower.send(position, rotation);
  }
}
