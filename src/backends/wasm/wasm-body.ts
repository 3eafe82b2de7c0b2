// One body of the WebAssembly backend: a record and its state arrays in the kernels' memory.

import { CONTACT_DEFAULTS, type ContactSettings } from '../../contact/contact-settings.js';
import type { Obstacle } from '../../contact/obstacles/obstacle.js';
import { Touches } from '../../contact/response/touches.js';
import { Sleep, type SleepingBody } from '../../contact/sleep.js';
import { resetSelfContact } from '../../contact/soft/self-contact.js';
import type { Embedding } from '../../embedding/embedding.js';
import type { Skin } from '../../embedding/skin.js';
import type { PatchGrip } from '../../handles/grip.js';
import type { PinnedSet } from '../../handles/pinned-set.js';
import { captureFields, restoreFields, type StateTree } from '../../math/state-tree.js';
import { pointAt, type Vec3 } from '../../math/vec3.js';
import { signedVolume } from '../../mesh/measure.js';
import type { InnerMass } from '../../solvers/inner-mass.js';
import { recalledSettings, storedSettings } from '../../solvers/live-settings.js';
import { addField, type RigidField } from '../../solvers/model.js';
import { BodyRecovery } from '../../solvers/recovery/body-recovery.js';
import type { Prepared } from '../../solvers/solver.js';
import type { SolverSettings } from '../../solvers/solver-settings.js';
import type { Origin, TopologyChange } from '../../solvers/topology-change.js';
import { Inflation } from '../../solvers/volume/inflation.js';
import { type BackendBody, type BodyInspection, hostParticles, type MovableParticles } from '../backend.js';
import { massOfPart, scatter, succeed } from '../succession.js';
import { BodyImage } from './body-image.js';
import { BodyRecord } from './body-record.js';
import { BodyShell } from './body-shell.js';
import { BodySubstep } from './body-substep.js';
import type { HostedModel } from './hosted-model.js';
import * as layout from './layout.js';
import type { WasmMemory } from './memory.js';
import type { RestData } from './rest-data.js';

/** What of the host's outlives a step, of the body, its shell and its substeps. */
const BODY_STATE = ['contactCount', 'inflation', 'contactSettings', 'sleep'];
const SHELL_STATE = ['hadPins', 'selfContact', 'normalsKnown'];
const SUBSTEP_STATE = ['origin'];

/** A visible mesh that follows the body. */
export interface BoundSkin extends Skin {
  /** Gives back what it has of the body's rest data, which is about to go; and takes it of other rest data. */
  unbind(): void;
  bind(): void;
}

export class WasmBody implements BackendBody, SleepingBody {
  /** Its record in the kernels' memory. */
  private readonly fields: BodyRecord;
  /** All that is as long as its surface. */
  shell: BodyShell;
  /** What a substep does with it. */
  readonly substep: BodySubstep;
  readonly pins: PinnedSet[] = [];
  readonly grips: PatchGrip[] = [];
  readonly touches = new Touches<Obstacle | BackendBody>();
  contactCount = 0;
  readonly recovery = new BodyRecovery();
  readonly inflation = new Inflation();
  private liveSettings: SolverSettings;
  readonly contactSettings: ContactSettings = { ...CONTACT_DEFAULTS };
  readonly sleep = new Sleep();
  /** See `ContactBody`; set by the backend. */
  coupling = 0;
  /** Visible meshes that follow; they end with the body. */
  readonly skins = new Set<BoundSkin>();
  /** Set by the backend, which runs their kernels. */
  embed?: (embedding: Embedding) => Skin;
  /** Of all of it [kg]. */
  private bodyMass: number;
  /** What is shown, and the memory that it lies in. */
  private views: { positions: Float32Array; velocities: Float32Array; buffer: ArrayBufferLike };
  private removed = false;

  constructor(
    private readonly memory: WasmMemory,
    prepared: Prepared,
    rest: RestData,
    density: number,
  ) {
    this.liveSettings = prepared.solver.settings;
    this.bodyMass = density * prepared.volume.volume * (prepared.particles.massFactor ?? 1);
    this.fields = new BodyRecord(memory);
    this.shell = new BodyShell(this.fields, prepared, rest, this.bodyMass);
    this.recovery.divide(prepared.parts.length);
    this.substep = new BodySubstep(this, this.fields);
    this.views = this.view();
    this.place(prepared.mesh.positions, [0, 0, 0, 1]);
  }

  /** For who moves it elsewhere. */
  get image(): BodyImage {
    return new BodyImage(this, this.fields);
  }

  /** Address of the record. */
  get record(): number {
    return this.fields.address;
  }

  get prepared(): Prepared {
    return this.shell.prepared;
  }

  get rest(): RestData {
    return this.shell.rest;
  }

  get masses(): Float64Array {
    return this.shell.masses;
  }

  get places(): Uint32Array {
    return this.shell.places;
  }

  private get hosted(): HostedModel | undefined {
    return this.shell.hosted;
  }

  get hostModel() {
    return this.hosted?.model;
  }

