// The elasticity of one body: shape matching over the overlapping regions of a lattice that carries its surface.
// Based on: A. Rivers, D. James, FastLSM, 2007; how surface and lattice act on each other is ours, see README.

import { addLinearField, createLinearField, findRigidField, fitLinearField } from '../linear-fields.js';
import type { InnerParticles, Model, Shell } from '../model.js';
import { MOMENT_STRIDE, writeMoments } from '../moments.js';
import { DAMPING_STRIDE } from '../region-damping.js';
import { createRigidMotion, measureRigidMotion } from '../rigid-motion.js';
import { dampingPerStep, stiffnessPerStep } from '../step-scaling.js';
import { pullBackStray } from '../stray.js';
import { dampVelocities } from './damping.js';
import { interpolate } from './embedding.js';
import { createFollowBuffers, followSurface } from './following.js';
import { writeGoals, writeTransforms } from './goals.js';
import type { LatticeRest } from './rest.js';
import type { LatticeSettings } from './settings.js';
import { fastSums, naiveSums, type RegionSums } from './sums.js';

export class LatticeModel implements Model<LatticeSettings> {
  /** X [m] and V [m/s] of the lattice. */
  readonly positions: Float64Array;
  readonly velocities: Float64Array;
  /** The lattice: it carries the surface's mass and has none of its own. */
  readonly inner: InnerParticles;
  restScale = 1;
  /** Rotation of each region (x, y, z, w), the warm start of the next step. */
  readonly quaternions: Float64Array;
  /** Where the lattice had the surface when it last followed it: N·X [m]. */
  readonly carried: Float64Array;
  private readonly regions: RegionSums;
  /** X at the start of the step. */
  private readonly starts: Float64Array;
  private readonly goals: Float64Array;
  private readonly values: Float64Array;
  private readonly sums: Float64Array;
  private readonly surface: Float64Array;
  private readonly followBuffers;
  private readonly kept = createRigidMotion();
  private readonly now = createRigidMotion();
  private readonly field = createLinearField();

  /** `summation` is for benchmarks: both give the same sums up to rounding. */
  constructor(
    readonly rest: LatticeRest,
    public settings: LatticeSettings,
    summation: 'fast' | 'naive' = 'fast',
  ) {
    const { lattice, embedding } = rest;
    this.positions = lattice.positions.slice();
    this.velocities = new Float64Array(3 * lattice.count);
    this.inner = { positions: this.positions, velocities: this.velocities };
    this.quaternions = new Float64Array(4 * lattice.count);
    this.carried = rest.mesh.positions.slice();
    this.regions = summation === 'fast' ? fastSums(lattice, DAMPING_STRIDE) : naiveSums(lattice);
    this.starts = new Float64Array(3 * lattice.count);
    this.goals = new Float64Array(3 * lattice.count);
    this.values = new Float64Array(DAMPING_STRIDE * lattice.count);
    this.sums = new Float64Array(DAMPING_STRIDE * lattice.count);
    this.surface = new Float64Array(3 * rest.count);
    this.followBuffers = createFollowBuffers(embedding);
    this.reset([0, 0, 0, 1]);
  }

  reset(rotation: ArrayLike<number>): void {
    for (let k = 0; k < this.quaternions.length; k++) this.quaternions[k] = rotation[k % 4];
  }

  state() {
    const { positions, velocities, quaternions, carried } = this;
    return { positions, velocities, quaternions, carried };
  }

  /**
   * A change from outside reaches the inside of the lattice as far as it is linear in space (placing, turning, stretching,
   * pushing the whole body); near the surface all of it does.
   */
  replace(shell: Shell, positions: Float64Array, velocities: Float64Array): void {
    const { surface, field } = this;
    const { massShares } = this.rest;
    for (let k = 0; k < surface.length; k++) surface[k] = velocities[k] - shell.velocities[k];
    fitLinearField(shell.positions, surface, massShares, this.rest.size, field);
    addLinearField(field, this.positions, this.velocities);
    for (let k = 0; k < surface.length; k++) surface[k] = positions[k] - shell.positions[k];
    fitLinearField(shell.positions, surface, massShares, this.rest.size, field);
    addLinearField(field, this.positions, this.positions);
    this.follow(positions, velocities);
  }

