// One body of the reference backend: its particles in the solver's order, its elasticity and its volume constraint.

import { sampleSpeed } from '../../contact/broad-phase/fast-approach.js';
import type { ContactRest, SelfContact } from '../../contact/contact-body.js';
import { CONTACT_DEFAULTS, type ContactSettings } from '../../contact/contact-settings.js';
import type { Obstacle } from '../../contact/obstacles/obstacle.js';
import { createParticleContacts, type ParticleContacts } from '../../contact/particle-contacts.js';
import { NeighbourGaps } from '../../contact/response/neighbour-gaps.js';
import { Touches } from '../../contact/response/touches.js';
import { Sleep } from '../../contact/sleep.js';
import { resetSelfContact } from '../../contact/soft/self-contact.js';
import type { PatchGrip } from '../../handles/grip.js';
import type { PinnedSet } from '../../handles/pinned-set.js';
import { captureFields, restoreFields, type StateTree } from '../../math/state-tree.js';
import { pointAt, type Vec3 } from '../../math/vec3.js';
import { signedVolume } from '../../mesh/measure.js';
import { InnerMass } from '../../solvers/inner-mass.js';
import { recalledSettings, storedSettings } from '../../solvers/live-settings.js';
import { addField, type Model, movePositions, type RigidField, type Shell } from '../../solvers/model.js';
import { BodyRecovery } from '../../solvers/recovery/body-recovery.js';
import { createRigidMotion, measureRigidMotion, restoreRigidMotion } from '../../solvers/rigid-motion.js';
import type { Prepared } from '../../solvers/solver.js';
import type { SolverSettings } from '../../solvers/solver-settings.js';
import type { Origin, TopologyChange } from '../../solvers/topology-change.js';
import { Inflation } from '../../solvers/volume/inflation.js';
import { slowDown } from '../../solvers/volume/pressing.js';
import { PRESSED_EASE, PRESSED_EASY, PRESSED_ELASTIC } from '../../solvers/volume/tuning.js';
import type { VolumeConstraint } from '../../solvers/volume/volume-constraint.js';
import { type BackendBody, type BodyInspection, hostParticles, type MovableParticles } from '../backend.js';
import { forEachTarget, PinnedParticles } from '../pinned-particles.js';
import { gather, massOfPart, type Succession, succeed } from '../succession.js';
import { ReferencePart } from './reference-part.js';
import { ShownState } from './shown-state.js';

/** What outlives a step. */
const STATE = [
  ...['contactCount', 'inflation', 'sleep', 'motion', 'contactSettings', 'selfContact'],
  ...['pinning', 'colliding', 'bounds', 'vertexNormals', 'pressedSpeed'],
];
const SHOWN_STATE = ['positions', 'velocities', 'kept'];
const SHELL_STATE = ['positions', 'starts', 'velocities', 'changes', 'anchored'];
const CONTACT_STATE = ['colliding', 'normals', 'surfaceVelocities', 'frictions'];

export class ReferenceBody implements BackendBody {
  prepared!: Prepared;
  /** What users see of it. */
  private shown!: ShownState;
  masses!: Float64Array;
  readonly pins: PinnedSet[] = [];
  readonly grips: PatchGrip[] = [];
  readonly touches = new Touches<Obstacle | BackendBody>();
  contactCount = 0;
  readonly recovery = new BodyRecovery();
  readonly inflation = new Inflation();

  /** The same state in the solver's order, as the step works on it. */
  particles!: Shell;
  /** Its closed parts. */
  parts!: readonly ReferencePart[];
  /** What pins do with them. */
  pinning!: PinnedParticles;
  /** What obstacles particles touch in this step. */
  contacts!: ParticleContacts;
  /** What they touch of other bodies. */
  neighbourGaps!: NeighbourGaps;
  /** 1 for particles that contact with other bodies may have moved. */
  moved!: Uint8Array;
  /** 1 for particles that touch anything. */
  colliding!: Uint8Array;
  contactRest!: ContactRest;
  /** Boxes of the contact tree. */
  bounds!: Float64Array;
  /** Unit normals at the start of the step. */
  vertexNormals!: Float64Array;
  readonly contactSettings: ContactSettings = { ...CONTACT_DEFAULTS };
  readonly sleep = new Sleep();
  /** ½ Σ m v² of how particles moved in the last step, per mass [J/kg]. */
  motion = 0;
  deepBy = 0;
  sunkBy = 0;
  /** Most that particles move between obstacles that press it in the last step [m/s]. */
  pressedSpeed = Infinity;
  selfContact!: SelfContact;
  model!: Model;
  /** See `ContactBody`; set by the backend. */
  coupling = 0;
  innerMass: InnerMass | undefined;
  /** Place in the solver's order of each vertex. */
  places!: Uint32Array;
  /** [kg]; it stays when the topology changes. */
  private mass: number;

