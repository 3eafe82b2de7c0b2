// A mesh that moves: its vertices at any time, as a rig or a cache has them.

import type { TriangleMesh } from '../triangle-mesh.js';
import type { AnimationChoice } from './gltf/gltf-rig.js';
import type { ReadMeshOptions } from './read-options.js';

/** Where a node of the file is: column by column, the images of x, y, z and of the origin [m]. */
export type NodeTransform = readonly number[];

/** A mesh whose vertices can be asked for at any time. */
export interface MovingMesh {
  readonly vertexCount: number;
  /** When the last keyframe or sample is [s]. */
  readonly duration: number;
  /** The mesh as the file has it, before anything moves; a cache of points has none. */
  readonly mesh?: TriangleMesh;
  /** x, y, z per vertex at a time [m]; held before the start and after the end. */
  positionsAt(time: number): Float64Array;
  /** Names of the nodes; none in a cache of points. */
  readonly nodes: readonly string[];
  /** Where a node is at a time [s]. Throws RangeError for one that the file has not. */
  nodeAt(name: string, time: number): NodeTransform;
}

/** How `readMovingMesh` reads a file. */
export interface ReadMovingOptions extends Pick<ReadMeshOptions, 'resolve' | 'draco'> {
  /** Animation of a glTF file, by name or number; the first unless given. */
  readonly animation?: AnimationChoice;
  /** Frames per second of a point cache, whose samples are numbered by frames; 24 unless given. */
  readonly fps?: number;
}
