// Where the planes of a frame's contact are written: in the memory of kernels, as far as there is room.

import { ANYWHERE, type SolverRoom } from './solver-room.js';

/** Colliders for which all sites of a body have room; frames with more take it elsewhere, without kernels. */
const RESERVED_COLLIDERS = 2;

export class ContactPlanes {
  /** Of each plane: normal and offset; stiffness; the vertices that its site lies between, as places of their numbers. */
  readonly planes: Float64Array;
  readonly stiffnesses: Float64Array;
  readonly ends: Uint32Array;

  /** @param count planes at most. */
  constructor(
    readonly count: number,
    readonly room: SolverRoom = ANYWHERE,
  ) {
    this.planes = room.numbers(4 * count);
    this.stiffnesses = room.numbers(count);
    this.ends = room.indices(new Uint32Array(2 * count));
  }

  /** Planes for which a body has room: its sites are vertices and edges. */
  static countFor(vertexCount: number, triangles: Uint32Array): number {
    return RESERVED_COLLIDERS * (vertexCount + triangles.length / 2);
  }

  /** Bytes that so many take of a room. */
  static roomFor(count: number): number {
    return count * (5 * 8 + 2 * 4) + 64;
  }
}
