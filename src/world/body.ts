// A soft body in a world, as the user holds it.

import type { BackendBody, BodyInspection, Reals } from '../backends/backend.js';
import { CONTACT_DEFAULTS, type ContactSettings, expectContactSettings } from '../contact/contact-settings.js';
import { type EmbeddableMesh, embed } from '../embedding/embedding.js';
import { ReferenceSkin, type Skin } from '../embedding/skin.js';
import { ColliderPin } from '../handles/collider-pin.js';
import type { PatchGrip } from '../handles/grip.js';
import { Pin } from '../handles/pin.js';
import { type PoseAt, PosedPin } from '../handles/posed-pin.js';
import { massOf, measureWhole } from '../handles/rigid-handle.js';
import { expectFinite, expectNumber, expectVector, showInput } from '../math/expect.js';
import { describeKnown, expectKnownFields } from '../math/known-fields.js';
import type { Keyframe } from '../math/motion.js';
import { IDENTITY, normalizeQuaternion, type Quaternion, rotate } from '../math/quaternion.js';
import { restoreFields, type StateTree } from '../math/state-tree.js';
import { add, cross, pointAt, subtract, type Vec3 } from '../math/vec3.js';
import { signedVolume } from '../mesh/measure.js';
import { distanceFrom, selectVertices, type VertexRegion } from '../mesh/select-vertices.js';
import { SurfaceTree } from '../mesh/surface-tree.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { closestPoint, type TriangleTree } from '../mesh/triangle-tree.js';
import type { CellTest, DetailedModel } from '../solvers/detail.js';
import { liveFields } from '../solvers/fields.js';
import { changeSettings, type LiveSettings, replaceSettings } from '../solvers/live-settings.js';
import type { Model } from '../solvers/model.js';
import { createRigidMotion, measureRigidMotion } from '../solvers/rigid-motion.js';
import type { Prepared } from '../solvers/solver.js';
import type { SolverSettings } from '../solvers/solver-settings.js';
import { carryValues, type Origin } from '../solvers/topology-change.js';
import { BodyPart } from './body-part.js';
import { beginStroke, type CutOptions, type CutStroke, readBlade, type StrokeOptions } from './cutting.js';
import { DEFORMATIONS, type Deformation, deformPositions } from './deform.js';
import { choosePatch, type GrabOptions, Grip } from './grip.js';
import { closestPointOf, type SurfaceHit, type SurfaceQueryOptions } from './surface-hit.js';

export interface BodyOptions {
  readonly name?: string;
  /** Where the mesh's origin goes [m]. */
  readonly position?: Vec3;
  /** Rotation about the mesh's origin (x, y, z, w). */
  readonly rotation?: Quaternion;
  /** [m/s] */
  readonly velocity?: Vec3;
  /** Angular velocity about the centre of mass [rad/s]. */
  readonly spin?: Vec3;
  /** [kg/m³]; the mass is density × volume, spread by vertex area. */
  readonly density?: number;
  /** Coulomb coefficient against other bodies, ≥ 0: of two the geometric mean. Against an obstacle its own counts. */
  readonly friction?: number;
  /** Share of the speed of an impact that contact gives back, 0…1, on top of what elasticity does. */
  readonly restitution?: number;
  /** Whether the surface is kept from passing through itself. */
  readonly selfContact?: boolean;
  /** Bits of the groups it belongs to (1 unless set) and of those it touches (all unless set). */
  readonly group?: number;
  readonly collidesWith?: number;
}

export const BODY_DEFAULTS = Object.freeze({ density: 1000, ...CONTACT_DEFAULTS });

const CONTACT_SETTINGS = Object.keys(CONTACT_DEFAULTS) as (keyof ContactSettings)[];

/** Names of all `BodyOptions`. */
export const BODY_OPTIONS: readonly string[] = [
  ...['name', 'position', 'rotation', 'velocity', 'spin', 'density'],
  ...CONTACT_SETTINGS,
];

/** What `Body.set` changes; what is left out stays as it is. */
export type BodyChanges = LiveSettings & Partial<ContactSettings>;

/** Half a diagonal of a cube: no point of a cell is further from its middle, in sides. */
const HALF_DIAGONAL = Math.sqrt(3) / 2;

