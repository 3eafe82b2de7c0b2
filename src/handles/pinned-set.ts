// Pinned vertices: they follow a given rigid motion exactly, whatever the body does.

import { PoseFollower } from '../math/follower.js';
import { type Keyframe, REST_POSE } from '../math/motion.js';
import { type Quaternion, rotate, writeRotated } from '../math/quaternion.js';
import { captureFields, type StateTree } from '../math/state-tree.js';
import { add, subtract, type Vec3 } from '../math/vec3.js';
import type { Successors } from './successors.js';

/** What of pins outlives a step. */
const STATE = ['vertices', 'follower', 'handle', 'centre', 'offsets', 'began', 'ended', 'altered'];

export class PinnedSet {
  /** Displacement of the set from where it was pinned, and rotation about its centre, over time. */
  readonly follower: PoseFollower;
  /** Number by which snapshots know it. */
  handle = 0;
  /** Centre of the pinned set where it was pinned [m]. */
  readonly centre: Vec3;
  private offsets: readonly Vec3[];
  /** Start and end of the last step that it was asked for [s]. */
  private began = 0;
  private ended = 0;
  /** Whether it was given another motion since it last moved its vertices. */
  private altered = false;

  /**
   * @param vertices in the mesh's own numbering.
   * @param points where they are pinned [m].
   * @param motion `position` is the set's displacement, `rotation` turns it about its centre.
   */
  constructor(
    readonly vertices: Uint32Array,
    points: readonly Vec3[],
    motion: readonly Keyframe[],
  ) {
    let sum: Vec3 = [0, 0, 0];
    for (const point of points) sum = add(sum, point);
    const centre: Vec3 = [sum[0] / points.length, sum[1] / points.length, sum[2] / points.length];
    this.centre = centre;
    this.offsets = points.map((point) => subtract(point, centre));
    this.follower = new PoseFollower(REST_POSE, motion);
  }

  /** Gives it another motion. */
  lead(motion: readonly Keyframe[]): void {
    this.follower.motion = motion;
    this.altered = true;
  }

  /** Goes on with the vertices that take the place of its own; whether there are any. */
  follow(successors: Successors): boolean {
    const [x, y, z, w] = this.follower.poseAt(this.ended).rotation;
    const back: Quaternion = [-x, -y, -z, w];
    const found = successors.follow(this.vertices);
    this.offsets = found.map(({ place, shift }) => add(this.offsets[place], rotate(back, shift)));
    (this as { vertices: Uint32Array }).vertices = Uint32Array.from(found, ({ vertex }) => vertex);
    return found.length > 0;
  }

  /** What a snapshot holds of it. */
  capture(): { [key: string]: StateTree } {
    return captureFields(this, { only: STATE });
  }

  /** Whether it moved its vertices in the last step, or is about to: one whose keyframes are over stays. */
  get isKinematic(): boolean {
    return this.altered || this.follower.isKinematicAfter(this.began);
  }

  /** Writes where the pinned vertices are at a time [s] to targets[0…3·vertices − 1]. */
  writeTargets(time: number, targets: Float64Array): void {
    this.altered = false;
    this.began = this.ended;
    this.ended = time;
    const { position, rotation } = this.follower.poseAt(time);
    const centre = add(this.centre, position);
    for (let n = 0; n < this.offsets.length; n++) writeRotated(rotation, this.offsets[n], centre, targets, 3 * n);
  }
}
