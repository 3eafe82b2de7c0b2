// The step of a body of tetrahedra: implicit elasticity with contact inside, then positions to their volumes and velocities
// to no change of volume, in solves apart. The order of things is in the README.
// Based on: G. Irving, C. Schroeder, R. Fedkiw, 2007; incremental pressure, contact in the elastic solve, release by the sign of
// the impulse and listing contacts anew in each Newton step are ours.

import type { ActiveContacts, ContactSource } from './contact-rows.js';
import { ContactSet } from './contact-set.js';
import { type ElasticDamping, ElasticStep } from './elastic-step.js';
import type { Material } from './materials.js';
import type { FibreForce } from './muscle.js';
import { buildPressurePattern, type PressurePattern } from './pressure-matrix.js';
import { type Preconditioner, PressureSolve } from './pressure-solve.js';
import type { TetraRest } from './rest.js';
import { largestRingError, writeRingSums, writeVolumes } from './ring-operators.js';
import { writeVolumeRate } from './volume-error.js';

/** Passes in which nodes that the pressure would push into obstacles join the contacts. */
const CONTACT_PASSES = 3;
/** Newton steps on volumes after the first. */
const NEWTON_LIMIT = 6;
/** Until every tetrahedron has had this share of its volume once, pressure rests: a ring of inverted ones may have its volume. */
const UNTANGLED = 0.1;
/**
 * A ring that Newton's method leaves this far from its volume is broken: the step is taken without pressure, and pressure rests
 * until the tangle is out. A ball of 4 % of its height whose plates stop at once grew beyond all bounds without this.
 */
const BROKEN = 0.5;
/** What the pressure keeps per step meanwhile. */
const RESTING_PRESSURE = 0.9;

export interface DynamicsOptions extends ElasticDamping {
  /** Extended to all stretches. */
  readonly material: Material;
  /** Of the whole body [kg]. */
  readonly mass: number;
  /** Whether one-rings keep their volumes; otherwise the material alone resists. */
  readonly incompressible: boolean;
  /** Largest |V/V⁰ − 1| of a one-ring that Newton's method may leave. */
  readonly tolerance: number;
  /** Shortest time in which a lost volume comes back [s]; 0 for at once. */
  readonly recoveryTime: number;
  readonly muscle?: FibreForce;
  readonly preconditioner?: Preconditioner;
  readonly newtonLimit?: number;
  /** Shared by copies of a body. */
  readonly pattern?: PressurePattern;
}

export interface StepReport {
  /** Newton steps, the first one included; 0 where there was no pressure solve. */
  readonly newtonSteps: number;
  readonly elasticIterations: number;
  readonly pressureIterations: number;
  /** Largest |V/V⁰ − 1| of a one-ring at the end. */
  readonly ringError: number;
  readonly contacts: number;
}

export class TetraDynamics {
  /** x [m], v [m/s] and nodal pressure [Pa]. The pressure is for the next step: it holds null vectors and shows nothing. */
  readonly positions: Float64Array;
  readonly velocities: Float64Array;
  readonly pressure: Float64Array;
  readonly masses: Float64Array;
  /** 1 for nodes whose velocity is prescribed: it is what `velocities` holds of them. */
  readonly pinned: Uint8Array;
  /** 1 where all tetrahedra have been positive since the last `restart`. */
  readonly untangled = new Uint8Array(1);

  private readonly contactSet: ContactSet;
  private readonly elastic: ElasticStep;
  readonly pressureSolve: PressureSolve;
  private readonly before: Float64Array;
  private readonly force: Float64Array;
  private readonly landing: Float64Array;
  private readonly gamma: Float64Array;
  private readonly next: Float64Array;
  private readonly moved: Float64Array;
  private readonly phat: Float64Array;
  private readonly rate: Float64Array;
  private readonly error: Float64Array;
  private readonly rings: Float64Array;
  private readonly volumes: Float64Array;
  private readonly perTetra: Float64Array;
  /** Volumes that the step is to end with. */
  private readonly wanted: Float64Array;
  private readonly wantedRings: Float64Array;
  private pressureIterations = 0;

