// A body's shell as the kernels have it: single precision, the solver's order, four numbers per particle, in a frame near the body;
// and the way there and back from what users see, in the mesh's own vertex order.

import { sampleSpeed } from '../../contact/broad-phase/fast-approach.js';
import type { Vec3 } from '../../math/vec3.js';
import { scatter } from '../succession.js';
import type { BodyRecord } from './body-record.js';
import type { KernelShell } from './hosted-model.js';
import * as layout from './layout.js';

/** Where the k-th number of vectors of four is, where they lie four at a time, number by number. */
const placeInFours = (k: number): number => 16 * (k >> 4) + 4 * (k & 3) + ((k >> 2) & 3);

export class PackedShell {
  constructor(
    private readonly record: BodyRecord,
    /** The vertex of each particle. */
    private readonly order: Uint32Array,
    private readonly padded: number,
  ) {}

  /** Where the body's frame is [m]. */
  get origin(): Float64Array {
    return this.record.doubles(layout.BODY_ORIGIN, 3);
  }

  private vectors(field: number): Float32Array {
    return this.record.floats(field, 4 * this.padded);
  }

  /** The arrays that a model on the host shares with the kernels. */
  kernelShell(): KernelShell {
    const { record, order } = this;
    const vectors = (field: number) => record.floats(field, 4 * order.length);
    return {
      positions: vectors(layout.BODY_POSITIONS),
      starts: vectors(layout.BODY_STARTS),
      velocities: vectors(layout.BODY_VELOCITIES),
      changes: record.floats(layout.BODY_CHANGES, order.length),
      origin: this.origin,
    };
  }

  /** Positions in the solver's order [m]. */
  worldPositions(): Float64Array {
    const packed = this.vectors(layout.BODY_POSITIONS);
    const { origin } = this;
    const { length } = this.order;
    const positions = new Float64Array(3 * length);
    // Loops and not callbacks: adding a body waits for this, mostly in code that has not been compiled yet.
    for (let i = 0; i < length; i++) for (let c = 0; c < 3; c++) positions[3 * i + c] = origin[c] + packed[4 * i + c];
    return positions;
  }

  /**
   * The positions shown with all digits of those that were not written to: far from the origin single precision shows fewer than the
   * body's own frame holds.
   */
  exactPositions(shown: Float32Array): Float64Array {
    const exact = Float64Array.from(shown);
    const { origin } = this;
    const packed = this.vectors(layout.BODY_POSITIONS);
    this.order.forEach((vertex, place) => {
      for (let c = 0; c < 3; c++) {
        const held = origin[c] + packed[4 * place + c];
        if (shown[3 * vertex + c] === Math.fround(held)) exact[3 * vertex + c] = held;
      }
    });
    return exact;
  }

  /** The body's frame goes to the mean of the points, so that its numbers stay small. Whether a particle is elsewhere now. */
  loadPositions(positions: ArrayLike<number>): boolean {
    const before = this.worldPositions();
    let moved = false;
    const { origin, order } = this;
    const count = order.length;
    origin.fill(0);
    for (let k = 0; k < 3 * count; k++) origin[k % 3] += positions[k] / count;
    const packed = this.vectors(layout.BODY_POSITIONS);
    for (let place = 0; place < count; place++) {
      const vertex = order[place];
      for (let c = 0; c < 3; c++) {
        packed[4 * place + c] = positions[3 * vertex + c] - origin[c];
        moved ||= positions[3 * vertex + c] !== before[3 * place + c];
      }
    }
    return moved;
  }

  /** Takes over the velocities that are shown, or with `added` only what was added to them. */
  loadVelocities(shown: Float32Array, added: boolean): void {
    const { record, order } = this;
    const kept = this.vectors(layout.BODY_KEPT_VELOCITIES);
    const packed = this.vectors(layout.BODY_VELOCITIES);
    record.setNumber(layout.BODY_SAMPLED_SPEED, sampleSpeed(shown));
    for (let place = 0, k = 0; place < order.length; place++, k += 4) {
      const s = 3 * order[place];
      const x = shown[s];
      const y = shown[s + 1];
      const z = shown[s + 2];
      packed[k] = added ? packed[k] + (x - kept[k]) : x;
      packed[k + 1] = added ? packed[k + 1] + (y - kept[k + 1]) : y;
      packed[k + 2] = added ? packed[k + 2] + (z - kept[k + 2]) : z;
      kept[k] = x;
      kept[k + 1] = y;
      kept[k + 2] = z;
    }
  }

