// A world: bodies, obstacles, time.

import { type Backend, type Capabilities, emptyProfile, type Profile } from '../backends/backend.js';
import type { ColliderOptions } from '../contact/obstacles/collider-options.js';
import { Obstacle } from '../contact/obstacles/obstacle.js';
import { expectPositive, expectVector } from '../math/expect.js';
import { expectKnownFields } from '../math/known-fields.js';
import type { Vec3 } from '../math/vec3.js';
import { expectPrepared } from '../solvers/prepare.js';
import type { Prepared } from '../solvers/solver.js';
import { advanceParts } from './advance.js';
import { attach } from './attach.js';
import type { Attachment } from './attachment.js';
import { Body } from './body.js';
import { BODY_DEFAULTS, BODY_OPTIONS, type BodyOptions } from './body-options.js';
import type { AttachOptions } from './bond.js';
import { Bonds } from './bonds.js';
import { Collider } from './collider.js';
import { type ColliderHit, castRayAtColliders, type RayOptions } from './collider-hit.js';
import { type ContactEvent, ContactLog } from './contact-events.js';
import { ContactListeners } from './contact-listeners.js';
import { type FieldFunction, type ForceField, readField } from './force-field.js';
import { type DetailOptions, LevelOfDetail } from './level-of-detail.js';
import { Membership } from './membership.js';
import { penetrationOf } from './penetration.js';
import { Pipeline } from './pipeline.js';
import { ResidentBody } from './resident-body.js';
import { Roster } from './roster.js';
import { separateBody } from './separation.js';
import { restoreSnapshot, takeSnapshot } from './snapshot-restore.js';
import { rebuildAtRest } from './snapshot-topology.js';
import { type SplitEvent, SplitLog } from './split-events.js';
import { StepCallbacks } from './step-callbacks.js';
import { finishSync, stepParts } from './step-parts.js';
import { castRayAt, closestPointOf, type SurfaceHit, type SurfaceQueryOptions } from './surface-hit.js';
import { expectElapsed, WORLD_DEFAULTS, type WorldOptions } from './world-options.js';
import { keepInside, type WorldParts } from './world-parts.js';

/** Why what was removed refuses to be changed. */
const REMOVED = 'it was removed from its world';

/** Bodies, colliders and what holds them, moved in fixed steps; made by `createWorld`. */
export class World {
  private readonly parts: WorldParts;
  /** Fields as the step uses them, by what the user gave. */
  private readonly fieldMap = new Map<FieldFunction | ForceField, ForceField>();
  private readonly listeners = new ContactListeners<Body | Collider, ContactEvent>();
  private readonly beforeStep = new StepCallbacks();
  private readonly afterStep = new StepCallbacks();
  private lastProfile = emptyProfile();
  private isDisposed = false;

  /** Worlds are made by `createWorld`. */
  constructor(backend: Backend, options: WorldOptions) {
    this.parts = {
      ...{ backend, pipeline: new Pipeline(backend) },
      timeStep: options.timeStep ?? WORLD_DEFAULTS.timeStep,
      gravity: WORLD_DEFAULTS.gravity,
      clock: { steps: 0, accumulated: 0, interpolable: false, handles: 0 },
      ...{ bodies: new Roster(), colliders: new Roster(), bonds: new Bonds() },
      ...{ log: new ContactLog(), splits: new SplitLog(), levels: new LevelOfDetail() },
    };
    keepInside(this, this.parts);
    this.gravity = options.gravity ?? WORLD_DEFAULTS.gravity;
  }

  /** Δt [s]. */
  get timeStep(): number {
    return this.parts.timeStep;
  }

  /** [m/s²]; may be replaced while the world runs. */
  get gravity(): Vec3 {
    return this.parts.gravity;
  }

  set gravity(gravity: Vec3) {
    this.expectAlive();
    expectVector('gravity', gravity);
    this.parts.gravity = Object.freeze([gravity[0], gravity[1], gravity[2]] as const);
  }

  /**
   * Levels of detail that follow a focus and touches, of bodies whose solver has some; null, as at first, leaves them as they are. The
   * same run of foci and touches gives the same bits.
   */
  get detail(): DetailOptions | null {
    return this.parts.levels.detail;
  }

  set detail(detail: DetailOptions | null) {
    this.expectAlive();
    this.parts.levels.detail = detail;
  }

  /**
   * What a step may take [ms]; Infinity, as at first, is no limit. Beyond it bodies with levels of detail get coarser, those farthest
   * from the focus (or the origin) first. It goes by the clock: a world with a budget is not deterministic.
   */
  get budget(): number {
    return this.parts.levels.budget;
  }

  set budget(budget: number) {
    this.expectAlive();
    this.parts.levels.budget = budget;
  }

  /** What runs this world. */
  get capabilities(): Capabilities {
    return this.parts.backend.capabilities;
  }

  get bodies(): readonly Body[] {
    return this.parts.bodies.facades;
  }

