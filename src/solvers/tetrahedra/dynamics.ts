// The step of a body of tetrahedra: implicit elasticity with contact inside, then positions to their volumes and velocities
// to no change of volume, in solves apart. The order of things is in the README.
// Based on: G. Irving, C. Schroeder, R. Fedkiw, 2007; incremental pressure, contact in the elastic solve, release by the sign of
// the impulse and listing contacts anew in each Newton step are ours.

import type { KernelTeam } from '../../kernels/kernel-team.js';
import type { ActiveContacts, ContactSource } from './contact-rows.js';
import { ContactSet } from './contact-set.js';
import { type ElasticDamping, ElasticStep } from './elastic-step.js';
import type { Material } from './materials.js';
import { TetraMemory } from './memory.js';
import type { FibreForce } from './muscle.js';
import { BROKEN, CONTACT_PASSES, FAR, FORESEEN, NEWTON_LIMIT, SPARE } from './newton-limits.js';
import { buildPressurePattern, type PressurePattern } from './pressure-matrix.js';
import { PRESSURE_TOLERANCE, type Preconditioner, PressureSolve } from './pressure-solve.js';
import type { TetraRest } from './rest.js';
import { RingVolumes } from './ring-volumes.js';
import { LARGE } from './runs.js';
import type { StepReport } from './step-report.js';
import { writeVolumeRate } from './volume-error.js';
import { VolumeRestoring } from './volume-restoring.js';

/** Until every tetrahedron has had this share of its volume once, pressure rests: a ring of inverted ones may have its volume. */
const UNTANGLED = 0.1;
/**
 * Or until none has been inverted for so many steps: without pressure a mirrored ball that lay on a floor kept two or three elements of
 * 600 at some hundredths of their volumes for good.
 */
const PATIENCE = 24;
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
  /** Whether WebAssembly may do the work; the bits are the same. */
  readonly kernels?: boolean;
  /** Threads that may share its work, where it is large. */
  readonly threads?: number;
  /** Shared by copies of a body. */
  readonly pattern?: PressurePattern;
}

export class TetraDynamics {
  /** x [m], v [m/s] and nodal pressure [Pa]. The pressure is for the next step: it holds null vectors and shows nothing. */
  readonly positions: Float64Array;
  readonly velocities: Float64Array;
  readonly pressure: Float64Array;
  readonly masses: Float64Array;
  /** 1 for nodes whose velocity is prescribed: it is what `velocities` holds of them. */
  readonly pinned: Uint8Array;
  /** 1 where all tetrahedra have been positive since the last `restart`; 2 and more while none is inverted any longer. */
  readonly untangled = new Uint8Array(1);

  // What a step works on; `coupled-step` takes several bodies through it.
  readonly contactSet: ContactSet;
  private readonly elastic: ElasticStep;
  readonly pressureSolve: PressureSolve;
  /** For who moves nodes from outside. */
  readonly restoring: VolumeRestoring;
  readonly rings: RingVolumes;
  readonly start: Float64Array;
  readonly before: Float64Array;
  readonly force: Float64Array;
  readonly landing: Float64Array;
  readonly gamma: Float64Array;
  readonly next: Float64Array;
  readonly moved: Float64Array;
  /** p̂ [Pa·s] of the first solve of a step, which is nearly that of its last; and of those between. */
  readonly phat: Float64Array;
  readonly correction: Float64Array;
  readonly rate: Float64Array;
  private readonly perTetra: Float64Array;
  /** Volumes of one-rings that the step is to end with. */
  readonly wantedRings: Float64Array;
  private pressureIterations = 0;
  /** Threads that share its work. */
  readonly team: KernelTeam | undefined;

  constructor(
    readonly rest: TetraRest,
    public options: DynamicsOptions,
  ) {
    const { count, tetraCount } = rest;
    const pattern = options.pattern ?? buildPressurePattern(rest);
    const make = (memory: TetraMemory) => {
      const pinned = memory.bytes(count);
      const masses = memory.share(rest.massShares.map((share) => share * options.mass));
      const contactSet = new ContactSet(rest, pinned, memory);
      const pressureSolve = new PressureSolve(rest, pattern, options.preconditioner, memory);
      const rings = new RingVolumes(rest, memory);
      return {
        pinned,
        masses,
        contactSet,
        elastic: new ElasticStep(rest, memory, masses, contactSet, options.material, options.muscle),
        pressureSolve,
        rings,
        restoring: new VolumeRestoring(rest, masses, pressureSolve, rings, memory),
        vectors: Array.from({ length: 9 }, () => memory.reals(3 * count)),
        scalars: Array.from({ length: 5 }, () => memory.reals(count)),
        perTetra: memory.reals(tetraCount),
        team: memory.team,
      };
    };
    const { kernels = false, threads } = options;
    const parts = TetraMemory.build(make, kernels, tetraCount >= LARGE, threads);
    this.team = parts.team;
    this.pinned = parts.pinned;
    this.masses = parts.masses;
    this.contactSet = parts.contactSet;
    this.elastic = parts.elastic;
    this.pressureSolve = parts.pressureSolve;
    this.rings = parts.rings;
    this.restoring = parts.restoring;
    [this.positions, this.velocities, this.before, this.force] = parts.vectors;
    [this.landing, this.gamma, this.next, this.moved, this.start] = parts.vectors.slice(4);
    [this.pressure, this.phat, this.correction] = parts.scalars;
    [this.rate, this.wantedRings] = parts.scalars.slice(3);
    this.perTetra = parts.perTetra;
    this.positions.set(rest.mesh.positions);
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
    const report = this.tryStep(timeStep, gravity, source);
    if (report) return report;
    this.pressure.fill(0);
    return this.finish(timeStep, this.solveElastic(timeStep, gravity, source), 0);
  }