  constructor(
    /** What it was made of. */
    private readonly made: Prepared,
    private readonly density: number,
  ) {
    this.mass = density * made.volume.volume * (made.particles.massFactor ?? 1);
    this.build(made);
  }

  /** Mass of each particle of a shell [kg]; of the one it was made of with the same bits each time that it comes back to it. */
  private massesOf({ particles, volume }: Prepared): Float64Array {
    const { massShares, massFactor = 1 } = particles;
    if (volume.volume !== this.made.volume.volume) return massShares.map((share) => share * this.mass);
    return massShares.map((share) => share * this.density * volume.volume * massFactor);
  }

  /** All that is as long as the shell, at rest. */
  private build(prepared: Prepared): void {
    const { particles, mesh, contact } = prepared;
    const { count, order } = particles;
    this.prepared = prepared;
    this.recovery.divide(prepared.parts.length);
    this.shown = new ShownState(mesh.positions, order);
    this.masses = new Float64Array(count);
    this.places = new Uint32Array(count);
    for (let place = 0; place < count; place++) this.places[order[place]] = place;
    const masses = this.massesOf(prepared);
    for (let place = 0; place < count; place++) this.masses[order[place]] = masses[place];
    this.particles = {
      count,
      positions: gather(mesh.positions, order),
      starts: new Float64Array(3 * count),
      velocities: new Float64Array(3 * count),
      masses,
      changes: new Float64Array(count),
      anchored: false,
    };
    this.pinning = new PinnedParticles(count);
    this.contacts = createParticleContacts(count);
    this.contacts.record = { touches: this.touches, masses };
    this.contacts.factors = contact.frictions;
    this.neighbourGaps = new NeighbourGaps(count);
    this.colliding = new Uint8Array(count);
    this.selfContact = { tangled: false, looks: 0, crossed: new Uint8Array(count) };
    this.moved = new Uint8Array(count);
    this.contactRest = contact;
    this.vertexNormals = new Float64Array(3 * count);
    this.bounds = new Float64Array(6 * contact.bvh.nodeCount);
    this.model = prepared.solver.create(prepared, { mass: this.mass, kernels: false });
    this.innerMass = InnerMass.of(this.model.inner, this.mass);
    this.parts = prepared.parts.map((part) => new ReferencePart(this, part));
  }

  get positions(): Float64Array {
    return this.shown.positions;
  }

  get velocities(): Float64Array {
    return this.shown.velocities;
  }

  /** 1 for particles that a pin moves. */
  get pinned(): Uint8Array {
    return this.pinning.pinned;
  }

  get hostModel() {
    return this.model;
  }

  adapt(): TopologyChange | undefined {
    return this.model.adapt?.(this.particles);
  }

  /** See `Backend.rebuild`. */
  rebuild(prepared: Prepared, origin?: Origin): void {
    const before = this.succession();
    if (origin?.isPart) this.mass = massOfPart(this.masses, origin);
    this.build(prepared);
    this.model.settings = before.model.settings;
    if (!origin) return;
    succeed(before, this.succession(), origin);
    this.shown.show(this.particles.positions, this.particles.velocities);
    resetSelfContact(this.selfContact, true);
    this.recovery.renew();
  }

  private succession(): Succession {
    const { particles: shell, model, innerMass, prepared } = this;
    return { shell, model, innerMass, order: prepared.particles.order };
  }

  get settings(): SolverSettings {
    return this.model.settings;
  }

  set settings(settings: SolverSettings) {
    this.sleep.wake();
    this.model.settings = settings;
  }

