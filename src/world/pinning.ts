// Pins vertices of a body: where they are, along keyframes, or all of them where a function of time says.

import type { BackendBody } from '../backends/backend.js';
import { PinnedSet } from '../handles/pinned-set.js';
import { type PoseAt, PosedPin } from '../handles/posed-pin.js';
import { showInput } from '../math/expect.js';
import type { Keyframe } from '../math/motion.js';
import { pointAt } from '../math/vec3.js';

export function pinVertices(
  { positions }: BackendBody,
  vertices: ArrayLike<number>,
  motion: readonly Keyframe[],
): PinnedSet {
  const chosen = Uint32Array.from(vertices);
  const points = Array.from(chosen, (vertex) => pointAt(positions, vertex));
  return new PinnedSet(chosen, points, motion);
}

/** Where all vertices are at a time [s]: three numbers each [m]. */
export function posedAt({ positions }: BackendBody, poseAt: PoseAt, time: number): ArrayLike<number> {
  const pose = poseAt(time);
  if (pose?.length !== positions.length)
    throw new RangeError(`pose: expected ${positions.length} numbers, got ${showInput(pose)}`);
  return pose;
}

export const pinPosed = (start: ArrayLike<number>, poseAt: PoseAt): PosedPin =>
  new PosedPin(
    Array.from({ length: start.length / 3 }, (_, vertex) => pointAt(start, vertex)),
    poseAt,
  );