/** The cells that reach into a region. */
function cellsIn(region: VertexRegion | undefined): CellTest {
  if (!region) return () => true;
  const distance = distanceFrom(region);
  return (x, y, z, size) => distance(x, y, z) <= HALF_DIAGONAL * size;
}

export class Body {
  readonly name: string;
  /**
   * What it keeps beside the backend's state: positions for display [m] and before the last step [m], handles given out.
   * @internal
   */
  readonly shown: {
    interpolated: Float64Array;
    previous: Float64Array;
    handles: number;
    /** How often its topology has changed. */
    topologyVersion: number;
    /** Whether `interpolated` is up to date: no step was taken since. */
    isInterpolated: boolean;
  };
  /** Why it may not be changed any more; undefined while it is in a world. */
  private gone: string | undefined;
  private readonly gripsHeld = new WeakMap<PatchGrip, Grip>();
  private tree: SurfaceTree;
  private partList: readonly BodyPart[] | undefined;
  /**
   * What it was added as.
   * @internal
   */
  made: { readonly prepared: Prepared; readonly mass: number };
  /**
   * Set by the world, which makes bodies of its pieces.
   * @internal
   */
  divide: (() => readonly Body[]) | undefined;

  /** Bodies are made by `World.add`. */
  constructor(
    private readonly state: BackendBody,
    private readonly stepLength: number,
    options: BodyOptions,
  ) {
    this.name = options.name ?? 'body';
    this.tree = new SurfaceTree(this.mesh);
    this.made = { prepared: state.prepared, mass: this.mass };
    expectVector('rotation', options.rotation ?? IDENTITY, 4);
    const rotation = normalizeQuaternion(options.rotation ?? IDENTITY);
    const origin = options.position ?? [0, 0, 0];
    expectVector('position', origin);
    const positions = new Float64Array(3 * this.particleCount);
    for (let i = 0; i < this.particleCount; i++) {
      positions.set(add(origin, rotate(rotation, pointAt(this.mesh.positions, i))), 3 * i);
    }
    const given = Object.fromEntries(CONTACT_SETTINGS.map((name) => [name, options[name] ?? BODY_DEFAULTS[name]]));
    expectContactSettings(given);
    Object.assign(state.contactSettings, given);
    this.shown = {
      ...{ interpolated: positions, previous: positions.slice(), isInterpolated: false },
      ...{ handles: 0, topologyVersion: 0 },
    };
    state.place(positions, rotation);
    this.moveRigidly(positions, options.velocity ?? [0, 0, 0], options.spin ?? [0, 0, 0]);
  }

  /** Positions between the last two steps for display, written by `World.advance` [m]. */
  get interpolated(): Float64Array {
    return this.shown.interpolated;
  }

  /** Where to show it [m]: `interpolated` in a world that runs by `advance`, `positions` after steps by hand. */
  get displayed(): Reals {
    return this.shown.isInterpolated ? this.interpolated : this.positions;
  }

  /** What holds vertices, attachments aside. */
  get pins(): readonly Pin[] {
    return this.state.pins.filter((pin) => !(pin instanceof ColliderPin)).map((pin) => this.watch(pin));
  }

  /** Lets a pin know whether it still holds. */
  private watch(pin: Pin): Pin {
    pin.isHeld = () => this.state.pins.includes(pin);
    return pin;
  }

  /** What drags it. */
  get grips(): readonly Grip[] {
    return this.state.grips.map((patch) => this.gripOf(patch));
  }

  private gripOf(patch: PatchGrip): Grip {
    const grip = this.gripsHeld.get(patch) ?? new Grip(this.state, patch, this.stepLength);
    this.gripsHeld.set(patch, grip);
    return grip;
  }

  get prepared(): Prepared {
    return this.state.prepared;
  }

  /** The mesh at rest. Another one after a change of topology, and with it the number and the order of the vertices. */
  get mesh(): TriangleMesh {
    return this.prepared.mesh;
  }

  /** The surface that it was prepared from, where its solver simulates another: what is to be looked at, as a skin. */
  get visible(): TriangleMesh | undefined {
    return this.prepared.visible;
  }

