// A soft body in a world, as the user holds it: all that can be seen of it (observed-body), and what can be done to it.

import type { BackendBody } from '../backends/backend.js';
import { type EmbeddableMesh, type Embedding, embed } from '../embedding/embedding.js';
import type { GpuSkin } from '../embedding/gpu-skin.js';
import { ReferenceSkin, type Skin } from '../embedding/skin.js';
import type { PoseAt } from '../handles/posed-pin.js';
import { expectFinite, expectNumber, expectVector } from '../math/expect.js';
import { expectKnownFields } from '../math/known-fields.js';
import type { Keyframe } from '../math/motion.js';
import { IDENTITY, normalizeQuaternion, type Quaternion } from '../math/quaternion.js';
import { scale, type Vec3 } from '../math/vec3.js';
import type { VertexRegion } from '../mesh/select-vertices.js';
import { closestPoint } from '../mesh/triangle-tree.js';
import { replaceSettings } from '../solvers/live-settings.js';
import type { SolverSettings } from '../solvers/solver-settings.js';
import { moveRigidly, pushBody, turnAbout } from './body-motion.js';
import type { BodyOptions } from './body-options.js';
import { type BodyChanges, changeBody, type ShownSettings } from './body-settings.js';
import {
  beginStroke,
  type CutOptions,
  type CutStroke,
  expectCuttable,
  readBlade,
  type StrokeOptions,
} from './cutting.js';
import { type Deformation, deformPositions, expectDeformation } from './deform.js';
import { cellsIn, expectDetailed } from './detail-requests.js';
import { choosePatch, type GrabOptions, type Grip } from './grip.js';
import { ObservedBody } from './observed-body.js';
import type { Pin } from './pin.js';
import { pinPosed, pinVertices, posedAt } from './pinning.js';
import type { ResidentBody } from './resident-body.js';
import { closestPointOf, type SurfaceHit, type SurfaceQueryOptions } from './surface-hit.js';

/** What a body asks of its world. */
interface BodyWorld {
  /** Makes bodies of its pieces. */
  separate(): readonly Body[];
  /** Makes its model anew; it has no place then. */
  rebuild(): void;
  /** Of a world on WebGPU: it, or what is bound to it, in the GPU's buffers. */
  gpuSkin(embedding?: Embedding): GpuSkin;
}

/** A soft body of a world; made by `World.add`. */
export class Body extends ObservedBody {
  /** Yours: nothing here reads it, and snapshots do not hold it. */
  userData: unknown;

  /** Bodies are made by `World.add`. */
  constructor(
    private readonly resident: ResidentBody,
    private readonly world: BodyWorld,
  ) {
    super(resident);
  }

  /** Simulates it again; touching it from outside does so as well. */
  wake(): void {
    this.resident.membership.expect();
    this.state.wake();
  }

