// A pin of all vertices of a body whose places are a function of time.

import type { Vec3 } from '../math/vec3.js';
import { PinnedSet } from './pinned-set.js';

/** x, y, z per vertex at a time [s], in the mesh's own order [m]. */
export type PoseAt = (time: number) => ArrayLike<number>;

export class PosedPin extends PinnedSet {
  /**
   * Where the vertices were at the end of the last step [m], and whether the step before ended elsewhere. Not in snapshots: it follows
   * from the time.
   */
  private last: Float64Array | null = null;
  private moves = true;

  constructor(
    points: readonly Vec3[],
    private readonly poseAt: PoseAt,
  ) {
    super(
      Uint32Array.from(points, (_, vertex) => vertex),
      points,
      [],
    );
  }

  override get isKinematic(): boolean {
    return this.moves;
  }

  override writeTargets(time: number, targets: Float64Array): void {
    const pose = this.poseAt(time);
    if (pose?.length !== targets.length)
      throw new RangeError(`pose: expected ${targets.length} numbers at ${time} s, got ${pose?.length}`);
    for (let k = 0; k < targets.length; k++) {
      if (!Number.isFinite(pose[k]))
        throw new RangeError(
          `pose: expected finite numbers at ${time} s, got ${pose[k]} at vertex ${Math.trunc(k / 3)}`,
        );
      targets[k] = pose[k];
    }
    const last = this.last;
    this.moves = last === null || targets.some((x, k) => x !== last[k]);
    this.last = targets.slice();
  }
}
