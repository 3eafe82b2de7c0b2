// A soft body of a world in a worker, as the page holds it: commands go to the worker, what is shown comes with the frames.

import type { BodyInspection } from '../backends/backend.js';
import { type ContactSettings, expectContactSettings } from '../contact/contact-settings.js';
import type { EmbeddableMesh } from '../embedding/embedding.js';
import { expectNumber, expectVector } from '../math/expect.js';
import { expectKnownFields } from '../math/known-fields.js';
import { copyMotion, type Keyframe } from '../math/motion.js';
import { IDENTITY, normalizeQuaternion, type Quaternion, rotate } from '../math/quaternion.js';
import { add, pointAt, type Vec3 } from '../math/vec3.js';
import { expectVertices, selectVertices, type VertexRegion } from '../mesh/select-vertices.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { changeSettings } from '../solvers/live-settings.js';
import { BODY_DEFAULTS, type BodyOptions, CONTACT_SETTINGS } from '../world/body-options.js';
import type { BodyChanges } from '../world/body-settings.js';
import type { CutFaces } from '../world/body-views.js';
import type { CutOptions, StrokeOptions } from '../world/cutting.js';
import type { Deformation } from '../world/deform.js';
import type { GrabOptions } from '../world/grip.js';
import type { SurfaceHit } from '../world/surface-hit.js';
import type { BodyInfo, Kind } from './messages.js';
import type { Remote } from './remote.js';
import { WorkerGrip, WorkerPin, WorkerStroke } from './worker-handles.js';
import type { WorkerPrepared } from './worker-prepared.js';
import { WorkerSkin } from './worker-skin.js';

/** What a body asks of its world. */
export interface BodyHome {
  make(what: Kind, name: string, args: readonly unknown[]): Remote;
  keep(remote: Remote, thing: WorkerPin | WorkerGrip | WorkerSkin): void;
  /** The number of a visible mesh, and the mesh itself where the worker does not have it yet. */
  visible(mesh: EmbeddableMesh): readonly [number, EmbeddableMesh?];
  separate(body: WorkerBody): Promise<readonly WorkerBody[]>;
}

/** Where a body is put [m]. */
type Placement = Pick<BodyOptions, 'position' | 'rotation'>;

/** A soft body of a world in a worker: commands go to the worker, what is shown comes with frames. */
export class WorkerBody {
  /** Yours: nothing here reads it, and snapshots do not hold it. */
  userData: unknown;
  private info: BodyInfo;
  private contact: ContactSettings;
  private solverSettings: object | undefined;
  private shown: Float32Array;
  /** Asleep, contacts, recoveries, nodes, topology version, target volume. */
  private numbers: Float64Array;

  /** Bodies are made by `WorkerWorld.add`. */
  constructor(
    private readonly remote: Remote,
    private readonly home: BodyHome,
    /** What it was made of; undefined of pieces that came apart from another. */
    readonly prepared: WorkerPrepared | undefined,
    info: BodyInfo,
    private placed: BodyOptions = {},
  ) {
    this.info = info;
    this.contact = Object.fromEntries(
      CONTACT_SETTINGS.map((name) => [name, placed[name] ?? BODY_DEFAULTS[name]]),
    ) as unknown as ContactSettings;
    this.solverSettings = prepared?.solver?.settings;
    this.numbers = Float64Array.of(0, 0, 0, info.mesh.positions.length / 3, 0, info.restVolume);
    this.shown = placeAt(info.mesh.positions, placed);
  }

  /** When the worker has it, or why it could not be added. */
  get ready(): Promise<this> {
    return this.remote.ready.then(() => this);
  }

  get name(): string {
    return this.info.name;
  }

  /** @internal */
  get id(): number {
    return this.remote.id;
  }

  get removed(): boolean {
    return this.remote.membership.ended || !this.remote.link.isOpen;
  }

  /** The mesh at rest; another one after a change of topology. */
  get mesh(): TriangleMesh {
    return this.info.mesh;
  }

  /** What is to be looked at, where its solver simulates another surface. */
  get visible(): TriangleMesh | undefined {
    return this.prepared?.visible;
  }

  get cutFaces(): CutFaces | undefined {
    return this.info.cutFaces;
  }

  /** Vertices and volumes at rest of its closed parts; `partVolumes` has their volumes now. */
  get parts(): BodyInfo['parts'] {
    return this.info.parts;
  }

  get particleCount(): number {
    return this.mesh.positions.length / 3;
  }

  get mass(): number {
    return this.info.mass;
  }

