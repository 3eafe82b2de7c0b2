// The particles that pins hold of a body that the host moves: which they are, where they go, and what that does to them.

import type { PinnedSet } from '../handles/pinned-set.js';
import type { Shell } from '../solvers/model.js';

export class PinnedParticles {
  /** 1 for particles that a pin moves. */
  readonly pinned: Uint8Array;
  /** Where they are to be at the end of the substep [m]. */
  readonly targets: Float64Array;
  /** What pins did to their velocities in this substep [m/s]. */
  readonly changes: Float64Array;

  constructor(count: number) {
    this.pinned = new Uint8Array(count);
    this.targets = new Float64Array(3 * count);
    this.changes = new Float64Array(3 * count);
  }

  clear(): void {
    this.pinned.fill(0);
    this.changes.fill(0);
  }

  mark(place: number, x: number, y: number, z: number): void {
    this.pinned[place] = 1;
    this.targets[3 * place] = x;
    this.targets[3 * place + 1] = y;
    this.targets[3 * place + 2] = z;
  }

  /** Pinned particles go where their pin says, with the velocity that takes them there. */
  hold({ positions, starts, velocities, anchored }: Shell, timeStep: number): void {
    if (!anchored) return;
    const { pinned, targets, changes } = this;
    for (let i = 0; i < pinned.length; i++) {
      if (pinned[i] === 0) continue;
      for (let k = 3 * i; k < 3 * i + 3; k++) {
        positions[k] = targets[k];
        changes[k] -= velocities[k];
        velocities[k] = (positions[k] - starts[k]) / timeStep;
        changes[k] += velocities[k];
      }
    }
  }
}

/** Calls back with the particle of each vertex that a pin holds and where it is to be at a time [s]; the latest pin decides. */
export function forEachTarget(
  pins: readonly PinnedSet[],
  places: Uint32Array,
  time: number,
  use: (place: number, x: number, y: number, z: number) => void,
): void {
  for (const pin of pins) {
    const points = new Float64Array(3 * pin.vertices.length);
    pin.writeTargets(time, points);
    pin.vertices.forEach((vertex, n) => {
      use(places[vertex], points[3 * n], points[3 * n + 1], points[3 * n + 2]);
    });
  }
}
