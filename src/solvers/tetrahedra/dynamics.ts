// The step of a body of tetrahedra: implicit elasticity with contact inside, then positions to their volumes and velocities
// to no change of volume, in solves apart. The order of things is in the README.
// Based on: G. Irving, C. Schroeder, R. Fedkiw, 2007; incremental pressure, contact in the elastic solve, release by the sign of
// the impulse and listing contacts anew in each Newton step are ours.

import { createRigidMotion, measureRigidMotion, restoreRigidMotion } from '../rigid-motion.js';
import { ConjugateGradients, multiplyBlocks } from './conjugate-gradients.js';
import { ContactProjection } from './contact-projection.js';
import { ActiveContacts, ContactRows, type ContactSource } from './contact-rows.js';
import { holdContacts, setNormalSpeeds } from './contact-speeds.js';
import { Elements } from './elements.js';
import type { Material } from './materials.js';
import type { FibreForce } from './muscle.js';
import { buildPressurePattern, type PressurePattern } from './pressure-matrix.js';
import { type Preconditioner, PressureSolve } from './pressure-solve.js';
import type { TetraRest } from './rest.js';
import { largestRingError, writeRingSums, writeVolumes } from './ring-operators.js';
import { writeVolumeRate } from './volume-error.js';

/** Of the elastic solve's residual: a tighter one changes nothing that can be seen after the pressure solve. */
const ELASTIC_TOLERANCE = 1e-3;
const ELASTIC_ITERATIONS = 1000;
/** Passes in which nodes that the pressure would push into obstacles join the contacts. */
const CONTACT_PASSES = 3;
/** Newton steps on volumes after the first. */
const NEWTON_LIMIT = 6;
/** In body sizes: nodes deeper in an obstacle than this join the contacts. */
const TOUCH = 1e-9;
/** In spacings: a contact that is remembered from the last step ends where the obstacle has gone farther than this. */
const REMEMBERED_GAP = 0.1;
/** Until every tetrahedron has had this share of its volume once, pressure rests: a ring of inverted ones may have its volume. */
const UNTANGLED = 0.1;
/**
 * A ring that Newton's method leaves this far from its volume is broken: the step is taken without pressure, and pressure rests
 * until the tangle is out. A ball of 4 % of its height whose plates stop at once grew beyond all bounds without this.
 */
const BROKEN = 0.5;
/** What the pressure keeps per step meanwhile. */
const RESTING_PRESSURE = 0.9;

export interface DynamicsOptions {
  /** Extended to all stretches. */
  readonly material: Material;
  /** Of the whole body [kg]. */
  readonly mass: number;
  /** Whether one-rings keep their volumes; otherwise the material alone resists. */
  readonly incompressible: boolean;
  /** Of the velocity [1/s], and of the rate of strain [s]. */
  readonly massDamping: number;
  readonly stiffnessDamping: number;
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
  /** Contacts of the last step, with their impulses [N·s]. */
  readonly contacts: ActiveContacts;
  readonly elements: Elements;
  /** Whether all tetrahedra have been positive since the last `restart`. */
  isUntangled = false;

  private readonly projection: ContactProjection;
  private readonly pressureSolve: PressureSolve;
  private readonly elasticSolve: ConjugateGradients;
  private readonly rows = new ContactRows();
  private readonly remembered: ActiveContacts;
  private readonly stiffness: Float64Array;
  private readonly forces: Float64Array;
  private readonly rhs: Float64Array;
  private readonly change: Float64Array;
  private readonly product: Float64Array;
  private readonly before: Float64Array;
  private readonly landing: Float64Array;
  private readonly gamma: Float64Array;
  private readonly next: Float64Array;
  private readonly moved: Float64Array;
  private readonly phat: Float64Array;
  private readonly rate: Float64Array;
  private readonly error: Float64Array;
  private readonly volumes: Float64Array;
  private readonly perTetra: Float64Array;
  /** Volumes that the step is to end with. */
  private readonly wanted: Float64Array;
  private readonly wantedRings: Float64Array;
  private readonly rings: Float64Array;
  private readonly mean = new Float64Array(3);
  private readonly kept = createRigidMotion();
  private readonly filter = (field: Float64Array): void => this.projection.filter(field);
  private pressureIterations = 0;

