// Keyframed motions: piecewise linear, slerped, held at both ends.

import { describe, expect, it } from 'vitest';
import { type Keyframe, poseAt, REST_POSE } from '../../src/math/motion.js';
import { fromAxisAngle } from '../../src/math/quaternion.js';

const turn = (angle: number) => fromAxisAngle([0, 1, 0], angle);
const motion: Keyframe[] = [
  { time: 1, position: [0, 0, 0], rotation: turn(0) },
  { time: 2, position: [4, 0, -2], rotation: turn(1) },
  { time: 4, position: [4, 8, -2], rotation: turn(-1) },
];
const far = (a: readonly number[], b: readonly number[]) => Math.max(...a.map((x, c) => Math.abs(x - b[c])));

describe('poseAt', () => {
  it.each([
    [-5, [0, 0, 0], 0],
    [1, [0, 0, 0], 0],
    [1.25, [1, 0, -0.5], 0.25],
    [2, [4, 0, -2], 1],
    [3, [4, 4, -2], 0],
    [3.5, [4, 6, -2], -0.5],
    [4, [4, 8, -2], -1],
    [99, [4, 8, -2], -1],
  ])('at %d s', (time, position, angle) => {
    const pose = poseAt(motion, time);
    expect(far(pose.position, position)).toBeLessThan(1e-14);
    expect(far(pose.rotation, turn(angle))).toBeLessThan(1e-14);
  });

  it('rests without keyframes, where it is told to', () => {
    expect(poseAt([], 3)).toBe(REST_POSE);
    const rest = { position: [1, 2, 3] as const, rotation: turn(2) };
    expect(poseAt([], 3, rest)).toBe(rest);
  });

  it('takes from the rest pose what a keyframe leaves out', () => {
    const rest = { position: [1, 2, 3] as const, rotation: turn(2) };
    expect(poseAt([{ time: 0, position: [9, 9, 9] }], 1, rest).rotation).toEqual(rest.rotation);
    expect(poseAt([{ time: 0, rotation: turn(1) }], 1, rest).position).toEqual(rest.position);
  });

  it('jumps where two keyframes have the same time', () => {
    const jump: Keyframe[] = [
      { time: 0, position: [0, 0, 0] },
      { time: 1, position: [1, 0, 0] },
      { time: 1, position: [5, 0, 0] },
      { time: 2, position: [6, 0, 0] },
    ];
    expect(far(poseAt(jump, 0.5).position, [0.5, 0, 0])).toBeLessThan(1e-15);
    expect(poseAt(jump, 1).position).toEqual([5, 0, 0]);
    expect(far(poseAt(jump, 1.5).position, [5.5, 0, 0])).toBeLessThan(1e-15);
  });

  it('normalises rotations', () => {
    expect(poseAt([{ time: 0, rotation: [0, 0, 0, 5] }], 0).rotation).toEqual([0, 0, 0, 1]);
  });
});