  adapt(): TopologyChange | undefined {
    return this.hosted?.model.adapt?.(this.hosted.shell);
  }

  /** See `Backend.rebuild`; where there is no room for it, it stays as it is. */
  rebuild(prepared: Prepared, rest: RestData, origin?: Origin): void {
    const { shell: before, liveSettings } = this;
    const mass = origin?.isPart ? massOfPart(this.masses, origin) : this.bodyMass;
    this.fields.renew(() => {
      this.shell = new BodyShell(this.fields, prepared, rest, mass);
    });
    this.bodyMass = mass;
    this.recovery.divide(prepared.parts.length);
    this.substep.renew();
    before.parts.dispose();
    before.hosted?.model.dispose?.();
    this.settings = liveSettings;
    this.views = this.view();
    if (origin && before.hosted && this.hosted) this.followOrigin(before.hosted, before.prepared, origin);
  }

  /** Goes on where a shell of another topology was. */
  private followOrigin(before: HostedModel, { particles }: Prepared, origin: Origin): void {
    const { hosted, prepared } = this;
    if (!hosted) return;
    const { order } = prepared.particles;
    succeed({ ...before, order: particles.order }, { ...hosted, order }, origin);
    const positions = scatter(hosted.shell.positions, order);
    this.loadPositionsFrom(positions);
    this.positions.set(positions);
    this.velocities.set(scatter(hosted.shell.velocities, order));
    this.packVelocities(false);
    resetSelfContact(this.shell.selfContact, true);
    this.recovery.renew();
  }

  get positions(): Float32Array {
    return this.currentViews().positions;
  }

  get velocities(): Float32Array {
    return this.currentViews().velocities;
  }

  /** The views, anew where the memory has moved. */
  private currentViews() {
    if (this.views.buffer !== this.memory.buffer && !this.removed) this.views = this.view();
    return this.views;
  }

  get settings(): SolverSettings {
    return this.liveSettings;
  }

  set settings(settings: SolverSettings) {
    this.liveSettings = settings;
    if (this.hosted) this.hosted.model.settings = settings;
  }

  /** What of its mass is not on its shell. */
  get innerMass(): InnerMass | undefined {
    return this.hosted?.innerMass;
  }

  push(field: RigidField): void {
    if (this.removed) return;
    addField(field, this.positions, this.velocities);
    this.hosted?.push(field);
    this.packVelocities(true);
  }

  get contactRest() {
    return this.prepared.contact;
  }

  get asleep(): boolean {
    return this.sleep.asleep;
  }

  wake(): void {
    this.sleep.wake();
  }

  get motion(): number {
    return this.fields.number(layout.BODY_MOTION);
  }

  get deepBy(): number {
    return this.fields.single(layout.BODY_DEEP);
  }

  get sunkBy(): number {
    return this.fields.single(layout.BODY_SUNK);
  }

  /** No contact with others tells how deep it lies in them: there are none, or it is stepped on the GPU. */
  forgetDepths(): void {
    this.fields.setSingle(layout.BODY_DEEP, 0);
    this.fields.setSingle(layout.BODY_SUNK, 0);
  }

  get sampledSpeed(): number {
    return this.fields.number(layout.BODY_SAMPLED_SPEED);
  }

  /** Whether a pin or a grip leads the body, or an obstacle that moves touches it. */
  get kinematic(): boolean {
    if (this.grips.length > 0 || this.fields.integer(layout.BODY_KINEMATIC) !== 0) return true;
    return this.pins.some((pin) => pin.isKinematic);
  }

  /** Shows no motion from here on; what presses in the kernels' velocities stays for when it wakes. */
  fallAsleep(goesBack: boolean): void {
    // What a model has inside would not follow.
    if (goesBack && !this.hosted) {
      this.shell.packed.goBack();
      this.shell.normalsKnown = false;
    }
    this.touches.settle();
    this.velocities.fill(0);
    this.shell.packed.stop();
  }

  capture(): StateTree {
    const { hosted } = this;
    return {
      own: {
        ...captureFields(this, { only: BODY_STATE }),
        ...captureFields(this.shell, { only: SHELL_STATE }),
        ...captureFields(this.substep, { only: SUBSTEP_STATE }),
      },
      recovery: this.recovery.capture(),
      settings: captureFields(storedSettings(this.prepared.solver, this.settings)),
      shell: captureFields(hosted?.state() ?? {}),
      model: captureFields(hosted?.model.state?.() ?? {}),
      blocks: this.fields.capture(),
    };
  }

  restore(state: StateTree): void {
    const saved = state as { [key: string]: { [key: string]: StateTree } };
    const { hosted } = this;
    for (const part of [this, this.shell, this.substep]) restoreFields(part, saved.own);
    this.recovery.restore(saved.recovery);
    this.settings = recalledSettings(this.prepared.solver, saved.settings);
    restoreFields(hosted?.state() ?? {}, saved.shell);
    restoreFields(hosted?.model.state?.() ?? {}, saved.model);
    this.fields.restore(saved.blocks);
    this.shell.settingsInput.forget();
  }

