// Frames of a track as they are seen from the body: without its motion as a whole, in its sizes.

import { boundsOf, diagonalOf } from '../mesh/measure.js';
import { createRigidMatch, matchRigidly } from '../solvers/recovery/rigid-match.js';
import type { Track } from './baked-scene.js';

export class RigidFrames {
  /** Size of the body, the unit of its frames [m]. */
  readonly size: number;
  /** Where the frame of the body is, per frame [m], and how it is turned (x, y, z, w). */
  readonly centres: Float32Array;
  readonly rotations: Float32Array;
  private readonly even: Float64Array;
  private readonly match = createRigidMatch();

  constructor(private readonly track: Track) {
    this.size = diagonalOf(boundsOf(track.mesh.positions));
    this.centres = new Float32Array(3 * track.frameCount);
    this.rotations = new Float32Array(4 * track.frameCount);
    this.even = new Float64Array(track.mesh.positions.length / 3).fill(1);
  }

  get count(): number {
    return this.track.frameCount;
  }

  get vertexCount(): number {
    return this.even.length;
  }

  /** Asked for in their order, as each begins at the turn of the one before it; any number of times. */
  async get(n: number): Promise<Float64Array> {
    const points = await this.track.frame(n);
    const { match, size, even } = this;
    const quaternion =
      n === 0 ? Float64Array.of(0, 0, 0, 1) : Float64Array.from(this.rotations.subarray(4 * n - 4, 4 * n));
    matchRigidly(this.track.mesh.positions, points, even, quaternion, match);
    this.centres.set(match.centre, 3 * n);
    this.rotations.set(quaternion, 4 * n);
    const [r, c] = [match.rotation, this.centres.subarray(3 * n, 3 * n + 3)];
    const own = new Float64Array(points.length);
    for (let k = 0; k < own.length; k += 3) {
      const x = (points[k] - c[0]) / size;
      const y = (points[k + 1] - c[1]) / size;
      const z = (points[k + 2] - c[2]) / size;
      own[k] = r[0] * x + r[3] * y + r[6] * z;
      own[k + 1] = r[1] * x + r[4] * y + r[7] * z;
      own[k + 2] = r[2] * x + r[5] * y + r[8] * z;
    }
    return own;
  }
}
