// One channel of a glTF animation: values at any time, held before the first and after the last keyframe.

import { normalizeQuaternion, type Quaternion, slerp } from '../../../math/quaternion.js';

export const INTERPOLATIONS = ['LINEAR', 'STEP', 'CUBICSPLINE'] as const;
export type Interpolation = (typeof INTERPOLATIONS)[number];

export class AnimationTrack {
  /**
   * @param times of the keyframes, ascending [s].
   * @param values of each keyframe; with CUBICSPLINE its tangent in, value and tangent out.
   * @param size numbers per value.
   * @param isRotation whether values are quaternions.
   */
  constructor(
    private readonly times: Float64Array,
    private readonly values: Float64Array,
    private readonly size: number,
    private readonly interpolation: Interpolation,
    private readonly isRotation: boolean,
  ) {}

  /** Time of the last keyframe [s]. */
  get end(): number {
    return this.times[this.times.length - 1];
  }

  at(time: number): number[] {
    const { times, interpolation, isRotation } = this;
    const last = times.length - 1;
    // The last keyframe that is not later.
    let [low, high] = [0, last];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (times[middle] <= time) low = middle;
      else high = middle - 1;
    }
    const from = this.valueOf(low);
    if (interpolation === 'STEP' || low === last || !(time > times[0])) return from;
    const span = times[low + 1] - times[low];
    const t = (time - times[low]) / span;
    const to = this.valueOf(low + 1);
    if (interpolation === 'CUBICSPLINE') return this.spline(low, from, to, t, span);
    if (isRotation) return [...slerp(asRotation(from), asRotation(to), t)];
    return from.map((value, k) => (1 - t) * value + t * to[k]);
  }

  private valueOf(key: number): number[] {
    const { values, size, interpolation } = this;
    const at = interpolation === 'CUBICSPLINE' ? (3 * key + 1) * size : key * size;
    return [...values.subarray(at, at + size)];
  }

  /** Hermite's cubic, by the glTF specification's appendix C. */
  private spline(key: number, from: number[], to: number[], t: number, span: number): number[] {
    const { values, size } = this;
    const out = (3 * key + 2) * size;
    const into = 3 * (key + 1) * size;
    const [t2, t3] = [t * t, t * t * t];
    const mixed = from.map(
      (value, k) =>
        (2 * t3 - 3 * t2 + 1) * value +
        span * (t3 - 2 * t2 + t) * values[out + k] +
        (3 * t2 - 2 * t3) * to[k] +
        span * (t3 - t2) * values[into + k],
    );
    return this.isRotation ? [...normalizeQuaternion(asRotation(mixed))] : mixed;
  }
}

const asRotation = ([x, y, z, w]: number[]): Quaternion => [x, y, z, w];
