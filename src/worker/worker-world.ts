// A world that lives in a worker, as the page holds it: the calls of `World`. What is asked for comes as a promise, what is made is there at
// once, what is shown comes with frames.

import { type Capabilities, emptyProfile, type Profile } from '../backends/backend.js';
import type { ColliderOptions } from '../contact/obstacles/collider-options.js';
import type { EmbeddableMesh } from '../embedding/embedding.js';
import { expectNumber, expectPositive, expectVector, showInput } from '../math/expect.js';
import { expectKnownFields } from '../math/known-fields.js';
import type { Vec3 } from '../math/vec3.js';
import type { Simulatable, SimulatableOptions } from '../mesh/repair/make-simulatable.js';
import { expectVertices } from '../mesh/select-vertices.js';
import { expectMesh, type TriangleMesh } from '../mesh/triangle-mesh.js';
import type { PrepareOptions } from '../solvers/prepare.js';
import type { Solver } from '../solvers/solver.js';
import { BODY_DEFAULTS, BODY_OPTIONS, type BodyOptions } from '../world/body-options.js';
import type { AttachOptions } from '../world/bond.js';
import type { RayOptions } from '../world/collider-hit.js';
import type { DetailOptions } from '../world/level-of-detail.js';
import type { SurfaceHit, SurfaceQueryOptions } from '../world/surface-hit.js';
import type { WindOptions, wind } from '../world/wind.js';
import { expectElapsed, WORLD_DEFAULTS } from '../world/world-options.js';
import { FrameReader, type WorkerContactEvent, type WorkerSplitEvent } from './frame-reader.js';
import { type BodyInfo, type HandleInfo, type Kind, type PreparedInfo, WORLD, type WorldInfo } from './messages.js';
import { Remote } from './remote.js';
import { sendableMesh, sendableSolver } from './sendable.js';
import { WorkerAttachment } from './worker-attachment.js';
import { WorkerBody } from './worker-body.js';
import { readColliderOptions, WorkerCollider } from './worker-collider.js';
import { WorkerGrip, WorkerPin } from './worker-handles.js';
import { WorkerPrepared } from './worker-prepared.js';
import type { WorldLink } from './world-link.js';

/** A point of an obstacle, as `ColliderHit`. */
export interface WorkerColliderHit {
  readonly collider: WorkerCollider;
  readonly point: Vec3;
  readonly normal: Vec3;
  readonly distance: number;
}

type Wind = ReturnType<typeof wind>;

/** A world that lives in a worker: `createWorkerWorld` makes one. What a program beside it (`hostWorld`) adds is here with the next frame. */
export class WorkerWorld {
  /** Whether a worker holds it; where none could be started, the page's own thread does. */
  readonly inWorker: boolean;
  /** Called with what went wrong in the worker where nobody waits for it; the console tells of it unless set. */
  onFault: (error: Error) => void = (error) => console.error(error);
  private readonly frames: FrameReader;
  private readonly winds = new Map<Wind, Remote>();
  private readonly visibles = new WeakMap<EmbeddableMesh, number>();
  private gravityNow: Vec3 = WORLD_DEFAULTS.gravity;
  private detailNow: DetailOptions | null = null;
  private budgetNow = Infinity;
  private lastProfile: Readonly<Profile> = emptyProfile();
  private lastProgramFrame: unknown;

  /** Worlds are made by `createWorkerWorld`. */
  constructor(
    private readonly link: WorldLink,
    private info: WorldInfo,
    options: { readonly gravity?: Vec3; readonly inWorker: boolean },
  ) {
    this.inWorker = options.inWorker;
    if (options.gravity) this.gravityNow = options.gravity;
    this.frames = new FrameReader((buffer) => link.giveBack(buffer), {
      body: (info) => this.keepBody(new Remote(link, info.id, `body ${JSON.stringify(info.name)}`), info),
      collider: (id, options) => this.keepCollider(new Remote(link, id, `collider ${options.name}`), options),
      attachment: (info) => this.revive(info),
    });
    link.onFault = (error) => this.onFault(error);
    link.onFrame = (frame) => {
      if (frame.replaced) this.info = frame.replaced;
      this.lastProfile = frame.profile;
      this.lastProgramFrame = frame.program;
      this.frames.take(frame);
    };
  }

  get capabilities(): Capabilities {
    return this.info.capabilities;
  }

