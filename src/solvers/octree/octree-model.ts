// The elasticity of one body: the octree's nodes in motion, and how they and the surface that they carry act on each other.
// Damping is part of `match`: it belongs before the pull (see OctreeDynamics), and the surface is placed once for both.

import type { CellTest } from '../detail.js';
import { addLinearField, createLinearField, findRigidField, fitLinearField } from '../linear-fields.js';
import type { InnerParticles, Model, Shell } from '../model.js';
import type { Surroundings } from '../model-contacts.js';
import { createRigidMotion } from '../rigid-motion.js';
import { pullBackStray } from '../stray.js';
import type { ForestChange } from './change.js';
import { Crumbs } from './crumbs.js';
import { coarsenWhere, refineWhere } from './detail.js';
import { FadingOffsets, heaviest } from './fading-offsets.js';
import type { OctreeForest } from './forest.js';
import { copyForest } from './forest-copy.js';
import { orderForest } from './forest-order.js';
import { createInKernels, isInKernels } from './kernel-octree.js';
import type { OctreeNode } from './node.js';
import { OctreeDynamics } from './octree-dynamics.js';
import { bindingOf, OctreeSurface } from './octree-surface.js';
import { PartMotions } from './part-motions.js';
import { PieceVolumes } from './piece-volumes.js';
import type { OctreeRest } from './rest.js';
import type { OctreeSettings } from './settings.js';
import { bindSkin, type Skin } from './skin.js';
import { moveByField } from './surface-momentum.js';
import { transferState } from './transfer.js';

/**
 * How far the shell may stray from its nodes before it is pulled back, in body sizes. Hands, flowers and balls that lie on a floor stray
 * by 0.6 to 0.8 % all the time and by up to 2 % when they land; pulled back beyond 0.3 % of it, as a lattice is, they strayed by 0.5 to
 * 0.6 %, for a second contact and volume stage in every step.
 */
const STRAY_LIMIT = 1.5e-2;

export class OctreeModel implements Model<OctreeSettings> {
  /** The forest of the rest data until the first change, one of its own from then on. */
  forest: OctreeForest;
  dynamics: OctreeDynamics;
  surface: OctreeSurface;
  /** X at the start of the step. */
  private starts: Float64Array;
  private readonly wanted: Float64Array;
  private readonly fading: FadingOffsets;
  private readonly kept = createRigidMotion();
  private readonly now = createRigidMotion();
  private readonly field = createLinearField();
  private readonly shift = new Float64Array(3);
  /** Made when first asked for, as the volumes: of what is only cut further nobody asks. Null where it is whole. */
  private foundParts: PartMotions | null | undefined;
  private volumes: PieceVolumes | undefined;
  private crumbs: Crumbs | undefined;

  constructor(
    readonly rest: OctreeRest,
    public settings: OctreeSettings,
    dynamics: OctreeDynamics = new OctreeDynamics(rest.regions),
    /** Whether kernels may do what loops over nodes and vertices do. */
    private mayUseKernels = false,
  ) {
    this.forest = rest.forest;
    this.dynamics = dynamics;
    this.surface = this.bind(rest.skin, dynamics);
    this.carried.set(rest.mesh.positions);
    this.starts = new Float64Array(this.dynamics.positions.length);
    this.wanted = new Float64Array(3 * rest.count);
    this.fading = new FadingOffsets(rest.count);
  }

  get skin(): Skin {
    return this.surface.skin;
  }

  /** Where the nodes have the surface [m]. */
  get carried(): Float64Array {
    return this.surface.carried;
  }

  /** The first step after a change takes nodes and surface into the kernels' memory. */
  private enterKernels(): void {
    if (isInKernels(this.surface)) return;
    const inside = createInKernels(this.dynamics, this.surface);
    this.mayUseKernels = inside !== undefined;
    if (!inside) return;
    this.dynamics = inside.dynamics;
    this.surface = inside.surface;
  }

  private bind(skin: Skin, dynamics: OctreeDynamics): OctreeSurface {
    return new OctreeSurface(bindingOf(skin, this.rest.mesh.positions, dynamics.rest.centre), dynamics);
  }

  /** Lets other nodes carry the surface, which stays where it is. */
  private install(dynamics: OctreeDynamics, skin: Skin): void {
    const { carried, carriedVelocities } = this.surface;
    this.dynamics = dynamics;
    this.surface = this.bind(skin, dynamics);
    this.surface.carriedVelocities.set(carriedVelocities);
    this.starts = new Float64Array(dynamics.positions.length);
    this.foundParts = undefined;
    this.volumes = undefined;
    this.crumbs = undefined;
    this.takeSurface(carried);
  }

  /** Of a body that was cut: a piece of one node needs them as well as several pieces do. */
  private get parts(): PartMotions | undefined {
    if (this.foundParts === undefined) {
      const { rest, dynamics, skin } = this;
      const isWhole = rest.cutFaces === undefined && dynamics.rest.partCount === 1;
      this.foundParts = isWhole ? null : new PartMotions(dynamics.rest, skin, this.surface.binding.points);
    }
    return this.foundParts ?? undefined;
  }