  /** Shows where some particles, by place, are and how they move, which the host has changed since a step showed them. */
  show(places: readonly number[]): void {
    if (places.length === 0) return;
    const { record, order, origin } = this;
    const [packed, velocities] = [this.vectors(layout.BODY_POSITIONS), this.vectors(layout.BODY_VELOCITIES)];
    const kept = this.vectors(layout.BODY_KEPT_VELOCITIES);
    const shownPositions = record.floats(layout.BODY_SHOWN_POSITIONS, 3 * order.length);
    const shownVelocities = record.floats(layout.BODY_SHOWN_VELOCITIES, 3 * order.length);
    for (const place of places) {
      for (let c = 0; c < 3; c++) {
        const [from, to] = [4 * place + c, 3 * order[place] + c];
        shownPositions[to] = origin[c] + packed[from];
        shownVelocities[to] = velocities[from];
        kept[from] = velocities[from];
      }
    }
  }

  /** What was added to the velocities that are shown since they were loaded, in the solver's order [m/s]. */
  addedTo(shown: Float32Array): Float64Array {
    const kept = this.vectors(layout.BODY_KEPT_VELOCITIES);
    const added = new Float64Array(3 * this.order.length);
    this.order.forEach((vertex, place) => {
      for (let c = 0; c < 3; c++) added[3 * place + c] = shown[3 * vertex + c] - kept[4 * place + c];
    });
    return added;
  }

  /** Σ m v of the kernels' velocities [kg m/s]; masses by vertex. */
  momentum(masses: Float64Array, places: Uint32Array): Vec3 {
    const velocities = this.vectors(layout.BODY_VELOCITIES);
    const sum: [number, number, number] = [0, 0, 0];
    places.forEach((place, vertex) => {
      for (let c = 0; c < 3; c++) sum[c] += masses[vertex] * velocities[4 * place + c];
    });
    return sum;
  }

  /** Turns all regions, or those of some particles. They lie four at a time, number by number. */
  turnRegions(rotation: ArrayLike<number>, places?: readonly number[]): void {
    const quaternions = this.vectors(layout.BODY_QUATERNIONS);
    if (!places) for (let k = 0; k < quaternions.length; k++) quaternions[k] = rotation[(k >> 2) % 4];
    for (const place of places ?? []) {
      for (let c = 0; c < 4; c++) quaternions[16 * (place >> 2) + 4 * c + (place & 3)] = rotation[c];
    }
  }

  /** Rotations of the regions: x, y, z, w each. */
  rotations(): Float32Array {
    const quaternions = this.vectors(layout.BODY_QUATERNIONS);
    return Float32Array.from({ length: 4 * this.order.length }, (_, k) => quaternions[placeInFours(k)]);
  }

  setRotations(rotations: Float32Array): void {
    const quaternions = this.vectors(layout.BODY_QUATERNIONS);
    for (let k = 0; k < rotations.length; k++) quaternions[placeInFours(k)] = rotations[k];
  }

  /** Puts its particles back to where they were at the start of the step, and shows them there. */
  goBack(): void {
    this.vectors(layout.BODY_POSITIONS).set(this.vectors(layout.BODY_STARTS));
    this.record
      .floats(layout.BODY_SHOWN_POSITIONS, 3 * this.order.length)
      .set(scatter(this.worldPositions(), this.order));
  }

  /** Shows no motion and moves nowhere from here on; what presses in the kernels' velocities stays. */
  stop(): void {
    const { record } = this;
    record.setNumber(layout.BODY_SAMPLED_SPEED, 0);
    this.vectors(layout.BODY_KEPT_VELOCITIES).fill(0);
    this.vectors(layout.BODY_STARTS).set(this.vectors(layout.BODY_POSITIONS));
    // The displacements of its particles, which others compare with theirs.
    record.memory.floats(record.address + layout.BODY_BOX + 32, 8).fill(0);
  }
}