  /** Δt [s]. */
  get timeStep(): number {
    return this.info.timeStep;
  }

  get bodies(): readonly WorkerBody[] {
    return [...this.frames.bodies.values()];
  }

  get colliders(): readonly WorkerCollider[] {
    return [...this.frames.colliders.values()];
  }

  get attachments(): readonly WorkerAttachment[] {
    return [...this.frames.attachments.values()].filter(({ attached }) => attached);
  }

  /** Steps taken up to the last frame. */
  get stepCount(): number {
    return this.frames.stepCount;
  }

  /** Simulated time at the last frame [s]. */
  get time(): number {
    return this.stepCount * this.timeStep;
  }

  /** Milliseconds per stage of the last step. */
  get profile(): Readonly<Profile> {
    return this.lastProfile;
  }

  /** Simulated over elapsed time in the last second: below 1 the machine is not fast enough, and the world goes slower. */
  get pace(): number {
    return this.frames.pace;
  }

  get gravity(): Vec3 {
    return this.gravityNow;
  }

  set gravity(gravity: Vec3) {
    expectVector('gravity', gravity);
    this.gravityNow = Object.freeze([gravity[0], gravity[1], gravity[2]] as const);
    this.link.set(WORLD, 'gravity', [...this.gravityNow]);
  }

  get detail(): DetailOptions | null {
    return this.detailNow;
  }

  set detail(detail: DetailOptions | null) {
    this.detailNow = detail;
    this.link.set(WORLD, 'detail', detail);
  }

  get budget(): number {
    return this.budgetNow;
  }

  set budget(budget: number) {
    this.budgetNow = budget;
    this.link.set(WORLD, 'budget', budget);
  }

  /** Prepares a mesh in the worker, as `prepare`. The result belongs to this world. */
  async prepare(mesh: TriangleMesh, solver?: Solver, options: PrepareOptions = {}): Promise<WorkerPrepared> {
    expectMesh('mesh', mesh);
    expectKnownFields('prepare', options, ['maps']);
    const id = this.link.newId();
    const info = await this.link.make('prepared', id, [sendableMesh(mesh), solver && sendableSolver(solver), options]);
    return new WorkerPrepared(this.link, id, info as PreparedInfo, solver);
  }

  /** Makes bodies of any triangles in the worker, as `makeSimulatable`. */
  makeSimulatable(mesh: TriangleMesh, options: SimulatableOptions = {}): Promise<Simulatable> {
    const { positions, triangles } = mesh;
    return this.link.call(WORLD, 'makeSimulatable', [{ positions, triangles }, options]) as Promise<Simulatable>;
  }

  /** Adds a body, as `World.add`; `ready` of it tells when the worker has it. */
  add(prepared: WorkerPrepared, options: BodyOptions = {}): WorkerBody {
    if (!(prepared instanceof WorkerPrepared) || prepared.link !== this.link)
      throw new RangeError(`add: expected what prepare() of this world returns, got ${showInput(prepared)}`);
    expectKnownFields('add', options, BODY_OPTIONS);
    const { density = BODY_DEFAULTS.density, position, rotation, name = 'body' } = options;
    expectPositive('density', density);
    if (position) expectVector('position', position);
    if (rotation) expectVector('rotation', rotation, 4);
    const { mesh, restVolume, massFactor } = prepared;
    const id = this.link.newId();
    const made = this.link.make('body', id, [prepared.id, options]);
    const remote = new Remote(this.link, id, `body ${JSON.stringify(name)}`, made);
    // As far as is known now; the worker says it to the last bit.
    const mass = density * restVolume * massFactor;
    const body = this.keepBody(remote, { id, name, mass, restVolume, mesh, parts: [] }, prepared, options);
    made.then(
      (info) => body.settle(info as BodyInfo),
      () => this.frames.forget(body),
    );
    return body;
  }

  /** Adds an obstacle, as `World.addCollider`. */
  addCollider(options: ColliderOptions): WorkerCollider {
    const read = readColliderOptions(options);
    const remote = this.make('collider', `collider ${JSON.stringify(read.name)}`, [read]);
    return this.keepCollider(remote, read);
  }

  /** Removes a body or an obstacle; one that is not in this world is left alone. */
  remove(thing: WorkerBody | WorkerCollider): void {
    this.link.expectOpen();
    if (!this.frames.forget(thing)) return;
    thing.drop();
  }