  match(shell: Shell, timeStep: number): void {
    const { positions, velocities, starts, goals, surface } = this;
    measureRigidMotion(shell.starts, shell.velocities, shell.masses, this.kept);
    starts.set(positions);
    for (let k = 0; k < positions.length; k++) positions[k] += timeStep * velocities[k];
    this.writeGoals(positions, goals);
    const { stiffnesses } = this.rest;
    const stiffness = stiffnessPerStep(this.settings.stiffness * (stiffnesses?.largest ?? 1), timeStep);
    for (let k = 0; k < positions.length; k++) {
      const mean = stiffnesses ? stiffnesses.means[Math.trunc(k / 3)] : 1;
      goals[k] = stiffness * (goals[k] - mean * positions[k]);
      velocities[k] += goals[k] / timeStep;
    }
    interpolate(this.rest.embedding, goals, surface);
    for (let i = 0, k = 0; i < shell.count; i++, k += 3) {
      shell.changes[i] = Math.sqrt(surface[k] ** 2 + surface[k + 1] ** 2 + surface[k + 2] ** 2);
    }
    this.carry(shell, timeStep);
  }

  damp(shell: Shell, timeStep: number): void {
    const share = Math.min(1, (this.rest.dampings?.largest ?? 1) * dampingPerStep(this.settings.damping, timeStep));
    if (share === 0) return;
    const { rest, regions, starts, velocities, values, sums, goals: middles } = this;
    measureRigidMotion(this.carried, shell.velocities, shell.masses, this.kept);
    dampVelocities(rest, regions, starts, velocities, timeStep, share, { middles, values, sums });
    this.carry(shell, timeStep);
  }

  takeOver(shell: Shell): void {
    this.follow(shell.positions, shell.velocities);
  }

  pullBack(shell: Shell, held: Uint8Array): boolean {
    return pullBackStray(shell, held, this.carried, this.rest.size);
  }

  /** Goals of the given lattice positions. */
  writeGoals(positions: Float64Array, goals: Float64Array): void {
    const { rest, regions, values, sums } = this;
    const origin = positions.slice(0, 3);
    writeMoments(rest, positions, origin, values);
    regions.overMembers(values, MOMENT_STRIDE, sums);
    writeTransforms(rest, sums, this.quaternions, values, this.restScale);
    regions.overRegions(values, MOMENT_STRIDE, sums);
    writeGoals(rest, sums, origin, goals);
  }

  /** The surface moves with the lattice, after both got the rigid field that restores the surface's momentum. */
  private carry(shell: Shell, timeStep: number): void {
    const { positions, velocities, starts, carried, field } = this;
    interpolate(this.rest.embedding, velocities, shell.velocities);
    measureRigidMotion(carried, shell.velocities, shell.masses, this.now);
    findRigidField(this.now, this.kept, field);
    addLinearField(field, carried, shell.velocities);
    addLinearField(field, starts, velocities);
    for (let k = 0; k < positions.length; k++) positions[k] = starts[k] + timeStep * velocities[k];
    for (let k = 0; k < carried.length; k++) {
      shell.positions[k] = carried[k] + timeStep * shell.velocities[k];
    }
  }

  private follow(positions: Float64Array, velocities: Float64Array): void {
    const { embedding, massShares } = this.rest;
    const { carried } = this;
    followSurface(embedding, positions, velocities, this.positions, this.velocities, this.followBuffers);
    interpolate(embedding, this.positions, carried);
    // What the lattice cannot follow is not to move the centre of mass.
    for (let c = 0; c < 3; c++) {
      let shift = 0;
      for (let i = 0, k = c; i < massShares.length; i++, k += 3) shift += massShares[i] * (positions[k] - carried[k]);
      for (let k = c; k < carried.length; k += 3) carried[k] += shift;
      for (let k = c; k < this.positions.length; k += 3) this.positions[k] += shift;
    }
  }
}
