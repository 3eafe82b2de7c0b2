// One body of the WebAssembly backend: a record and its state arrays in the kernels' memory.

import type { Collider } from '../../contact/collider.js';
import type { SelfContact } from '../../contact/contact-body.js';
import { CONTACT_DEFAULTS, type ContactSettings } from '../../contact/contact-settings.js';
import { sampleSpeed } from '../../contact/fast-approach.js';
import { mayTouch } from '../../contact/groups.js';
import { crossesItself, isUntangled, resetSelfContact } from '../../contact/self-contact.js';
import { Sleep, type SleepingBody } from '../../contact/sleep.js';
import { Touches } from '../../contact/touches.js';
import type { Embedding } from '../../embedding/embedding.js';
import type { Skin } from '../../embedding/skin.js';
import type { PatchGrip } from '../../handles/grip.js';
import type { Pin } from '../../handles/pin.js';
import { captureFields, restoreFields, type StateTree } from '../../math/state-tree.js';
import { pointAt, type Vec3 } from '../../math/vec3.js';
import { signedVolume } from '../../mesh/measure.js';
import type { InnerMass } from '../../solvers/inner-mass.js';
import { recalledSettings, storedSettings } from '../../solvers/live-settings.js';
import { addField, type RigidField } from '../../solvers/model.js';
import { Recovery } from '../../solvers/recovery/recovery.js';
import type { Prepared } from '../../solvers/solver.js';
import type { SolverSettings } from '../../solvers/solver-settings.js';
import type { Origin, TopologyChange } from '../../solvers/topology-change.js';
import { Inflation } from '../../solvers/volume/inflation.js';
import type { BackendBody, BodyInspection, Profile, StepInput } from '../backend.js';
import { scatter, succeed } from '../succession.js';
import { SettingsInput, writePins } from './body-input.js';
import { HostedModel, type KernelShell } from './hosted-model.js';
import * as layout from './layout.js';
import type { WasmMemory } from './memory.js';
import { PartRecords } from './part-records.js';
import { addReactions } from './reactions.js';
import { type RestData, shellShare } from './rest-data.js';

