// A mesh on a chain of bones that turn by keyframes: the smallest rig, for scenes that bring none of their own.

import { showInput } from '../math/expect.js';
import { describeKnown } from '../math/known-fields.js';
import { copyMotion, type Keyframe, poseAt } from '../math/motion.js';
import { writeMatrix } from '../math/quaternion.js';
import type { Vec3 } from '../math/vec3.js';
import { combine, type Transform } from './io/gltf/gltf-placement.js';
import type { MovingMesh } from './io/moving-mesh.js';
import { boundsOf, diagonalOf } from './measure.js';
import type { TriangleMesh } from './triangle-mesh.js';

/** A bone of `boneMesh`: what it moves, and how. */
export interface Bone {
  readonly name: string;
  /** Its two ends in the mesh at rest [m]; it turns about its head. */
  readonly head: Vec3;
  readonly tail: Vec3;
  /** Name of a bone before it in the list, which carries it. */
  readonly parent?: string;
  /** Displacements from rest, and rotations about the head, over time. */
  readonly motion?: readonly Keyframe[];
}

/** Width of the transition between bones, as a share of the mesh's diagonal: nearer than this all count alike. */
const SOFTNESS = 0.01;

/**
 * Moves a mesh with its bones; vertices follow bones by their distance from them, to the power of −8.
 * @example
 * ```ts
 * const bend = boneMesh(box({ size: [3, 1, 1], divisions: 6 }), []);
 * console.log(bend.positionsAt(0.5).length);
 * ```
 */
export function boneMesh(mesh: TriangleMesh, bones: readonly Bone[]): MovingMesh {
  const names = bones.map(({ name }) => name);
  const motions = bones.map(({ motion = [] }) => copyMotion(motion));
  const parents = bones.map(({ parent }, i) => {
    if (parent === undefined) return -1;
    const index = names.indexOf(parent);
    if (index >= 0 && index < i) return index;
    const known = names.slice(0, i);
    throw new RangeError(
      `bones[${i}].parent: expected a bone before it (${known.join(', ')}), got ${showInput(parent)}`,
    );
  });
  const count = mesh.positions.length / 3;
  const weights = weighVertices(mesh, bones);
  const transformsAt = (time: number): Transform[] => {
    const all: Transform[] = [];
    bones.forEach(({ head }, i) => {
      const own = aboutHead(head, motions[i], time);
      all.push(parents[i] < 0 ? own : combine(all[parents[i]], own));
    });
    return all;
  };
  return {
    mesh,
    vertexCount: count,
    duration: motions.reduce((end, motion) => Math.max(end, motion.at(-1)?.time ?? 0), 0),
    nodes: names,
    nodeAt(name, time) {
      const index = names.indexOf(name);
      if (index < 0) throw new RangeError(`node: ${describeKnown(name, names)}, got ${showInput(name)}`);
      return combine(transformsAt(time)[index], [1, 0, 0, 0, 1, 0, 0, 0, 1, ...bones[index].head]);
    },
    positionsAt(time) {
      const transforms = transformsAt(time);
      const out = new Float64Array(3 * count);
      const p = mesh.positions;
      for (let v = 0; v < count; v++) {
        for (let j = 0; j < transforms.length; j++) {
          const [t, w] = [transforms[j], weights[v * transforms.length + j]];
          for (let c = 0; c < 3; c++)
            out[3 * v + c] += w * (t[c] * p[3 * v] + t[3 + c] * p[3 * v + 1] + t[6 + c] * p[3 * v + 2] + t[9 + c]);
        }
      }
      return out;
    },
  };
}

/** x → head + displacement + R (x − head). */
function aboutHead(head: Vec3, motion: readonly Keyframe[], time: number): Transform {
  const { position, rotation } = poseAt(motion, time);
  const r = new Float64Array(9);
  writeMatrix(rotation, r);
  const origin = [0, 1, 2].map(
    (k) => head[k] + position[k] - (r[3 * k] * head[0] + r[3 * k + 1] * head[1] + r[3 * k + 2] * head[2]),
  );
  return [r[0], r[3], r[6], r[1], r[4], r[7], r[2], r[5], r[8], ...origin];
}

function weighVertices({ positions }: TriangleMesh, bones: readonly Bone[]): Float64Array {
  const softness = SOFTNESS * diagonalOf(boundsOf(positions));
  const count = positions.length / 3;
  const weights = new Float64Array(count * bones.length);
  for (let v = 0; v < count; v++) {
    const point: Vec3 = [positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]];
    let total = 0;
    bones.forEach(({ head, tail }, j) => {
      const square = squareDistance(point, head, tail) / (softness * softness) + 1;
      const weight = 1 / (square * square * square * square);
      weights[v * bones.length + j] = weight;
      total += weight;
    });
    for (let j = 0; j < bones.length; j++) weights[v * bones.length + j] /= total;
  }
  return weights;
}

function squareDistance(point: Vec3, from: Vec3, to: Vec3): number {
  let [along, square] = [0, 0];
  for (let k = 0; k < 3; k++) {
    along += (point[k] - from[k]) * (to[k] - from[k]);
    square += (to[k] - from[k]) * (to[k] - from[k]);
  }
  const t = square > 0 ? Math.min(1, Math.max(0, along / square)) : 0;
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    const d = point[k] - from[k] - t * (to[k] - from[k]);
    sum += d * d;
  }
  return sum;
}