  /** How often its topology has changed: what was cut, joined or refined has another `mesh` then. */
  get topologyVersion(): number {
    return this.shown.topologyVersion;
  }

  /**
   * The faces along which it was cut: which of the mesh's triangles are on them, and texture coordinates of the mesh's vertices there
   * [m], u and v each. Undefined where it was not cut.
   */
  get cutFaces(): { readonly triangles: Uint32Array; readonly uvs: Float32Array } | undefined {
    const { cutFaces, order } = this.prepared.particles;
    if (!cutFaces) return undefined;
    const uvs = new Float32Array(cutFaces.uvs.length);
    order.forEach((vertex, place) => {
      uvs.set(cutFaces.uvs.subarray(2 * place, 2 * place + 2), 2 * vertex);
    });
    return { triangles: Uint32Array.from([...cutFaces.marks.keys()].filter((t) => cutFaces.marks[t] === 1)), uvs };
  }

  /** Its closed parts; each keeps its own volume. */
  get parts(): readonly BodyPart[] {
    this.partList ??= this.prepared.parts.map((part) => new BodyPart(this.state, part));
    return this.partList;
  }

  /**
   * Called by the world when the topology has changed; `origin` says where the new vertices were, where that is known.
   * @internal
   */
  followTopology(origin?: Origin): void {
    const { shown } = this;
    this.tree = new SurfaceTree(this.mesh);
    this.partList = undefined;
    const carry = (values: Float64Array) =>
      origin ? carryValues(origin, values, 3) : Float64Array.from(this.positions);
    shown.interpolated = carry(shown.interpolated);
    shown.previous = carry(shown.previous);
    if (origin) shown.topologyVersion++;
  }

  get particleCount(): number {
    return this.state.masses.length;
  }

  /** Current positions in the mesh's own vertex order [m]. After writing to them call `changed`. */
  get positions(): Reals {
    return this.state.positions;
  }

  /** Current velocities in the mesh's own vertex order [m/s]. After writing to them call `changed`. */
  get velocities(): Reals {
    return this.state.velocities;
  }

  /** Mass of each particle of the surface [kg]; of some solvers there is more inside. */
  get masses(): Float64Array {
    return this.state.masses;
  }

  get mass(): number {
    return massOf(this.state);
  }

  /** V₀ [m³]. */
  get restVolume(): number {
    return this.prepared.volume.volume;
  }

  /** Volume that it is to have now [m³]: V₀, more or less where it is inflated or deflated. */
  get targetVolume(): number {
    return this.state.inflation.factor * this.restVolume;
  }

  /** Particles in contact in the last step. */
  get contactCount(): number {
    return this.state.contactCount;
  }

  /**
   * How often it was found broken (turned inside out, collapsed, crumpled) and drawn back to its shape as a whole; its volume is
   * let go meanwhile.
   */
  get recoveries(): number {
    return this.state.recovery.count;
  }

  /** Whether it has come to rest and is not simulated until something moves it. */
  get asleep(): boolean {
    return this.state.asleep;
  }

  /** Simulates it again; touching it from outside does so as well. */
  wake(): void {
    this.expectPresent();
    this.state.wake();
  }

  /** Whether it was taken out of its world, or that was disposed of. */
  get removed(): boolean {
    return this.gone !== undefined;
  }

  /**
   * Called by the world when it goes: from here on it refuses to be changed, and says why.
   * @internal
   */
  leave(reason: string): void {
    this.gone ??= `body ${JSON.stringify(this.name)}: ${reason}`;
    this.state.pins.length = 0;
    this.state.grips.length = 0;
  }

  private expectPresent(): void {
    if (this.gone !== undefined) throw new RangeError(this.gone);
  }

  /**
   * Changes some settings and leaves the others: `body.set({ stiffness: 0.4, friction: 0 })`. All are checked before any is
   * changed. Regions and resolution belong to the prepared body.
   */
  set(changes: BodyChanges): void {
    this.expectPresent();
    const { solver } = this.prepared;
    expectKnownFields('set', changes, [...Object.keys(solver.fields), ...CONTACT_SETTINGS]);
    const settings = changeSettings(solver, this.settings, changes);
    expectContactSettings(changes);
    const given = changes as Record<string, unknown>;
    if (liveFields(solver.fields).some((name) => given[name] !== undefined)) this.state.settings = settings;
    for (const name of CONTACT_SETTINGS) {
      if (changes[name] !== undefined) Object.assign(this.state.contactSettings, { [name]: changes[name] });
    }
    this.state.wake();
  }

