// A world: bodies, obstacles, time.

import { type Backend, type BackendBody, type Capabilities, emptyProfile, type Profile } from '../backends/backend.js';
import { ReferenceBackend } from '../backends/reference/reference-backend.js';
import type { KernelSource } from '../backends/wasm/kernel-source.js';
import { MAX_THREADS } from '../backends/wasm/layout.js';
import { supportsSimd } from '../backends/wasm/modules.js';
import { createWasmBackend } from '../backends/wasm/wasm-backend.js';
import { mayTouch } from '../contact/groups.js';
import { Collider, type ColliderOptions } from '../contact/obstacles/collider.js';
import { deepestPenetration } from '../contact/obstacles/obstacle-contact.js';
import { depthInside } from '../contact/soft/body-depth.js';
import { expectNumber, expectPositive, expectVector, showInput } from '../math/expect.js';
import { describeKnown, expectKnownFields } from '../math/known-fields.js';
import type { Vec3 } from '../math/vec3.js';
import { expectPrepared } from '../solvers/prepare.js';
import type { Prepared } from '../solvers/solver.js';
import { prepareChange } from '../solvers/topology.js';
import { type Attached, Attachment, type AttachOptions, bindLink, emptyLink, type Link } from './attachment.js';
import { BODY_DEFAULTS, BODY_OPTIONS, Body, type BodyOptions } from './body.js';
import { type ContactEvent, ContactLog } from './contact-events.js';
import { type FieldFunction, type ForceField, readField } from './force-field.js';
import { type DetailOptions, LevelOfDetail } from './level-of-detail.js';
import { Pipeline } from './pipeline.js';
import { separateBody } from './separation.js';
import { captureWorld, restoreWorld, type SavedWorld, type WorldParts } from './snapshot.js';
import {
  bodyFingerprint,
  colliderFingerprint,
  openSnapshot,
  sealSnapshot,
  type WorldFingerprint,
} from './snapshot-bytes.js';
import { checkSnapshot, checkTopologies } from './snapshot-check.js';
import { isTopology, planTopologies, savedTopologies, takeTopologies } from './snapshot-topology.js';
import { type SplitEvent, SplitLog } from './split-events.js';
import { castRayAt, closestPointOf, type SurfaceHit, type SurfaceQueryOptions } from './surface-hit.js';
import { followTopology } from './topology.js';

export const BACKENDS = ['auto', 'reference', 'wasm'] as const;
export type BackendName = (typeof BACKENDS)[number];

export interface WorldOptions {
  /** [m/s²] */
  readonly gravity?: Vec3;
  /** Δt, the fixed step, from 1e-5 to 0.1 [s]. */
  readonly timeStep?: number;
  /**
   * `auto` is `wasm` where the engine has WebAssembly with SIMD, `reference` elsewhere; `capabilities` tells which it is.
   */
  readonly backend?: BackendName;
  /** Threads of the WebAssembly backend, at most `MAX_THREADS`; as many as there are processors unless set. */
  readonly threads?: number;
  /** The WebAssembly backend's kernels, where the inlined ones are not to be used. */
  readonly kernels?: KernelSource;
}

export const WORLD_DEFAULTS = Object.freeze({
  gravity: Object.freeze([0, -9.81, 0]) as Vec3,
  timeStep: 0.005,
  backend: 'auto' as BackendName,
});

/** Shortest and longest step [s]: a longer one is hundreds of parts, a shorter one is below the rounding of positions. */
export const TIME_STEP_LIMITS = Object.freeze([1e-5, 0.1] as const);

const WORLD_OPTIONS = ['gravity', 'timeStep', 'backend', 'threads', 'kernels'];

/** Why what was removed refuses to be changed. */
const REMOVED = 'it was removed from its world';

/** Longest time that `advance` catches up in one call [s], two of the longest steps; beyond it the clock falls behind. */
const LONGEST_CATCH_UP = 0.25;

export class UnsupportedBackendError extends Error {
  override readonly name = 'UnsupportedBackendError';
}