  /**
   * Changes the level of detail: `edit` does so to a forest of the body's own. The surface stays where it is; what the new
   * nodes would have moved it by fades.
   */
  change(edit: (forest: OctreeForest) => ForestChange): ForestChange {
    const { rest } = this;
    this.dynamics.writeFrames();
    this.placeSurface(this.carried);
    if (this.forest === rest.forest) {
      this.forest = copyForest(rest.forest).forest;
      // The same in all but its nodes.
      this.dynamics = this.dynamics.copyOver({ ...this.dynamics.rest, leaves: this.forest.leaves() });
    }
    const former = { skin: this.skin, leaves: this.dynamics.rest.leaves, vertexVoxels: rest.vertexVoxels };
    const change = edit(this.forest);
    if (change.updated.size === 0) {
      this.install(this.dynamics, this.skin);
      return change;
    }
    orderForest(this.forest, change.relinked);
    const dynamics = transferState(this.dynamics, this.forest, change);
    const { leaves } = dynamics.rest;
    const { relinked } = change;
    const skin = bindSkin(rest.mesh.positions, rest.massShares, rest.vertexVoxels, this.forest, leaves, {
      ...former,
      relinked,
    });
    this.install(dynamics, skin);
    return change;
  }

  /** Writes where the nodes alone have the surface [m]. */
  writeByNodes(out: Float64Array): void {
    this.dynamics.writeFrames();
    this.surface.place(out);
  }

  refine(test: CellTest, levels: number): number {
    return refineWhere(this, test, levels);
  }

  coarsen(test: CellTest): number {
    return coarsenWhere(this, test);
  }

  cells(): Uint32Array {
    return Uint32Array.from({ length: this.rest.count }, (_, i) => heaviest(this.skin, i));
  }

  edges(): Uint32Array {
    const { leaves } = this.dynamics.rest;
    const numbers = new Map(leaves.map((leaf, n) => [leaf, n]));
    const edgesOf = ({ edges }: OctreeNode, n: number): number[] =>
      [...edges.keys()].flatMap((next) => ((numbers.get(next) as number) > n ? [n, numbers.get(next) as number] : []));
    return Uint32Array.from(leaves.flatMap(edgesOf));
  }

  /** Takes the surface from where it is [m], as a cut leaves it; what the nodes would have moved it by fades. */
  takeSurface(positions: Float64Array): void {
    const { dynamics, surface, skin, carried, wanted } = this;
    carried.set(positions);
    dynamics.writeFrames();
    surface.place(wanted);
    this.fading.start(skin, dynamics.frames, carried, wanted);
  }

  /** Writes where the nodes have the surface, with what still fades of an offset. */
  private placeSurface(out: Float64Array): void {
    this.surface.place(out);
    this.fading.addTo(this.skin, this.dynamics.frames, out);
  }

  /** Goes on as another model of the same body did, whose nodes it takes over, with its surface in the shell. */
  protected takeOverNodes({ dynamics, forest }: OctreeModel, { positions, velocities }: Shell): void {
    this.forest = forest;
    this.carried.set(positions);
    this.surface.carriedVelocities.set(velocities);
    this.install(dynamics, this.skin);
  }

  reset(rotation: ArrayLike<number>): void {
    const { quaternions, flows } = this.dynamics;
    for (let k = 0; k < quaternions.length; k++) quaternions[k] = rotation[k % 4];
    for (let k = 0; k < flows.length; k++) flows[k] = (k % 9) % 4 === 0 ? 1 : 0;
  }

  /** The nodes: they carry the surface's mass and have none of their own. */
  get inner(): InnerParticles {
    return this.dynamics;
  }

  get restScale(): number {
    return this.dynamics.restScale;
  }

  set restScale(scale: number) {
    this.dynamics.restScale = scale;
  }

  state() {
    const { positions, velocities, quaternions, flows } = this.dynamics;
    const { carried, carriedVelocities } = this.surface;
    return { positions, velocities, quaternions, flows, carried, carriedVelocities, ...this.fading.state() };
  }