  /**
   * The same, if volumes can be kept: otherwise nothing, and the body is as it was. A shorter step may do, or `step`, where pressure
   * rests until elasticity has untangled the body.
   */
  tryStep(timeStep: number, gravity: ArrayLike<number>, source?: ContactSource): StepReport | undefined {
    const { velocities: v, start } = this;
    this.pressureIterations = 0;
    start.set(v);
    const elasticIterations = this.solveElastic(timeStep, gravity, source);
    let newtonSteps = 0;
    if (this.options.incompressible && this.isFreeOfTangles()) {
      this.landing.set(v);
      this.contactSet.land(this.landing, timeStep);
      newtonSteps = this.correctPositions(timeStep, source);
      if (newtonSteps === 0) {
        v.set(start);
        return undefined;
      }
    }
    return this.finish(timeStep, elasticIterations, newtonSteps);
  }

  /** From velocities after the elastic solve and, with Newton steps, positions that have their volumes. */
  private finish(timeStep: number, elasticIterations: number, newtonSteps: number): StepReport {
    const { positions: x, velocities: v, contactSet, landing, next } = this;
    if (newtonSteps === 0) {
      landing.set(v);
      contactSet.land(landing, timeStep);
      for (let k = 0; k < x.length; k++) next[k] = x[k] + timeStep * landing[k];
    }
    this.correctVelocities(timeStep, newtonSteps > 0);
    x.set(next);
    contactSet.remember(v, this.masses, timeStep);
    this.restoreMotion();
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
    return this.rings.measure(x, wanted);
  }

  /** Gives a free body the momentum that it is to have. */
  restoreMotion(): void {
    if (this.isFree()) this.elastic.restoreMotion(this.positions, this.velocities);
  }

  /** Impulses of nodes [N·s] at the end of the step that are part of that momentum. */
  addToMotion(impulses: Float64Array): void {
    if (this.isFree()) this.elastic.addToMotion(this.next, impulses);
  }

  /** Whether no obstacle and no pin bears the body's momentum. */
  private isFree(): boolean {
    return this.contacts.count === 0 && !this.pinned.includes(1);
  }

  /**
   * v ← v*, with the contacts at hand, the last step's pressure and what `outer` adds as forces [N]; then contacts that this has
   * made.
   */
  solveElastic(
    timeStep: number,
    gravity: ArrayLike<number>,
    source?: ContactSource,
    outer?: (force: Float64Array) => void,
  ): number {
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
    outer?.(force);
    const iterations = this.elastic.run(x, v, timeStep, gravity, force, options, this.isFree());
    for (let k = 0; k < moved.length; k++) moved[k] = timeStep * v[k];
    contactSet.addPenetrating(moved, 0);
    return iterations;
  }

  /** Positions to their volumes: the first solve with active-set passes, then Newton's method. Returns Newton steps; 0 where it failed. */
  private correctPositions(timeStep: number, source?: ContactSource): number {
    const { positions: x, landing, gamma, next, moved, contactSet } = this;
    const { tolerance, newtonLimit = NEWTON_LIMIT } = this.options;
    this.beginPositions(timeStep);
    for (let pass = 0; pass < CONTACT_PASSES; pass++) {
      this.placeLanding(timeStep, pass === 0);
      this.solvePressure(this.phat, pass > 0);
      for (let k = 0; k < next.length; k++) {
        moved[k] = timeStep * (landing[k] + gamma[k]);
        next[k] = x[k] + moved[k];
      }
      if (!contactSet.addPenetrating(moved, contactSet.touch)) break;
      contactSet.land(landing, timeStep);
      this.pressureSolve.outdate();
    }
    let steps = 1;
    let farthest = this.measureRings(next, this.wantedRings);
    while (steps <= newtonLimit && farthest > tolerance) {
      if (!(farthest < FAR)) return 0;
      contactSet.relist(next, this.velocities, timeStep, source);
      this.placeNewton(timeStep);
      this.solvePressure(this.correction, false, (SPARE * tolerance) / timeStep);
      for (let k = 0; k < next.length; k++) next[k] += timeStep * gamma[k];
      farthest = this.measureRings(next, this.wantedRings);
      steps++;
    }
    return farthest <= tolerance || farthest < BROKEN ? steps : 0;
  }