/** Creates a world. Asynchronous because backends may have to be loaded. */
export async function createWorld(options: WorldOptions = {}): Promise<World> {
  expectKnownFields('createWorld', options, WORLD_OPTIONS);
  const backend = options.backend ?? WORLD_DEFAULTS.backend;
  if (!BACKENDS.includes(backend)) {
    throw new UnsupportedBackendError(
      `backend: ${describeKnown(String(backend), BACKENDS)}, got ${showInput(backend)}`,
    );
  }
  const { threads = 1 } = options;
  if (!(Number.isInteger(threads) && threads >= 1 && threads <= MAX_THREADS)) {
    throw new RangeError(`threads: expected an integer from 1 to ${MAX_THREADS}, got ${showInput(threads)}`);
  }
  expectVector('gravity', options.gravity ?? WORLD_DEFAULTS.gravity);
  expectNumber('timeStep', options.timeStep ?? WORLD_DEFAULTS.timeStep, ...TIME_STEP_LIMITS);
  return new World(await createBackend(backend, options), options);
}

async function createBackend(name: 'auto' | 'reference' | 'wasm', options: WorldOptions): Promise<Backend> {
  if (name === 'reference') return new ReferenceBackend();
  if (!supportsSimd()) {
    if (name === 'auto') return new ReferenceBackend();
    throw new UnsupportedBackendError('backend: wasm needs an engine with WebAssembly SIMD, expected reference');
  }
  try {
    return await createWasmBackend(options);
  } catch (error) {
    // A page's security policy may forbid compiling; kernels that the user brought are meant to work.
    if (name === 'wasm' || options.kernels || !(error instanceof WebAssembly.CompileError)) throw error;
    return new ReferenceBackend();
  }
}

export class World {
  private acceleration: Vec3 = WORLD_DEFAULTS.gravity;
  /** Δt [s]. */
  readonly timeStep: number;
  private readonly bodyList: Body[] = [];
  private readonly colliderList: Collider[] = [];
  private attachmentList: Attachment[] = [];
  /** Fields as the step uses them, by what the user gave. */
  private readonly fieldMap = new Map<FieldFunction | ForceField, ForceField>();
  private readonly states = new Map<Body, BackendBody>();
  /** The same, in the order of the bodies. */
  private readonly stateList: BackendBody[] = [];
  private lastProfile = emptyProfile();
  private clock = { steps: 0, accumulated: 0, interpolable: false, handles: 0 };
  private readonly log = new ContactLog();
  private readonly splits = new SplitLog();
  private readonly levels = new LevelOfDetail();
  private disposed = false;
  private readonly pipeline: Pipeline;

  /** Worlds are made by `createWorld`. */
  constructor(
    private readonly backend: Backend,
    options: WorldOptions,
  ) {
    this.pipeline = new Pipeline(backend);
    this.gravity = options.gravity ?? WORLD_DEFAULTS.gravity;
    this.timeStep = options.timeStep ?? WORLD_DEFAULTS.timeStep;
  }

  /** [m/s²]; may be replaced while the world runs. */
  get gravity(): Vec3 {
    return this.acceleration;
  }

  set gravity(gravity: Vec3) {
    this.expectAlive();
    expectVector('gravity', gravity);
    this.acceleration = Object.freeze([gravity[0], gravity[1], gravity[2]] as const);
  }

  /**
   * Levels of detail that follow a focus and touches, of bodies whose solver has some; null, as at first, leaves them as they are. The
   * same run of foci and touches gives the same bits.
   */
  get detail(): DetailOptions | null {
    return this.levels.detail;
  }

  set detail(detail: DetailOptions | null) {
    this.expectAlive();
    this.levels.detail = detail;
  }

  /**
   * What a step may take [ms]; Infinity, as at first, is no limit. Beyond it bodies with levels of detail get coarser, those farthest
   * from the focus (or the origin) first. It goes by the clock: a world with a budget is not deterministic.
   */
  get budget(): number {
    return this.levels.budget;
  }

  set budget(budget: number) {
    this.expectAlive();
    this.levels.budget = budget;
  }

  /** What runs this world. */
  get capabilities(): Capabilities {
    return this.backend.capabilities;
  }

  get bodies(): readonly Body[] {
    return this.bodyList;
  }

  get colliders(): readonly Collider[] {
    return this.colliderList;
  }

  /** What holds bodies to obstacles and to each other. */
  get attachments(): readonly Attachment[] {
    this.forgetDetached();
    return this.attachmentList;
  }

  /** Steps taken. */
  get stepCount(): number {
    return this.clock.steps;
  }

  /** Simulated time [s]. */
  get time(): number {
    return this.clock.steps * this.timeStep;
  }

  /** Milliseconds per stage of the last step. */
  get profile(): Readonly<Profile> {
    return this.lastProfile;
  }

