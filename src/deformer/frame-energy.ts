// The energy whose minimum is the frame: elasticity of the helper mesh, the foundation that holds it where the animator put it, contact
// and the volume of the surface that it carries.

import type { Contacts } from './contacts.js';
import { type ElasticEnergy, LAMBDA, MU } from './elastic-energy.js';
import type { HelperMesh } from './helper-mesh.js';
import type { Objective } from './quasi-newton.js';
import { addVolumeGradient, volumeOf } from './surface-volume.js';

/** Stiffness by which the mean displacement is held: 1000 µ took 3 to 9 times the evaluations. */
const CENTROID = 10 * MU;
/** Stiffness of the volume, over the volume at rest. */
const VOLUME = 5 * LAMBDA;

export interface FrameProblem {
  readonly helper: HelperMesh;
  readonly triangles: Uint32Array;
  readonly elastic: ElasticEnergy;
  /** The helper mesh and the surface before contact. */
  readonly rest: Float64Array;
  readonly surface: Float64Array;
  readonly contacts: Contacts;
  /** Length over which a dent is felt [half sizes]. */
  readonly reach: number;
  /** Factor on the foundation per helper vertex. */
  readonly hold: Float64Array;
  readonly holdCentroid: boolean;
  /** Volume of the surface before contact, and wanted after. */
  readonly volume: number;
  readonly targetVolume: number;
}

export class FrameEnergy implements Objective {
  /** The surface at the positions that were evaluated last. */
  readonly carried: Float64Array;
  private pressure = 0;
  private readonly stiffness: number;
  private readonly foundation: number;
  private readonly forces: Float64Array;
  private readonly totalMass: number;

  constructor(private readonly problem: FrameProblem) {
    this.carried = new Float64Array(problem.surface.length);
    this.forces = new Float64Array(problem.surface.length);
    this.stiffness = VOLUME / problem.volume;
    this.foundation = MU / (problem.reach * problem.reach);
    this.totalMass = problem.elastic.masses.reduce((sum, mass) => sum + mass, 0);
  }

  evaluate(x: Float64Array, gradient: Float64Array): number {
    const { elastic, contacts, triangles, targetVolume } = this.problem;
    const { forces } = this;
    gradient.fill(0);
    forces.fill(0);
    this.carry(x, this.carried);
    let energy = elastic.add(x, gradient) + this.addFoundation(x, gradient);
    if (this.problem.holdCentroid) energy += this.addCentroid(x, gradient);
    energy += contacts.add(this.carried, forces);
    const off = volumeOf(this.carried, triangles) - targetVolume;
    energy += this.pressure * off + 0.5 * this.stiffness * off * off;
    addVolumeGradient(this.carried, triangles, this.pressure + this.stiffness * off, forces);
    this.giveBack(gradient);
    return energy;
  }

  /** The surface that the helper mesh carries: rest surface + W (x − X). */
  carry(x: Float64Array, out: Float64Array): void {
    const { surface, rest } = this.problem;
    const { tetrahedra, carriers, weights } = this.problem.helper;
    for (let v = 0; v < carriers.length; v++) {
      let dx = 0;
      let dy = 0;
      let dz = 0;
      for (let k = 0; k < 4; k++) {
        const weight = weights[4 * v + k];
        const corner = 3 * tetrahedra[4 * carriers[v] + k];
        dx += weight * (x[corner] - rest[corner]);
        dy += weight * (x[corner + 1] - rest[corner + 1]);
        dz += weight * (x[corner + 2] - rest[corner + 2]);
      }
      out[3 * v] = surface[3 * v] + dx;
      out[3 * v + 1] = surface[3 * v + 1] + dy;
      out[3 * v + 2] = surface[3 * v + 2] + dz;
    }
  }

  /** Wᵀ × forces, added to the gradient. */
  private giveBack(gradient: Float64Array): void {
    const { tetrahedra, carriers, weights } = this.problem.helper;
    const { forces } = this;
    for (let v = 0; v < carriers.length; v++) {
      for (let k = 0; k < 4; k++) {
        const weight = weights[4 * v + k];
        const corner = 3 * tetrahedra[4 * carriers[v] + k];
        gradient[corner] += weight * forces[3 * v];
        gradient[corner + 1] += weight * forces[3 * v + 1];
        gradient[corner + 2] += weight * forces[3 * v + 2];
      }
    }
  }

  private addFoundation(x: Float64Array, gradient: Float64Array): number {
    const { rest, hold, elastic } = this.problem;
    let energy = 0;
    for (let i = 0; i < hold.length; i++) {
      const stiffness = this.foundation * elastic.masses[i] * hold[i];
      for (let k = 3 * i; k < 3 * i + 3; k++) {
        const off = x[k] - rest[k];
        energy += 0.5 * stiffness * off * off;
        gradient[k] += stiffness * off;
      }
    }
    return energy;
  }

  private addCentroid(x: Float64Array, gradient: Float64Array): number {
    const { rest, elastic } = this.problem;
    const { masses } = elastic;
    let energy = 0;
    for (let k = 0; k < 3; k++) {
      let mean = 0;
      for (let i = 0; i < masses.length; i++) mean += masses[i] * (x[3 * i + k] - rest[3 * i + k]);
      mean /= this.totalMass;
      energy += 0.5 * CENTROID * this.totalMass * mean * mean;
      for (let i = 0; i < masses.length; i++) gradient[3 * i + k] += CENTROID * masses[i] * mean;
    }
    return energy;
  }

  /**
   * Finds the planes of contact anew for what was evaluated last, and changes the gradient by what that changes.
   * @param value that was evaluated. Returns what it is now.
   */
  renewPlanes(value: number, gradient: Float64Array): number {
    const { contacts } = this.problem;
    const { forces, carried } = this;
    forces.fill(0);
    const before = contacts.add(carried, forces);
    for (let i = 0; i < forces.length; i++) forces[i] = -forces[i];
    contacts.list(carried);
    const after = contacts.add(carried, forces);
    this.giveBack(gradient);
    return value - before + after;
  }

  /** Raises the multiplier of the volume by what is left of it; returns that, as a share. */
  press(positions: Float64Array): number {
    const { triangles, targetVolume, volume } = this.problem;
    const off = volumeOf(positions, triangles) - targetVolume;
    this.pressure += this.stiffness * off;
    return Math.abs(off) / volume;
  }
}