/** State arrays: name, field of the record, bytes per particle. */
const STATE: readonly (readonly [name: string, field: number, bytes: number])[] = [
  ['positions', layout.BODY_POSITIONS, 16],
  ['starts', layout.BODY_STARTS, 16],
  ['velocities', layout.BODY_VELOCITIES, 16],
  ['quaternions', layout.BODY_QUATERNIONS, 16],
  ['normals', layout.BODY_NORMALS, 16],
  ['outward', layout.BODY_OUTWARD, 16],
  ['direction', layout.BODY_DIRECTION, 16],
  ['candidates', layout.BODY_CANDIDATES, 16],
  ['contactNormals', layout.BODY_CONTACT_NORMALS, 16],
  ['surfaceVelocities', layout.BODY_SURFACE_VELOCITIES, 16],
  ['pinTargets', layout.BODY_PIN_TARGETS, 16],
  ['pinChanges', layout.BODY_PIN_CHANGES, 16],
  ['changes', layout.BODY_CHANGES, 4],
  ['shares', layout.BODY_SHARES, 4],
  ['weights', layout.BODY_WEIGHTS, 16],
  ['weightsScratch', layout.BODY_WEIGHTS_SCRATCH, 16],
  ['pinned', layout.BODY_PINNED, 1],
  ['colliding', layout.BODY_COLLIDING, 1],
  ['held', layout.BODY_HELD, 1],
  ['shownPositions', layout.BODY_SHOWN_POSITIONS, 12],
  ['shownVelocities', layout.BODY_SHOWN_VELOCITIES, 12],
  ['keptVelocities', layout.BODY_KEPT_VELOCITIES, 16],
  ['touchNormals', layout.BODY_TOUCH_NORMALS, 16],
  ['touchVelocities', layout.BODY_TOUCH_VELOCITIES, 16],
  ['crossed', layout.BODY_CROSSED, 1],
  ['runBoxes', layout.BODY_RUN_BOXES, 64 / layout.RUN],
];
/** Of bodies whose regions the kernels match. */
const MATCHING: readonly string[] = ['quaternions'];
/** Where some bodies have nothing. */
const OPTIONAL = [
  ...[layout.BODY_PUSHES, layout.BODY_QUATERNIONS, layout.BODY_PREFIX, layout.BODY_FIELD_PREFIX],
  ...[layout.BODY_STIFFNESSES, layout.BODY_DAMPINGS, layout.BODY_FRICTIONS, layout.BODY_VOLUME_WEIGHTS],
  ...[layout.BODY_STIFFNESS_MEANS, layout.BODY_DAMPING_MEANS],
];
const ROW = 64;
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
  /** Address of the record. */
  readonly record: number;
  prepared!: Prepared;
  rest!: RestData;
  masses!: Float64Array;
  readonly pins: Pin[] = [];
  readonly grips: PatchGrip[] = [];
  readonly touches = new Touches<Collider | BackendBody>();
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
  /** Its blocks in the kernels' memory that outlive a step, by name. */
  private blocks = new Map<string, number>();
  /** Of a body of several closed parts. */
  private parts!: PartRecords;
  /** Of a solver without kernels. */
  hosted: HostedModel | undefined;
  /** The particle of each vertex. */
  places!: Uint32Array;
  /** Visible meshes that follow; they end with the body. */
  readonly skins = new Set<BoundSkin>();
  /** Set by the backend, which runs their kernels. */
  embed?: (embedding: Embedding) => Skin;
  /** Fields of the record that are this world's own, addresses and counts. */
  private readonly own = new Set<number>([layout.BODY_PAIRS]);
  /** Of the shell [kg]. */
  /** Of all of it, and of its shell [kg]. */
  private readonly bodyMass: number;
  private mass!: number;
  /** Where the obstacles' sums are. */
  private reactions = { address: 0, bytes: 0 };
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
    this.record = this.allocate('record', layout.BODY_BYTES);
    this.build(prepared, rest);
    this.views = this.view();
    this.place(prepared.mesh.positions, [0, 0, 0, 1]);
  }

  /** All that is as long as the shell. */
  private build(prepared: Prepared, rest: RestData): void {
    const { memory, bodyMass: mass, record } = this;
    const { count, padded, chunks, rows, twigs, pointers } = rest;
    const { particles, kernels, volume } = prepared;
    this.prepared = prepared;
    this.rest = rest;
    this.hosted = kernels ? undefined : new HostedModel(prepared, mass);
    this.mass = this.hosted?.innerMass ? mass * shellShare(particles.massShares) : mass;
    this.masses = new Float64Array(count);
    this.places = new Uint32Array(count);
    particles.order.forEach((vertex, place) => {
      this.masses[vertex] = mass * particles.massShares[place];
      this.places[vertex] = place;
    });
    this.settingsInput = new SettingsInput(memory, record, {
      stiffness: (kernels?.stiffnessScale ?? 1) * (kernels?.stiffnesses?.largest ?? 1),
      damping: kernels?.dampings?.largest ?? 1,
    });
    for (const field of OPTIONAL) this.setOwn(field, 0);
    for (const [field, address] of pointers) this.setOwn(field, address);
    for (const [name, field, bytes] of STATE) {
      if (kernels || !MATCHING.includes(name)) this.setOwn(field, this.allocate(name, bytes * padded));
    }
    if (kernels) {
      this.setOwn(layout.BODY_PREFIX, this.allocate('prefix', rows * ROW));
      this.setOwn(layout.BODY_FIELD_PREFIX, this.allocate('fieldPrefix', rows * ROW));
    }
    this.parts = new PartRecords(memory, record, rest.parts);
    this.setOwn(layout.BODY_PARTS, this.parts.list);
    this.setOwn(layout.BODY_PART_COUNT, this.parts.count);
    this.setOwn(layout.BODY_OWNER, record);
    this.setOwn(layout.BODY_SHIFT, 0);
    this.selfContact = { tangled: false, looks: 0, crossed: new Uint8Array(0) };
    this.setOwn(layout.BODY_TREE_NODES, prepared.contact.bvh.nodeCount);
    this.setOwn(layout.BODY_TREE_BOXES, this.allocate('treeBoxes', prepared.contact.bvh.nodeCount * layout.NODE_BYTES));
    this.setOwn(layout.BODY_TWIG_ROWS, this.allocate('twigRows', twigs * layout.TWIG_ROWS_BYTES));
    this.setOwn(layout.BODY_CHUNK_BOXES, this.allocate('chunkBoxes', 64 * chunks));
    this.setNumber(layout.BODY_MASS, this.mass);
    this.setNumber(layout.BODY_EDGE, prepared.contact.edge);
    this.setNumber(layout.BODY_SLOW, prepared.contact.slow);
    this.setOwn(layout.BODY_PARTIALS, this.allocate('partials', chunks * layout.PARTIALS * 8));
    this.setOwn(layout.BODY_COUNT, count);
    this.setOwn(layout.BODY_CHUNKS, chunks);
    this.setNumber(layout.BODY_VOLUME, volume.volume);
    this.setNumber(layout.BODY_SIZE, volume.size);
    this.setNumber(layout.BODY_SPREAD, volume.spread);
    this.setNumber(layout.BODY_MEAN_AREA, volume.areas.reduce((sum, area) => sum + area, 0) / count);
  }

  get hostModel() {
    return this.hosted?.model;
  }

  adapt(): TopologyChange | undefined {
    return this.hosted?.model.adapt?.(this.hosted.shell);
  }

  /** See `Backend.rebuild`; where there is no room for it, it stays as it is. */
  rebuild(prepared: Prepared, rest: RestData, origin?: Origin): void {
    const { memory, record, blocks, parts, hosted } = this;
    const bytes = memory.bytes(record, layout.BODY_BYTES).slice();
    const before = { ...this };
    this.blocks = new Map([['record', record]]);
    try {
      this.build(prepared, rest);
    } catch (error) {
      Object.assign(this, before);
      memory.bytes(record, layout.BODY_BYTES).set(bytes);
      throw error;
    }
    for (const [name, address] of blocks) if (name !== 'record') memory.release(address);
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
    const { hosted } = this;
    addField(field, this.positions, this.velocities);
    if (!hosted) {
      this.loadVelocities();
      return;
    }
    addField(field, hosted.shell.positions, hosted.shell.velocities);
    hosted.innerMass?.push(field);
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
    return this.memory.number(this.record + layout.BODY_MOTION);
  }

  get sampledSpeed(): number {
    return this.memory.number(this.record + layout.BODY_SAMPLED_SPEED);
  }

  /** Whether a pin or a grip leads the body, or an obstacle that moves touches it. */
  get led(): boolean {
    if (this.grips.length > 0 || this.getInteger(layout.BODY_LED) !== 0) return true;
    return this.pins.some((pin) => pin.isLed);
  }

  /** Shows no motion from here on; what presses in the kernels' velocities stays for when it wakes. */
  fallAsleep(): void {
    this.touches.settle();
    this.velocities.fill(0);
    this.setNumber(layout.BODY_SAMPLED_SPEED, 0);
    const { padded } = this.rest;
    this.memory.floats(this.getInteger(layout.BODY_KEPT_VELOCITIES), 4 * padded).fill(0);
    const positions = this.memory.floats(this.getInteger(layout.BODY_POSITIONS), 4 * padded);
    this.memory.floats(this.getInteger(layout.BODY_STARTS), 4 * padded).set(positions);
    // The ways of its particles, which others compare with theirs.
    this.memory.floats(this.record + layout.BODY_BOX + 32, 8).fill(0);
  }

  capture(): StateTree {
    const { memory, hosted } = this;
    const blocks = [...this.blocks].map(([name, address]) => [
      name,
      memory.bytes(address, memory.sizeOf(address)).slice(),
    ]);
    return {
      own: captureFields(this, { only: HOST_STATE }),
      settings: captureFields(storedSettings(this.prepared.solver, this.settings)),
      shell: captureFields(hosted?.state() ?? {}),
      model: captureFields(hosted?.model.state?.() ?? {}),
      blocks: Object.fromEntries(blocks),
    };
  }

  restore(state: StateTree): void {
    const saved = state as { [key: string]: { [key: string]: StateTree } };
    const { memory, hosted } = this;
    restoreFields(this, saved.own);
    this.settings = recalledSettings(this.prepared.solver, saved.settings);
    restoreFields(hosted?.state() ?? {}, saved.shell);
    restoreFields(hosted?.model.state?.() ?? {}, saved.model);
    const own = memory.integers(this.record, layout.BODY_BYTES / 4).slice();
    for (const [name, address] of this.blocks) {
      memory.bytes(address, memory.sizeOf(address)).set(saved.blocks[name] as Uint8Array);
    }
    this.settingsInput.forget();
    // The record says where things are in this world, and how many: a snapshot may have been made by anyone.
    for (const field of this.own) this.setInteger(field, own[field / 4]);
  }

  place(positions: ArrayLike<number>, rotation: ArrayLike<number>): void {
    this.loadPositionsFrom(positions);
    this.recovery.renew(rotation);
    for (let k = 0; k < positions.length; k++) this.positions[k] = positions[k];
    this.velocities.fill(0);
    this.packVelocities(false);
    this.loadHosted(positions);
    this.turnRegions(rotation);
    resetSelfContact(this.selfContact, false);
  }

  /** The model gets these positions of the vertices, and the velocities that are shown. */
  private loadHosted(positions: ArrayLike<number>): void {
    if (!this.hosted) return;
    const { order } = this.prepared.particles;
    const gather = (source: ArrayLike<number>) =>
      Float64Array.from({ length: 3 * order.length }, (_, k) => source[3 * order[Math.trunc(k / 3)] + (k % 3)]);
    this.hosted.replace(gather(positions), gather(this.velocities));
  }

  turnRegions(rotation: ArrayLike<number>, vertices?: ArrayLike<number>): void {
    if (this.hosted) {
      const { model } = this.hosted;
      if (!vertices) model.reset(rotation);
      else
        model.turn?.(
          rotation,
          Array.from(vertices, (vertex) => this.places[vertex]),
        );
      return;
    }
    const quaternions = this.memory.floats(this.getInteger(layout.BODY_QUATERNIONS), 4 * this.rest.padded);
    // Four regions at a time, number by number.
    if (!vertices) for (let k = 0; k < quaternions.length; k++) quaternions[k] = rotation[(k >> 2) % 4];
    for (let n = 0; n < (vertices?.length ?? 0); n++) {
      const place = this.places[(vertices as ArrayLike<number>)[n]];
      for (let c = 0; c < 4; c++) quaternions[16 * (place >> 2) + 4 * c + (place & 3)] = rotation[c];
    }
  }

  get isFree(): boolean {
    return this.contactCount === 0 && this.pins.length === 0 && this.grips.length === 0;
  }

  /** As the kernels know it, where they do [m³]. */
  get volumeNow(): number {
    if (this.normalsKnown) return this.memory.number(this.record + layout.BODY_SIX_VOLUME) / 6;
    return signedVolume(this.positions, this.prepared.mesh.triangles);
  }

  load(): void {
    if (this.removed) return;
    this.recovery.renew();
    // Whoever moves particles by hand may have crossed them; the next step looks.
    const exact = this.exactPositions();
    if (this.loadPositionsFrom(exact)) resetSelfContact(this.selfContact, true);
    this.packVelocities(false);
    this.loadHosted(exact);
  }

  loadVelocities(): void {
    if (this.removed) return;
    // Only what was added: the kernels' velocities also hold what presses against obstacles.
    this.addToHosted();
    this.packVelocities(true);
  }

  private addToHosted(): void {
    if (!this.hosted) return;
    const kept = this.memory.floats(this.getInteger(layout.BODY_KEPT_VELOCITIES), 4 * this.rest.padded);
    const wanted = this.hosted.shell.velocities.slice();
    this.prepared.particles.order.forEach((vertex, place) => {
      for (let c = 0; c < 3; c++) wanted[3 * place + c] += this.velocities[3 * vertex + c] - kept[4 * place + c];
    });
    const asked = wanted.slice();
    this.hosted.replaceVelocities(wanted);
    // What was given to the inside is seen.
    if (!this.innerMass) return;
    this.prepared.particles.order.forEach((vertex, place) => {
      for (let c = 0; c < 3; c++) this.velocities[3 * vertex + c] += wanted[3 * place + c] - asked[3 * place + c];
    });
  }

  /** Takes over the velocities that are shown, or with `added` only what was added to them. */
  private packVelocities(added: boolean): void {
    const { velocities } = this;
    const { order } = this.prepared.particles;
    const kept = this.memory.floats(this.getInteger(layout.BODY_KEPT_VELOCITIES), 4 * this.rest.padded);
    const packed = this.memory.floats(this.getInteger(layout.BODY_VELOCITIES), 4 * this.rest.padded);
    this.wake();
    this.setNumber(layout.BODY_SAMPLED_SPEED, sampleSpeed(velocities));
    for (let place = 0; place < order.length; place++) {
      for (let c = 0; c < 3; c++) {
        const k = 4 * place + c;
        const shown = velocities[3 * order[place] + c];
        packed[k] = added ? packed[k] + (shown - kept[k]) : shown;
        kept[k] = shown;
      }
    }
  }

  solverMomentum(): Vec3 {
    const { hosted } = this;
    if (hosted) {
      const all: [number, number, number] = [0, 0, 0];
      const { velocities, masses } = hosted.shell;
      for (let k = 0; k < velocities.length; k++) all[k % 3] += masses[Math.trunc(k / 3)] * velocities[k];
      hosted.innerMass?.addMomentum(all);
      return all;
    }
    const velocities = this.memory.floats(this.getInteger(layout.BODY_VELOCITIES), 4 * this.rest.count);
    const sum: [number, number, number] = [0, 0, 0];
    this.places.forEach((place, vertex) => {
      for (let c = 0; c < 3; c++) sum[c] += this.masses[vertex] * velocities[4 * place + c];
    });
    return sum;
  }

  pinChangeOf(vertex: number): Vec3 {
    if (this.hosted) return pointAt(this.hosted.pinChanges, this.places[vertex]);
    const changes = this.memory.floats(this.getInteger(layout.BODY_PIN_CHANGES) + 16 * this.places[vertex], 3);
    return [changes[0], changes[1], changes[2]];
  }

  /** Makes room for what each of so many obstacles does. */
  reserveReactions(colliderCount: number): void {
    const slots = Math.min(colliderCount, layout.REACTION_SLOTS);
    const bytes = Math.max(1, this.rest.chunks * slots) * layout.REACTION_BYTES;
    if (this.reactions.bytes === bytes) return;
    const address = this.memory.allocate(bytes);
    this.memory.release(this.reactions.address);
    this.reactions = { address, bytes };
    this.setOwn(layout.BODY_REACTIONS, this.reactions.address);
  }

  inspect(): BodyInspection {
    const { count } = this.rest;
    const touching = new Uint8Array(count);
    const volumeWeights = new Float64Array(count);
    if (this.removed) return { touching, volumeWeights };
    const colliding = this.memory.bytes(this.getInteger(layout.BODY_COLLIDING), count);
    // Four numbers per particle; the second is that of the velocity correction.
    const weights = this.memory.floats(this.getInteger(layout.BODY_WEIGHTS), 4 * count);
    this.places.forEach((place, vertex) => {
      touching[vertex] = colliding[place];
      volumeWeights[vertex] = this.settings.volume ? weights[4 * place + 1] : 0;
    });
    return { touching, volumeWeights };
  }

  /** Counts what a part of a step found. */
  endPart(colliders: readonly Collider[]): void {
    if (this.asleep) return;
    const contacts = this.getInteger(layout.BODY_CONTACTS);
    this.contactCount = Math.max(this.contactCount, contacts + this.joinModelContacts());
    if (contacts > 0) {
      const { memory, reactions, rest, mass, origin, touches } = this;
      addReactions(memory, reactions.address, rest.chunks, mass, origin, colliders, touches);
    }
    this.normalsKnown = this.keepsVolume;
  }

  /** What the model touched within its solve joins what the kernels found; returns how many particles that are. */
  private joinModelContacts(): number {
    const contacts = this.hosted?.model.contacts;
    if (!contacts || contacts.count === 0) return 0;
    if (contacts.areLed) this.setInteger(layout.BODY_LED, 1);
    return contacts.mark(this.memory.bytes(this.getInteger(layout.BODY_COLLIDING), this.rest.count));
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
    const { memory, record, pins, origin } = this;
    for (let c = 0; c < 3; c++) origin[c] = memory.number(record + layout.BODY_ORIGIN + 8 * c);
    this.settingsInput.write(this.settings, this.contactSettings, timeStep);
    this.setInteger(layout.BODY_LED, 0);
    const { inflation } = this;
    if (!this.asleep) inflation.approach(this.settings.volume ? this.settings.volume.target : 1, timeStep);
    const share = this.recovery.volumeShare * inflation.factor;
    this.setNumber(layout.BODY_VOLUME, share * this.prepared.volume.volume);
    if (this.parts.count > 0) {
      this.parts.begin(share, this.memory.bytes(this.getInteger(layout.BODY_PINNED), this.rest.count));
    }
    this.setNumber(layout.BODY_REST_SCALE, inflation.scale);
    if (this.hosted) this.hosted.model.restScale = inflation.scale;
    this.setFlags(
      (pins.length > 0 ? layout.FLAG_PINS : 0) |
        (this.keepsVolume ? layout.FLAG_VOLUME : 0) |
        (this.keepsOffItself() ? layout.FLAG_SELF : 0) |
        (this.normalsKnown ? layout.FLAG_NORMALS : 0) |
        (this.hosted ? layout.FLAG_HOSTED : 0) |
        (this.asleep ? layout.FLAG_ASLEEP : 0),
    );
  }

  private setFlags(flags: number): void {
    this.setInteger(layout.BODY_FLAGS, flags);
  }

  /** Of a solver without kernels: the host's stages, before the kernels'. */
  move(input: StepInput, profile: Profile): void {
    const { hosted, contactSettings, contactRest, touches } = this;
    if (!hosted || this.asleep) return;
    const colliders = input.colliders.filter((collider) => mayTouch(contactSettings, collider));
    hosted.move(input, { colliders, frictions: contactRest.frictions }, this.kernelShell(), profile);
    hosted.model.contacts?.record(touches);
  }

  /** After the kernels' stages; whether they have to be done once more, for bodies that say so. */
  follow(): boolean {
    if (!this.hosted || this.asleep) return false;
    const colliding = this.memory.bytes(this.getInteger(layout.BODY_COLLIDING), this.rest.count);
    const again = this.hosted.follow(this.kernelShell(), colliding);
    if (again) this.setFlags(this.getInteger(layout.BODY_FLAGS) | layout.FLAG_AGAIN);
    return again;
  }

  followAgain(): void {
    const flags = this.getInteger(layout.BODY_FLAGS);
    if ((flags & layout.FLAG_AGAIN) === 0) return;
    this.setFlags(flags & ~layout.FLAG_AGAIN);
    this.hosted?.followAgain(this.kernelShell());
  }

  private kernelShell(): KernelShell {
    const { memory } = this;
    const vectors = (field: number) => memory.floats(this.getInteger(field), 4 * this.rest.count);
    return {
      positions: vectors(layout.BODY_POSITIONS),
      starts: vectors(layout.BODY_STARTS),
      velocities: vectors(layout.BODY_VELOCITIES),
      changes: memory.floats(this.getInteger(layout.BODY_CHANGES), this.rest.count),
      origin: memory.doubles(this.record + layout.BODY_ORIGIN, 3),
    };
  }

  private get keepsVolume(): boolean {
    return Boolean(this.settings.volume) && this.recovery.volumeShare > 0;
  }

  /** Whether the surface is to be kept from passing through itself: one that is tangled is let through first. */
  private keepsOffItself(): boolean {
    const { contactSettings, selfContact, contactRest, memory } = this;
    if (!contactSettings.selfContact || this.asleep) return false;
    const bounds = () => new Float64Array(6 * contactRest.bvh.nodeCount);
    const keeps = isUntangled(selfContact, this.volumeNow / (this.inflation.factor * contactRest.volume), () =>
      crossesItself({ contactRest, particles: { starts: this.worldPositions() }, bounds: bounds() }),
    );
    if (!keeps) memory.bytes(this.getInteger(layout.BODY_CROSSED), this.rest.count).fill(0);
    return keeps;
  }

  /** Gives the memory back. Who still holds the body sees its last state; others may write where it was. */
  dispose(): void {
    for (const skin of this.skins) skin.dispose();
    const { positions, velocities, buffer } = this.currentViews();
    this.views = { positions: positions.slice(), velocities: velocities.slice(), buffer };
    this.removed = true;
    for (const address of [...this.blocks.values(), this.reactions.address]) this.memory.release(address);
    this.parts.dispose();
    this.blocks.clear();
  }

  /**
   * `positions` with all digits of those that were not written to: far from the origin single precision shows fewer than
   * the body's own frame holds.
   */
  private exactPositions(): Float64Array {
    const { positions } = this;
    const exact = Float64Array.from(positions);
    const origin = this.memory.doubles(this.record + layout.BODY_ORIGIN, 3);
    const packed = this.memory.floats(this.getInteger(layout.BODY_POSITIONS), 4 * this.rest.padded);
    this.prepared.particles.order.forEach((vertex, place) => {
      for (let c = 0; c < 3; c++) {
        const held = origin[c] + packed[4 * place + c];
        if (positions[3 * vertex + c] === Math.fround(held)) exact[3 * vertex + c] = held;
      }
    });
    return exact;
  }

  /** The body's frame goes to the mean of the points, so that its numbers stay small. Whether a particle is elsewhere now. */
  private loadPositionsFrom(positions: ArrayLike<number>): boolean {
    this.normalsKnown = false;
    const before = this.worldPositions();
    let moved = false;
    const { count, padded } = this.rest;
    const origin = this.memory.doubles(this.record + layout.BODY_ORIGIN, 3);
    origin.fill(0);
    for (let k = 0; k < 3 * count; k++) origin[k % 3] += positions[k] / count;
    const packed = this.memory.floats(this.getInteger(layout.BODY_POSITIONS), 4 * padded);
    this.prepared.particles.order.forEach((vertex, place) => {
      for (let c = 0; c < 3; c++) {
        packed[4 * place + c] = positions[3 * vertex + c] - origin[c];
        moved ||= positions[3 * vertex + c] !== before[3 * place + c];
      }
    });
    return moved;
  }

  /** Positions in the solver's order [m]. */
  private worldPositions(): Float64Array {
    const packed = this.memory.floats(this.getInteger(layout.BODY_POSITIONS), 4 * this.rest.count);
    const origin = this.memory.doubles(this.record + layout.BODY_ORIGIN, 3);
    return Float64Array.from({ length: 3 * this.rest.count }, (_, k) => origin[k % 3] + packed[k + Math.trunc(k / 3)]);
  }

  private allocate(name: string, bytes: number): number {
    const address = this.memory.allocate(bytes);
    this.blocks.set(name, address);
    return address;
  }

  private view() {
    const at = (field: number) => this.memory.floats(this.getInteger(field), 3 * this.rest.count);
    const { buffer } = this.memory;
    return { positions: at(layout.BODY_SHOWN_POSITIONS), velocities: at(layout.BODY_SHOWN_VELOCITIES), buffer };
  }

  /** Sets a field that says where something is in memory, or how much of it. */
  private setOwn(field: number, address: number): void {
    this.own.add(field);
    this.setInteger(field, address);
  }

  private setInteger(field: number, value: number): void {
    this.memory.setInteger(this.record + field, value);
  }

  private getInteger(field: number): number {
    return this.memory.integer(this.record + field);
  }

  private setNumber(field: number, value: number): void {
    this.memory.setNumber(this.record + field, value);
  }
}
