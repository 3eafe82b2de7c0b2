// The whole of a body whose mass is not only on its shell: how it moves, and keeping that while its shell is pushed.

import { addField, type InnerParticles, type RigidField } from './model.js';
import { createRigidMotion, measureRigidMotion, type RigidMotion, restoreRigidMotion } from './rigid-motion.js';

/** A body's shell, in any order. */
interface ShellMotion {
  readonly positions: Float64Array | Float32Array;
  readonly velocities: Float64Array | Float32Array;
  readonly masses: Float64Array;
}

/** What the shell has, and behind it what is inside. */
export const together = (first: ArrayLike<number>, second: ArrayLike<number>): Float64Array => {
  const joined = new Float64Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
};

export class InnerMass {
  /** Mass of each inner particle [kg]. */
  readonly masses: Float64Array;

  constructor(
    readonly inner: InnerParticles,
    shares: Float64Array,
    bodyMass: number,
  ) {
    this.masses = shares.map((share) => share * bodyMass);
  }

  /** Undefined for a model whose shell has all the mass. */
  static of(inner: InnerParticles | undefined, bodyMass: number): InnerMass | undefined {
    return inner?.massShares && new InnerMass(inner, inner.massShares, bodyMass);
  }

  /** Mass, centre, momentum and inertia of shell and inside. */
  measure({ positions, velocities, masses }: ShellMotion, out: RigidMotion): RigidMotion {
    const { inner } = this;
    const all = together(masses, this.masses);
    return measureRigidMotion(together(positions, inner.positions), together(velocities, inner.velocities), all, out);
  }

  /** Adds a rigid velocity field to what is inside. */
  push(field: RigidField): void {
    addField(field, this.inner.positions, this.inner.velocities);
  }

  /** Adds Σ m v of what is inside [kg m/s]. */
  addMomentum(sum: [number, number, number]): void {
    const { velocities } = this.inner;
    for (let k = 0; k < velocities.length; k++) sum[k % 3] += this.masses[Math.trunc(k / 3)] * velocities[k];
  }

  /** Kinetic energy of what is inside [J]. */
  energy(): number {
    const { velocities } = this.inner;
    return velocities.reduce((sum, v, k) => sum + 0.5 * this.masses[Math.trunc(k / 3)] * v * v, 0);
  }

  /**
   * Lets what is inside follow a change of the shell's velocities, and restores the momentum of the whole: what the shell gained,
   * the body gained.
   */
  keepThrough(changed: ShellMotion, follow: () => void): void {
    const kept = this.measure(changed, createRigidMotion());
    follow();
    this.restore(changed, kept);
  }

  /** Adds the rigid field to shell and inside that gives the whole its momentum back. */
  restore(changed: ShellMotion, kept: RigidMotion): void {
    const { inner } = this;
    const masses = together(changed.masses, this.masses);
    const velocities = together(changed.velocities, inner.velocities);
    restoreRigidMotion(together(changed.positions, inner.positions), velocities, masses, kept);
    changed.velocities.set(velocities.subarray(0, changed.velocities.length));
    inner.velocities.set(velocities.subarray(changed.velocities.length));
  }
}
