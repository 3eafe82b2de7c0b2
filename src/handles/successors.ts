// Which vertices of a body's new topology take the place of those before: what handles on vertices follow by.

import { pointAt, subtract, type Vec3 } from '../math/vec3.js';
import { mainOrigin, type Origin } from '../solvers/topology-change.js';

export class Successors {
  private readonly lists = new Map<number, number[]>();

  /**
   * @param before positions of the vertices before [m].
   * @param after those of the new ones [m].
   */
  constructor(
    origin: Origin,
    readonly before: ArrayLike<number>,
    readonly after: ArrayLike<number>,
  ) {
    for (let vertex = 0; 3 * vertex < origin.corners.length; vertex++) {
      const from = mainOrigin(origin, vertex);
      const list = this.lists.get(from) ?? [];
      list.push(vertex);
      this.lists.set(from, list);
    }
  }

  /** The new vertices that are mainly this one; none where nothing is left of it. */
  of(vertex: number): readonly number[] {
    return this.lists.get(vertex) ?? [];
  }

  /** The successors of each of a list: its place in the list, the new vertex, and the way from the one to the other [m]. */
  follow(vertices: ArrayLike<number>): { place: number; vertex: number; shift: Vec3 }[] {
    return Array.from(vertices).flatMap((from, place) =>
      this.of(from).map((vertex) => ({
        ...{ place, vertex },
        shift: subtract(pointAt(this.after, vertex), pointAt(this.before, from)),
      })),
    );
  }
}