  constructor(
    readonly rest: TetraRest,
    public options: DynamicsOptions,
  ) {
    const { count, tetraCount } = rest;
    const vectors = () => new Float64Array(3 * count);
    const scalars = () => new Float64Array(count);
    const perTetra = () => new Float64Array(tetraCount);
    this.positions = rest.mesh.positions.slice();
    this.velocities = vectors();
    this.pressure = scalars();
    this.masses = rest.massShares.map((share) => share * options.mass);
    this.pinned = new Uint8Array(count);
    this.contactSet = new ContactSet(rest, this.pinned);
    this.elastic = new ElasticStep(rest, this.masses, this.contactSet, options.material, options.muscle);
    this.pressureSolve = new PressureSolve(rest, options.pattern ?? buildPressurePattern(rest), options.preconditioner);
    [this.before, this.force, this.landing] = [vectors(), vectors(), vectors()];
    [this.gamma, this.next, this.moved] = [vectors(), vectors(), vectors()];
    [this.phat, this.rate, this.error] = [scalars(), scalars(), scalars()];
    [this.rings, this.wantedRings] = [scalars(), scalars()];
    [this.volumes, this.perTetra, this.wanted] = [perTetra(), perTetra(), perTetra()];
  }

  /** Contacts of the last step, with their impulses [N·s]. */
  get contacts(): ActiveContacts {
    return this.contactSet.active;
  }

  /** Live arrays by name: what outlives a step. */
  state() {
    const { positions, velocities, pressure, untangled } = this;
    return { positions, velocities, pressure, untangled, ...this.contactSet.memory.state() };
  }

  set material(material: Material) {
    this.elastic.elements.material = material;
  }

  /** Forgets pressure and contacts, for a body whose nodes were placed anew. */
  restart(): void {
    this.pressure.fill(0);
    this.contactSet.forget();
    this.untangled[0] = 0;
  }

  /** Whether all tetrahedra have been positive since the last `restart`. */
  get isUntangled(): boolean {
    return this.untangled[0] === 1;
  }

  /** One step of `timeStep` [s] under gravity [m/s²] and, where given, the contacts of obstacles. */
  step(timeStep: number, gravity: ArrayLike<number>, source?: ContactSource): StepReport {
    const { positions: x, velocities: v, contactSet, options, landing, next } = this;
    this.pressureIterations = 0;
    const elasticIterations = this.solveElastic(timeStep, gravity, source);
    let isPressed = options.incompressible && this.isFreeOfTangles();
    landing.set(v);
    contactSet.land(landing, timeStep);
    let newtonSteps = 0;
    if (isPressed) {
      newtonSteps = this.correctPositions(timeStep, source);
      isPressed = this.measureRings(next, this.wantedRings) < BROKEN;
      if (!isPressed) {
        this.pressure.fill(0);
        this.untangled[0] = 0;
      }
    }
    if (!isPressed) for (let k = 0; k < x.length; k++) next[k] = x[k] + timeStep * landing[k];
    this.correctVelocities(timeStep, isPressed);
    x.set(next);
    contactSet.remember(v, this.masses, timeStep);
    if (this.isFree()) this.elastic.restoreMotion(x, v);
    return {
      newtonSteps,
      elasticIterations,
      pressureIterations: this.pressureIterations,
      ringError: this.measureRings(x),
      contacts: this.contacts.count,
    };
  }

  /** Largest |V/V⁰ − 1| of a one-ring at positions x, or |V − wanted|/V⁰. */
  measureRings(x: Float64Array, wanted?: Float64Array): number {
    const { tetrahedra } = this.rest.mesh;
    writeVolumes(x, tetrahedra, this.volumes);
    writeRingSums(tetrahedra, this.volumes, this.rings);
    return largestRingError(this.rings, this.rest.ringVolumes, wanted);
  }

  /** Whether nothing outside the body bears its momentum. */
  private isFree(): boolean {
    return this.contacts.count === 0 && !this.pinned.includes(1);
  }

  /** v ← v*, with the contacts at hand and the last step's pressure as a force; then contacts that this has made. */
  private solveElastic(timeStep: number, gravity: ArrayLike<number>, source?: ContactSource): number {
    const { positions: x, velocities: v, contactSet, masses, before, force, moved, options } = this;
    contactSet.begin(x, v, masses, timeStep, source);
    before.set(v);
    contactSet.land(v, timeStep);
    contactSet.addImpulses(masses, v, before);
    force.fill(0);
    if (options.incompressible) {
      this.pressureSolve.place(x);
      this.pressureSolve.writeForce(this.pressure, force);
    }
    contactSet.addFriction(force, timeStep);
    const iterations = this.elastic.run(x, v, timeStep, gravity, force, options, this.isFree());
    for (let k = 0; k < moved.length; k++) moved[k] = timeStep * v[k];
    contactSet.addPenetrating(moved, 0);
    return iterations;
  }