  /** Lets wind act on all bodies: `wind()` of isochore. Functions cannot be sent to a worker. */
  addField<F extends Wind>(field: F): F {
    const { velocity, gusts, gustSize, drag, seed } = field as Required<WindOptions>;
    if (velocity === undefined || drag === undefined)
      throw new RangeError('addField: expected wind({ … }), as functions cannot be sent to a worker');
    const options = { velocity: [...velocity], gusts, gustSize, drag, seed };
    this.winds.set(field, this.make('wind', 'wind', [options]));
    return field;
  }

  removeField(field: Wind): void {
    this.winds.get(field)?.drop('it was removed from its world');
    this.winds.delete(field);
  }

  /** Attaches vertices of a body, as `World.attach`. */
  attach(
    body: WorkerBody,
    vertices: ArrayLike<number>,
    other: WorkerBody | WorkerCollider,
    options: AttachOptions = {},
  ): WorkerAttachment {
    expectKnownFields('attach', options, ['breakForce']);
    if (!this.frames.has(body)) throw new RangeError('attach: expected a body of this world');
    if (other === body) throw new RangeError('attach: expected another body, got the same');
    if (!this.frames.has(other)) throw new RangeError('attach: expected a body or a collider of this world');
    expectVertices('attach', vertices, body.particleCount);
    if (options.breakForce !== undefined) expectPositive('breakForce', options.breakForce);
    const list = Uint32Array.from(vertices);
    const remote = this.make('attachment', 'attachment', [body.id, list, other.id, options]);
    const attachment = new WorkerAttachment(remote, body, other, list, options.breakForce ?? Infinity);
    this.frames.attachments.set(remote.id, attachment);
    return attachment;
  }

  /**
   * Lets time pass [s], as `World.advance`, and resolves with the steps taken when the frame is there; call it once per picture, without
   * waiting for it. The steps are taken while the page draws. What is asked for before the last frame has come is taken together. Where
   * the machine cannot keep up, the world goes slower (`pace`).
   */
  advance(elapsed: number): Promise<number> {
    expectElapsed(elapsed);
    return this.link.frame(Math.min(Math.max(0, elapsed), LONGEST_CATCH_UP));
  }

  /** Takes steps now, and resolves when they are taken and shown. */
  async step(count = 1): Promise<void> {
    expectNumber('count', count, 0);
    await this.link.call(WORLD, 'step', [count]);
    await this.link.frame(0);
  }

  /** Lets the world run by a clock of its own, `speed` seconds per second; `advance` then only asks for the next frame. */
  run(speed = 1): void {
    expectPositive('speed', speed);
    this.link.send({ kind: 'run', speed });
  }

  /** Ends `run`. */
  pause(): void {
    this.link.send({ kind: 'run', speed: 0 });
  }

  /** Calls something of the program beside the world (`hostWorld`), after all that was asked for before, and resolves with its answer. */
  call<T = unknown>(name: string, ...args: readonly unknown[]): Promise<T> {
    return this.link.callProgram(name, args) as Promise<T>;
  }

  /** What the program beside the world sent with the last frame. */
  get programFrame(): unknown {
    return this.lastProgramFrame;
  }

  snapshot(): Promise<Uint8Array> {
    return this.link.call(WORLD, 'snapshot') as Promise<Uint8Array>;
  }

  /** Goes back to a snapshot, as `World.restore`; the next frame shows it. */
  async restore(bytes: Uint8Array): Promise<void> {
    const handles = (await this.link.call(WORLD, 'restore', [bytes])) as readonly HandleInfo[];
    for (const handle of handles) this.revive(handle);
    await this.link.frame(0);
  }

  penetration(body: WorkerBody): Promise<number> {
    return this.link.call(WORLD, 'penetration', [body.id]) as Promise<number>;
  }

  /** Who touches whom, of all steps of the last frame; as `World.contactEvents` after `advance`. */
  contactEvents(): readonly WorkerContactEvent[] {
    return this.frames.contactEvents();
  }

  /** Calls back with the contacts of a body or an obstacle, when a frame comes; what it returns ends it. */
  onContact(thing: WorkerBody | WorkerCollider, callback: (event: WorkerContactEvent) => void): () => void {
    return this.frames.listeners.add(thing, callback);
  }

