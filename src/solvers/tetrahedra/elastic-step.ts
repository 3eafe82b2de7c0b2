// The implicit elastic part of a step: backward Euler, linearised once, with contacts and pins left out of the changes.

import { createRigidMotion, measureRigidMotion, type RigidMotion, restoreRigidMotion } from '../rigid-motion.js';
import { ConjugateGradients } from './conjugate-gradients.js';
import type { ContactSet } from './contact-set.js';
import { Elements } from './elements.js';
import type { Material } from './materials.js';
import type { TetraMemory } from './memory.js';
import type { FibreForce } from './muscle.js';
import type { TetraRest } from './rest.js';
import { StiffnessMatrix } from './stiffness-matrix.js';

/** Of the residual: a tighter one changes nothing that can be seen after the pressure solve. */
const TOLERANCE = 1e-3;
const MOST_ITERATIONS = 1000;

export interface ElasticDamping {
  /** a [1/s], of the velocity. */
  readonly massDamping: number;
  /** β [s], of the rate of strain. */
  readonly stiffnessDamping: number;
}

export class ElasticStep {
  readonly elements: Elements;
  private readonly solver: ConjugateGradients;
  private readonly matrix: StiffnessMatrix;
  private readonly forces: Float64Array;
  private readonly rhs: Float64Array;
  private readonly change: Float64Array;
  private readonly product: Float64Array;
  /** Of a free body: how all of it changes its velocity [m/s], and the momentum that it is to have. */
  private readonly mean = new Float64Array(3);
  private readonly kept = createRigidMotion();
  private readonly filter = (field: Float64Array): void => this.contacts.projection.filter(field);

  constructor(
    rest: TetraRest,
    memory: TetraMemory,
    private readonly masses: Float64Array,
    private readonly contacts: ContactSet,
    material: Material,
    muscle?: FibreForce,
  ) {
    const vectors = () => memory.reals(3 * rest.count);
    this.elements = new Elements(rest, material, muscle, memory);
    this.solver = new ConjugateGradients(rest.count, memory);
    this.matrix = new StiffnessMatrix(rest, memory);
    [this.forces, this.rhs, this.change, this.product] = [vectors(), vectors(), vectors(), vectors()];
  }

  /**
   * v ← v + Δv with (M(1+aΔt) + Δt(Δt+β)K) Δv = Δt (f − aMv − (Δt+β)Kv), f elastic, weight and what `outer` [N] adds. The
   * contacts' impulses gain what they had to add. Returns iterations.
   */
  run(
    x: Float64Array,
    v: Float64Array,
    timeStep: number,
    gravity: ArrayLike<number>,
    outer: Float64Array,
    damping: ElasticDamping,
    isFree: boolean,
  ): number {
    const { masses, forces, rhs, change, product, matrix, mean } = this;
    const { massDamping, stiffnessDamping } = damping;
    this.elements.assemble(x, forces, matrix, true, timeStep * (timeStep + stiffnessDamping));
    matrix.multiply(v, product);
    const [gx, gy, gz] = [gravity[0], gravity[1], gravity[2]];
    for (let n = 0, k = 0; n < masses.length; n++, k += 3) {
      const m = masses[n];
      rhs[k] = timeStep * (forces[k] + outer[k] + m * (gx - massDamping * v[k])) - product[k];
      rhs[k + 1] = timeStep * (forces[k + 1] + outer[k + 1] + m * (gy - massDamping * v[k + 1])) - product[k + 1];
      rhs[k + 2] = timeStep * (forces[k + 2] + outer[k + 2] + m * (gz - massDamping * v[k + 2])) - product[k + 2];
    }
    const inertia = 1 + massDamping * timeStep;
    matrix.addMasses(masses, inertia);
    if (isFree) this.takeMotion(x, v, timeStep, gravity, outer, inertia);
    const iterations = this.solver.solve(matrix, rhs, this.filter, change, TOLERANCE, MOST_ITERATIONS);
    const { active } = this.contacts;
    if (active.count > 0) matrix.multiply(change, product);
    this.contacts.addMomenta(product, rhs);
    if (!isFree) mean.fill(0);
    for (let k = 0; k < v.length; k += 3) {
      v[k] += change[k] + mean[0];
      v[k + 1] += change[k + 1] + mean[1];
      v[k + 2] += change[k + 2] + mean[2];
    }
    return iterations;
  }

  /** Adds impulses of nodes [N·s] at positions x to that momentum. */
  addToMotion(x: Float64Array, impulses: Float64Array): void {
    const { masses, kept } = this;
    kept.centre.fill(0);
    for (let n = 0, k = 0; n < masses.length; n++, k += 3) {
      for (let c = 0; c < 3; c++) kept.centre[c] += (masses[n] * x[k + c]) / kept.mass;
    }
    addMoments(x, impulses, 1, kept);
  }

  /** The rigid field that gives a free body, at the end of its step, the momentum that it is to have. */
  restoreMotion(x: Float64Array, v: Float64Array): void {
    restoreRigidMotion(x, v, this.masses, this.kept);
  }

  /**
   * A free body moves as a whole by what pulls at all of it, exactly: that is taken from the right-hand side, so that the
   * solve is left with what deforms it. Linearised steps lose spin (0.3 % of a ball's in 60 steps of 1/240 s), so the momentum
   * to restore is noted.
   */
  private takeMotion(
    x: Float64Array,
    v: Float64Array,
    timeStep: number,
    gravity: ArrayLike<number>,
    outer: Float64Array,
    inertia: number,
  ): void {
    const { rhs, masses, mean, kept } = this;
    measureRigidMotion(x, v, masses, kept);
    mean.fill(0);
    for (let k = 0; k < rhs.length; k += 3) for (let c = 0; c < 3; c++) mean[c] += rhs[k + c] / (inertia * kept.mass);
    for (let n = 0, k = 0; n < masses.length; n++, k += 3) {
      for (let c = 0; c < 3; c++) rhs[k + c] -= inertia * masses[n] * mean[c];
    }
    for (let c = 0; c < 3; c++) kept.linear[c] += timeStep * kept.mass * gravity[c];
    addMoments(x, outer, timeStep, kept);
    for (let c = 0; c < 3; c++) {
      kept.linear[c] /= inertia;
      kept.angular[c] /= inertia;
    }
  }
}

/** Adds what forces [N] at positions x do in this time [s] to linear and angular momentum, the latter about the centre. */
function addMoments(
  x: Float64Array,
  forces: Float64Array,
  time: number,
  { centre, linear, angular }: RigidMotion,
): void {
  for (let k = 0; k < x.length; k += 3) {
    const [fx, fy, fz] = [time * forces[k], time * forces[k + 1], time * forces[k + 2]];
    const [rx, ry, rz] = [x[k] - centre[0], x[k + 1] - centre[1], x[k + 2] - centre[2]];
    linear[0] += fx;
    linear[1] += fy;
    linear[2] += fz;
    angular[0] += ry * fz - rz * fy;
    angular[1] += rz * fx - rx * fz;
    angular[2] += rx * fy - ry * fx;
  }
}