  /** V₀ [m³]. */
  get restVolume(): number {
    return this.info.restVolume;
  }

  /** Where it is shown in the last frame, between its last two steps, in the mesh's own vertex order [m]. Another array with each frame. */
  get positions(): Float32Array {
    return this.shown;
  }

  /** Particles in contact in the last step. */
  get contactCount(): number {
    return this.numbers[1];
  }

  get recoveries(): number {
    return this.numbers[2];
  }

  get asleep(): boolean {
    return this.numbers[0] === 1;
  }

  get nodeCount(): number {
    return this.numbers[3];
  }

  get topologyVersion(): number {
    return this.numbers[4];
  }

  get targetVolume(): number {
    return this.numbers[5];
  }

  /** What its solver was set to; undefined where the default one was taken. */
  get settings(): Readonly<Record<string, unknown>> | undefined {
    return this.solverSettings as Readonly<Record<string, unknown>> | undefined;
  }

  get friction(): number {
    return this.contact.friction;
  }

  set friction(friction: number) {
    this.set({ friction });
  }

  get restitution(): number {
    return this.contact.restitution;
  }

  set restitution(restitution: number) {
    this.set({ restitution });
  }

  get selfContact(): boolean {
    return this.contact.selfContact;
  }

  set selfContact(selfContact: boolean) {
    this.set({ selfContact });
  }

  get group(): number {
    return this.contact.group;
  }

  set group(group: number) {
    this.set({ group });
  }

  get collidesWith(): number {
    return this.contact.collidesWith;
  }

  set collidesWith(collidesWith: number) {
    this.set({ collidesWith });
  }

  /** Changes some settings, as `Body.set`. */
  set(changes: BodyChanges): void {
    this.remote.expect();
    const solver = this.prepared?.solver;
    if (solver) {
      expectKnownFields('set', changes, [...Object.keys(solver.fields), ...CONTACT_SETTINGS]);
      this.solverSettings = changeSettings(solver, this.solverSettings as never, changes);
    }
    expectContactSettings(changes);
    for (const name of CONTACT_SETTINGS)
      if (changes[name] !== undefined) this.contact = { ...this.contact, [name]: changes[name] };
    this.remote.tell('set', changes);
  }

  wake(): void {
    this.remote.tell('wake');
  }

  applyImpulse(impulse: Vec3, point?: Vec3): void {
    expectVector('impulse', impulse);
    if (point) expectVector('point', point);
    this.remote.tell('applyImpulse', impulse, point);
  }

  applyForce(force: Vec3, point?: Vec3): void {
    expectVector('force', force);
    if (point) expectVector('point', point);
    this.remote.tell('applyForce', force, point);
  }

  setMotion(velocity: Vec3, spin: Vec3 = [0, 0, 0]): void {
    expectVector('velocity', velocity);
    expectVector('spin', spin);
    this.remote.tell('setMotion', velocity, spin);
  }

  /** Puts it back into its rest shape, as `Body.reset`. */
  reset(options: Pick<BodyOptions, 'position' | 'rotation' | 'velocity' | 'spin'> = {}): void {
    expectKnownFields('reset', options, ['position', 'rotation', 'velocity', 'spin']);
    this.remote.tell('reset', options);
  }

  teleport(position: Vec3, rotation: Quaternion = IDENTITY): void {
    expectVector('position', position);
    expectVector('rotation', rotation, 4);
    this.remote.tell('teleport', position, rotation);
  }

  deform(deformation: Deformation, seed = 1): void {
    this.remote.tell('deform', deformation, seed);
  }

  /** Puts its vertices elsewhere, in the mesh's own order [m], [m/s]; what is left out stays. */
  write({ positions, velocities }: { positions?: ArrayLike<number>; velocities?: ArrayLike<number> }): void {
    this.remote.tell('write', positions, velocities);
  }

  /** Cuts it with the next step, as `Body.cut`. */
  cut(options: CutOptions): void {
    this.remote.tell('cut', options);
  }

  beginCut(options: StrokeOptions = {}): WorkerStroke {
    this.remote.expect();
    return new WorkerStroke(this.home.make('stroke', 'stroke', [this.id, options]));
  }

  /** Makes a body of each piece that came apart, the largest first. */
  separate(): Promise<readonly WorkerBody[]> {
    this.remote.expect();
    return this.home.separate(this);
  }

  refine(region?: VertexRegion, levels = 1): Promise<number> {
    return this.remote.ask('refine', region, levels);
  }

