// One body of the WebAssembly backend: a record and its state arrays in the kernels' memory.

import type { SelfContact } from '../../contact/contact-body.js';
import { CONTACT_DEFAULTS, type ContactSettings } from '../../contact/contact-settings.js';
import { mayTouch } from '../../contact/groups.js';
import type { Obstacle } from '../../contact/obstacles/obstacle.js';
import { Touches } from '../../contact/response/touches.js';
import { Sleep, type SleepingBody } from '../../contact/sleep.js';
import { crossesItself, isUntangled, resetSelfContact } from '../../contact/soft/self-contact.js';
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
import type { CoupledMember } from '../../solvers/model-coupling.js';
import { Recovery } from '../../solvers/recovery/recovery.js';
import type { Prepared } from '../../solvers/solver.js';
import type { SolverSettings } from '../../solvers/solver-settings.js';
import type { Origin, TopologyChange } from '../../solvers/topology-change.js';
import { Inflation } from '../../solvers/volume/inflation.js';
import {
  type BackendBody,
  type BodyInspection,
  hostParticles,
  type MovableParticles,
  type Profile,
  type StepInput,
} from '../backend.js';
import { massOfPart, scatter, succeed } from '../succession.js';
import { buildArrays } from './body-arrays.js';
import { SettingsInput, writePins } from './body-input.js';
import { BodyRecord } from './body-record.js';
import { HostedModel } from './hosted-model.js';
import * as layout from './layout.js';
import type { WasmMemory } from './memory.js';
import { PackedShell } from './packed-shell.js';
import { PartRecords } from './part-records.js';
import { Reactions } from './reactions.js';
import { type RestData, shellShare } from './rest-data.js';

/** What of the host's outlives a step. */
const HOST_STATE = [
  ...[
    'contactCount',
    'recovery',
    'inflation',
    'hadPins',
    'contactSettings',
    'sleep',
    'selfContact',
    'normalsKnown',
    'origin',
  ],
];

/** A visible mesh that follows the body. */
export interface BoundSkin extends Skin {
  /** Gives back what it has of the body's rest data, which is about to go; and takes it of other rest data. */
  unbind(): void;
  bind(): void;
}