  /** Coulomb coefficient against other bodies, ≥ 0: of two the geometric mean. Against an obstacle its own counts. */
  get friction(): number {
    return this.state.contactSettings.friction;
  }

  set friction(friction: number) {
    this.set({ friction });
  }

  /** Share of the speed of an impact that contact gives back, 0…1, on top of what elasticity does. */
  get restitution(): number {
    return this.state.contactSettings.restitution;
  }

  set restitution(restitution: number) {
    this.set({ restitution });
  }

  /** Whether the surface is kept from passing through itself. */
  get selfContact(): boolean {
    return this.state.contactSettings.selfContact;
  }

  set selfContact(selfContact: boolean) {
    this.set({ selfContact });
  }

  /** Bits of the groups that it belongs to. */
  get group(): number {
    return this.state.contactSettings.group;
  }

  set group(group: number) {
    this.set({ group });
  }

  /** Bits of the groups that it touches. Two things touch where each touches a group of the other. */
  get collidesWith(): number {
    return this.state.contactSettings.collidesWith;
  }

  set collidesWith(collidesWith: number) {
    this.set({ collidesWith });
  }

  /** What its solver was set to; `set` changes some of it while the world runs. */
  get settings(): SolverSettings & Readonly<Record<string, unknown>> {
    return this.state.settings as SolverSettings & Readonly<Record<string, unknown>>;
  }

  set settings(settings: SolverSettings | (SolverSettings & Readonly<Record<string, unknown>>)) {
    this.expectPresent();
    this.state.settings = replaceSettings(this.prepared.solver, settings);
    this.state.wake();
  }

  /** Volume enclosed now [m³]. */
  volume(): number {
    return signedVolume(this.positions, this.mesh.triangles);
  }

  centreOfMass(): Vec3 {
    return pointAt(this.rigidMotion().centre, 0);
  }

  /** Σ m v [kg m/s]. */
  momentum(): Vec3 {
    return pointAt(this.rigidMotion().linear, 0);
  }

  /** Σ m x×v about the world's origin [kg m²/s]. */
  angularMomentum(): Vec3 {
    const { angular, centre, linear } = this.rigidMotion();
    return add(pointAt(angular, 0), cross(pointAt(centre, 0), pointAt(linear, 0)));
  }

  /** ½ Σ m v² [J]. */
  kineticEnergy(): number {
    let energy = this.state.innerMass?.energy() ?? 0;
    for (let k = 0; k < this.velocities.length; k++)
      energy += 0.5 * this.masses[Math.trunc(k / 3)] * this.velocities[k] ** 2;
    return energy;
  }

  /** The surface as it is now, for questions about points of it. */
  get surface(): TriangleTree {
    return this.tree.at(this.positions);
  }

  /** The point of the surface nearest to a point [m]; null where nothing is within `maxDistance`. */
  closestPoint(point: Vec3, options: Pick<SurfaceQueryOptions, 'maxDistance'> = {}): SurfaceHit<Body> | null {
    expectKnownFields('closestPoint', options, ['maxDistance']);
    return closestPointOf([this], point, { maxDistance: options.maxDistance });
  }

  /** Adds a momentum [kg m/s], to the whole body or at the surface point nearest to `point` [m]. */
  applyImpulse(impulse: Vec3, point?: Vec3): void {
    this.expectPresent();
    expectVector('impulse', impulse);
    if (point) expectVector('point', point);
    const { velocities, masses } = this;
    if (!point && this.state.innerMass) {
      const linear: Vec3 = [impulse[0] / this.mass, impulse[1] / this.mass, impulse[2] / this.mass];
      this.state.push({ linear, angular: [0, 0, 0], about: [0, 0, 0] });
      return;
    }
    if (!point) {
      const mass = this.mass;
      for (let k = 0; k < velocities.length; k++) velocities[k] += impulse[k % 3] / mass;
    } else {
      // The corners of the triangle there share the impulse by barycentric weight: its torque is that of the point.
      const { triangles } = this.mesh;
      const hit = closestPoint(this.surface, point);
      if (!hit) return;
      hit.barycentrics.forEach((weight, corner) => {
        const vertex = triangles[3 * hit.triangle + corner];
        for (let c = 0; c < 3; c++) velocities[3 * vertex + c] += (weight * impulse[c]) / masses[vertex];
      });
    }
    this.state.loadVelocities();
  }