  get colliders(): readonly Collider[] {
    return this.parts.colliders.facades;
  }

  /** What holds bodies to obstacles and to each other. */
  get attachments(): readonly Attachment[] {
    return this.parts.bonds.attachments;
  }

  /** Steps taken. */
  get stepCount(): number {
    return this.parts.clock.steps;
  }

  /** Simulated time [s]. */
  get time(): number {
    return this.parts.clock.steps * this.timeStep;
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
    return this.parts.bodies.facadeOf(this.addBody(prepared, density, options));
  }

  private addBody(prepared: Prepared, density: number, options: BodyOptions): ResidentBody {
    const { backend, bodies } = this.parts;
    const state = backend.add(prepared, density);
    try {
      const resident = new ResidentBody(state, this.timeStep, options);
      const body = new Body(resident, {
        separate: () => this.separate(resident),
        rebuild: () => rebuildAtRest(backend, state, state.prepared),
        gpuSkin: (embedding) => {
          if (!backend.gpuSkin)
            throw new RangeError(`gpuSkin: expected a world on webgpu, got ${backend.capabilities.backend}`);
          return backend.gpuSkin(state, () => resident.displayedBehind, embedding);
        },
      });
      bodies.add(body, resident, resident.membership);
      return resident;
    } catch (error) {
      backend.remove(state);
      throw error;
    }
  }

  /** Makes bodies of the pieces of one. */
  private separate(resident: ResidentBody): readonly Body[] {
    this.expectAlive();
    const pieces = separateBody(resident, this.parts, (prepared, mass, name) => {
      const { volume, particles } = prepared;
      return this.addBody(prepared, mass / (volume.volume * (particles.massFactor ?? 1)), { name });
    });
    return pieces.map((piece) => this.parts.bodies.facadeOf(piece));
  }

  addCollider(options: ColliderOptions): Collider {
    this.expectAlive();
    const obstacle = new Obstacle(options);
    obstacle.moveThrough(this.time, this.time);
    const membership = new Membership(`collider ${JSON.stringify(obstacle.name)}`);
    const collider = new Collider(obstacle, membership);
    this.parts.colliders.add(collider, obstacle, membership);
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
    this.parts.pipeline.wakeAll();
    return field;
  }

  /** Ends a field; one that is not in this world is left alone. */
  removeField(field: FieldFunction | ForceField): void {
    this.expectAlive();
    if (this.fieldMap.delete(field)) this.parts.pipeline.wakeAll();
  }

  /** What acts on all bodies, in the order in which it was added. */
  get fields(): readonly (FieldFunction | ForceField)[] {
    return [...this.fieldMap.keys()];
  }

  /** Removes a body or a collider; one that is not in this world is left alone. */
  remove(thing: Body | Collider): void {
    this.expectAlive();
    const { backend, bodies, colliders, bonds, pipeline } = this.parts;
    const inner = bodies.innerOf(thing as Body) ?? colliders.innerOf(thing as Collider);
    if (!inner) return;
    bonds.detachFrom(inner);
    if (inner instanceof Obstacle) {
      colliders.remove(thing as Collider, REMOVED);
      this.listeners.drop(thing as Collider);
      return;
    }
    this.listeners.drop(thing as Body);
    backend.remove(inner.state);
    pipeline.wakeAll();
    inner.release();
    bodies.remove(thing as Body, REMOVED);
  }

  /**
   * Attaches vertices of a body to a collider, with which they then move exactly, or to the surface of another body, which
   * pulls as hard as it is pulled. With `breakForce` [N] it breaks beyond that force.
   */
  attach(body: Body, vertices: ArrayLike<number>, other: Body | Collider, options: AttachOptions = {}): Attachment {
    this.expectAlive();
    return attach(this.parts, body, vertices, other, options);
  }

  /** One step of `timeStep`. */
  step(): void {
    this.takeStep();
    this.tellContacts();
  }

  private takeStep(): void {
    this.expectAlive();
    this.beforeStep.call();
    this.lastProfile = stepParts(this.parts, [...this.fieldMap.values()], this.lastProfile.total);
    this.afterStep.call();
  }

  private tellContacts(): void {
    if (this.listeners.size > 0) this.listeners.dispatch(this.contactEvents());
  }

  /** Calls back before each step, also those of `advance`: the time for forces and motions. What it returns ends it. */
  onBeforeStep(callback: () => void): () => void {
    this.expectAlive();
    return this.beforeStep.add(callback);
  }

  /** Calls back after each step. What it returns ends it. */
  onAfterStep(callback: () => void): () => void {
    this.expectAlive();
    return this.afterStep.add(callback);
  }

  /**
   * Calls back with the contacts of a body or a collider, as `contactEvents` has them: at the end of a `step` or an `advance`, when things
   * may be removed. What it returns ends it, and so does their removal.
   */
  onContact(thing: Body | Collider, callback: (event: ContactEvent) => void): () => void {
    this.expectAlive();
    if (!this.parts.bodies.innerOf(thing as Body) && !this.parts.colliders.innerOf(thing as Collider))
      throw new RangeError('onContact: expected a body or a collider of this world');
    return this.listeners.add(thing, callback);
  }