  place(positions: ArrayLike<number>, rotation: ArrayLike<number>): void {
    this.loadPositionsFrom(positions);
    this.recovery.renew(rotation);
    this.positions.set(positions);
    this.velocities.fill(0);
    this.packVelocities(false);
    this.hosted?.load(positions, this.velocities);
    this.turnRegions(rotation);
    resetSelfContact(this.shell.selfContact, false);
  }

  turnRegions(rotation: ArrayLike<number>, vertices?: ArrayLike<number>): void {
    const places = vertices && Array.from(vertices, (vertex) => this.places[vertex]);
    const model = this.hosted?.model;
    if (!model) this.shell.packed.turnRegions(rotation, places);
    else if (places) model.turn?.(rotation, places);
    else model.reset(rotation);
  }

  holdSpeed(speed: number): void {
    if (this.hosted || this.fields.integer(layout.BODY_PART_COUNT) > 0) return;
    const before = this.fields.number(layout.BODY_PRESSED_SPEED);
    this.fields.setNumber(layout.BODY_PRESSED_SPEED, before === 0 ? speed : Math.min(before, speed));
  }

  get isFree(): boolean {
    return this.contactCount === 0 && this.pins.length === 0 && this.grips.length === 0;
  }

  /** As the kernels know it, where they do [m³]. */
  get volumeNow(): number {
    if (this.shell.normalsKnown) return this.fields.number(layout.BODY_SIX_VOLUME) / 6;
    return signedVolume(this.positions, this.prepared.mesh.triangles);
  }

  load(): void {
    if (this.removed) return;
    this.recovery.renew();
    // Whoever moves particles by hand may have crossed them; the next step looks.
    const exact = this.shell.packed.exactPositions(this.positions);
    if (this.loadPositionsFrom(exact)) resetSelfContact(this.shell.selfContact, true);
    this.packVelocities(false);
    this.hosted?.load(exact, this.velocities);
  }

  loadVelocities(): void {
    if (this.removed) return;
    // Only what was added: the kernels' velocities also hold what presses against obstacles.
    this.addToHosted();
    this.packVelocities(true);
  }

  private addToHosted(): void {
    if (!this.hosted) return;
    const seen = this.hosted.addVelocities(this.shell.packed.addedTo(this.velocities));
    // What was given to the inside is seen.
    this.prepared.particles.order.forEach((vertex, place) => {
      for (let c = 0; c < 3; c++) this.velocities[3 * vertex + c] += seen[3 * place + c];
    });
  }

  /** Takes over the velocities that are shown, or with `added` only what was added to them. */
  private packVelocities(added: boolean): void {
    this.wake();
    this.shell.packed.loadVelocities(this.velocities, added);
  }

  solverMomentum(): Vec3 {
    return this.hosted?.momentum() ?? this.shell.packed.momentum(this.masses, this.places);
  }

  pinChangeOf(vertex: number): Vec3 {
    if (this.hosted) return pointAt(this.hosted.pins.changes, this.places[vertex]);
    const changes = this.memory.floats(this.fields.integer(layout.BODY_PIN_CHANGES) + 16 * this.places[vertex], 3);
    return [changes[0], changes[1], changes[2]];
  }

  inspect(): BodyInspection {
    const { count } = this.rest;
    const touching = new Uint8Array(count);
    const volumeWeights = new Float64Array(count);
    if (this.removed) return { touching, volumeWeights };
    const colliding = this.fields.bytes(layout.BODY_COLLIDING, count);
    // Four numbers per particle; the second is that of the velocity correction.
    const weights = this.fields.floats(layout.BODY_WEIGHTS, 4 * count);
    this.places.forEach((place, vertex) => {
      touching[vertex] = colliding[place];
      volumeWeights[vertex] = this.settings.volume ? weights[4 * place + 1] : 0;
    });
    return { touching, volumeWeights };
  }

  movable(): MovableParticles[] {
    if (this.hosted) return hostParticles(this.hosted.shell, this.hosted.model);
    const { positions, velocities, origin } = this.shell.packed.kernelShell();
    return [{ positions, velocities, origin, stride: 4 }];
  }

  locatePins(endTime: number): void {
    this.substep.locatePins(endTime);
  }

  /** Gives the memory back. Who still holds the body sees its last state; others may write where it was. */
  dispose(): void {
    for (const skin of this.skins) skin.dispose();
    this.hostModel?.dispose?.();
    const { positions, velocities, buffer } = this.currentViews();
    this.views = { positions: positions.slice(), velocities: velocities.slice(), buffer };
    this.removed = true;
    this.fields.dispose();
    this.substep.dispose();
    this.shell.parts.dispose();
  }

  /** Whether a particle is elsewhere now. */
  private loadPositionsFrom(positions: ArrayLike<number>): boolean {
    this.shell.normalsKnown = false;
    return this.shell.packed.loadPositions(positions);
  }

  private view() {
    const at = (field: number) => this.fields.floats(field, 3 * this.rest.count);
    const { buffer } = this.memory;
    return { positions: at(layout.BODY_SHOWN_POSITIONS), velocities: at(layout.BODY_SHOWN_VELOCITIES), buffer };
  }
}
