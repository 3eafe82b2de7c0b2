// Rigid motions given by keyframes: piecewise linear positions, slerped rotations, held before the first and after the
// last keyframe.

import { expectNumber, expectVector, showInput } from './expect.js';
import { expectKnownFields } from './known-fields.js';
import { IDENTITY, normalizeQuaternion, type Quaternion, slerp } from './quaternion.js';
import { mix, type Vec3 } from './vec3.js';

/** Where something is and how it is turned. */
export interface Pose {
  readonly position: Vec3;
  readonly rotation: Quaternion;
}

export const REST_POSE: Pose = { position: [0, 0, 0], rotation: IDENTITY };

/** Where something is at a time [s]; what is left out stays as at rest. Keyframes ascend in time. */
export interface Keyframe {
  readonly time: number;
  readonly position?: Vec3;
  readonly rotation?: Quaternion;
}

/** Keyframes of one's own. Throws where they are not finite or do not ascend in time. */
export function copyMotion(motion: readonly Keyframe[]): readonly Keyframe[] {
  if (!Array.isArray(motion)) throw new RangeError(`motion: expected a list of keyframes, got ${showInput(motion)}`);
  motion.forEach((key, index) => {
    expectKnownFields(`motion[${index}]`, key, ['time', 'position', 'rotation']);
    expectNumber(`motion[${index}].time`, key.time);
    if (index > 0 && key.time <= motion[index - 1].time) {
      throw new RangeError(`motion[${index}].time: expected a time after ${motion[index - 1].time}, got ${key.time}`);
    }
    if (key.position) expectVector(`motion[${index}].position`, key.position);
    if (key.rotation) expectVector(`motion[${index}].rotation`, key.rotation, 4);
  });
  return Object.freeze(
    motion.map(({ time, position, rotation }) => Object.freeze({ time, ...copyParts(position, rotation) })),
  );
}

/** A pose of one's own. Throws where it is not finite. */
export function copyPose({ position, rotation }: Pose): Pose {
  expectVector('position', position);
  expectVector('rotation', rotation, 4);
  return Object.freeze({ position, rotation, ...copyParts(position, rotation) });
}

/** Without fields that are not given, so that keyframes look as they were written. */
function copyParts(position: Vec3 | undefined, rotation: Quaternion | undefined): Partial<Pose> {
  return {
    ...(position && { position: Object.freeze([position[0], position[1], position[2]] as const) }),
    ...(rotation && { rotation: Object.freeze([rotation[0], rotation[1], rotation[2], rotation[3]] as const) }),
  };
}

/** The pose at a time [s]; without keyframes the rest pose. */
export function poseAt(motion: readonly Keyframe[], time: number, rest: Pose = REST_POSE): Pose {
  if (motion.length === 0) return rest;
  let next = motion.findIndex((key) => key.time > time);
  if (next < 0) next = motion.length;
  const before = poseOf(motion[Math.max(0, next - 1)], rest);
  if (next === 0 || next === motion.length) return before;
  const from = motion[next - 1].time;
  const t = (time - from) / (motion[next].time - from);
  const after = poseOf(motion[next], rest);
  return {
    position: mix(before.position, after.position, t),
    rotation: slerp(before.rotation, after.rotation, t),
  };
}

function poseOf(key: Keyframe, rest: Pose): Pose {
  return {
    position: key.position ?? rest.position,
    rotation: key.rotation ? normalizeQuaternion(key.rotation) : rest.rotation,
  };
}