  /**
   * Brings the state of bodies to where it can be read and written. On the `webgpu` backend steps are enqueued, and positions,
   * velocities, contacts and events are those of the last sync; what looks at bodies (recovery, sleep, grips, attachments to other bodies)
   * goes by them too. With `latency: 1` they are those of the sync before, which have arrived meanwhile, so that nothing is waited for; what
   * looks at bodies within a step then rests. On the other backends there is nothing to wait for.
   */
  async sync(options: { readonly latency?: 0 | 1 } = {}): Promise<void> {
    this.expectAlive();
    expectKnownFields('sync', options, ['latency']);
    const { backend } = this.parts;
    if (!backend.isBehind) return;
    await backend.sync?.(options.latency);
    if (this.disposed) return;
    this.lastProfile = finishSync(this.parts, this.lastProfile);
  }

  /**
   * Takes as many fixed steps as fit into the elapsed time [s], carries the rest over, and interpolates
   * `body.interpolated` to the exact moment. Returns the steps taken.
   */
  advance(elapsed: number): number {
    this.expectAlive();
    expectElapsed(elapsed);
    const taken = advanceParts(this.parts, elapsed, () => this.takeStep());
    if (taken > 0) this.tellContacts();
    return taken;
  }

  /** All that the world remembers, as bytes: `restore` goes on from here with the same bits. */
  snapshot(): Uint8Array {
    this.expectAlive();
    if (this.parts.backend.isBehind) throw new Error('snapshot: expected `await world.sync()` before');
    return takeSnapshot(this.parts);
  }

  /**
   * Goes back to a snapshot of this world, or of one with the same bodies and colliders in the same order. Pins, grips and
   * attachments are as they were; those that are still there stay the same objects, see `body.pins`, `body.grips`,
   * `attachments`.
   * @throws RangeError where the bytes are no snapshot, damaged, or of another world; which then stays as it is.
   */
  restore(bytes: Uint8Array): void {
    this.expectAlive();
    restoreSnapshot(this.parts, bytes);
  }

  /** Depth of a body's deepest vertex inside any obstacle or other body that it may touch now [m]. */
  penetration(body: Body): number {
    this.expectAlive();
    return penetrationOf(this.parts, body);
  }

  /**
   * Who touches whom: of the last `step`, one event per pair in the order of `bodies`, colliders before other bodies; after
   * `advance` of all its steps in the order of time, so that nothing that began or ended between two frames is missed.
   * `collider.impulse` and `collider.torque` hold what bodies did to an obstacle in the last step.
   */
  contactEvents(): readonly ContactEvent[] {
    this.expectAlive();
    return this.parts.log.shown;
  }

  /**
   * Which bodies came apart into more closed parts: in the last `step`, or in all steps of the last `advance`. `body.parts` has these,
   * and `body.separate()` makes bodies of them.
   */
  splitEvents(): readonly SplitEvent[] {
    this.expectAlive();
    return this.parts.splits.shown;
  }

  /**
   * The first point of the bodies' surfaces along a ray [m], from either side; null where there is none. With `colliders` also that of
   * obstacles, sensors apart, from outside.
   */
  raycast(
    origin: Vec3,
    direction: Vec3,
    options?: RayOptions & { readonly colliders?: false },
  ): SurfaceHit<Body> | null;
  raycast(origin: Vec3, direction: Vec3, options: RayOptions): SurfaceHit<Body> | ColliderHit | null;
  raycast(origin: Vec3, direction: Vec3, options: RayOptions = {}): SurfaceHit<Body> | ColliderHit | null {
    this.expectAlive();
    const { colliders, ...rest } = options;
    const hit = castRayAt(this.bodies, origin, direction, rest);
    return (colliders && castRayAtColliders(this.parts.colliders, origin, direction, rest, hit?.distance)) || hit;
  }

  /** The point of the bodies' surfaces nearest to a point [m]; null where there is none. */
  closestPoint(point: Vec3, options: SurfaceQueryOptions = {}): SurfaceHit<Body> | null {
    this.expectAlive();
    return closestPointOf(this.bodies, point, options);
  }

  /** Whether `dispose` was called. */
  get disposed(): boolean {
    return this.isDisposed;
  }

  /** Frees what the world holds; using it afterwards is an error. */
  dispose(): void {
    if (this.isDisposed) return;
    const { backend, bodies, colliders, bonds } = this.parts;
    this.isDisposed = true;
    for (const body of bodies.inner) body.release();
    for (const roster of [bodies, colliders]) roster.clear('its world has been disposed of');
    backend.dispose();
    bonds.clear();
    for (const list of [this.fieldMap, this.listeners, this.beforeStep, this.afterStep]) list.clear();
  }

  private expectAlive(): void {
    if (this.isDisposed) throw new Error('the world has been disposed of');
  }
}
