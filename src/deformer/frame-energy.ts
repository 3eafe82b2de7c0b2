// The energy whose minimum is the frame: elasticity of the helper mesh, the foundation that holds it where the animator put it, contact
// and the volume of the surface that it carries.

import type { Contacts } from './contacts.js';
import { type ElasticEnergy, LAMBDA, MU } from './elastic-energy.js';
import type { FrameSolver } from './frame-solver.js';
import type { HelperMesh } from './helper-mesh.js';
import type { Objective } from './quasi-newton.js';
import { volumeOf } from './surface-volume.js';
import { writeScaled } from './vectors.js';

/** Stiffness by which the mean displacement is held: 1000 µ took 3 to 9 times the evaluations. */
const CENTROID = 10 * MU;
/** Stiffness of the volume, over the volume at rest. */
const VOLUME = 5 * LAMBDA;

export interface FrameProblem {
  readonly helper: HelperMesh;
  readonly triangles: Uint32Array;
  readonly elastic: ElasticEnergy;
  /** Where the energy's arrays are. */
  readonly solver: FrameSolver;
  /** The helper mesh and the surface before contact. */
  readonly rest: Float64Array;
  readonly surface: Float64Array;
  readonly contacts: Contacts;
  /** Length over which a dent is felt [half sizes]. */
  readonly reach: number;
  /** Factor on the foundation per helper vertex. */
  readonly hold: Float64Array;
  /** From 0 to 1. */
  readonly holdCentroid: number;
  /** Volume of the surface before contact, and wanted after. */
  readonly volume: number;
  readonly targetVolume: number;
}

export class FrameEnergy implements Objective {
  /** Of the volume. */
  readonly stiffness: number;
  private pressure = 0;
  /** Of elasticity, foundation and centroid, where it was evaluated last; their gradient is the solver's `inner`. */
  private innerEnergy = 0;
  /** How much volume there was too much at that place, and its energy. */
  private volumeOff = 0;
  private volumeEnergy = 0;
  private readonly totalMass: number;

  constructor(private readonly problem: FrameProblem) {
    const { elastic, hold, reach } = problem;
    const { carrier, springs } = problem.solver;
    carrier.begin(problem.rest, problem.surface);
    this.stiffness = VOLUME / problem.volume;
    const foundation = MU / (reach * reach);
    for (let i = 0; i < springs.length; i++) springs[i] = foundation * elastic.masses[i] * hold[i];
    this.totalMass = elastic.masses.reduce((sum, mass) => sum + mass, 0);
  }

  evaluate(x: Float64Array, gradient: Float64Array): number {
    this.innerEnergy = this.evaluateInner('add', x);
    return this.evaluateAgain(gradient);
  }

  settle(): void {
    this.problem.elastic.settle();
  }

  evaluateNear(x: Float64Array): number {
    const { contacts } = this.problem;
    this.innerEnergy = this.evaluateInner('addNear', x);
    this.measureVolume();
    return this.innerEnergy + this.volumeEnergy + contacts.listed.energyOf(this.problem.solver.carrier.carried);
  }

  /** What is inside the body has not changed since, only the planes of contact and the pressure. */
  evaluateAgain(gradient: Float64Array): number {
    this.measureVolume();
    return this.writeGradient(gradient);
  }

  /** Only the planes of contact have changed since: the volume's gradient is in the forces. */
  writeGradient(gradient: Float64Array): number {
    const { contacts } = this.problem;
    const { carrier, room, inner } = this.problem.solver;
    const { carried, forces } = carrier;
    writeScaled(room, forces, forces, (this.pressure + this.stiffness * this.volumeOff) / 6);
    const energy = this.innerEnergy + this.volumeEnergy + contacts.listed.add(carried, forces);
    gradient.set(inner);
    carrier.giveBack(gradient);
    return energy;
  }

  private evaluateInner(way: 'add' | 'addNear', x: Float64Array): number {
    const { elastic, holdCentroid, solver } = this.problem;
    const { carrier, inner } = solver;
    carrier.carry(x, carrier.carried);
    const energy = this.writeFoundation(x, inner) + elastic[way](x, inner);
    return holdCentroid > 0 ? energy + this.addCentroid(x, inner) : energy;
  }

  /** Writes six times the volume's gradient to the forces. */
  private measureVolume(): void {
    const off = this.problem.solver.carrier.writeVolumeGradient() - this.problem.targetVolume;
    this.volumeOff = off;
    this.volumeEnergy = this.pressure * off + 0.5 * this.stiffness * off * off;
  }

  /** The surface that the helper mesh carries. */
  carry(x: Float64Array, out: Float64Array): void {
    this.problem.solver.carrier.carry(x, out);
  }

  /** Writes what holds the helper mesh in its place to the gradient; returns the energy. */
  private writeFoundation(x: Float64Array, gradient: Float64Array): number {
    const { room, springs, carrier } = this.problem.solver;
    const { rest } = carrier;
    const kernels = room.kernelsFor(x, gradient, springs);
    if (kernels) {
      const places = [springs.byteOffset, x.byteOffset, rest.byteOffset, gradient.byteOffset] as const;
      return kernels.writeFoundation(springs.length, ...places);
    }
    let [ex, ey, ez] = [0, 0, 0];
    for (let i = 0; i < springs.length; i++) {
      const offX = x[3 * i] - rest[3 * i];
      const offY = x[3 * i + 1] - rest[3 * i + 1];
      const offZ = x[3 * i + 2] - rest[3 * i + 2];
      gradient[3 * i] = springs[i] * offX;
      gradient[3 * i + 1] = springs[i] * offY;
      gradient[3 * i + 2] = springs[i] * offZ;
      ex += springs[i] * offX * offX;
      ey += springs[i] * offY * offY;
      ez += springs[i] * offZ * offZ;
    }
    return 0.5 * (ex + ey + ez);
  }

  private addCentroid(x: Float64Array, gradient: Float64Array): number {
    const { rest, elastic, holdCentroid } = this.problem;
    const { masses } = elastic;
    const stiffness = CENTROID * holdCentroid;
    let energy = 0;
    for (let k = 0; k < 3; k++) {
      let mean = 0;
      for (let i = 0; i < masses.length; i++) mean += masses[i] * (x[3 * i + k] - rest[3 * i + k]);
      mean /= this.totalMass;
      energy += 0.5 * stiffness * this.totalMass * mean * mean;
      for (let i = 0; i < masses.length; i++) gradient[3 * i + k] += stiffness * masses[i] * mean;
    }
    return energy;
  }

  /** Finds the planes of contact anew for what was evaluated last, where they have changed. */
  renewPlanes(): void {
    this.problem.contacts.list(this.problem.solver.carrier.carried);
  }

  /** Raises the multiplier of the volume by what is left of it; returns that, as a share. */
  press(positions: Float64Array): number {
    const { triangles, targetVolume, volume } = this.problem;
    const off = volumeOf(positions, triangles) - targetVolume;
    this.pressure += this.stiffness * off;
    return Math.abs(off) / volume;
  }
}
