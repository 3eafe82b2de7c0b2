// What can be seen of a soft body in a world: where it is, how it moves, what it weighs, what holds it.

import type { BodyInspection, Reals } from '../backends/backend.js';
import { ColliderPin } from '../handles/collider-pin.js';
import { measureWhole } from '../handles/rigid-handle.js';
import { add, cross, pointAt, type Vec3 } from '../math/vec3.js';
import { signedVolume } from '../mesh/measure.js';
import { selectVertices, type VertexRegion } from '../mesh/select-vertices.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import type { TriangleTree } from '../mesh/triangle-tree.js';
import { createRigidMotion } from '../solvers/rigid-motion.js';
import type { Prepared } from '../solvers/solver.js';
import { kineticEnergyOf } from './body-motion.js';
import type { BodyPart } from './body-part.js';
import { type CutFaces, cellsOf, cutFacesOf, inspectBody, nodeCountOf } from './body-views.js';
import type { Grip } from './grip.js';
import type { Pin } from './pin.js';
import type { ResidentBody } from './resident-body.js';

export abstract class ObservedBody {
  constructor(private readonly observed: ResidentBody) {}

  get name(): string {
    return this.observed.name;
  }

  /** Positions between the last two steps for display, written by `World.advance` [m]. */
  get interpolated(): Float64Array {
    return this.observed.shown.interpolated;
  }

  /** Where to show it [m]: `interpolated` in a world that runs by `advance`, `positions` after steps by hand. */
  get displayed(): Reals {
    return this.observed.shown.isInterpolated ? this.interpolated : this.positions;
  }

  /** What holds vertices, attachments aside. */
  get pins(): readonly Pin[] {
    const { state, pins } = this.observed;
    return state.pins.filter((pin) => !(pin instanceof ColliderPin)).map((pin) => pins.of(pin));
  }

  /** What drags it. */
  get grips(): readonly Grip[] {
    const { state, grips } = this.observed;
    return state.grips.map((patch) => grips.of(patch));
  }

  get prepared(): Prepared {
    return this.observed.state.prepared;
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
    return this.observed.shown.topologyVersion;
  }

  /** The faces along which it was cut; undefined where it was not. */
  get cutFaces(): CutFaces | undefined {
    return cutFacesOf(this.observed.state);
  }

  /** Its closed parts; each keeps its own volume. */
  get parts(): readonly BodyPart[] {
    return this.observed.parts;
  }

  get particleCount(): number {
    return this.observed.state.masses.length;
  }

  /** Current positions in the mesh's own vertex order [m]. After writing to them call `changed`. */
  get positions(): Reals {
    return this.observed.state.positions;
  }

  /** Current velocities in the mesh's own vertex order [m/s]. After writing to them call `changed`. */
  get velocities(): Reals {
    return this.observed.state.velocities;
  }

  /** Mass of each particle of the surface [kg]; of some solvers there is more inside. */
  get masses(): Float64Array {
    return this.observed.state.masses;
  }

  get mass(): number {
    return this.observed.mass;
  }

  /** V₀ [m³]. */
  get restVolume(): number {
    return this.prepared.volume.volume;
  }

  /** Volume that it is to have now [m³]: V₀, more or less where it is inflated or deflated. */
  get targetVolume(): number {
    return this.observed.state.inflation.factor * this.restVolume;
  }

  /** Particles in contact in the last step. */
  get contactCount(): number {
    return this.observed.state.contactCount;
  }

  /**
   * How often it was found broken (turned inside out, collapsed, crumpled) and drawn back to its shape as a whole; its volume is
   * let go meanwhile.
   */
  get recoveries(): number {
    return this.observed.state.recovery.count;
  }

  /** Whether it has come to rest and is not simulated until something moves it. */
  get asleep(): boolean {
    return this.observed.state.asleep;
  }

  /** Whether it was taken out of its world, or that was disposed of. */
  get removed(): boolean {
    return this.observed.membership.ended;
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
    return kineticEnergyOf(this.observed.state);
  }

  /** The surface as it is now, for questions about points of it. */
  get surface(): TriangleTree {
    return this.observed.surface;
  }

  /** What moves it: nodes inside, or its particles where its solver has none. */
  get nodeCount(): number {
    return nodeCountOf(this.observed.state);
  }

  /** The vertices whose place in the mesh at rest lies in a box or a ball [m]. */
  select(region: VertexRegion): number[] {
    return selectVertices(this.mesh, region);
  }

  /** Of a solver of cells: the cell that carries most of each vertex, by number; undefined of others. A copy. */
  cells(): Uint32Array | undefined {
    return cellsOf(this.observed.state);
  }

  /** What happens inside, to be looked at: who touches something, who keeps the volume. A copy. */
  inspect(): BodyInspection {
    return inspectBody(this.observed.state);
  }

  /** Figures of its solver by name, as reports list them: errors that it bounds. None of most solvers. */
  figures(): Readonly<Record<string, number>> {
    return this.observed.state.hostModel?.figures?.() ?? {};
  }

  private rigidMotion() {
    return measureWhole(this.observed.state, createRigidMotion());
  }
}
