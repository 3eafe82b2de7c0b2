// Where obstacles are in a frame of a bake.

import { type Pose, poseAt } from '../math/motion.js';
import { rotate } from '../math/quaternion.js';
import type { BakedScene, ObstacleTrack } from './baked-scene.js';
import { frameNumber } from './baked-scene.js';

/** The vertices of an obstacle in the n-th frame, in the world [m]. */
export const placeObstacle = (baked: BakedScene, { mesh, rest, motion }: ObstacleTrack, n: number): Float32Array =>
  placePoints(mesh.positions, poseAt(motion, baked.start + frameNumber(baked, n) / baked.fps, rest));

function placePoints(points: ArrayLike<number>, { position, rotation }: Pose): Float32Array {
  const out = new Float32Array(points.length);
  for (let k = 0; k < points.length; k += 3) {
    const turned = rotate(rotation, [points[k], points[k + 1], points[k + 2]]);
    out.set([turned[0] + position[0], turned[1] + position[1], turned[2] + position[2]], k);
  }
  return out;
}