  /** Applies a force [N] during the next step, to the whole body or at the surface point nearest to `point` [m]. */
  applyForce(force: Vec3, point?: Vec3): void {
    this.expectPresent();
    expectVector('force', force);
    this.applyImpulse([force[0] * this.stepLength, force[1] * this.stepLength, force[2] * this.stepLength], point);
  }

  /** Replaces the motion by a rigid one: velocity [m/s] and spin [rad/s] about the centre of mass. */
  setMotion(velocity: Vec3, spin: Vec3 = [0, 0, 0]): void {
    this.expectPresent();
    this.moveRigidly(Float64Array.from(this.positions), velocity, spin);
  }

  /** The particles' positions are given because a backend may show fewer digits of them than there are. */
  private moveRigidly(positions: Float64Array, velocity: Vec3, spin: Vec3): void {
    expectVector('velocity', velocity);
    expectVector('spin', spin);
    const { velocities, masses } = this;
    const motion = measureRigidMotion(positions, new Float64Array(positions.length), masses, createRigidMotion());
    const centre = pointAt(motion.centre, 0);
    for (let i = 0; i < masses.length; i++) {
      velocities.set(add(velocity, cross(spin, subtract(pointAt(positions, i), centre))), 3 * i);
    }
    this.state.load();
  }

  /**
   * Cuts it with the next step, where it is now: along a plane, along what a blade sweeps, or along a patch of triangles. What comes
   * apart are `parts` with volumes of their own. What misses the body, or would cut it into something flat, changes nothing.
   * @throws RangeError where its solver cannot be cut.
   */
  cut(options: CutOptions): void {
    this.expectPresent();
    const model = this.expectCuttable('cut');
    model.cut?.(readBlade(options));
    this.state.wake();
  }

  /**
   * Begins a cut by hand: matter comes apart where the blade of the stroke goes, and the surface is cut when it ends. One at a time.
   * @throws RangeError where its solver cannot be cut.
   */
  beginCut(options: StrokeOptions = {}): CutStroke {
    this.expectPresent();
    return beginStroke(this.expectCuttable('beginCut'), options, () => this.wake());
  }

  /**
   * Makes a body of each piece that came apart. This one goes on as the largest, the others are added to the world; all of them are
   * returned, the largest first. Pins, grips and attachments go with the vertices that they hold, and settings are the same. Closed
   * parts that share matter, as slivers do that are smaller than a few voxels, stay together.
   */
  separate(): readonly Body[] {
    this.expectPresent();
    return this.divide?.() ?? [this];
  }

  /**
   * Takes over a grip of the body that it was part of.
   * @internal
   */
  takeGrip(grip: Grip): void {
    grip.state = this.state;
    grip.patch.handle = ++this.shown.handles;
    this.state.grips.push(grip.patch);
    this.gripsHeld.set(grip.patch, grip);
  }

  /**
   * Takes over a pin of the body that it was part of.
   * @internal
   */
  takePin(pin: Pin): void {
    pin.handle = ++this.shown.handles;
    this.state.pins.push(this.watch(pin));
  }

  private expectCuttable(what: string): Model {
    const { hostModel } = this.state;
    if (hostModel?.cut && hostModel.beginStroke) return hostModel;
    throw new RangeError(
      `${what}: expected a body of a solver that can be cut, got one of ${this.prepared.solver.type}`,
    );
  }

  /** What moves it: nodes inside, or its particles where its solver has none. */
  get nodeCount(): number {
    const { hostModel } = this.state;
    return hostModel?.inner ? hostModel.inner.positions.length / 3 : this.particleCount;
  }