  constructor(
    readonly rest: TetraRest,
    public options: DynamicsOptions,
  ) {
    const { count, tetraCount } = rest;
    const vectors = () => new Float64Array(3 * count);
    const scalars = () => new Float64Array(count);
    this.positions = rest.mesh.positions.slice();
    this.velocities = vectors();
    this.pressure = scalars();
    this.masses = rest.massShares.map((share) => share * options.mass);
    this.pinned = new Uint8Array(count);
    this.contacts = new ActiveContacts(count);
    this.remembered = new ActiveContacts(count);
    this.elements = new Elements(rest, options.material, options.muscle);
    this.projection = new ContactProjection(scalars());
    this.pressureSolve = new PressureSolve(rest, options.pattern ?? buildPressurePattern(rest), options.preconditioner);
    this.elasticSolve = new ConjugateGradients(rest.neighbours);
    this.stiffness = new Float64Array(9 * rest.neighbours.columns.length);
    [this.forces, this.rhs, this.change, this.product] = [vectors(), vectors(), vectors(), vectors()];
    [this.before, this.landing, this.gamma, this.next, this.moved] = [
      vectors(),
      vectors(),
      vectors(),
      vectors(),
      vectors(),
    ];
    [this.phat, this.rate, this.error, this.rings] = [scalars(), scalars(), scalars(), scalars()];
    this.volumes = new Float64Array(tetraCount);
    this.perTetra = new Float64Array(tetraCount);
    this.wanted = new Float64Array(tetraCount);
    this.wantedRings = scalars();
  }

  /** Forgets pressure and contacts, for a body whose nodes were placed anew. */
  restart(): void {
    this.pressure.fill(0);
    this.contacts.clear();
    this.isUntangled = false;
  }

  /** One step of `timeStep` [s] under gravity [m/s²] and, where given, the contacts of obstacles. */
  step(timeStep: number, gravity: ArrayLike<number>, source?: ContactSource): StepReport {
    const { positions: x, velocities: v, projection, contacts, options, pressure } = this;
    for (let n = 0; n < this.masses.length; n++) projection.inverseMasses[n] = this.pinned[n] ? 0 : 1 / this.masses[n];
    this.pressureIterations = 0;
    this.before.set(v);
    this.beginContacts(timeStep, source);
    const elasticIterations = this.solveElastic(timeStep, gravity);
    let isPressed = options.incompressible && this.isFreeOfTangles();
    if (options.incompressible && !isPressed) {
      for (let k = 0; k < pressure.length; k++) pressure[k] *= RESTING_PRESSURE;
    }
    // Contacts that the elastic solve has made.
    this.addPenetrating(x, v, timeStep, 0);
    this.landing.set(v);
    setNormalSpeeds(contacts, projection, this.landing, timeStep);
    let newtonSteps = 0;
    if (isPressed) {
      newtonSteps = this.correctPositions(timeStep, source);
      isPressed = this.measureRings(this.next, this.wantedRings) < BROKEN;
      if (!isPressed) {
        pressure.fill(0);
        this.isUntangled = false;
      }
    }
    if (!isPressed) for (let k = 0; k < x.length; k++) this.next[k] = x[k] + timeStep * this.landing[k];
    this.correctVelocities(timeStep, isPressed);
    x.set(this.next);
    if (this.isFree()) restoreRigidMotion(x, v, this.masses, this.kept);
    const ringError = this.measureRings(x);
    return {
      newtonSteps,
      elasticIterations,
      pressureIterations: this.pressureIterations,
      ringError,
      contacts: contacts.count,
    };
  }

  /** Whether nothing outside the body bears its momentum. */
  private isFree(): boolean {
    return this.contacts.count === 0 && !this.pinned.includes(1);
  }

  /** Largest |V/V⁰ − 1| of a one-ring at positions x, or |V − wanted|/V⁰. */
  measureRings(x: Float64Array, wanted?: Float64Array): number {
    const { tetrahedra } = this.rest.mesh;
    writeVolumes(x, tetrahedra, this.volumes);
    writeRingSums(tetrahedra, this.volumes, this.rings);
    return largestRingError(this.rings, this.rest.ringVolumes, wanted);
  }

  /** Those of the last step that press, and those that would be passed within this one. */
  private beginContacts(timeStep: number, source?: ContactSource): void {
    const { positions: x, velocities: v, contacts, remembered, rows, rest } = this;
    remembered.clear();
    for (let i = 0; i < contacts.count; i++) if (contacts.impulses[i] > 0) remembered.take(contacts, i);
    contacts.clear();
    rows.clear();
    source?.list(x, v, timeStep, rows);
    for (let j = 0; j < rows.count; j++) {
      if (this.pinned[rows.nodes[j]]) continue;
      const isRemembered =
        remembered.find(rows.nodes[j], rows.obstacles[j]) >= 0 && rows.gaps[j] < REMEMBERED_GAP * rest.spacing;
      if (isRemembered || rows.gaps[j] + timeStep * rows.along(j, v) < 0) contacts.take(rows, j);
    }
    holdContacts(contacts, this.projection);
    setNormalSpeeds(contacts, this.projection, v, timeStep);
  }

