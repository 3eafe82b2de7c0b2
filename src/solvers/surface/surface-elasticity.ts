// The elasticity of one body: shape matching over overlapping regions of its surface.
// Based on: DBB11 §4, with momentum restored after each stage.

import { power } from '../../math/power.js';
import { vertexNormals } from '../../mesh/measure.js';
import { type Elasticity, movePositions, type Particles } from '../elasticity.js';
import { createRigidMotion, measureRigidMotion, restoreRigidMotion } from '../rigid-motion.js';
import { createDampingBuffers, dampVelocities } from './damping.js';
import { writeGoals, writeTransforms } from './goals.js';
import { MOMENT_STRIDE, prefixSums, sumIntervals, writeMoments } from './moments.js';
import type { SurfaceRest } from './rest.js';
import type { SurfaceSettings } from './settings.js';

/** Step size at which stiffness and damping are the paper's; longer steps are taken in parts [s]. */
export const REFERENCE_STEP = 0.005;

/**
 * Share of the way to the goal in a step of Δt ≤ 5 ms: matching acts like a spring of stiffness s/Δt², so s·(Δt/5 ms)²
 * keeps the spring. Measured on a dropped ball, the exponent that keeps its lowest height is 1.9…2.2 for s = 0.2…0.9 and
 * Δt = 0.6…5 ms; 1 − (1 − s)^((Δt/5 ms)²) made it 7 % stiffer at 2.5 ms.
 */
export const stiffnessPerStep = (stiffness: number, timeStep: number): number =>
  Math.min(1, stiffness * (timeStep / REFERENCE_STEP) ** 2);

/** Share of the non-rigid velocity lost in a step of Δt. */
export const dampingPerStep = (damping: number, timeStep: number): number =>
  1 - power(1 - damping, timeStep / REFERENCE_STEP);

export class SurfaceElasticity implements Elasticity {
  /** Rotation of each region (x, y, z, w), the warm start of the next step. */
  readonly quaternions: Float64Array;
  private readonly values: Float64Array;
  private readonly prefix: Float64Array;
  private readonly sums: Float64Array;
  private readonly normals: Float64Array;
  private readonly goals: Float64Array;
  private readonly dampingBuffers;
  private readonly kept = createRigidMotion();

  constructor(
    readonly rest: SurfaceRest,
    public settings: SurfaceSettings,
  ) {
    const { count } = rest;
    this.quaternions = new Float64Array(4 * count);
    this.values = new Float64Array(MOMENT_STRIDE * count);
    this.prefix = new Float64Array(MOMENT_STRIDE * (count + 1));
    this.sums = new Float64Array(MOMENT_STRIDE * count);
    this.normals = new Float64Array(3 * count);
    this.goals = new Float64Array(3 * count);
    this.dampingBuffers = createDampingBuffers(count);
    this.reset([0, 0, 0, 1]);
  }

  get rotations(): Float64Array {
    return this.quaternions;
  }

  reset(rotation: ArrayLike<number>): void {
    for (let k = 0; k < this.quaternions.length; k++) this.quaternions[k] = rotation[k % 4];
  }

  turn(rotation: ArrayLike<number>, places: readonly number[]): void {
    for (const place of places) for (let c = 0; c < 4; c++) this.quaternions[4 * place + c] = rotation[c];
  }

  match(particles: Particles, timeStep: number): void {
    const { positions, starts, velocities, masses, changes } = particles;
    const { goals } = this;
    measureRigidMotion(starts, velocities, masses, this.kept);
    this.writeGoals(positions, goals);
    const stiffness = stiffnessPerStep(this.settings.stiffness * this.rest.stiffnessScale, timeStep);
    for (let i = 0, k = 0; i < particles.count; i++, k += 3) {
      const cx = stiffness * (goals[k] - positions[k]);
      const cy = stiffness * (goals[k + 1] - positions[k + 1]);
      const cz = stiffness * (goals[k + 2] - positions[k + 2]);
      changes[i] = Math.sqrt(cx * cx + cy * cy + cz * cz);
      velocities[k] += cx / timeStep;
      velocities[k + 1] += cy / timeStep;
      velocities[k + 2] += cz / timeStep;
    }
    if (!particles.anchored) restoreRigidMotion(starts, velocities, masses, this.kept);
    movePositions(particles, timeStep);
  }

  damp(particles: Particles, timeStep: number): void {
    const share = dampingPerStep(this.settings.damping, timeStep);
    if (share === 0) return;
    const { starts, velocities, masses } = particles;
    measureRigidMotion(starts, velocities, masses, this.kept);
    dampVelocities(this.rest, starts, velocities, timeStep, share, this.dampingBuffers);
    if (!particles.anchored) restoreRigidMotion(starts, velocities, masses, this.kept);
    movePositions(particles, timeStep);
  }

  /** Goals gᵢ of the given positions. */
  writeGoals(positions: Float64Array, goals: Float64Array): void {
    const { rest, values, prefix, sums } = this;
    const origin = positions.slice(0, 3);
    vertexNormals(positions, rest.mesh.triangles, this.normals);
    writeMoments(rest, positions, origin, values);
    prefixSums(values, MOMENT_STRIDE, prefix);
    sumIntervals(prefix, MOMENT_STRIDE, rest.regions, sums);
    writeTransforms(rest, sums, positions, origin, this.normals, this.quaternions, values);
    prefixSums(values, MOMENT_STRIDE, prefix);
    sumIntervals(prefix, MOMENT_STRIDE, rest.regions, sums);
    writeGoals(rest, sums, origin, goals);
  }
}