  /** Which bodies came apart in the steps of the last frame. */
  splitEvents(): readonly WorkerSplitEvent[] {
    return this.frames.splits;
  }

  /** The first point along a ray, as `World.raycast`. */
  async raycast(
    origin: Vec3,
    direction: Vec3,
    options: RayOptions = {},
  ): Promise<SurfaceHit<WorkerBody> | WorkerColliderHit | null> {
    return this.readHit(await this.link.call(WORLD, 'raycast', [origin, direction, options]));
  }

  async closestPoint(point: Vec3, options: SurfaceQueryOptions = {}): Promise<SurfaceHit<WorkerBody> | null> {
    return this.readHit(await this.link.call(WORLD, 'closestPoint', [point, options])) as SurfaceHit<WorkerBody> | null;
  }

  /** Whether `dispose` was called, or the worker has stopped. */
  get disposed(): boolean {
    return !this.link.isOpen;
  }

  /** Ends the worker; using the world afterwards is an error. */
  dispose(): void {
    if (!this.link.isOpen) return;
    this.link.close();
    this.frames.clear();
  }

  private readHit(hit: unknown): SurfaceHit<WorkerBody> | WorkerColliderHit | null {
    const given = hit as { body?: number; collider?: number } | null;
    if (!given) return null;
    const { bodies, colliders } = this.frames;
    if (given.body !== undefined)
      return { ...given, body: bodies.get(given.body) } as unknown as SurfaceHit<WorkerBody>;
    return { ...given, collider: colliders.get(given.collider as number) } as unknown as WorkerColliderHit;
  }

  private make(what: Kind, name: string, args: readonly unknown[]): Remote {
    const id = this.link.newId();
    return new Remote(this.link, id, name, this.link.make(what, id, args));
  }

  private keepCollider(remote: Remote, options: ColliderOptions): WorkerCollider {
    const collider = new WorkerCollider(remote, options);
    this.frames.colliders.set(remote.id, collider);
    return collider;
  }

  private keepBody(remote: Remote, info: BodyInfo, prepared?: WorkerPrepared, options?: BodyOptions): WorkerBody {
    const body = new WorkerBody(
      remote,
      {
        make: (what, name, args) => this.make(what, name, args),
        keep: (made, thing) => this.frames.keep(made.id, thing),
        visible: (mesh) => this.numberVisible(mesh),
        separate: (one) => this.separate(one),
      },
      prepared,
      info,
      options,
    );
    this.frames.bodies.set(remote.id, body);
    return body;
  }

  private async separate(body: WorkerBody): Promise<readonly WorkerBody[]> {
    const pieces = (await this.link.call(body.id, 'separate')) as readonly BodyInfo[];
    return pieces.map((info) => {
      const known = this.frames.bodies.get(info.id);
      known?.change(info);
      return known ?? this.keepBody(new Remote(this.link, info.id, `body ${JSON.stringify(info.name)}`), info);
    });
  }

  private numberVisible(mesh: EmbeddableMesh): readonly [number, EmbeddableMesh?] {
    const known = this.visibles.get(mesh);
    if (known !== undefined) return [known];
    const id = this.link.newId();
    this.visibles.set(mesh, id);
    const { positions, triangles, normals, tangents } = mesh;
    return [id, { positions, triangles, normals, tangents }];
  }

  /** Handles that a snapshot brought back, and that the page does not hold. */
  private revive({ kind, id, body, vertices, centre, other, breakForce }: HandleInfo): void {
    const { frames } = this;
    if (frames.hasHandle(id)) return;
    const remote = new Remote(this.link, id, kind);
    if (kind === 'pin') frames.keep(id, new WorkerPin(remote, vertices, centre ?? [0, 0, 0]));
    else if (kind === 'grip') frames.keep(id, new WorkerGrip(remote, [0, 0, 0]));
    else {
      const holder = frames.bodies.get(body) as WorkerBody;
      const target = (frames.bodies.get(other as number) ?? frames.colliders.get(other as number)) as WorkerBody;
      frames.attachments.set(id, new WorkerAttachment(remote, holder, target, vertices, breakForce ?? Infinity));
    }
  }
}

/** Longest time that one frame makes up for [s], as `World.advance`. */
const LONGEST_CATCH_UP = 0.25;