  /** Adds a body; the prepared rest data is shared by all copies. */
  add(prepared: Prepared, options: BodyOptions = {}): Body {
    this.expectAlive();
    expectPrepared('add', prepared);
    expectKnownFields('add', options, BODY_OPTIONS);
    const density = options.density ?? BODY_DEFAULTS.density;
    expectPositive('density', density);
    return this.addBody(prepared, density, options).body;
  }

  private addBody(prepared: Prepared, density: number, options: BodyOptions): { body: Body; state: BackendBody } {
    const state = this.backend.add(prepared, density);
    try {
      const body = new Body(state, this.timeStep, options);
      body.divide = () => this.separate(body, state);
      this.states.set(body, state);
      this.stateList.push(state);
      this.bodyList.push(body);
      return { body, state };
    } catch (error) {
      this.backend.remove(state);
      throw error;
    }
  }

  /** Makes bodies of the pieces of one. */
  private separate(body: Body, state: BackendBody): readonly Body[] {
    this.expectAlive();
    return separateBody(body, state, {
      backend: this.backend,
      attachments: this.attachments,
      add: (prepared, mass, name) => {
        const { volume, particles } = prepared;
        return this.addBody(prepared, mass / (volume.volume * (particles.massFactor ?? 1)), { name });
      },
      attach: (one, vertices, other, breakForce) => {
        this.attach(one, vertices, other, breakForce < Infinity ? { breakForce } : {});
      },
    });
  }

  addCollider(options: ColliderOptions): Collider {
    this.expectAlive();
    const collider = new Collider(options);
    collider.moveThrough(this.time, this.time);
    this.colliderList.push(collider);
    return collider;
  }

  /**
   * Lets a field act on all bodies from the next step on: `wind()`, or a function that gives the acceleration of a particle [m/s²] by
   * its position [m], its velocity [m/s] and the world's time [s]. Functions of these alone keep a world deterministic; snapshots hold
   * the time, not the fields. What a field acts on does not sleep. Returns it, for `removeField`.
   */
  addField<F extends FieldFunction | ForceField>(field: F): F {
    this.expectAlive();
    this.fieldMap.set(field, readField(field));
    this.pipeline.wakeAll();
    return field;
  }

  /** Ends a field; one that is not in this world is left alone. */
  removeField(field: FieldFunction | ForceField): void {
    this.expectAlive();
    if (this.fieldMap.delete(field)) this.pipeline.wakeAll();
  }

  /** What acts on all bodies, in the order in which it was added. */
  get fields(): readonly (FieldFunction | ForceField)[] {
    return [...this.fieldMap.keys()];
  }

  /** Removes a body or a collider; one that is not in this world is left alone. */
  remove(thing: Body | Collider): void {
    this.expectAlive();
    for (const attachment of this.attachmentList) {
      if (attachment.body === thing || attachment.other === thing) attachment.detach();
    }
    if (thing instanceof Collider) {
      const index = this.colliderList.indexOf(thing);
      if (index < 0) return;
      this.colliderList.splice(index, 1);
      thing.leave(REMOVED);
      return;
    }
    const state = this.states.get(thing);
    if (!state) return;
    this.backend.remove(state);
    this.pipeline.wakeAll();
    this.states.delete(thing);
    const place = this.bodyList.indexOf(thing);
    this.stateList.splice(place, 1);
    this.bodyList.splice(place, 1);
    thing.leave(REMOVED);
  }

  /**
   * Attaches vertices of a body to a collider, with which they then move exactly, or to the surface of another body, which
   * pulls as hard as it is pulled. With `breakForce` [N] it breaks beyond that force.
   */
  attach(body: Body, vertices: ArrayLike<number>, other: Body | Collider, options: AttachOptions = {}): Attachment {
    this.expectAlive();
    expectKnownFields('attach', options, ['breakForce']);
    const state = this.states.get(body);
    if (!state) throw new RangeError('attach: expected a body of this world');
    body.expectVertices('attach', vertices);
    if (other === body) throw new RangeError('attach: expected another body, got the same');
    const target = this.targetOf(other);
    if (!target) throw new RangeError('attach: expected a body or a collider of this world');
    const chosen = Uint32Array.from(vertices);
    return this.hold(body, other, bindLink({ body, state }, chosen, target), options);
  }

  /** What bodies can be attached to; undefined where it is not in this world. */
  private targetOf(other: Body | Collider): Collider | Attached | undefined {
    if (other instanceof Collider) return this.colliderList.includes(other) ? other : undefined;
    const state = this.states.get(other);
    return state && { body: other, state };
  }

