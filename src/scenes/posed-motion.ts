// A posed body in a world: found so many times a second, and in between on the straight way from one pose to the next.

import type { Deformer } from '../deformer/deformer.js';
import type { PosedBody } from './pose-scene.js';

/** Poses per second [1/s]: between two of them a limb that swings by 0.4 rad once a second is off its arc by 0.2 % of its length at most. */
const POSE_RATE = 30;

export class PosedMotion {
  /** What the body's own clock is ahead of the world's [s]; may be set, to show another moment. */
  shift = 0;
  /** |V/V* − 1|·100 of the last pose that was found, V* being the volume that was asked for. */
  volumeErrorPercent = 0;
  /** The poses around the last time, by their numbers. */
  private known = new Map<number, Float64Array>();

  constructor(
    private readonly deformer: Deformer,
    private readonly body: Pick<PosedBody, 'frameAt'>,
    /** Of the bodies that it gives way to, in their order. */
    private readonly others: readonly PosedMotion[] = [],
  ) {}

  /** x, y, z per vertex of the bound mesh at a time of the world [s]. */
  at(time: number): Float64Array {
    const place = (time + this.shift) * POSE_RATE;
    const first = Math.floor(place + 1e-9);
    const share = Math.max(0, place - first);
    const from = this.pose(first);
    if (share < 1e-9) return from;
    const to = this.pose(first + 1);
    for (const number of this.known.keys()) if (number < first || number > first + 1) this.known.delete(number);
    return from.map((x, k) => x + share * (to[k] - x));
  }

  private pose(number: number): Float64Array {
    const known = this.known.get(number);
    if (known) return known;
    const others = this.others.map((one) => one.pose(number));
    const { positions, report } = this.deformer.at({ ...this.body.frameAt(number / POSE_RATE, others), mend: true });
    this.volumeErrorPercent = 100 * Math.abs(report.volumeAfter / report.volumeTarget - 1);
    this.known.set(number, positions);
    return positions;
  }
}
