// A node of a moving mesh as what carries a collider: where it is and how it is turned, without its scale.

import type { Pose } from '../math/motion.js';
import { fromColumns, multiply, normalizeQuaternion, type Quaternion, rotate } from '../math/quaternion.js';
import { add, cross, dot, normalize, scale as scaleVector, subtract, type Vec3 } from '../math/vec3.js';
import type { MovingMesh } from '../mesh/io/moving-mesh.js';

export interface NodeMotion {
  readonly moving: MovingMesh;
  readonly node: string;
  /** Where the scene puts the body whose input it is. */
  readonly body?: { readonly position: Vec3; readonly rotation: Quaternion; readonly scale: number };
}

/** A pose in the node's space, in the world. */
export function carryPose({ moving, node, body }: NodeMotion, time: number, pose: Pose): Pose {
  const t = moving.nodeAt(node, time);
  const x = normalize([t[0], t[1], t[2]], [1, 0, 0]);
  const along: Vec3 = [t[3], t[4], t[5]];
  const y = normalize(subtract(along, scaleVector(x, dot(x, along))), [0, 1, 0]);
  const rotation = fromColumns(x, y, cross(x, y));
  const inFile: Pose = {
    position: add([t[9], t[10], t[11]], rotate(rotation, pose.position)),
    rotation: multiply(rotation, pose.rotation),
  };
  if (!body) return inFile;
  const turn = normalizeQuaternion(body.rotation);
  return {
    position: add(body.position, rotate(turn, scaleVector(inFile.position, body.scale))),
    rotation: multiply(turn, inFile.rotation),
  };
}