  /** What keeps the volume of a part, with the current settings; undefined where the volume is free. */
  constraintOf(part: ReferencePart): VolumeConstraint | undefined {
    const { volume } = this.settings;
    const volumeShare = this.recovery.volumeShareOf(this.parts.indexOf(part));
    if (!volume || volumeShare === 0) return undefined;
    return part.constraintFor(volume, volumeShare * this.inflation.factor, this.model.rotations);
  }

  /** Slows particles down that are faster than what presses the body explains; momentum stays. */
  slowDown(timeStep: number): void {
    const { pressedSpeed, particles } = this;
    if (pressedSpeed === Infinity) return;
    const { starts, velocities, masses, anchored } = particles;
    const kept = measureRigidMotion(starts, velocities, masses, createRigidMotion());
    const most = Math.max(pressedSpeed, PRESSED_ELASTIC * this.prepared.volume.size);
    const fastest = slowDown(velocities, pressedSpeed, most);
    if (fastest < PRESSED_EASY * pressedSpeed) this.pressedSpeed *= 1 + PRESSED_EASE * timeStep;
    if (!anchored) restoreRigidMotion(starts, velocities, masses, kept);
    movePositions(particles, timeStep);
  }

  /** Goes on towards the volume wanted. */
  inflate(timeStep: number): void {
    const { volume } = this.settings;
    this.inflation.approach(volume ? volume.target : 1, timeStep);
    this.model.restScale = this.inflation.scale;
  }

  get asleep(): boolean {
    return this.sleep.asleep;
  }

  wake(): void {
    this.sleep.wake();
  }

  get sampledSpeed(): number {
    return sampleSpeed(this.velocities);
  }

  /** Whether a pin or a grip leads the body, or an obstacle that moves touches it. */
  get kinematic(): boolean {
    if (this.grips.length > 0) return true;
    if (this.pins.some((pin) => pin.isKinematic)) return true;
    const { colliding, surfaceVelocities } = this.contacts;
    return surfaceVelocities.some((v, k) => v !== 0 && colliding[Math.trunc(k / 3)] !== 0);
  }

  solverMomentum(): Vec3 {
    const { velocities, masses } = this.particles;
    const sum: [number, number, number] = [0, 0, 0];
    for (let k = 0; k < velocities.length; k++) sum[k % 3] += masses[Math.trunc(k / 3)] * velocities[k];
    if (this.innerMass) this.innerMass.addMomentum(sum);
    return sum;
  }

  pinChangeOf(vertex: number): Vec3 {
    return pointAt(this.pinning.changes, this.places[vertex]);
  }

  /** Shows no motion from here on; what presses in the solver's velocities stays for when it wakes. */
  fallAsleep(goesBack: boolean): void {
    const { positions, starts, velocities } = this.particles;
    // What a model has inside would not follow.
    if (goesBack && !this.model.inner) {
      positions.set(starts);
      this.shown.show(positions, velocities);
    }
    starts.set(positions);
    this.shown.stop();
    this.touches.settle();
  }

  capture(): StateTree {
    return {
      own: captureFields(this, { only: STATE }),
      recovery: this.recovery.capture(),
      shown: captureFields(this.shown, { only: SHOWN_STATE }),
      shell: captureFields(this.particles, { only: SHELL_STATE }),
      contacts: captureFields(this.contacts, { only: CONTACT_STATE }),
      touching: captureFields(this.neighbourGaps.touching, { only: CONTACT_STATE }),
      touched: this.neighbourGaps.touched,
      settings: captureFields(storedSettings(this.prepared.solver, this.settings)),
      model: captureFields(this.model.state?.() ?? {}),
    };
  }

  restore(state: StateTree): void {
    const saved = state as { [key: string]: { [key: string]: StateTree } };
    restoreFields(this, saved.own);
    this.recovery.restore(saved.recovery);
    restoreFields(this.shown, saved.shown);
    restoreFields(this.particles, saved.shell);
    restoreFields(this.contacts, saved.contacts);
    restoreFields(this.neighbourGaps.touching, saved.touching);
    this.neighbourGaps.touched = (saved as { touched?: unknown }).touched === true;
    this.model.settings = recalledSettings(this.prepared.solver, saved.settings);
    restoreFields(this.model.state?.() ?? {}, saved.model);
  }

