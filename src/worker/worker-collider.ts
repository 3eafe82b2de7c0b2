// An obstacle of a world in a worker, as the page holds it. Where it is comes with the frames.

import { expectContactSettings } from '../contact/contact-settings.js';
import type { ColliderOptions } from '../contact/obstacles/collider-options.js';
import { COLLIDER_DEFAULTS, COMMON_FIELDS } from '../contact/obstacles/collider-options.js';
import { type ColliderShape, checkPrimitive, copyShape, SHAPE_FIELDS } from '../contact/obstacles/collider-shape.js';
import type { ObstacleSettings } from '../contact/obstacles/obstacle.js';
import { expectBoolean, expectVector } from '../math/expect.js';
import { expectKnownFields } from '../math/known-fields.js';
import { copyMotion, type Keyframe, type Pose } from '../math/motion.js';
import { IDENTITY, normalizeQuaternion, type Quaternion } from '../math/quaternion.js';
import { pointAt, type Vec3 } from '../math/vec3.js';
import type { Remote } from './remote.js';

/** What is said of an obstacle, checked and copied, as far as that needs no work. */
export function readColliderOptions(given: ColliderOptions): ColliderOptions {
  const shape = copyShape(given);
  expectKnownFields(`addCollider ${shape.shape}`, given, [...SHAPE_FIELDS[shape.shape], ...COMMON_FIELDS]);
  if (shape.shape !== 'mesh' && shape.shape !== 'heightfield') checkPrimitive(shape);
  const { name, position = [0, 0, 0], rotation = IDENTITY, motion = [], sensor = false } = given;
  expectVector('position', position);
  expectVector('rotation', rotation, 4);
  expectBoolean('sensor', sensor);
  const { friction, restitution, group, collidesWith } = { ...COLLIDER_DEFAULTS, ...given };
  expectContactSettings({ friction, restitution, group, collidesWith });
  return {
    ...shape,
    ...{ friction, restitution, group, collidesWith, sensor, motion: copyMotion(motion) },
    ...{ name: name ?? shape.shape, position: [...position], rotation: normalizeQuaternion(rotation) },
  } as unknown as ColliderOptions;
}

/** An obstacle of a world in a worker. */
export class WorkerCollider {
  /** Yours: nothing here reads it, and snapshots do not hold it. */
  userData: unknown;
  readonly name: string;
  readonly shape: ColliderShape;
  readonly sensor: boolean;
  private contact: ObstacleSettings;
  private keys: readonly Keyframe[];
  private restPose: Pose;
  /** Position, rotation, impulse, torque. */
  private numbers: Float64Array;

  /** Colliders are made by `WorkerWorld.addCollider`. */
  constructor(
    private readonly remote: Remote,
    options: ColliderOptions,
  ) {
    this.name = options.name as string;
    this.shape = copyShape(options);
    this.sensor = options.sensor as boolean;
    const { friction, restitution, group, collidesWith } = options as ObstacleSettings;
    this.contact = { friction, restitution, group, collidesWith };
    this.keys = options.motion ?? [];
    this.restPose = { position: options.position as Vec3, rotation: options.rotation as Quaternion };
    this.numbers = Float64Array.of(...this.restPose.position, ...this.restPose.rotation, 0, 0, 0, 0, 0, 0);
  }

  /** When the worker has it, or why it could not be made. */
  get ready(): Promise<this> {
    return this.remote.ready.then(() => this);
  }

  get removed(): boolean {
    return this.remote.membership.ended || !this.remote.link.isOpen;
  }

  /** @internal */
  get id(): number {
    return this.remote.id;
  }

  get motion(): readonly Keyframe[] {
    return this.keys;
  }

  set motion(motion: readonly Keyframe[]) {
    this.keys = copyMotion(motion);
    this.remote.set('motion', this.keys);
  }

  /** Where it is without motion. */
  get rest(): Pose {
    return this.restPose;
  }

  set rest({ position, rotation }: Pose) {
    expectVector('position', position);
    expectVector('rotation', rotation, 4);
    this.restPose = { position: [position[0], position[1], position[2]], rotation: normalizeQuaternion(rotation) };
    this.remote.set('rest', this.restPose);
  }

  get friction(): number {
    return this.contact.friction;
  }

  set friction(friction: number) {
    this.change({ friction });
  }

  get restitution(): number {
    return this.contact.restitution;
  }

  set restitution(restitution: number) {
    this.change({ restitution });
  }

  get group(): number {
    return this.contact.group;
  }

  set group(group: number) {
    this.change({ group });
  }

  get collidesWith(): number {
    return this.contact.collidesWith;
  }

  set collidesWith(collidesWith: number) {
    this.change({ collidesWith });
  }

  private change(changes: Partial<ObstacleSettings>): void {
    this.remote.expect();
    expectContactSettings(changes);
    this.contact = { ...this.contact, ...changes };
    for (const [name, value] of Object.entries(changes)) this.remote.set(name, value);
  }

  /** Where it was at the end of the last frame's steps [m]. */
  get position(): Vec3 {
    return pointAt(this.numbers, 0);
  }

  get rotation(): Quaternion {
    const [x, y, z, w] = this.numbers.subarray(3, 7);
    return [x, y, z, w];
  }

  /** Momentum that bodies gave it in the last step [kg m/s]. */
  get impulse(): Vec3 {
    return pointAt(this.numbers.subarray(7), 0);
  }

  /** Angular momentum about its position that bodies gave it in the last step [kg m²/s]. */
  get torque(): Vec3 {
    return pointAt(this.numbers.subarray(7), 1);
  }

  /** Moves it to a pose during the next step, as `Collider.moveTo`. */
  moveTo(position: Vec3, rotation?: Quaternion): void {
    expectVector('position', position);
    if (rotation) expectVector('rotation', rotation, 4);
    this.remote.tell('moveTo', position, rotation);
  }

  /** It is there no more; the worker knows. @internal */
  end(reason: string): void {
    this.remote.membership.end(reason);
  }

  /** @internal */
  drop(): void {
    this.remote.drop('it was removed from its world');
  }

  /** @internal */
  take(numbers: Float64Array): void {
    this.numbers = numbers;
  }
}
