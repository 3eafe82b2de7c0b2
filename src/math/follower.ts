// A pose that follows keyframes, or is sent somewhere for the length of the next step.

import { expectVector } from './expect.js';
import { copyMotion, copyPose, type Keyframe, type Pose, poseAt } from './motion.js';
import { normalizeQuaternion, type Quaternion } from './quaternion.js';
import type { Vec3 } from './vec3.js';

export class PoseFollower {
  /** Where the next step is to lead. */
  private goal: { readonly position: Vec3; readonly rotation?: Quaternion } | undefined;
  private pose: Pose;
  private keys: readonly Keyframe[];

  /**
   * @param rest the pose without keyframes.
   * @param motion poses over time.
   */
  constructor(rest: Pose, motion: readonly Keyframe[]) {
    this.pose = copyPose(rest);
    this.keys = copyMotion(motion);
  }

  /** The pose without keyframes; may be replaced. */
  get rest(): Pose {
    return this.pose;
  }

  set rest(rest: Pose) {
    this.pose = copyPose(rest);
  }

  /** Poses over time; may be replaced while the world runs. */
  get motion(): readonly Keyframe[] {
    return this.keys;
  }

  set motion(motion: readonly Keyframe[]) {
    this.keys = copyMotion(motion);
  }

  poseAt(time: number): Pose {
    return poseAt(this.keys, time, this.pose);
  }

  /** Whether keyframes lead it on after a time [s], or it is about to be sent somewhere. */
  isKinematicAfter(time: number): boolean {
    const last = this.keys.at(-1);
    return this.goal !== undefined || (last !== undefined && last.time > time);
  }

  /** Sends it to a pose, at even speed during the next step; keyframes are forgotten. Without a rotation it keeps its own. */
  send(position: Vec3, rotation?: Quaternion): void {
    expectVector('position', position);
    if (rotation) expectVector('rotation', rotation, 4);
    const turned = rotation ? normalizeQuaternion(rotation) : this.goal?.rotation;
    this.goal = { position: [...position], rotation: turned };
  }

  /** Before a step from `start` to `end` [s]. */
  begin(start: number, end: number): void {
    if (!this.goal) return;
    const from = this.poseAt(start);
    const { position, rotation = from.rotation } = this.goal;
    this.keys = [
      { time: start, ...from },
      { time: end, position, rotation },
    ];
  }

  /** After the step it stays where it was sent. */
  finish(): void {
    const last = this.keys.at(-1);
    if (!this.goal || !last) return;
    const { position = this.pose.position, rotation = this.pose.rotation } = last;
    this.pose = { position, rotation };
    this.keys = [];
    this.goal = undefined;
  }
}
