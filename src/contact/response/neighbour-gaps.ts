// What contacts with other bodies mean for one of them: which of its particles touch what, and how far others may still
// move. The volume constraint respects both.

import type { ContactBody } from '../contact-body.js';
import { createParticleContacts, type ParticleContacts } from '../particle-contacts.js';
import type { FeatureContacts } from './feature-contacts.js';
import { HELD_WEIGHT, NO_DIRECTION } from './tuning.js';

/** Particles of a body that move together, from `first` on. */
export interface MovingPart {
  readonly first: number;
  /** Theirs alone [m]. */
  readonly positions: Float64Array;
  /** Share of a gap that they may take. */
  readonly slackShare: number;
}

/** Gaps to other bodies in which particles of one body take part. */
export class NeighbourGaps {
  /** What particles touch: the mean over their contacts, the other body being an obstacle that moves. */
  readonly touching: ParticleContacts;
  /** Whether any particle touches another body. */
  touched = false;
  /** Sum of the weights of each particle's contacts. */
  private readonly shares: Float64Array;
  /** Of this step: four particles each with their weights, normals, and how far they may approach [m]. */
  private readonly gaps = {
    count: 0,
    particles: new Uint32Array(0),
    weights: new Float64Array(0),
    normals: new Float64Array(0),
    slacks: new Float64Array(0),
  };

  constructor(private readonly particleCount: number) {
    this.touching = createParticleContacts(particleCount);
    this.shares = new Float64Array(particleCount);
  }

  clear(): void {
    this.gaps.count = 0;
    if (this.touched) this.touching.colliding.fill(0);
    this.touched = false;
  }

  /**
   * Takes over a contact of which the body has particles: `from`…`to` − 1 of its four. `other` is the velocity of the
   * other side [m/s], `slack` how far this side may approach [m].
   */
  add(list: FeatureContacts, contact: number, from: number, to: number, slack: number): void {
    const { gaps } = this;
    if (gaps.slacks.length === gaps.count) this.grow();
    const e = gaps.count++;
    gaps.slacks[e] = slack;
    for (let c = 0; c < 4; c++) {
      gaps.particles[4 * e + c] = list.particles[4 * contact + c];
      gaps.weights[4 * e + c] = c >= from && c < to ? list.weights[4 * contact + c] : 0;
    }
    for (let k = 0; k < 3; k++) gaps.normals[3 * e + k] = list.normals[3 * contact + k];
  }

  /** Marks the particles of a contact that touches; `vx, vy, vz` is how fast the other side moves [m/s]. */
  touch(list: FeatureContacts, contact: number, from: number, to: number, vx: number, vy: number, vz: number): void {
    const { colliding, normals, surfaceVelocities, frictions } = this.touching;
    this.touched = true;
    for (let c = from; c < to; c++) {
      const weight = list.weights[4 * contact + c];
      if (Math.abs(weight) < HELD_WEIGHT) continue;
      const i = list.particles[4 * contact + c];
      const k = 3 * i;
      if (colliding[i] === 0) {
        colliding[i] = 1;
        this.shares[i] = 0;
        frictions[i] = 0;
        for (let d = 0; d < 3; d++) {
          normals[k + d] = 0;
          surfaceVelocities[k + d] = 0;
        }
      }
      const share = Math.abs(weight);
      this.shares[i] += share;
      frictions[i] += share * list.frictions[contact];
      for (let d = 0; d < 3; d++) normals[k + d] += weight * list.normals[3 * contact + d];
      surfaceVelocities[k] += share * vx;
      surfaceVelocities[k + 1] += share * vy;
      surfaceVelocities[k + 2] += share * vz;
    }
  }

  /** Sums to means. */
  finish(): void {
    if (!this.touched) return;
    const { colliding, normals, surfaceVelocities, frictions } = this.touching;
    for (let i = 0; i < this.particleCount; i++) {
      if (colliding[i] === 0) continue;
      const k = 3 * i;
      const share = this.shares[i];
      frictions[i] /= share;
      const length = Math.sqrt(normals[k] ** 2 + normals[k + 1] ** 2 + normals[k + 2] ** 2);
      const scale = length > NO_DIRECTION * share ? 1 / length : 0;
      for (let d = k; d < k + 3; d++) {
        normals[d] *= scale;
        surfaceVelocities[d] /= share;
      }
    }
  }

  /**
   * Marks the particles of a part that a displacement from its positions would carry too near to another body; returns how many.
   * `fits` gets the share of the way that they may go.
   */
  forbid(part: MovingPart, candidates: Float64Array, tolerance: number, held: Uint8Array, fits: Float64Array): number {
    let marked = 0;
    const { count, particles, weights, slacks } = this.gaps;
    const { first, slackShare } = part;
    for (let e = 0; e < count; e++) {
      let approach = 0;
      for (let c = 4 * e; c < 4 * e + 4; c++) {
        // Particles without weight are the other body's, those elsewhere another part's.
        const i = particles[c] - first;
        if (weights[c] !== 0 && i >= 0 && i < held.length)
          approach -= weights[c] * this.alongNormal(e, c, part, candidates);
      }
      const slack = slackShare * slacks[e];
      if (approach <= slack + tolerance) continue;
      for (let c = 4 * e; c < 4 * e + 4; c++) {
        const i = particles[c] - first;
        if (weights[c] === 0 || !(i >= 0 && i < held.length)) continue;
        if (held[i] !== 0 || weights[c] * this.alongNormal(e, c, part, candidates) >= 0) continue;
        held[i] = 1;
        fits[i] = slack / approach;
        marked++;
      }
    }
    return marked;
  }

  private alongNormal(e: number, c: number, { first, positions }: MovingPart, candidates: Float64Array): number {
    const { normals, particles } = this.gaps;
    const k = 3 * (particles[c] - first);
    return (
      normals[3 * e] * (candidates[k] - positions[k]) +
      normals[3 * e + 1] * (candidates[k + 1] - positions[k + 1]) +
      normals[3 * e + 2] * (candidates[k + 2] - positions[k + 2])
    );
  }

  private grow(): void {
    const { gaps } = this;
    const size = Math.max(64, 2 * gaps.count);
    const longer = <T extends Float64Array | Uint32Array>(values: T, length: number): T => {
      const grown = new (values.constructor as new (length: number) => T)(length);
      grown.set(values);
      return grown;
    };
    gaps.particles = longer(gaps.particles, 4 * size);
    gaps.weights = longer(gaps.weights, 4 * size);
    gaps.normals = longer(gaps.normals, 3 * size);
    gaps.slacks = longer(gaps.slacks, size);
  }
}

/** A body that takes part in contact with others. */
export interface TouchableBody extends ContactBody {
  readonly neighbourGaps: NeighbourGaps;
}