  private hold(body: Body, other: Body | Collider, link: Link, options: AttachOptions): Attachment {
    const owner = { body, state: this.states.get(body) as BackendBody };
    const target = this.targetOf(other) as Collider | Attached;
    const attachment = new Attachment(owner, target, link, options, this.timeStep);
    attachment.handle = ++this.clock.handles;
    this.attachmentList.push(attachment);
    return attachment;
  }

  private forgetDetached(): void {
    if (this.attachmentList.every(({ attached }) => attached)) return;
    this.attachmentList = this.attachmentList.filter(({ attached }) => attached);
  }

  /** One step of `timeStep`. */
  step(): void {
    this.expectAlive();
    this.clock.interpolable = false;
    this.splits.begin();
    this.adaptBodies();
    this.levels.update(this.bodyList, this.stateList, {
      ...{ steps: this.stepCount, time: this.time, took: this.lastProfile.total },
      events: () => this.log.events,
    });
    const { gravity, time, timeStep, colliderList: colliders } = this;
    const end = time + timeStep;
    for (const { follower } of colliders) follower.begin(time, end);
    for (const body of this.bodyList) body.beginStep(time, end);
    for (const attachment of this.attachmentList) attachment.beginStep();
    const fields = [...this.fieldMap.values()];
    const joints = this.attachmentList.flatMap(({ joint }) => joint ?? []);
    this.lastProfile = this.pipeline.step({ gravity, time, timeStep, colliders, joints, fields });
    this.clock.steps++;
    for (const { follower } of colliders) follower.finish();
    for (const body of this.bodyList) body.endStep();
    this.log.update(this.bodyList, this.stateList, colliders);
    for (const attachment of this.attachmentList) attachment.endStep();
    this.forgetDetached();
  }

  /** Bodies whose model wants another topology get it, and what holds them follows. */
  private adaptBodies(): void {
    this.bodyList.forEach((body, n) => {
      const state = this.stateList[n];
      const change = state.asleep ? undefined : state.adapt();
      if (!change) return;
      const found = prepareChange(state.prepared, change);
      // One that comes back to what it was shares that again.
      const { prepared: made } = body.made;
      const prepared = isTopology(made, found.mesh, found.maps) ? made : found;
      const before = Float64Array.from(state.positions);
      this.splits.add(body, state.prepared.parts.length, prepared.parts.length);
      const { origin } = change;
      this.backend.rebuild(state, prepared, origin);
      body.followTopology(origin);
      followTopology({ body, state, origin, before }, this.attachmentList);
      state.wake();
    });
    this.forgetDetached();
  }

  /**
   * Takes as many fixed steps as fit into the elapsed time [s], carries the rest over, and interpolates
   * `body.interpolated` to the exact moment. Returns the steps taken.
   */
  advance(elapsed: number): number {
    this.expectAlive();
    if (!(elapsed >= 0)) throw new RangeError(`elapsed: expected a number from 0, got ${showInput(elapsed)}`);
    this.clock.accumulated = Math.min(this.clock.accumulated + elapsed, LONGEST_CATCH_UP);
    let taken = 0;
    this.log.beginGathering();
    this.splits.gather(true);
    // A whole step less rounding counts as a step, so that 1/60 s of elapsed time is 1/60 s of steps.
    while (this.clock.accumulated >= this.timeStep * (1 - 1e-9)) {
      for (const body of this.bodyList) body.keepPrevious();
      this.step();
      this.log.gather(taken === 0);
      this.clock.interpolable = true;
      this.clock.accumulated = Math.max(0, this.clock.accumulated - this.timeStep);
      taken++;
    }
    this.splits.gather(false);
    // Who steps by hand in between sees the last state.
    if (!this.clock.interpolable) for (const body of this.bodyList) body.keepPrevious();
    for (const body of this.bodyList) body.interpolate(this.clock.accumulated / this.timeStep);
    return taken;
  }

  /** All that the world remembers, as bytes: `restore` goes on from here with the same bits. */
  snapshot(): Uint8Array {
    this.expectAlive();
    return sealSnapshot(this.fingerprint(), this.captured());
  }