  /** v ← v*: backward Euler, linearised once, with the last step's pressure as a force. Returns iterations. */
  private solveElastic(timeStep: number, gravity: ArrayLike<number>): number {
    const { positions: x, velocities: v, masses, forces, rhs, change, product, stiffness, rest, contacts } = this;
    const { massDamping, stiffnessDamping } = this.options;
    this.elements.assemble(x, forces, stiffness);
    if (this.options.incompressible) {
      this.pressureSolve.place(x);
      this.pressureSolve.writeForce(this.pressure, product);
      for (let k = 0; k < forces.length; k++) forces[k] += product[k];
    }
    multiplyBlocks(rest.neighbours, stiffness, v, product);
    const ahead = timeStep + stiffnessDamping;
    for (let n = 0, k = 0; n < masses.length; n++) {
      for (let c = 0; c < 3; c++, k++) {
        rhs[k] = timeStep * (forces[k] + masses[n] * (gravity[c] - massDamping * v[k]) - ahead * product[k]);
      }
    }
    const scale = timeStep * ahead;
    for (let k = 0; k < stiffness.length; k++) stiffness[k] *= scale;
    const { starts, columns } = rest.neighbours;
    for (let n = 0; n < masses.length; n++) {
      let s = starts[n];
      while (columns[s] !== n) s++;
      for (let k = 9 * s; k < 9 * s + 9; k += 4) stiffness[k] += masses[n] * (1 + massDamping * timeStep);
    }
    const inertia = 1 + massDamping * timeStep;
    const isFree = this.isFree();
    if (isFree) this.takeMotion(gravity, timeStep, inertia);
    const iterations = this.elasticSolve.solve(
      stiffness,
      rhs,
      this.filter,
      change,
      ELASTIC_TOLERANCE,
      ELASTIC_ITERATIONS,
    );
    // What contacts had to add: the reaction to the solve and the landing.
    multiplyBlocks(rest.neighbours, stiffness, change, product);
    for (let k = 0; k < product.length; k++) product[k] -= rhs[k];
    for (let i = 0; i < contacts.count; i++) {
      const landed = contacts.along(i, v) - contacts.along(i, this.before);
      contacts.impulses[i] += contacts.along(i, product) + masses[contacts.nodes[i]] * landed;
    }
    for (let k = 0; k < v.length; k++) v[k] += change[k] + (isFree ? this.mean[k % 3] : 0);
    return iterations;
  }

  /**
   * A free body moves as a whole by what pulls at all of it, exactly: that is taken from the right-hand side, so that the
   * solve is left with what deforms it, and `kept` becomes the momentum that it is to have. Linearised steps lose spin, 1 % in
   * a second at 240 steps, and turn bodies of uneven meshes.
   */
  private takeMotion(gravity: ArrayLike<number>, timeStep: number, inertia: number): void {
    const { rhs, masses, mean, kept } = this;
    measureRigidMotion(this.positions, this.velocities, masses, kept);
    mean.fill(0);
    for (let k = 0; k < rhs.length; k++) mean[k % 3] += rhs[k] / (inertia * kept.mass);
    for (let k = 0; k < rhs.length; k++) rhs[k] -= inertia * masses[Math.floor(k / 3)] * mean[k % 3];
    for (let c = 0; c < 3; c++) {
      kept.linear[c] = (kept.linear[c] + timeStep * kept.mass * gravity[c]) / inertia;
      kept.angular[c] /= inertia;
    }
  }

  /** Adds nodes that are deeper than `depth` [m] in an obstacle after x + Δt·v to the contacts; whether there were any. */
  private addPenetrating(x: Float64Array, v: Float64Array, timeStep: number, depth: number): boolean {
    const { rows, contacts, moved, positions } = this;
    // The rows' gaps are those of the step's start.
    for (let k = 0; k < moved.length; k++) moved[k] = x[k] + timeStep * v[k] - positions[k];
    let isNew = false;
    for (let j = 0; j < rows.count; j++) {
      if (this.pinned[rows.nodes[j]] || contacts.find(rows.nodes[j], rows.obstacles[j]) >= 0) continue;
      if (!(rows.gaps[j] + rows.along(j, moved) < -depth)) continue;
      contacts.take(rows, j);
      isNew = true;
    }
    if (isNew) holdContacts(contacts, this.projection);
    return isNew;
  }