  /**
   * Halves the cells that reach into a region of the world [m], where the body is now, up to `levels` times and down to the finest that
   * its settings allow; all of them without a region. Momentum stays, the surface too. Returns how many nodes came.
   * @throws RangeError where its solver has no levels of detail.
   */
  refine(region?: VertexRegion, levels = 1): number {
    expectNumber('levels', levels, 1);
    const { refine } = this.detailed('refine');
    return refine(cellsIn(region), levels);
  }

  /**
   * Joins cells in a region of the world [m], by one level: those all of whose siblings reach into it too, and that may move as one.
   * Returns how many nodes went.
   * @throws RangeError where its solver has no levels of detail.
   */
  coarsen(region?: VertexRegion): number {
    const { coarsen } = this.detailed('coarsen');
    return coarsen(cellsIn(region));
  }

  private detailed(what: string): DetailedModel {
    this.expectPresent();
    const { hostModel: model } = this.state;
    if (!model?.refine || !model.coarsen) {
      const got = this.prepared.solver.type;
      throw new RangeError(`${what}: expected a body of a solver with levels of detail, got one of ${got}`);
    }
    this.state.wake();
    return { refine: model.refine.bind(model), coarsen: model.coarsen.bind(model) };
  }

  /** The vertices whose place in the mesh at rest lies in a box or a ball [m]. */
  select(region: VertexRegion): number[] {
    return selectVertices(this.mesh, region);
  }

  /**
   * Pins vertices where they are; with `motion` they follow it: `position` displaces the set from here, `rotation` turns
   * it about its centre. Returns the pin, for `unpin`, and for `moveTo` to lead the set by hand.
   */
  pin(vertices: ArrayLike<number>, motion: readonly Keyframe[] = []): Pin {
    this.expectPresent();
    this.expectVertices('pin', vertices);
    const chosen = Uint32Array.from(vertices);
    const points = Array.from(chosen, (vertex) => pointAt(this.positions, vertex));
    const pin = new Pin(chosen, points, motion);
    pin.handle = ++this.shown.handles;
    this.state.pins.push(pin);
    this.state.wake();
    return this.watch(pin);
  }

  /**
   * Poses the whole body: its vertices are where `poseAt` says at each time [s], x, y, z each in the mesh's order [m], and from now on
   * at `time`. Others touch it as a wall that moves and deforms; nothing moves it. For bodies of the solver `posed`.
   */
  pose(poseAt: PoseAt, time = 0): Pin {
    this.expectPresent();
    const start = poseAt(time);
    if (start?.length !== this.positions.length)
      throw new RangeError(`pose: expected ${this.positions.length} numbers, got ${showInput(start)}`);
    this.positions.set(start);
    this.changed();
    const points = Array.from({ length: this.particleCount }, (_, vertex) => pointAt(start, vertex));
    const pin = new PosedPin(points, poseAt);
    pin.handle = ++this.shown.handles;
    this.state.pins.push(pin);
    return this.watch(pin);
  }

  /**
   * Throws where a list holds anything but vertices of the mesh.
   * @internal
   */
  expectVertices(what: string, vertices: ArrayLike<number>): void {
    if (typeof vertices?.length !== 'number') {
      throw new RangeError(`${what}: expected a list of vertices, got ${showInput(vertices)}`);
    }
    if (vertices.length === 0) throw new RangeError(`${what}: expected at least one vertex, got none`);
    const last = this.particleCount - 1;
    const wrong = Array.from(vertices).find((vertex) => !(Number.isInteger(vertex) && vertex >= 0 && vertex <= last));
    if (wrong !== undefined)
      throw new RangeError(`${what}: expected vertices from 0 to ${last}, got ${showInput(wrong)}`);
  }

  unpin(pin: Pin): void {
    const index = this.state.pins.indexOf(pin);
    if (index < 0) return;
    this.state.pins.splice(index, 1);
    this.state.wake();
  }

  /** Of a solver of cells: the cell that carries most of each vertex, by number; undefined of others. A copy. */
  cells(): Uint32Array | undefined {
    const cells = this.state.hostModel?.cells?.();
    return cells && Uint32Array.from(this.state.places, (place) => cells[place]);
  }