  /**
   * Goes back to a snapshot of this world, or of one with the same bodies and colliders in the same order. Pins, grips and
   * attachments are as they were; those that are still there stay the same objects, see `body.pins`, `body.grips`,
   * `attachments`.
   * @throws RangeError where the bytes are no snapshot, damaged, or of another world; which then stays as it is.
   */
  restore(bytes: Uint8Array): void {
    this.expectAlive();
    const saved = openSnapshot(bytes, this.fingerprint());
    const own = this.captured();
    const others = planTopologies(this.parts(), checkTopologies(this.bodyList.length, saved));
    if (!others) checkSnapshot(this.parts(), own, saved);
    try {
      // What is saved of a body can only be checked against one of the same topology.
      if (others) {
        takeTopologies(this.parts(), others);
        checkSnapshot(this.parts(), this.captured(), saved);
      }
      this.goTo(saved as unknown as SavedWorld);
    } catch (error) {
      // What no check can foresee, such as no room, or could only find then: back to where it was.
      this.goTo(own);
      throw error;
    }
  }

  private captured(): SavedWorld {
    return { clock: { ...this.clock }, gravity: this.gravity, world: captureWorld(this.parts()) };
  }

  private goTo({ clock, gravity, world }: SavedWorld): void {
    const others = planTopologies(this.parts(), savedTopologies(world));
    if (others) takeTopologies(this.parts(), others);
    restoreWorld(this.parts(), world);
    this.clock = { ...clock };
    this.splits.clear();
    // In the order in which they were made.
    this.attachmentList.sort((a, b) => a.handle - b.handle);
    this.gravity = gravity;
    this.forgetDetached();
  }

  private parts(): WorldParts {
    return {
      backend: this.backend,
      pipeline: this.pipeline,
      bodies: this.bodyList,
      states: this.stateList,
      colliders: this.colliderList,
      attachments: this.attachments,
      log: this.log,
      levels: this.levels,
      emptyLink: (body, vertices, other) =>
        emptyLink(this.targetOf(body) as Attached, vertices, this.targetOf(other) as Attached | Collider),
      attach: (body, other, link, breakForce) =>
        this.hold(body, other, link, breakForce < Infinity ? { breakForce } : {}),
    };
  }

  private fingerprint(): WorldFingerprint {
    return {
      backend: this.backend.capabilities.backend,
      kernels: this.backend.fingerprint,
      timeStep: this.timeStep,
      bodies: this.bodyList.map(({ made }) => bodyFingerprint(made.prepared, made.mass)),
      colliders: this.colliderList.map(colliderFingerprint),
    };
  }

  /** Depth of a body's deepest vertex inside any obstacle or other body that it may touch now [m]. */
  penetration(body: Body): number {
    this.expectAlive();
    const obstacles = this.colliderList.filter((collider) => mayTouch(body, collider));
    let deepest = deepestPenetration(obstacles, body.positions);
    for (const other of this.bodyList) {
      if (other === body || !mayTouch(body, other)) continue;
      deepest = Math.max(deepest, depthInside(body.positions, other.positions, other.mesh.triangles));
    }
    return deepest;
  }

  /**
   * Who touches whom: of the last `step`, one event per pair in the order of `bodies`, colliders before other bodies; after
   * `advance` of all its steps in the order of time, so that nothing that began or ended between two frames is missed.
   * `collider.impulse` and `collider.torque` hold what bodies did to an obstacle in the last step.
   */
  contactEvents(): readonly ContactEvent[] {
    this.expectAlive();
    return this.log.shown;
  }

  /**
   * Which bodies came apart into more closed parts: in the last `step`, or in all steps of the last `advance`. `body.parts` has these,
   * and `body.separate()` makes bodies of them.
   */
  splitEvents(): readonly SplitEvent[] {
    this.expectAlive();
    return this.splits.shown;
  }

  /** The first point of the bodies' surfaces along a ray [m], from either side; null where there is none. */
  raycast(origin: Vec3, direction: Vec3, options: SurfaceQueryOptions = {}): SurfaceHit<Body> | null {
    this.expectAlive();
    return castRayAt(this.bodyList, origin, direction, options);
  }

  /** The point of the bodies' surfaces nearest to a point [m]; null where there is none. */
  closestPoint(point: Vec3, options: SurfaceQueryOptions = {}): SurfaceHit<Body> | null {
    this.expectAlive();
    return closestPointOf(this.bodyList, point, options);
  }

  /** Frees what the world holds; using it afterwards is an error. */
  dispose(): void {
    if (this.disposed) return;
    for (const thing of [...this.bodyList, ...this.colliderList]) thing.leave('its world has been disposed of');
    this.disposed = true;
    this.backend.dispose();
    this.bodyList.length = 0;
    this.colliderList.length = 0;
    this.stateList.length = 0;
    this.states.clear();
    this.fieldMap.clear();
    this.attachmentList = [];
  }

  private expectAlive(): void {
    if (this.disposed) throw new Error('the world has been disposed of');
  }
}
