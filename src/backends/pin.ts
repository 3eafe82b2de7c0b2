// Pins: vertices that follow a given rigid motion exactly, whatever the body does.

import { type Keyframe, poseAt } from '../math/motion.js';
import { rotate } from '../math/quaternion.js';
import { add, subtract, type Vec3 } from '../math/vec3.js';

export class Pin {
  /** Centre of the pinned set where it was pinned [m]. */
  private readonly centre: Vec3;
  private readonly offsets: readonly Vec3[];

  /**
   * @param vertices in the mesh's own numbering.
   * @param points where they are pinned [m].
   * @param motion `position` is the set's displacement, `rotation` turns it about its centre; may be replaced.
   */
  constructor(
    readonly vertices: Uint32Array,
    points: readonly Vec3[],
    public motion: readonly Keyframe[],
  ) {
    let sum: Vec3 = [0, 0, 0];
    for (const point of points) sum = add(sum, point);
    const centre: Vec3 = [sum[0] / points.length, sum[1] / points.length, sum[2] / points.length];
    this.centre = centre;
    this.offsets = points.map((point) => subtract(point, centre));
  }

  /** Writes where the pinned vertices are at a time [s] to targets[0…3·vertices − 1]. */
  writeTargets(time: number, targets: Float64Array): void {
    const { position, rotation } = poseAt(this.motion, time);
    const centre = add(this.centre, position);
    this.offsets.forEach((offset, n) => {
      targets.set(add(centre, rotate(rotation, offset)), 3 * n);
    });
  }
}