  coarsen(region?: VertexRegion): Promise<number> {
    return this.remote.ask('coarsen', region);
  }

  /** The vertices whose place in the mesh at rest lies in a box or a ball [m]. */
  select(region: VertexRegion): number[] {
    return selectVertices(this.mesh, region);
  }

  /** Pins vertices, as `Body.pin`. */
  pin(vertices: ArrayLike<number>, motion: readonly Keyframe[] = []): WorkerPin {
    this.remote.expect();
    expectVertices('pin', vertices, this.particleCount);
    const list = Uint32Array.from(vertices);
    const centre = [0, 0, 0];
    for (const vertex of list) for (let c = 0; c < 3; c++) centre[c] += this.positions[3 * vertex + c] / list.length;
    const keys = copyMotion(motion);
    const remote = this.home.make('pin', 'pin', [this.id, list, keys]);
    const pin = new WorkerPin(remote, list, [centre[0], centre[1], centre[2]], keys);
    this.home.keep(remote, pin);
    return pin;
  }

  unpin(pin: WorkerPin): void {
    pin.drop();
  }

  /** Grips the body, as `Body.grab`. */
  grab(point: Vec3, options: GrabOptions = {}): WorkerGrip {
    this.remote.expect();
    expectVector('point', point);
    expectKnownFields('grab', options, ['radius']);
    const remote = this.home.make('grip', 'grip', [this.id, [...point], options]);
    const grip = new WorkerGrip(remote, [point[0], point[1], point[2]]);
    this.home.keep(remote, grip);
    return grip;
  }

  /** Lets a visible mesh follow the body; the worker writes its arrays for each frame. */
  embed(visible: EmbeddableMesh): WorkerSkin {
    this.remote.expect();
    const remote = this.home.make('skin', 'skin', [this.id, ...this.home.visible(visible)]);
    const skin = new WorkerSkin(remote, visible, (points) => placeAt(points, this.placed));
    this.home.keep(remote, skin);
    return skin;
  }

  /** Volume enclosed now [m³]. */
  volume(): Promise<number> {
    return this.remote.ask('volume');
  }

  /** Of each of its `parts` [m³]. */
  partVolumes(): Promise<readonly number[]> {
    return this.remote.ask('parts');
  }

  centreOfMass(): Promise<Vec3> {
    return this.remote.ask('centreOfMass');
  }

  momentum(): Promise<Vec3> {
    return this.remote.ask('momentum');
  }

  angularMomentum(): Promise<Vec3> {
    return this.remote.ask('angularMomentum');
  }

  kineticEnergy(): Promise<number> {
    return this.remote.ask('kineticEnergy');
  }

  inspect(): Promise<BodyInspection> {
    return this.remote.ask('inspect');
  }

  cells(): Promise<Uint32Array | undefined> {
    return this.remote.ask('cells');
  }

  figures(): Promise<Readonly<Record<string, number>>> {
    return this.remote.ask('figures');
  }

  /** Positions [m] and velocities [m/s] after the last step, in full precision. */
  state(): Promise<{ positions: Float64Array; velocities: Float64Array }> {
    return this.remote.ask('state');
  }

  async closestPoint(point: Vec3, options: { maxDistance?: number } = {}): Promise<SurfaceHit<WorkerBody> | null> {
    expectNumber('maxDistance', options.maxDistance ?? 0, 0);
    const hit = await this.remote.ask<SurfaceHit<number> | null>('closestPoint', point, options);
    return hit && { ...hit, body: this };
  }

  /** It is there no more; the worker knows. @internal */
  end(reason: string): void {
    this.remote.membership.end(reason);
  }

  /** @internal */
  drop(): void {
    this.remote.drop('it was removed from its world');
  }

  /** @internal */
  take(positions: Float32Array, numbers: Float64Array): void {
    this.shown = positions;
    this.numbers = numbers;
  }

  /** @internal */
  change(info: BodyInfo): void {
    this.info = info;
  }

  /** The mesh stays the one that the page has. @internal */
  settle(info: BodyInfo): void {
    this.info = { ...info, mesh: this.info.mesh };
  }
}

function placeAt(rest: ArrayLike<number>, { position = [0, 0, 0], rotation = IDENTITY }: Placement): Float32Array {
  const turned = normalizeQuaternion(rotation);
  const placed = new Float32Array(rest.length);
  for (let i = 0; 3 * i < rest.length; i++) placed.set(add(position, rotate(turned, pointAt(rest, i))), 3 * i);
  return placed;
}