  /** Positions to their volumes: the first solve with active-set passes, then Newton's method. Returns Newton steps. */
  private correctPositions(timeStep: number, source?: ContactSource): number {
    const { positions: x, landing, gamma, next, moved, rate, error, rest, contactSet, wanted, pressureSolve } = this;
    const { tetrahedra } = rest.mesh;
    const { recoveryTime, tolerance, newtonLimit = NEWTON_LIMIT } = this.options;
    writeVolumes(x, tetrahedra, this.volumes);
    writeVolumeRate(rest, this.volumes, timeStep, recoveryTime, this.perTetra, error);
    // The volumes at rest, or as far towards them as the recovery time allows.
    for (let t = 0; t < wanted.length; t++) wanted[t] = this.volumes[t] - timeStep * this.perTetra[t];
    writeRingSums(tetrahedra, wanted, this.wantedRings);
    for (let pass = 0; pass < CONTACT_PASSES; pass++) {
      pressureSolve.prepare(contactSet.projection);
      pressureSolve.divergence(landing, rate);
      for (let k = 0; k < rate.length; k++) rate[k] = -rate[k] - error[k];
      this.solvePressure();
      for (let k = 0; k < next.length; k++) {
        moved[k] = timeStep * (landing[k] + gamma[k]);
        next[k] = x[k] + moved[k];
      }
      if (!contactSet.addPenetrating(moved, contactSet.touch)) break;
      contactSet.land(landing, timeStep);
    }
    let steps = 1;
    while (steps <= newtonLimit && this.measureRings(next, this.wantedRings) > tolerance) {
      contactSet.relist(next, this.velocities, timeStep, source);
      pressureSolve.place(next);
      pressureSolve.prepare(contactSet.projection);
      writeVolumes(next, tetrahedra, this.volumes);
      for (let t = 0; t < wanted.length; t++) this.perTetra[t] = (wanted[t] - this.volumes[t]) / timeStep;
      writeRingSums(tetrahedra, this.perTetra, rate);
      this.solvePressure();
      for (let k = 0; k < next.length; k++) next[k] += timeStep * gamma[k];
      steps++;
    }
    return steps;
  }

  /** v ← v*, with the obstacles' speeds, without change of volume at the new positions; the pressure gains what that took. */
  private correctVelocities(timeStep: number, isPressed: boolean): void {
    const { velocities: v, contactSet, masses, gamma, rate, before, pressure, phat, force } = this;
    before.set(v);
    contactSet.follow(v);
    contactSet.addImpulses(masses, v, before);
    if (!isPressed) return;
    this.pressureSolve.place(this.next);
    this.pressureSolve.prepare(contactSet.projection);
    this.pressureSolve.divergence(v, rate);
    for (let k = 0; k < rate.length; k++) rate[k] = -rate[k];
    this.solvePressure();
    for (let k = 0; k < pressure.length; k++) pressure[k] += phat[k] / timeStep;
    for (let k = 0; k < v.length; k++) v[k] += gamma[k];
    // What the projection took of the pressure's impulse.
    this.pressureSolve.writeForce(phat, force);
    for (let k = 0; k < gamma.length; k++) before[k] = masses[Math.trunc(k / 3)] * gamma[k];
    contactSet.addMomenta(before, force);
  }

  /** γ and p̂ for the rate. */
  private solvePressure(): void {
    const { projection } = this.contactSet;
    this.pressureIterations += this.pressureSolve.solve(projection, this.rate, this.phat, this.gamma).iterations;
  }

  /** The gate of the start: whether tetrahedra have come out of a tangle. Once they have, volumes are kept for good. */
  private isFreeOfTangles(): boolean {
    if (this.isUntangled) return true;
    const { volumes, rest, pressure } = this;
    writeVolumes(this.positions, rest.mesh.tetrahedra, volumes);
    this.untangled[0] = volumes.every((volume, t) => volume > UNTANGLED * rest.volumes[t]) ? 1 : 0;
    if (!this.isUntangled) for (let k = 0; k < pressure.length; k++) pressure[k] *= RESTING_PRESSURE;
    return this.isUntangled;
  }
}