  /** The volumes that the step is to end with: those at rest, or as far towards them as the recovery time allows. */
  beginPositions(timeStep: number): void {
    const { positions: x, rest, rings, perTetra, rate, wantedRings } = this;
    const { recoveryTime } = this.options;
    wantedRings.set(rest.ringVolumes);
    if (!(recoveryTime > 0)) return;
    rings.measure(x);
    writeVolumeRate(rest, rings.volumesAt(x), timeStep, recoveryTime, perTetra, rate, rings.sum);
    for (let k = 0; k < rate.length; k++) wantedRings[k] = rings.sums[k] - timeStep * rate[k];
  }

  /**
   * Takes the pressure solve to where the landing velocities lead, and to what volumes miss there: then it leaves what its own
   * correction does to them in second order, not what the motion does. Far from the volumes, to where the step began.
   */
  placeLanding(timeStep: number, isFirst: boolean): void {
    const { positions: x, landing, next, pressureSolve, contactSet } = this;
    for (let k = 0; k < next.length; k++) next[k] = x[k] + timeStep * landing[k];
    if (this.measureRings(next, this.wantedRings) < FORESEEN) {
      this.placeNewton(timeStep, isFirst);
      return;
    }
    pressureSolve.place(x);
    pressureSolve.prepare(contactSet.projection, isFirst);
    this.writeLandingRate(timeStep);
  }

  /** What pressure is to do about the landing velocities. */
  writeLandingRate(timeStep: number): void {
    const { pressureSolve, landing, rate, rings, wantedRings } = this;
    pressureSolve.divergence(landing, rate);
    rings.measure(this.positions);
    for (let k = 0; k < rate.length; k++) rate[k] = (wantedRings[k] - rings.sums[k]) / timeStep - rate[k];
  }

  /** Takes the pressure solve to the positions being built, and to what they miss. */
  placeNewton(timeStep: number, isFirst = false): void {
    const { pressureSolve, contactSet, next, rings, rate, wantedRings } = this;
    pressureSolve.place(next);
    pressureSolve.prepare(contactSet.projection, isFirst);
    rings.measure(next);
    for (let k = 0; k < rate.length; k++) rate[k] = (wantedRings[k] - rings.sums[k]) / timeStep;
  }

  /** Takes the pressure solve to velocities at the new positions. */
  placeVelocities(): void {
    const { pressureSolve, contactSet, velocities, rate } = this;
    pressureSolve.settle();
    pressureSolve.place(this.next);
    pressureSolve.prepare(contactSet.projection, false);
    pressureSolve.divergence(velocities, rate);
    for (let k = 0; k < rate.length; k++) rate[k] = -rate[k];
  }

  /** v ← v*, with the obstacles' speeds, without change of volume at the new positions; the pressure gains what that took. */
  private correctVelocities(timeStep: number, isPressed: boolean): void {
    const { velocities: v, contactSet, masses, gamma, before, pressure, phat, force } = this;
    before.set(v);
    contactSet.follow(v);
    contactSet.addImpulses(masses, v, before);
    if (!isPressed) return;
    this.placeVelocities();
    this.solvePressure(phat, true);
    for (let k = 0; k < pressure.length; k++) pressure[k] += phat[k] / timeStep;
    for (let k = 0; k < v.length; k++) v[k] += gamma[k];
    // What the projection took of the pressure's impulse.
    this.pressureSolve.writeForce(phat, force);
    for (let n = 0, k = 0; n < masses.length; n++) {
      for (let c = 0; c < 3; c++, k++) before[k] = masses[n] * gamma[k];
    }
    contactSet.addMomenta(before, force);
  }

  /** γ and p̂ for the rate; `isWarm`: from what p̂ is. */
  private solvePressure(phat: Float64Array, isWarm: boolean, spare = 0): void {
    const { pressureSolve, contactSet, rate, gamma } = this;
    const { iterations } = pressureSolve.solve(
      contactSet.projection,
      rate,
      phat,
      gamma,
      PRESSURE_TOLERANCE,
      isWarm,
      spare,
    );
    this.pressureIterations += iterations;
  }

  /** The gate of the start: whether tetrahedra have come out of a tangle. Once they have, volumes are kept for good. */
  isFreeOfTangles(): boolean {
    if (this.isUntangled) return true;
    const { rest, pressure } = this;
    const volumes = this.rings.volumesAt(this.positions);
    let least = Infinity;
    for (let t = 0; t < volumes.length; t++) least = Math.min(least, volumes[t] / rest.volumes[t]);
    const positiveSteps = least > 0 ? Math.max(1, this.untangled[0]) : 0;
    const isOpen = least > UNTANGLED || positiveSteps > PATIENCE;
    this.untangled[0] = isOpen ? 1 : least > 0 ? positiveSteps + 1 : 0;
    if (!this.isUntangled) for (let k = 0; k < pressure.length; k++) pressure[k] *= RESTING_PRESSURE;
    return this.isUntangled;
  }
}
