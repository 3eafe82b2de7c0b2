// What the deformer says about a frame.

import type { Vec3 } from '../math/vec3.js';

/** What did not go as it should; the frame is the best there is all the same. */
export type DeformerFlag =
  /** The normals of what a collider covers cancel: it pushed to its nearest points. */
  | 'no-direction'
  /** A collider covers all that collides: the body left it as a whole, along the way out from its middle. */
  | 'swallowed'
  /** A vertex found no way out along a collider's direction and went to the nearest point. */
  | 'no-way-out'
  /** A mesh with a border has no inside: only its thickness collides. */
  | 'open-collider'
  /** Steps ran out before the minimum was reached, or the surface still moved in the last round. */
  | 'not-converged'
  | 'inverted-tetrahedra'
  /** Vertices are left in a collider: others want them on the opposite side, or the mode has no finish. */
  | 'still-inside'
  /** No vertex is free to move for the volume. */
  | 'volume-not-reached'
  /** The helper mesh could not follow the input all the way: where it would have folded, it follows less. */
  | 'input-folds'
  /** The file that should move the body has no animation, or one moment of it: the body stands as it is there. Of scenes only. */
  | 'input-still'
  /** Vertices of the input were no numbers: they went where the others' rigid motion takes them. Only of frames that ask to be mended. */
  | 'input-mended'
  /** A collider's numbers were none: it is left out. Only of frames that ask to be mended. */
  | 'collider-left-out'
  /** The input encloses nothing, or is inside out: it is only pushed out of the colliders. */
  | 'no-volume'
  /** The reach was raised, to one cell or for the depth. */
  | 'reach-raised';

/** How a frame came about, and how good it is. */
export interface DeformerReport {
  /** Whether a collider covered anything; where not, the output is the input to the bit. */
  readonly touched: boolean;
  readonly rounds: number;
  readonly iterations: number;
  /** By how much the last round still moved the surface [m]. */
  readonly lastChange: number;
  /** Deepest vertex of the input, before the finish and after it [m]. */
  readonly depthBefore: number;
  readonly depthSolved: number;
  readonly depthAfter: number;
  /** Deepest point of a triangle after the finish, of its corners and of points a quarter of its edges apart [m]. */
  readonly depthBetween: number;
  /** Of the input, wanted, before the finish and after it [m³]. */
  readonly volumeBefore: number;
  readonly volumeTarget: number;
  readonly volumeSolved: number;
  readonly volumeAfter: number;
  readonly invertedTetrahedra: number;
  /** Largest change of an edge, as a share. */
  readonly strain: number;
  /** Length over which dents were felt [m]. */
  readonly reach: number;
  /** Of the frame's colliders, in its order. */
  readonly colliders: readonly ColliderReport[];
  /** Of the frame and of all its colliders. */
  readonly flags: readonly DeformerFlag[];
}

/** What a collider did in a frame. */
export interface ColliderReport {
  /** Its name, or its shape where it has none. */
  readonly name: string;
  /** Whether it took part: it was on, and was somewhere. */
  readonly tookPart: boolean;
  /** Deepest that a vertex was in it before contact, and is after the finish [m]. */
  readonly depthBefore: number;
  readonly depthAfter: number;
  /** The way it pushed, a unit vector of the world; undefined where it was to its nearest points or along the skin's normals. */
  readonly direction: Vec3 | undefined;
  readonly flags: readonly DeformerFlag[];
}