  /**
   * Moves the nodes for a step and the surface with them. It moves from where the frames of the nodes have it to where those at
   * the end of the step do; both then get the rigid field that restores the surface's momentum.
   */
  match(shell: Shell, timeStep: number, around?: Pick<Surroundings, 'pinned' | 'isRecovering'>): void {
    if (this.mayUseKernels) this.enterKernels();
    const { dynamics, surface, settings, starts, kept, now, field, shift } = this;
    const { positions, velocities, quaternions } = dynamics;
    surface.measure(shell.starts, shell.velocities, kept);
    this.parts?.measure(shell.starts, shell.velocities, around?.pinned);
    const { stiffnessScale, dampingScale } = this.rest;
    const stiffness = settings.stiffness * stiffnessScale;
    // A scattered body would take on the scattered shape for good.
    const plasticity = around?.isRecovering ? false : settings.plasticity;
    const damping = Math.min(1, settings.damping * dampingScale);
    const painted = { ...settings, stiffness, damping, plasticity };
    dynamics.damp(painted, timeStep);
    dynamics.match(painted, timeStep);
    surface.placeStarts(shell.changes);
    this.fading.addTo(this.skin, dynamics.frames, surface.starts);
    starts.set(positions);
    dynamics.move(timeStep);
    dynamics.writeFrames();
    this.fading.advance(timeStep);
    this.placeSurface(surface.carried);
    surface.measureCarried(timeStep, now);
    // Frames that turned since the surface was last placed have moved its centre of mass: nodes and surface go back by that.
    for (let c = 0; c < 3; c++) {
      shift[c] = kept.centre[c] - now.centre[c];
      now.centre[c] = kept.centre[c];
    }
    // Under pins momentum goes through these: with it, the elastic force of one pushed finger of a held hand, which weighs otherwise on
    // the surface than in the nodes, drew the others along, by 0.33 of 0.30 m in 1.4 s; without it by 0.10.
    const { parts } = this;
    if (parts) {
      const { starts: begun, carriedVelocities, carried } = surface;
      parts.restore(
        [starts, velocities, positions],
        [begun, carriedVelocities, carried],
        quaternions,
        timeStep,
        dynamics.restScale,
      );
    } else {
      findRigidField(shell.anchored ? kept : now, kept, field);
      moveByField(starts, velocities, positions, shift, field, timeStep);
      surface.move(shift, field, timeStep);
    }
    shell.velocities.set(surface.carriedVelocities);
    shell.positions.set(surface.carried);
  }

  damp(): void {}

  /**
   * A change from outside reaches the inside as far as it is linear in space (placing, turning, stretching, pushing the whole
   * body); near the surface all of it does.
   */
  replace(shell: Shell, positions: Float64Array, velocities: Float64Array): void {
    const { dynamics, wanted, field } = this;
    const { carried, carriedVelocities } = this.surface;
    const { massShares, size } = this.rest;
    const nodes = dynamics.positions;
    for (let k = 0; k < wanted.length; k++) wanted[k] = velocities[k] - shell.velocities[k];
    carriedVelocities.set(shell.velocities);
    if (this.parts) {
      this.parts.addLinear(
        shell.positions,
        wanted,
        { positions: nodes, values: dynamics.velocities },
        size,
        carriedVelocities,
      );
    } else {
      fitLinearField(shell.positions, wanted, massShares, size, field);
      addLinearField(field, nodes, dynamics.velocities);
      addLinearField(field, shell.positions, carriedVelocities);
    }
    for (let k = 0; k < wanted.length; k++) wanted[k] = positions[k] - shell.positions[k];
    if (this.parts) this.parts.addLinear(shell.positions, wanted, { positions: nodes, values: nodes }, size);
    else {
      fitLinearField(shell.positions, wanted, massShares, size, field);
      addLinearField(field, nodes, nodes);
    }
    dynamics.writeFrames();
    this.placeSurface(carried);
    this.surface.follow(positions, velocities);
  }

  takeOver(shell: Shell): void {
    this.surface.follow(shell.positions, shell.velocities);
  }

  settle(shell: Shell): readonly number[] {
    const { parts, dynamics, surface, rest } = this;
    if (!parts || this.settings.volume === false) return [];
    const volumes = this.volumes ?? new PieceVolumes(rest.mesh, rest.parts, (vertex) => parts.partOf(vertex));
    const crumbs = this.crumbs ?? this.findCrumbs(volumes, parts);
    this.volumes = volumes;
    this.crumbs = crumbs;
    const { quaternions, restScale } = dynamics;
    const moved = parts.straighten(shell, dynamics, quaternions, restScale, volumes);
    crumbs.straighten(shell, quaternions, restScale, parts.pinned, moved);
    for (const i of moved) {
      for (let k = 3 * i; k < 3 * i + 3; k++) {
        surface.carried[k] = shell.positions[k];
        surface.carriedVelocities[k] = shell.velocities[k];
      }
    }
    return moved;
  }

  private findCrumbs(volumes: PieceVolumes, parts: PartMotions): Crumbs {
    const { rest } = this;
    const { voxelSize } = this.forest.grid;
    // Rigid parts have theirs straightened with them.
    const pieces = volumes.of((part) => !parts.isRigid(part));
    return new Crumbs(pieces, voxelSize * voxelSize * voxelSize, rest.mesh.positions, this.skin);
  }

  pullBack(shell: Shell, held: Uint8Array): boolean {
    const { surface, rest } = this;
    // Those that are held would stay where they are, so that they stray is no reason to pull.
    if (!(surface.longestStray(shell.positions, held) > STRAY_LIMIT * rest.size)) return false;
    pullBackStray(shell, held, surface.carried, rest.size);
    surface.followVelocities();
    return true;
  }
}
