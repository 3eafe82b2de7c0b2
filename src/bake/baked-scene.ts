// What a bake has made, whatever it is kept in: for every body the positions of its vertices, frame by frame. Formats read it frame by
// frame, so that it may be larger than memory.

import type { Keyframe, Pose } from '../math/motion.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import type { DrawnMesh } from './drawn-mesh.js';

/** A body while it had one topology: one that is cut goes on as another track. */
export interface Track {
  /** Unlike those of the others. */
  readonly name: string;
  /** At rest; its vertices are numbered as those of the frames. */
  readonly mesh: TriangleMesh;
  /** How it looks, where it comes from a file that says so. */
  readonly drawn?: DrawnMesh;
  /** The frames that it is there in: from this one on, so many. */
  readonly firstFrame: number;
  readonly frameCount: number;
  /** Positions in the n-th of its frames, x, y, z per vertex [m]. */
  frame(n: number): Promise<Float32Array>;
}

/** A collider: a mesh that is moved as a whole, by keyframes. */
export interface ObstacleTrack {
  readonly name: string;
  readonly mesh: TriangleMesh;
  readonly rest: Pose;
  readonly motion: readonly Keyframe[];
}

/** An animation: the tracks of bodies and of obstacles. */
export interface BakedScene {
  readonly fps: number;
  /** Time of the first frame [s]. */
  readonly start: number;
  readonly frameCount: number;
  /** Number of each frame from 0, ascending, where some are left out: frame number k is k/fps after the start. */
  readonly numbers?: readonly number[];
  readonly tracks: readonly Track[];
  readonly obstacles: readonly ObstacleTrack[];
}

/** Number of the n-th frame, from 0. */
export const frameNumber = ({ numbers }: Pick<BakedScene, 'numbers'>, n: number): number =>
  numbers ? (numbers[n] ?? numbers[numbers.length - 1] + 1) : n;

/** How large the animation of a body is. */
export interface BodySize {
  readonly name: string;
  readonly vertexCount: number;
  readonly frameCount: number;
}

/** A file to be written: its name, and what it holds piece by piece. */
export interface OutputFile {
  readonly name: string;
  pieces(): AsyncIterable<Uint8Array>;
}

/** Names that differ: the second `ball` is `ball-2`. Only letters, digits, - and _ stay, as they go into file names. */
export function distinctNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((given) => {
    const plain = given.replace(/[^\p{L}\p{N}_-]+/gu, '-').replace(/^-+|-+$/g, '') || 'body';
    let name = plain;
    for (let n = 2; taken.has(name); n++) name = `${plain}-${n}`;
    taken.add(name);
    return name;
  });
}
