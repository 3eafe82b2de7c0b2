// The nodes of one body in motion: damping, goals from where they are, the pull towards them.
// Goals are those of the positions at the start of the step, so the pull has no net force and no net torque about them, and
// x ← x + Δt·v keeps that: linear and angular momentum are exact to rounding without being restored.

import { MOMENT_STRIDE, writeMoments } from '../moments.js';
import { DAMPING_STRIDE } from '../region-damping.js';
import { dampingPerStep, stiffnessPerStep } from '../step-scaling.js';
import { createDampingBuffers, type DampingBuffers, dampParts, dampRegions, PART_SHARE } from './damping.js';
import type { Plasticity } from './plasticity.js';
import type { RegionRest } from './region-rest.js';
import { divideByLoads, type RegionState, writeGoals, writeTransforms } from './transforms.js';

/** What of the solver's settings the step reads. */
export interface DynamicsSettings {
  readonly stiffness: number;
  readonly damping: number;
  readonly plasticity: Plasticity | false;
}

/** The motion of nodes, and what a step finds of it. */
export interface NodeArrays {
  /** x [m] and v [m/s] of the nodes. */
  readonly positions: Float64Array;
  readonly velocities: Float64Array;
  /** R of each region (x, y, z, w). */
  readonly quaternions: Float64Array;
  /** S of each region; the identity until something flows. */
  readonly flows: Float64Array;
  /** Tᵢ of each node as of the last `writeFrames`, 12 numbers, row by row, relative to `origin`. */
  readonly frames: Float64Array;
  /** What the frames are relative to: where the first node was [m]. */
  readonly origin: Float64Array;
  /** How far the last `match` pulled each node [m]. */
  readonly pulls: Float64Array;
}

/** Nodes at rest. */
const restingNodes = ({ positions, centre, masses: { length } }: RegionRest): NodeArrays => ({
  positions: positions.map((x, k) => x + centre[k % 3]),
  velocities: new Float64Array(3 * length),
  quaternions: Float64Array.from({ length: 4 * length }, (_, k) => (k % 4 === 3 ? 1 : 0)),
  flows: Float64Array.from({ length: 9 * length }, (_, k) => ((k % 9) % 4 === 0 ? 1 : 0)),
  frames: new Float64Array(MOMENT_STRIDE * length),
  origin: new Float64Array(3),
  pulls: new Float64Array(3 * length),
});

export class OctreeDynamics implements RegionState, NodeArrays {
  restScale = 1;
  readonly positions: Float64Array;
  readonly velocities: Float64Array;
  readonly quaternions: Float64Array;
  readonly flows: Float64Array;
  readonly frames: Float64Array;
  readonly origin: Float64Array;
  readonly pulls: Float64Array;
  private readonly values: Float64Array;
  private readonly sums: Float64Array;
  readonly damping: DampingBuffers;

  constructor(
    readonly rest: RegionRest,
    arrays: NodeArrays = restingNodes(rest),
  ) {
    const count = rest.masses.length;
    this.positions = arrays.positions;
    this.velocities = arrays.velocities;
    this.quaternions = arrays.quaternions;
    this.flows = arrays.flows;
    this.frames = arrays.frames;
    this.origin = arrays.origin;
    this.pulls = arrays.pulls;
    this.values = new Float64Array(DAMPING_STRIDE * count);
    this.sums = new Float64Array(DAMPING_STRIDE * count);
    this.damping = createDampingBuffers(rest);
  }

  /** Finds the frames of the current positions; `plasticity` lets the regions flow for a step. */
  writeFrames(plasticity: Plasticity | false = false, timeStep = 0): void {
    const { rest, positions, values, sums, origin, frames } = this;
    for (let c = 0; c < 3; c++) origin[c] = positions[c];
    writeMoments(rest, positions, origin, values);
    rest.sums.overMembers(values, MOMENT_STRIDE, sums);
    writeTransforms(rest, sums, this, values, plasticity, timeStep);
    rest.sums.overRegions(values, MOMENT_STRIDE, frames);
    divideByLoads(rest, frames);
  }

  /** Pulls v towards the goals; frames are then those of the positions. */
  match(settings: DynamicsSettings, timeStep: number): void {
    this.writeFrames(settings.plasticity, timeStep);
    this.pull(stiffnessPerStep(settings.stiffness, timeStep), timeStep);
  }

  /** Pulls v by a share of the way to the goals of the frames. */
  protected pull(share: number, timeStep: number): void {
    const { rest, positions, velocities, pulls } = this;
    writeGoals(rest, this.frames, this.origin, pulls);
    for (let i = 0, k = 0; i < rest.masses.length; i++) {
      // 1 but where stiffness is painted; what the regions that hold the node have of the body's.
      const own = (share * rest.goalLoads[i]) / rest.regionLoads[i];
      for (let c = 0; c < 3; c++, k++) {
        pulls[k] = own * (pulls[k] - positions[k]);
        velocities[k] += pulls[k] / timeStep;
      }
    }
  }

  /**
   * Damps velocities as they were at the end of the last step, before the pull: after it, what pulls at held nodes would be
   * spread to others. A beam held at one end drooped by 0.0127 to 0.0190 of its length so, by its damping, now by 0.0102.
   */
  damp(settings: DynamicsSettings, timeStep: number): void {
    if (settings.damping === 0) return;
    const share = dampingPerStep(settings.damping, timeStep) * (this.rest.dampings?.largest ?? 1);
    this.takeMotion(share, dampingPerStep(PART_SHARE * settings.damping, timeStep));
  }

  /** Takes shares of what is not rigid motion of the regions, then of the connected parts. */
  protected takeMotion(share: number, partShare: number): void {
    const { rest, positions, velocities, damping } = this;
    dampRegions(rest, positions, velocities, share, damping);
    dampParts(rest, positions, velocities, partShare, damping);
  }

  /** The same motion over the same nodes of another forest. */
  copyOver(rest: RegionRest): OctreeDynamics {
    const copy = new OctreeDynamics(rest);
    copy.positions.set(this.positions);
    copy.velocities.set(this.velocities);
    copy.quaternions.set(this.quaternions);
    copy.flows.set(this.flows);
    return copy;
  }

  move(timeStep: number): void {
    const { positions, velocities } = this;
    for (let k = 0; k < positions.length; k++) positions[k] += timeStep * velocities[k];
  }

  /** A step of free nodes under an acceleration [m/s²]. */
  step(settings: DynamicsSettings, timeStep: number, acceleration: ArrayLike<number> = [0, 0, 0]): void {
    const { velocities } = this;
    for (let k = 0; k < velocities.length; k++) velocities[k] += timeStep * acceleration[k % 3];
    this.damp(settings, timeStep);
    this.match(settings, timeStep);
    this.move(timeStep);
  }
}
