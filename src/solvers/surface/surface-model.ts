// The elasticity of one body: shape matching over overlapping regions of its surface.
// Based on: DBB11 §4, with momentum restored after each stage.

import { adjacencyOf } from '../../mesh/adjacency.js';
import { vertexNormals } from '../../mesh/measure.js';
import { type Model, movePositions, type Shell } from '../model.js';
import type { Surroundings } from '../model-contacts.js';
import { MOMENT_STRIDE, writeMoments } from '../moments.js';
import { areSameMarks, buildPinReach, followPins, type PinReach } from '../pin-reach.js';
import { createRigidMotion, measureRigidMotion, restoreRigidMotion } from '../rigid-motion.js';
import { dampingPerStep, stiffnessPerStep } from '../step-scaling.js';
import { createDampingBuffers, dampVelocities } from './damping.js';
import { writeGoals, writeTransforms } from './goals.js';
import { prefixSums, sumIntervals } from './region-sums.js';
import type { SurfaceRest } from './rest.js';
import type { SurfaceSettings } from './settings.js';

export class SurfaceModel implements Model<SurfaceSettings> {
  /** Rotation of each region (x, y, z, w), the warm start of the next step. */
  readonly quaternions: Float64Array;
  private readonly values: Float64Array;
  private readonly prefix: Float64Array;
  private readonly sums: Float64Array;
  private readonly normals: Float64Array;
  private readonly goals: Float64Array;
  restScale = 1;
  /** How far pins reach, of the pins that there were last. */
  private reach: (PinReach & { readonly pinned: Uint8Array }) | undefined;
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

  state() {
    return { quaternions: this.quaternions };
  }

  turn(rotation: ArrayLike<number>, places: readonly number[]): void {
    for (const place of places) for (let c = 0; c < 4; c++) this.quaternions[4 * place + c] = rotation[c];
  }

  match(shell: Shell, timeStep: number, { pinned }: Pick<Surroundings, 'pinned'>): void {
    const { positions, starts, velocities, masses, changes } = shell;
    const { goals } = this;
    measureRigidMotion(starts, velocities, masses, this.kept);
    this.writeGoals(positions, goals);
    const { stiffnessScale, stiffnesses } = this.rest;
    const scale = stiffnessScale * (stiffnesses?.largest ?? 1);
    const stiffness = stiffnessPerStep(this.settings.stiffness * scale, timeStep);
    // From here on goals are how far they draw: s·(g − x).
    for (let k = 0; k < goals.length; k++) {
      const mean = stiffnesses ? stiffnesses.means[Math.trunc(k / 3)] : 1;
      goals[k] = stiffness * (goals[k] - mean * positions[k]);
    }
    if (shell.anchored) followPins(this.reachOf(pinned), goals);
    for (let i = 0, k = 0; i < shell.count; i++, k += 3) {
      const cx = goals[k];
      const cy = goals[k + 1];
      const cz = goals[k + 2];
      changes[i] = Math.sqrt(cx * cx + cy * cy + cz * cz);
      velocities[k] += cx / timeStep;
      velocities[k + 1] += cy / timeStep;
      velocities[k + 2] += cz / timeStep;
    }
    if (!shell.anchored) restoreRigidMotion(starts, velocities, masses, this.kept);
    movePositions(shell, timeStep);
  }

  private reachOf(pinned: Uint8Array): PinReach {
    const { reach } = this;
    if (reach && areSameMarks(reach.pinned, pinned)) return reach;
    const { mesh, rings, positions } = this.rest;
    this.reach = { ...buildPinReach(adjacencyOf(mesh), rings, positions, pinned), pinned: pinned.slice() };
    return this.reach;
  }

  damp(shell: Shell, timeStep: number): void {
    const share = Math.min(1, (this.rest.dampings?.largest ?? 1) * dampingPerStep(this.settings.damping, timeStep));
    if (share === 0) return;
    const { starts, velocities, masses } = shell;
    measureRigidMotion(starts, velocities, masses, this.kept);
    dampVelocities(this.rest, starts, velocities, timeStep, share, this.dampingBuffers);
    if (!shell.anchored) restoreRigidMotion(starts, velocities, masses, this.kept);
    movePositions(shell, timeStep);
  }

  /** Goals gᵢ of the given positions. */
  writeGoals(positions: Float64Array, goals: Float64Array): void {
    const { rest, values, prefix, sums } = this;
    const origin = positions.slice(0, 3);
    vertexNormals(positions, rest.mesh.triangles, this.normals);
    writeMoments(rest, positions, origin, values);
    prefixSums(values, MOMENT_STRIDE, prefix);
    sumIntervals(prefix, MOMENT_STRIDE, rest.regions, sums);
    writeTransforms(rest, sums, positions, origin, this.normals, this.quaternions, values, this.restScale);
    prefixSums(values, MOMENT_STRIDE, prefix);
    sumIntervals(prefix, MOMENT_STRIDE, rest.regions, sums);
    writeGoals(rest, sums, origin, goals);
  }
}