export class WasmBody implements BackendBody, SleepingBody {
  /** Its record in the kernels' memory. */
  private readonly fields: BodyRecord;
  private packed!: PackedShell;
  prepared!: Prepared;
  rest!: RestData;
  masses!: Float64Array;
  readonly pins: PinnedSet[] = [];
  readonly grips: PatchGrip[] = [];
  readonly touches = new Touches<Obstacle | BackendBody>();
  contactCount = 0;
  readonly recovery = new Recovery();
  readonly inflation = new Inflation();
  /** Whether particles are marked as pinned. */
  private hadPins = false;
  private liveSettings: SolverSettings;
  readonly contactSettings: ContactSettings = { ...CONTACT_DEFAULTS };
  readonly sleep = new Sleep();
  private selfContact!: SelfContact;
  /** Whether the kernels know the normals of the positions: the volume constraint leaves them. */
  private normalsKnown = false;
  /** Of a body of several closed parts. */
  private parts!: PartRecords;
  /** Of a solver without kernels. */
  hosted: HostedModel | undefined;
  /** See `ContactBody`; set by the backend. */
  coupling = 0;
  /** The particle of each vertex. */
  places!: Uint32Array;
  /** Visible meshes that follow; they end with the body. */
  readonly skins = new Set<BoundSkin>();
  /** Set by the backend, which runs their kernels. */
  embed?: (embedding: Embedding) => Skin;
  /** Of all of it, and of its shell [kg]. */
  private bodyMass: number;
  private mass!: number;
  /** What obstacles did to it. */
  private readonly reactions: Reactions;
  /** Where the body's frame was during the step [m]; at its end it may have followed the body. */
  readonly origin: [number, number, number] = [0, 0, 0];
  /** What is shown, and the memory that it lies in. */
  private views: { positions: Float32Array; velocities: Float32Array; buffer: ArrayBufferLike };
  private settingsInput!: SettingsInput;
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
    this.reactions = new Reactions(this.fields);
    this.build(prepared, rest);
    this.views = this.view();
    this.place(prepared.mesh.positions, [0, 0, 0, 1]);
  }

  /** All that is as long as the shell. */
  private build(prepared: Prepared, rest: RestData): void {
    const { memory, bodyMass: mass, fields, record } = this;
    const { particles, kernels } = prepared;
    this.prepared = prepared;
    this.rest = rest;
    this.hosted = kernels ? undefined : new HostedModel(prepared, mass);
    this.mass = this.hosted?.innerMass ? mass * shellShare(particles.massShares) : mass;
    this.masses = new Float64Array(rest.count);
    this.places = new Uint32Array(rest.count);
    particles.order.forEach((vertex, place) => {
      this.masses[vertex] = mass * particles.massShares[place];
      this.places[vertex] = place;
    });
    this.settingsInput = new SettingsInput(memory, record, {
      stiffness: (kernels?.stiffnessScale ?? 1) * (kernels?.stiffnesses?.largest ?? 1),
      damping: kernels?.dampings?.largest ?? 1,
    });
    this.packed = new PackedShell(fields, particles.order, rest.padded);
    buildArrays(fields, prepared, rest, this.mass);
    this.parts = new PartRecords(memory, record, rest.parts);
    fields.setOwn(layout.BODY_PARTS, this.parts.list);
    fields.setOwn(layout.BODY_PART_COUNT, this.parts.count);
    this.selfContact = { tangled: false, looks: 0, crossed: new Uint8Array(0) };
  }

  /** Address of the record. */
  get record(): number {
    return this.fields.address;
  }

  get hostModel() {
    return this.hosted?.model;
  }

  adapt(): TopologyChange | undefined {
    return this.hosted?.model.adapt?.(this.hosted.shell);
  }

  /** See `Backend.rebuild`; where there is no room for it, it stays as it is. */
  rebuild(prepared: Prepared, rest: RestData, origin?: Origin): void {
    const { parts, hosted } = this;
    const before = { ...this };
    if (origin?.isPart) this.bodyMass = massOfPart(this.masses, origin);
    try {
      this.fields.renew(() => this.build(prepared, rest));
    } catch (error) {
      Object.assign(this, before);
      throw error;
    }
    parts.dispose();
    this.settings = before.liveSettings;
    this.views = this.view();
    this.normalsKnown = false;
    this.hadPins = false;
    if (origin && hosted && this.hosted) this.followOrigin(hosted, before.prepared, origin);
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
    resetSelfContact(this.selfContact, true);
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

  get sampledSpeed(): number {
    return this.fields.number(layout.BODY_SAMPLED_SPEED);
  }

  /** Whether a pin or a grip leads the body, or an obstacle that moves touches it. */
  get kinematic(): boolean {
    if (this.grips.length > 0 || this.fields.integer(layout.BODY_KINEMATIC) !== 0) return true;
    return this.pins.some((pin) => pin.isKinematic);
  }

  /** Shows no motion from here on; what presses in the kernels' velocities stays for when it wakes. */
  fallAsleep(): void {
    this.touches.settle();
    this.velocities.fill(0);
    this.packed.stop();
  }

  capture(): StateTree {
    const { hosted } = this;
    return {
      own: captureFields(this, { only: HOST_STATE }),
      settings: captureFields(storedSettings(this.prepared.solver, this.settings)),
      shell: captureFields(hosted?.state() ?? {}),
      model: captureFields(hosted?.model.state?.() ?? {}),
      blocks: this.fields.capture(),
    };
  }

  restore(state: StateTree): void {
    const saved = state as { [key: string]: { [key: string]: StateTree } };
    const { hosted } = this;
    restoreFields(this, saved.own);
    this.settings = recalledSettings(this.prepared.solver, saved.settings);
    restoreFields(hosted?.state() ?? {}, saved.shell);
    restoreFields(hosted?.model.state?.() ?? {}, saved.model);
    this.fields.restore(saved.blocks);
    this.settingsInput.forget();
  }

  place(positions: ArrayLike<number>, rotation: ArrayLike<number>): void {
    this.loadPositionsFrom(positions);
    this.recovery.renew(rotation);
    for (let k = 0; k < positions.length; k++) this.positions[k] = positions[k];
    this.velocities.fill(0);
    this.packVelocities(false);
    this.hosted?.load(positions, this.velocities);
    this.turnRegions(rotation);
    resetSelfContact(this.selfContact, false);
  }

  turnRegions(rotation: ArrayLike<number>, vertices?: ArrayLike<number>): void {
    const places = vertices && Array.from(vertices, (vertex) => this.places[vertex]);
    const model = this.hosted?.model;
    if (!model) this.packed.turnRegions(rotation, places);
    else if (places) model.turn?.(rotation, places);
    else model.reset(rotation);
  }

  get isFree(): boolean {
    return this.contactCount === 0 && this.pins.length === 0 && this.grips.length === 0;
  }

  /** As the kernels know it, where they do [m³]. */
  get volumeNow(): number {
    if (this.normalsKnown) return this.fields.number(layout.BODY_SIX_VOLUME) / 6;
    return signedVolume(this.positions, this.prepared.mesh.triangles);
  }

  load(): void {
    if (this.removed) return;
    this.recovery.renew();
    // Whoever moves particles by hand may have crossed them; the next step looks.
    const exact = this.packed.exactPositions(this.positions);
    if (this.loadPositionsFrom(exact)) resetSelfContact(this.selfContact, true);
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
    const seen = this.hosted.addVelocities(this.packed.addedTo(this.velocities));
    // What was given to the inside is seen.
    this.prepared.particles.order.forEach((vertex, place) => {
      for (let c = 0; c < 3; c++) this.velocities[3 * vertex + c] += seen[3 * place + c];
    });
  }

  /** Takes over the velocities that are shown, or with `added` only what was added to them. */
  private packVelocities(added: boolean): void {
    this.wake();
    this.packed.loadVelocities(this.velocities, added);
  }

  solverMomentum(): Vec3 {
    return this.hosted?.momentum() ?? this.packed.momentum(this.masses, this.places);
  }

  pinChangeOf(vertex: number): Vec3 {
    if (this.hosted) return pointAt(this.hosted.pinChanges, this.places[vertex]);
    const changes = this.memory.floats(this.fields.integer(layout.BODY_PIN_CHANGES) + 16 * this.places[vertex], 3);
    return [changes[0], changes[1], changes[2]];
  }

  /** Makes room for what each of so many obstacles does. */
  reserveReactions(colliderCount: number): void {
    this.reactions.reserve(this.rest.chunks, colliderCount);
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

  /** Counts what a substep found. */
  endSubstep(colliders: readonly Obstacle[]): void {
    if (this.asleep) return;
    const contacts = this.fields.integer(layout.BODY_CONTACTS);
    this.contactCount = Math.max(this.contactCount, contacts + this.joinModelContacts());
    if (contacts > 0) this.reactions.addTo(this.touches, this.rest.chunks, this.mass, this.origin, colliders);
    this.normalsKnown = this.keepsVolume;
  }

  /** What the model touched within its solve joins what the kernels found; returns how many particles that are. */
  private joinModelContacts(): number {
    const contacts = this.hosted?.model.contacts;
    if (!contacts || contacts.count === 0) return 0;
    if (contacts.areKinematic) this.fields.setInteger(layout.BODY_KINEMATIC, 1);
    return contacts.mark(this.fields.bytes(layout.BODY_COLLIDING, this.rest.count));
  }

  movable(): MovableParticles[] {
    if (this.hosted) return hostParticles(this.hosted.shell, this.hosted.model);
    const { positions, velocities, origin } = this.packed.kernelShell();
    return [{ positions, velocities, origin, stride: 4 }];
  }

  locatePins(endTime: number): void {
    const { memory, record, pins, places, hosted } = this;
    const areMarked = this.hadPins;
    this.hadPins = pins.length > 0;
    if (this.hadPins || areMarked) writePins(memory, record, pins, places, endTime, hosted);
    if (hosted) hosted.shell.anchored = this.hadPins;
  }

  /** Writes what may have changed since the last substep. */
  beginStep(timeStep: number): void {
    const { pins, origin } = this;
    [origin[0], origin[1], origin[2]] = this.packed.origin;
    this.settingsInput.write(this.settings, this.contactSettings, timeStep);
    this.fields.setInteger(layout.BODY_KINEMATIC, 0);
    const { inflation } = this;
    if (!this.asleep) inflation.approach(this.settings.volume ? this.settings.volume.target : 1, timeStep);
    const share = this.recovery.volumeShare * inflation.factor;
    this.fields.setNumber(layout.BODY_VOLUME, share * this.prepared.volume.volume);
    if (this.parts.count > 0) {
      this.parts.begin(share, this.fields.bytes(layout.BODY_PINNED, this.rest.count));
    }
    this.fields.setNumber(layout.BODY_REST_SCALE, inflation.scale);
    if (this.hosted) this.hosted.model.restScale = inflation.scale;
    this.setFlags(
      (pins.length > 0 ? layout.FLAG_PINS : 0) |
        (this.keepsVolume ? layout.FLAG_VOLUME : 0) |
        (this.keepsOffItself() ? layout.FLAG_SELF : 0) |
        (this.normalsKnown ? layout.FLAG_NORMALS : 0) |
        (this.hosted ? layout.FLAG_HOSTED : 0) |
        (this.asleep ? layout.FLAG_ASLEEP : 0) |
        (this.coupling << layout.COUPLING_SHIFT),
    );
  }

  private setFlags(flags: number): void {
    this.fields.setInteger(layout.BODY_FLAGS, flags);
  }

  /** Of a solver without kernels: the host's stages, before the kernels'. */
  move(input: StepInput, profile: Profile): void {
    const { hosted } = this;
    if (!hosted || this.asleep) return;
    hosted.move(input, this.obstaclesOf(input), this.packed.kernelShell(), profile);
    hosted.model.contacts?.record(this.touches);
  }

  private obstaclesOf({ colliders }: StepInput) {
    const { contactSettings, contactRest } = this;
    return {
      colliders: colliders.filter((collider) => mayTouch(contactSettings, collider)),
      frictions: contactRest.frictions,
    };
  }

  /** The same where models step together: what it takes part with, and what comes afterwards. */
  beginCoupled(input: StepInput, place: number, profile: Profile): CoupledMember {
    const { contactRest, contactSettings, sleep, touches } = this;
    const hosted = this.hosted as HostedModel;
    if (!this.asleep) hosted.begin(input, profile);
    const { model, shell, pinned } = hosted;
    const around = { ...this.obstaclesOf(input), gravity: input.gravity, pinned };
    return { place, model, shell, around, contactRest, contactSettings, sleep, touches, body: this };
  }

  endCoupled(input: StepInput, profile: Profile): void {
    if (!this.hosted || this.asleep) return;
    this.hosted.end(input, this.packed.kernelShell(), profile);
    this.hosted.model.contacts?.record(this.touches);
  }

  /** After the kernels' stages; whether they have to be done once more, for bodies that say so. */
  follow(): boolean {
    if (!this.hosted || this.asleep) return false;
    const colliding = this.fields.bytes(layout.BODY_COLLIDING, this.rest.count);
    const again = this.hosted.follow(this.packed.kernelShell(), colliding);
    if (again) this.setFlags(this.fields.integer(layout.BODY_FLAGS) | layout.FLAG_AGAIN);
    return again;
  }

  followAgain(): void {
    const flags = this.fields.integer(layout.BODY_FLAGS);
    if ((flags & layout.FLAG_AGAIN) === 0) return;
    this.setFlags(flags & ~layout.FLAG_AGAIN);
    this.hosted?.followAgain(this.packed.kernelShell());
  }

  private get keepsVolume(): boolean {
    return Boolean(this.settings.volume) && this.recovery.volumeShare > 0;
  }

  /** Whether the surface is to be kept from passing through itself: one that is tangled is let through first. */
  private keepsOffItself(): boolean {
    const { contactSettings, selfContact, contactRest } = this;
    if (!contactSettings.selfContact || this.asleep || this.coupling > 0) return false;
    const bounds = () => new Float64Array(6 * contactRest.bvh.nodeCount);
    const keeps = isUntangled(selfContact, this.volumeNow / (this.inflation.factor * contactRest.volume), () =>
      crossesItself({ contactRest, particles: { starts: this.packed.worldPositions() }, bounds: bounds() }),
    );
    if (!keeps) this.fields.bytes(layout.BODY_CROSSED, this.rest.count).fill(0);
    return keeps;
  }

  /** Gives the memory back. Who still holds the body sees its last state; others may write where it was. */
  dispose(): void {
    for (const skin of this.skins) skin.dispose();
    const { positions, velocities, buffer } = this.currentViews();
    this.views = { positions: positions.slice(), velocities: velocities.slice(), buffer };
    this.removed = true;
    this.fields.dispose();
    this.reactions.dispose();
    this.parts.dispose();
  }

  /** Whether a particle is elsewhere now. */
  private loadPositionsFrom(positions: ArrayLike<number>): boolean {
    this.normalsKnown = false;
    return this.packed.loadPositions(positions);
  }

  private view() {
    const at = (field: number) => this.fields.floats(field, 3 * this.rest.count);
    const { buffer } = this.memory;
    return { positions: at(layout.BODY_SHOWN_POSITIONS), velocities: at(layout.BODY_SHOWN_VELOCITIES), buffer };
  }
}