  /** Positions to their volumes: the first solve with active-set passes, then Newton's method. Returns Newton steps. */
  private correctPositions(timeStep: number, source?: ContactSource): number {
    const { positions: x, velocities: v, landing, gamma, next, rate, error, rest, projection, contacts, wanted } = this;
    const { tetrahedra } = rest.mesh;
    const { recoveryTime, tolerance, newtonLimit = NEWTON_LIMIT } = this.options;
    writeVolumes(x, tetrahedra, this.volumes);
    writeVolumeRate(rest, this.volumes, timeStep, recoveryTime, this.perTetra, error);
    // What this step is to end with: the volumes at rest, or as far towards them as the recovery time allows.
    for (let t = 0; t < wanted.length; t++) wanted[t] = this.volumes[t] - timeStep * this.perTetra[t];
    writeRingSums(tetrahedra, wanted, this.wantedRings);
    const touch = TOUCH * rest.size;
    for (let pass = 0; pass < CONTACT_PASSES; pass++) {
      this.pressureSolve.prepare(projection);
      this.pressureSolve.divergence(landing, rate);
      for (let k = 0; k < rate.length; k++) rate[k] = -rate[k] - error[k];
      this.solvePressure(rate);
      for (let k = 0; k < next.length; k++) next[k] = x[k] + timeStep * (landing[k] + gamma[k]);
      if (!this.addPenetrating(next, v, 0, touch)) break;
      setNormalSpeeds(contacts, projection, landing, timeStep);
    }
    let steps = 1;
    while (steps <= newtonLimit && this.measureRings(next, this.wantedRings) > tolerance) {
      this.relist(timeStep, source);
      this.pressureSolve.place(next);
      this.pressureSolve.prepare(projection);
      writeVolumes(next, tetrahedra, this.volumes);
      for (let t = 0; t < wanted.length; t++) this.perTetra[t] = (wanted[t] - this.volumes[t]) / timeStep;
      writeRingSums(tetrahedra, this.perTetra, rate);
      this.solvePressure(rate);
      for (let k = 0; k < next.length; k++) next[k] += timeStep * gamma[k];
      steps++;
    }
    return steps;
  }

  /** Contacts at the positions being built: nodes in an obstacle are put onto it and held. */
  private relist(timeStep: number, source?: ContactSource): void {
    const { rows, next, velocities, contacts } = this;
    if (!source) return;
    rows.clear();
    source.list(next, velocities, timeStep, rows);
    const touch = TOUCH * this.rest.size;
    for (let j = 0; j < rows.count; j++) {
      const node = rows.nodes[j];
      if (this.pinned[node]) continue;
      const isDeep = rows.gaps[j] < -touch;
      if (isDeep) for (let k = 0; k < 3; k++) next[3 * node + k] -= rows.gaps[j] * rows.normals[3 * j + k];
      if (isDeep || contacts.find(node, rows.obstacles[j]) >= 0) contacts.take(rows, j);
    }
    holdContacts(contacts, this.projection);
  }

  private solvePressure(rate: Float64Array): void {
    const { iterations } = this.pressureSolve.solve(this.projection, rate, this.phat, this.gamma);
    this.pressureIterations += iterations;
  }

  /** v ← v*, with the obstacles' speeds, without change of volume at the new positions; the pressure gains what that took. */
  private correctVelocities(timeStep: number, isPressed: boolean): void {
    const { velocities: v, contacts, projection, masses, gamma, rate, before, pressure, phat, product } = this;
    before.set(v);
    setNormalSpeeds(contacts, projection, v, null);
    for (let i = 0; i < contacts.count; i++) {
      const change = contacts.along(i, v) - contacts.along(i, before);
      contacts.impulses[i] += masses[contacts.nodes[i]] * change;
    }
    if (!isPressed) return;
    this.pressureSolve.place(this.next);
    this.pressureSolve.prepare(projection);
    this.pressureSolve.divergence(v, rate);
    for (let k = 0; k < rate.length; k++) rate[k] = -rate[k];
    this.solvePressure(rate);
    for (let k = 0; k < pressure.length; k++) pressure[k] += phat[k] / timeStep;
    for (let k = 0; k < v.length; k++) v[k] += gamma[k];
    this.pressureSolve.writeForce(phat, product);
    for (let i = 0; i < contacts.count; i++) {
      contacts.impulses[i] += masses[contacts.nodes[i]] * contacts.along(i, gamma) - contacts.along(i, product);
    }
  }

  /** The gate of the start: whether tetrahedra have come out of a tangle. Once they have, volumes are kept for good. */
  private isFreeOfTangles(): boolean {
    if (this.isUntangled) return true;
    const { volumes, rest } = this;
    writeVolumes(this.positions, rest.mesh.tetrahedra, volumes);
    for (let t = 0; t < volumes.length; t++) if (!(volumes[t] > UNTANGLED * rest.volumes[t])) return false;
    this.isUntangled = true;
    return true;
  }
}