  /** Adds a rigid field to shell and inside; what is shown follows. */
  push(field: RigidField): void {
    addField(field, this.particles.positions, this.particles.velocities);
    this.shown.push(field, this.particles);
    this.innerMass?.push(field);
    this.wake();
  }

  movable(): MovableParticles[] {
    return hostParticles(this.particles, this.model);
  }

  locatePins(endTime: number): void {
    const { pinning } = this;
    this.particles.anchored = this.pins.length > 0;
    pinning.clear();
    forEachTarget(this.pins, this.places, endTime, (place, x, y, z) => pinning.mark(place, x, y, z));
  }

  place(positions: Float64Array, rotation: ArrayLike<number>): void {
    this.positions.set(positions);
    this.velocities.fill(0);
    this.load();
    resetSelfContact(this.selfContact, false);
    this.model.reset(rotation);
    this.recovery.renew(rotation);
  }

  get isFree(): boolean {
    return this.contactCount === 0 && this.pins.length === 0 && this.grips.length === 0;
  }

  get volumeNow(): number {
    return signedVolume(this.positions, this.prepared.mesh.triangles);
  }

  turnRegions(rotation: ArrayLike<number>, vertices?: ArrayLike<number>): void {
    if (!vertices) this.model.reset(rotation);
    else
      this.model.turn?.(
        rotation,
        Array.from(vertices, (vertex) => this.places[vertex]),
      );
  }

  holdSpeed(speed: number): void {
    if (!this.model.inner && this.parts.length === 1) this.pressedSpeed = Math.min(this.pressedSpeed, speed);
  }

  load(): void {
    const { positions, velocities } = this.shown.take();
    // Whoever moves particles by hand may have crossed them; the next step looks.
    if (positions.some((x, k) => x !== this.particles.positions[k])) resetSelfContact(this.selfContact, true);
    // Nobody needs the starts between steps.
    this.particles.starts.set(positions);
    this.replaceState(positions, velocities);
    this.recovery.renew();
    this.wake();
  }

  loadVelocities(): void {
    const { positions, velocities, masses, starts } = this.particles;
    this.shown.takeAdded(velocities, starts);
    if (!this.innerMass) this.replaceState(positions, starts);
    else {
      const wanted = starts.slice();
      this.innerMass.keepThrough({ positions, velocities: starts, masses }, () => this.replaceState(positions, starts));
      velocities.set(starts);
      // What was given to the inside is seen.
      this.shown.add(wanted, starts);
    }
    this.wake();
  }

  private replaceState(positions: Float64Array, velocities: Float64Array): void {
    this.model.replace?.(this.particles, positions, velocities);
    this.particles.positions.set(positions);
    this.particles.velocities.set(velocities);
  }

  inspect(): BodyInspection {
    const { order } = this.prepared.particles;
    const touching = new Uint8Array(order.length);
    const volumeWeights = new Float64Array(order.length);
    order.forEach((vertex, place) => {
      touching[vertex] = this.colliding[place];
    });
    for (const part of this.parts) {
      const weights = this.constraintOf(part)?.velocityWeights;
      weights?.forEach((weight, n) => {
        volumeWeights[order[part.first + n]] = weight;
      });
    }
    return { touching, volumeWeights };
  }

  /**
   * Shows the state in the mesh's own order. A free body shows the solver's velocities, which keep its momentum. In contact
   * or under pins those also hold what presses against the support and what the volume correction takes back in every step;
   * such a body shows how its particles moved, (x − xⁿ)/Δt; and so does one whose speed has a bound, as it moves no faster.
   */
  publish(timeStep: number): void {
    const { positions, starts, velocities, masses } = this.particles;
    const contacts = this.colliding.reduce((sum, mark) => sum + mark, 0);
    this.contactCount = Math.max(this.contactCount, contacts);
    const isOwn = contacts === 0 && this.pins.length === 0 && this.pressedSpeed === Infinity;
    if (isOwn) this.shown.show(positions, velocities);
    else this.shown.showMotion(this.particles, timeStep);
    let motion = 0;
    let mass = 0;
    for (let i = 0, k = 0; i < masses.length; i++, k += 3) {
      mass += masses[i];
      for (let c = k; c < k + 3; c++) motion += 0.5 * masses[i] * ((positions[c] - starts[c]) / timeStep) ** 2;
    }
    this.motion = motion / mass;
  }
}