  /** What happens inside, to be looked at: who touches something, who keeps the volume. A copy. */
  inspect(): BodyInspection {
    const { places, hostModel } = this.state;
    const views = Object.entries(hostModel?.views?.() ?? {}).map(([name, values]) => [
      name,
      Float64Array.from(places, (place) => values[place]),
    ]);
    return { ...this.state.inspect(), views: Object.fromEntries(views) };
  }

  /** Figures of its solver by name, as reports list them: errors that it bounds. None of most solvers. */
  figures(): Readonly<Record<string, number>> {
    return this.state.hostModel?.figures?.() ?? {};
  }

  /**
   * Lets a visible mesh, given in the coordinates of the body's mesh at rest, follow the body; `update` of what it returns
   * does so after a step. Binding is the slow part (7 µs per vertex) and is shared by all bodies of one `prepare`.
   */
  embed(visible: EmbeddableMesh): Skin {
    this.expectPresent();
    const embedding = embed(this.mesh, visible);
    return (
      this.state.embed?.(embedding) ??
      new ReferenceSkin(
        embedding,
        () => this.positions,
        () => this.mesh,
      )
    );
  }

  /**
   * Grips the body at the surface point nearest to `point` [m]; the grip's `moveTo` draws it about, as the mouse would.
   * Obstacles and other bodies still stop it.
   */
  grab(point: Vec3, options: GrabOptions = {}): Grip {
    this.expectPresent();
    expectVector('point', point);
    expectKnownFields('grab', options, ['radius']);
    const hit = closestPoint(this.surface, point);
    if (!hit) throw new RangeError('grab: expected a body with finite positions');
    const patch = choosePatch(this.state, hit, options);
    patch.handle = ++this.shown.handles;
    this.state.grips.push(patch);
    this.state.wake();
    return this.gripOf(patch);
  }

  /** Puts the body into a broken state at rest, see `Deformation`. */
  deform(deformation: Deformation, seed = 1): void {
    this.expectPresent();
    if (!DEFORMATIONS.includes(deformation)) {
      throw new RangeError(
        `deform: ${describeKnown(String(deformation), DEFORMATIONS)}, got ${showInput(deformation)}`,
      );
    }
    if (deformation === 'none') return;
    deformPositions(this.positions, this.centreOfMass(), this.prepared.volume.size, deformation, seed);
    this.velocities.fill(0);
    this.changed();
  }

  /**
   * Takes over `positions` and `velocities` after they were written to.
   * @throws RangeError where one of them is not finite; the body then goes on as it was.
   */
  changed(): void {
    this.expectPresent();
    expectFinite('positions', this.positions);
    expectFinite('velocities', this.velocities);
    this.state.load();
    this.tree.moved();
    this.shown.previous.set(this.positions);
    this.interpolated.set(this.positions);
  }

  /**
   * Called by the world before a step.
   * @internal
   */
  beginStep(start: number, end: number): void {
    this.tree.moved();
    for (const { follower } of this.state.pins) follower.begin(start, end);
    for (const grip of this.state.grips) grip.impulse.fill(0);
  }

  /**
   * Called by the world after a step.
   * @internal
   */
  endStep(): void {
    this.shown.isInterpolated = false;
    for (const { follower } of this.state.pins) follower.finish();
  }

  /**
   * Called when a snapshot is restored, after the backend's state.
   * @internal
   */
  restoreShown(shown: { readonly [key: string]: StateTree }): void {
    restoreFields(this.shown, shown);
    // Settings that came back are as fixed as those that were set.
    Object.freeze(this.state.settings);
    Object.freeze(this.state.settings.volume);
    this.tree.moved();
  }

  /**
   * Remembers the positions before a step.
   * @internal
   */
  keepPrevious(): void {
    this.shown.previous.set(this.positions);
  }

  /**
   * Positions `share` of the way from the step before to the last.
   * @internal
   */
  interpolate(share: number): void {
    const { positions } = this;
    const { interpolated, previous } = this.shown;
    for (let k = 0; k < positions.length; k++) interpolated[k] = previous[k] + share * (positions[k] - previous[k]);
    this.shown.isInterpolated = true;
  }

  private rigidMotion() {
    return measureWhole(this.state, createRigidMotion());
  }
}