  /**
   * Changes some settings and leaves the others: `body.set({ stiffness: 0.4, friction: 0 })`. All are checked before any is
   * changed. Regions and resolution belong to the prepared body.
   */
  set(changes: BodyChanges): void {
    this.resident.membership.expect();
    changeBody(this.state, changes);
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
  get settings(): ShownSettings {
    return this.state.settings as ShownSettings;
  }

  set settings(settings: SolverSettings | ShownSettings) {
    this.resident.membership.expect();
    this.state.settings = replaceSettings(this.prepared.solver, settings);
    this.state.wake();
  }

  /** The point of the surface nearest to a point [m]; null where nothing is within `maxDistance`. */
  closestPoint(point: Vec3, options: Pick<SurfaceQueryOptions, 'maxDistance'> = {}): SurfaceHit<Body> | null {
    expectKnownFields('closestPoint', options, ['maxDistance']);
    return closestPointOf([this], point, { maxDistance: options.maxDistance });
  }

  /** Adds a momentum [kg m/s], to the whole body or at the surface point nearest to `point` [m]. */
  applyImpulse(impulse: Vec3, point?: Vec3): void {
    this.resident.membership.expect();
    pushBody(this.state, this.surface, impulse, point);
  }

  /** Applies a force [N] during the next step, to the whole body or at the surface point nearest to `point` [m]. */
  applyForce(force: Vec3, point?: Vec3): void {
    this.resident.membership.expect();
    expectVector('force', force);
    this.applyImpulse(scale(force, this.resident.stepLength), point);
  }

  /** Replaces the motion by a rigid one: velocity [m/s] and spin [rad/s] about the centre of mass. */
  setMotion(velocity: Vec3, spin: Vec3 = [0, 0, 0]): void {
    this.resident.membership.expect();
    moveRigidly(this.state, Float64Array.from(this.positions), velocity, spin);
  }

  /**
   * Puts it back into its rest shape, at rest, where it was added or where the options say. Pins, grips and attachments draw it to where
   * they hold it; cuts stay cut.
   */
  reset(options: Pick<BodyOptions, 'position' | 'rotation' | 'velocity' | 'spin'> = {}): void {
    this.resident.membership.expect();
    expectKnownFields('reset', options, ['position', 'rotation', 'velocity', 'spin']);
    // What is inside of it is as it was made.
    if (this.state.hostModel) this.world.rebuild();
    this.resident.reset(options);
  }

  /**
   * Takes it elsewhere as it is, without passing what is between: its centre of mass to `position` [m], turned by `rotation` about it,
   * its motion with it.
   */
  teleport(position: Vec3, rotation: Quaternion = IDENTITY): void {
    this.resident.membership.expect();
    expectVector('position', position);
    expectVector('rotation', rotation, 4);
    turnAbout(this.state, this.centreOfMass(), position, normalizeQuaternion(rotation));
    this.changed();
  }

  /**
   * Cuts it with the next step, where it is now: along a plane, along what a blade sweeps, or along a patch of triangles. What comes
   * apart are `parts` with volumes of their own. What misses the body, or would cut it into something flat, changes nothing.
   * @throws RangeError where its solver cannot be cut.
   */
  cut(options: CutOptions): void {
    this.resident.membership.expect();
    const model = expectCuttable('cut', this.state);
    model.cut?.(readBlade(options));
    this.state.wake();
  }

  /**
   * Begins a cut by hand: matter comes apart where the blade of the stroke goes, and the surface is cut when it ends. One at a time;
   * a stroke that a snapshot brought back, and nobody holds, is taken up again.
   * @throws RangeError where its solver cannot be cut.
   */
  beginCut(options: StrokeOptions = {}): CutStroke {
    this.resident.membership.expect();
    return beginStroke(expectCuttable('beginCut', this.state), options, () => this.wake());
  }

  /**
   * Makes a body of each piece that came apart. This one goes on as the largest, the others are added to the world; all of them are
   * returned, the largest first. Pins, grips and attachments go with the vertices that they hold, and settings are the same. Closed
   * parts that share matter, as slivers do that are smaller than a few voxels, stay together.
   */
  separate(): readonly Body[] {
    this.resident.membership.expect();
    return this.world.separate();
  }

  /**
   * Halves the cells that reach into a region of the world [m], where the body is now, up to `levels` times and down to the finest that
   * its settings allow; all of them without a region. Momentum stays, the surface too. Returns how many nodes came.
   * @throws RangeError where its solver has no levels of detail.
   */
  refine(region?: VertexRegion, levels = 1): number {
    this.resident.membership.expect();
    expectNumber('levels', levels, 1);
    const { refine } = expectDetailed('refine', this.state);
    this.state.wake();
    return refine(cellsIn(region), levels);
  }

  /**
   * Joins cells in a region of the world [m], by one level: those all of whose siblings reach into it too, and that may move as one.
   * Returns how many nodes went.
   * @throws RangeError where its solver has no levels of detail.
   */
  coarsen(region?: VertexRegion): number {
    this.resident.membership.expect();
    const { coarsen } = expectDetailed('coarsen', this.state);
    this.state.wake();
    return coarsen(cellsIn(region));
  }

  /**
   * Pins vertices where they are; with `motion` they follow it: `position` displaces the set from here, `rotation` turns
   * it about its centre. Returns the pin, for `unpin`, and for `moveTo` to lead the set by hand.
   */
  pin(vertices: ArrayLike<number>, motion: readonly Keyframe[] = []): Pin {
    this.resident.membership.expect();
    this.resident.expectVertices('pin', vertices);
    const pin = this.resident.addPin(pinVertices(this.state, vertices, motion));
    this.state.wake();
    return pin;
  }

  /**
   * Poses the whole body: its vertices are where `poseAt` says at each time [s], x, y, z each in the mesh's order [m], and from now on
   * at `time`. Others touch it as a wall that moves and deforms; nothing moves it. For bodies of the solver `posed`.
   */
  pose(poseAt: PoseAt, time = 0): Pin {
    this.resident.membership.expect();
    const start = posedAt(this.state, poseAt, time);
    this.positions.set(start);
    this.changed();
    return this.resident.addPin(pinPosed(start, poseAt));
  }

  unpin(pin: Pin): void {
    const pinned = this.resident.pins.innerOf(pin);
    const index = pinned ? this.state.pins.indexOf(pinned) : -1;
    if (index < 0) return;
    this.state.pins.splice(index, 1);
    this.state.wake();
  }

  /**
   * Lets a visible mesh, given in the coordinates of the body's mesh at rest, follow the body; `update` of what it returns
   * does so after a step. Binding is the slow part (7 µs per vertex) and is shared by all bodies of one `prepare`.
   */
  embed(visible: EmbeddableMesh): Skin {
    this.resident.membership.expect();
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
   * Of a world on the `webgpu` backend: its surface, or a visible mesh that follows it, in buffers that a renderer on the same device draws
   * from, so that nothing is read back. It is where the steps that were enqueued leave it, without a sync.
   * @throws RangeError on other backends, and for bodies of solvers without shaders.
   */
  gpuSkin(visible?: EmbeddableMesh): GpuSkin {
    this.resident.membership.expect();
    return this.world.gpuSkin(visible && embed(this.mesh, visible));
  }

  /**
   * Grips the body at the surface point nearest to `point` [m]; the grip's `moveTo` draws it about, as the mouse would.
   * Obstacles and other bodies still stop it.
   */
  grab(point: Vec3, options: GrabOptions = {}): Grip {
    this.resident.membership.expect();
    expectVector('point', point);
    expectKnownFields('grab', options, ['radius']);
    const hit = closestPoint(this.surface, point);
    if (!hit) throw new RangeError('grab: expected a body with finite positions');
    const patch = choosePatch(this.state, hit, options);
    const grip = this.resident.addGrip(patch);
    this.state.wake();
    return grip;
  }

  /** Puts the body into a broken state at rest, see `Deformation`. */
  deform(deformation: Deformation, seed = 1): void {
    this.resident.membership.expect();
    expectDeformation(deformation);
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
    this.resident.membership.expect();
    expectFinite('positions', this.positions);
    expectFinite('velocities', this.velocities);
    this.state.load();
    this.resident.jump();
  }

  private get state(): BackendBody {
    return this.resident.state;
  }
}
