// A pose with its rotation as a matrix, ready for many points.

import type { Pose } from '../../math/motion.js';
import { IDENTITY, type Quaternion, writeMatrix } from '../../math/quaternion.js';
import type { Vec3 } from '../../math/vec3.js';

export class Frame {
  position: Vec3 = [0, 0, 0];
  rotation: Quaternion = IDENTITY;
  readonly matrix = new Float64Array(9);

  constructor() {
    writeMatrix(IDENTITY, this.matrix);
  }

  set(pose: Pose): void {
    this.position = pose.position;
    this.rotation = pose.rotation;
    writeMatrix(pose.rotation, this.matrix);
  }

  /** Whether it was set to just this pose: poses are replaced, never changed. */
  isAt({ position, rotation }: Pick<Pose, 'position' | 'rotation'>): boolean {
    return this.position === position && this.rotation === rotation;
  }

  equals(other: Frame): boolean {
    for (let k = 0; k < 3; k++) if (this.position[k] !== other.position[k]) return false;
    for (let k = 0; k < 9; k++) if (this.matrix[k] !== other.matrix[k]) return false;
    return true;
  }

  /** World point → own frame. */
  toLocal(x: number, y: number, z: number, out: Float64Array): void {
    const r = this.matrix;
    const dx = x - this.position[0];
    const dy = y - this.position[1];
    const dz = z - this.position[2];
    out[0] = r[0] * dx + r[3] * dy + r[6] * dz;
    out[1] = r[1] * dx + r[4] * dy + r[7] * dz;
    out[2] = r[2] * dx + r[5] * dy + r[8] * dz;
  }

  /** Own point → world. */
  toWorld(x: number, y: number, z: number, out: Float64Array): void {
    const r = this.matrix;
    out[0] = this.position[0] + r[0] * x + r[1] * y + r[2] * z;
    out[1] = this.position[1] + r[3] * x + r[4] * y + r[5] * z;
    out[2] = this.position[2] + r[6] * x + r[7] * y + r[8] * z;
  }
}
