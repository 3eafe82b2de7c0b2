// The elasticity of one body: the octree's nodes in motion, and how they and the surface that they carry act on each other.
// Damping is part of `match`: it belongs before the pull (see OctreeDynamics), and the surface is placed once for both.

import type { CellTest } from '../detail.js';
import { addLinearField, createLinearField, findRigidField, fitLinearField } from '../linear-fields.js';
import type { InnerParticles, Model, ModelState, Shell } from '../model.js';
import { createRigidMotion, measureRigidMotion } from '../rigid-motion.js';
import { pullBackStray } from '../stray.js';
import type { ForestChange } from './change.js';
import { coarsenWhere, refineWhere } from './detail.js';
import { FadingOffsets, heaviest } from './fading-offsets.js';
import { createFollowBuffers, type FollowBuffers, followSurface } from './following.js';
import type { OctreeForest } from './forest.js';
import { copyForest } from './forest-copy.js';
import { OctreeDynamics } from './octree-dynamics.js';
import { buildRegionRest } from './region-rest.js';
import type { OctreeRest } from './rest.js';
import type { OctreeSettings } from './settings.js';
import { bindSkin, interpolateSkin, type Skin, writeSkin } from './skin.js';
import { captureStructure, orderForest, restoreStructure } from './structure.js';
import { transferState } from './transfer.js';

export class OctreeModel implements Model<OctreeSettings> {
  /** The forest of the rest data until the first change, one of its own from then on. */
  forest: OctreeForest;
  dynamics: OctreeDynamics;
  skin: Skin;
  /** Where the nodes have the surface [m], and how they move it [m/s]. */
  readonly carried: Float64Array;
  readonly carriedVelocities: Float64Array;
  /** X at the start of the step. */
  private starts: Float64Array;
  private readonly surfaceStarts: Float64Array;
  private readonly wanted: Float64Array;
  private followBuffers: FollowBuffers;
  private readonly fading: FadingOffsets;
  private readonly kept = createRigidMotion();
  private readonly now = createRigidMotion();
  private readonly field = createLinearField();

  constructor(
    readonly rest: OctreeRest,
    public settings: OctreeSettings,
    dynamics: OctreeDynamics = new OctreeDynamics(rest.regions),
  ) {
    this.forest = rest.forest;
    this.dynamics = dynamics;
    this.skin = rest.skin;
    this.carried = rest.mesh.positions.slice();
    this.carriedVelocities = new Float64Array(3 * rest.count);
    this.starts = new Float64Array(this.dynamics.positions.length);
    this.surfaceStarts = new Float64Array(3 * rest.count);
    this.wanted = new Float64Array(3 * rest.count);
    this.followBuffers = createFollowBuffers(rest.skin);
    this.fading = new FadingOffsets(rest.count);
  }

  /**
   * Changes the level of detail: `edit` does so to a forest of the body's own. The surface stays where it is; what the new
   * nodes would have moved it by fades.
   */
  change(edit: (forest: OctreeForest) => ForestChange): ForestChange {
    const { rest, carried } = this;
    if (this.forest === rest.forest) {
      this.forest = copyForest(rest.forest).forest;
      // The same in all but its nodes.
      this.dynamics = this.dynamics.copyOver({ ...this.dynamics.rest, leaves: this.forest.leaves() });
    }
    this.dynamics.writeFrames();
    this.placeSurface(carried);
    const former = { skin: this.skin, leaves: this.dynamics.rest.leaves, vertexVoxels: rest.vertexVoxels };
    const change = edit(this.forest);
    orderForest(this.forest);
    this.dynamics = transferState(this.dynamics, this.forest, change);
    const { leaves } = this.dynamics.rest;
    const { relinked } = change;
    this.skin = bindSkin(rest.mesh.positions, rest.massShares, rest.vertexVoxels, this.forest, leaves, {
      ...former,
      relinked,
    });
    this.followBuffers = createFollowBuffers(this.skin);
    this.starts = new Float64Array(this.dynamics.positions.length);
    this.takeSurface(carried);
    return change;
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

  /** Takes the surface from where it is [m], as a cut leaves it; what the nodes would have moved it by fades. */
  takeSurface(positions: Float64Array): void {
    const { dynamics, skin, carried, wanted } = this;
    carried.set(positions);
    dynamics.writeFrames();
    writeSkin(skin, dynamics.positions, dynamics.frames, wanted);
    this.fading.start(skin, dynamics.frames, carried, wanted);
  }

  /** Writes where the nodes have the surface, with what still fades of an offset. */
  private placeSurface(out: Float64Array): void {
    writeSkin(this.skin, this.dynamics.positions, this.dynamics.frames, out);
    this.fading.addTo(this.skin, this.dynamics.frames, out);
  }

  /** Goes on as another model of the same body did, whose nodes it takes over, with its surface in the shell. */
  protected takeOverNodes({ dynamics, forest }: OctreeModel, { positions, velocities }: Shell): void {
    this.forest = forest;
    this.dynamics = dynamics;
    this.starts = new Float64Array(dynamics.positions.length);
    this.carriedVelocities.set(velocities);
    this.takeSurface(positions);
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
    const { carried, carriedVelocities } = this;
    const structure = this.forest === this.rest.forest ? {} : captureStructure(this.forest);
    return {
      positions,
      velocities,
      quaternions,
      flows,
      carried,
      carriedVelocities,
      ...this.fading.state(),
      ...structure,
    };
  }

  /** Gets the nodes that a saved state is of: those of the rest data, or others of the same matter. */
  adopt(state: ModelState): void {
    const { rest } = this;
    const isAtRest = state.halved === undefined;
    if (isAtRest && this.forest === rest.forest) return;
    this.forest = isAtRest ? rest.forest : restoreStructure(this.forest, state);
    this.dynamics = new OctreeDynamics(isAtRest ? rest.regions : buildRegionRest(this.forest));
    const { leaves } = this.dynamics.rest;
    this.skin = isAtRest
      ? rest.skin
      : bindSkin(rest.mesh.positions, rest.massShares, rest.vertexVoxels, this.forest, leaves);
    this.followBuffers = createFollowBuffers(this.skin);
    this.starts = new Float64Array(this.dynamics.positions.length);
  }

  /**
   * Moves the nodes for a step and the surface with them. It moves from where the frames of the nodes have it to where those at
   * the end of the step do; both then get the rigid field that restores the surface's momentum.
   */
  match(shell: Shell, timeStep: number): void {
    const { dynamics, settings, starts, surfaceStarts, carried, carriedVelocities, field } = this;
    const { positions, velocities } = dynamics;
    measureRigidMotion(shell.starts, shell.velocities, shell.masses, this.kept);
    const { stiffnessScale, dampingScale } = this.rest;
    const stiffness = settings.stiffness * stiffnessScale;
    const painted = { ...settings, stiffness, damping: Math.min(1, settings.damping * dampingScale) };
    dynamics.damp(painted, timeStep);
    dynamics.match(painted, timeStep);
    this.writeChanges(shell);
    this.placeSurface(surfaceStarts);
    starts.set(positions);
    dynamics.move(timeStep);
    dynamics.writeFrames();
    this.fading.advance(timeStep);
    this.placeSurface(carried);
    for (let k = 0; k < carried.length; k++) carriedVelocities[k] = (carried[k] - surfaceStarts[k]) / timeStep;
    measureRigidMotion(surfaceStarts, carriedVelocities, shell.masses, this.now);
    this.keepCentre();
    findRigidField(this.now, this.kept, field);
    // Under pins momentum goes through these: with it, the elastic force of one pushed finger of a held hand, which weighs otherwise on
    // the surface than in the nodes, drew the others along, by 0.33 of 0.30 m in 1.4 s; without it by 0.10.
    if (!shell.anchored) {
      addLinearField(field, surfaceStarts, carriedVelocities);
      addLinearField(field, starts, velocities);
    }
    for (let k = 0; k < positions.length; k++) positions[k] = starts[k] + timeStep * velocities[k];
    for (let k = 0; k < carried.length; k++) carried[k] = surfaceStarts[k] + timeStep * carriedVelocities[k];
    shell.velocities.set(carriedVelocities);
    shell.positions.set(carried);
  }

  damp(): void {}

  /** Frames that turned since the surface was last placed have moved its centre of mass: nodes and surface go back by that. */
  private keepCentre(): void {
    const { starts, surfaceStarts, now, kept } = this;
    for (let c = 0; c < 3; c++) {
      const shift = kept.centre[c] - now.centre[c];
      for (let k = c; k < starts.length; k += 3) starts[k] += shift;
      for (let k = c; k < surfaceStarts.length; k += 3) surfaceStarts[k] += shift;
      now.centre[c] = kept.centre[c];
    }
  }

  /** How far the pull moved each vertex. */
  private writeChanges({ changes, count }: Shell): void {
    const { wanted } = this;
    interpolateSkin(this.skin, this.dynamics.pulls, wanted);
    for (let i = 0, k = 0; i < count; i++, k += 3) {
      changes[i] = Math.sqrt(wanted[k] ** 2 + wanted[k + 1] ** 2 + wanted[k + 2] ** 2);
    }
  }

  /**
   * A change from outside reaches the inside as far as it is linear in space (placing, turning, stretching, pushing the whole
   * body); near the surface all of it does.
   */
  replace(shell: Shell, positions: Float64Array, velocities: Float64Array): void {
    const { dynamics, wanted, field, carried, carriedVelocities } = this;
    const { massShares } = this.rest;
    for (let k = 0; k < wanted.length; k++) wanted[k] = velocities[k] - shell.velocities[k];
    fitLinearField(shell.positions, wanted, massShares, field);
    addLinearField(field, dynamics.positions, dynamics.velocities);
    carriedVelocities.set(shell.velocities);
    addLinearField(field, shell.positions, carriedVelocities);
    for (let k = 0; k < wanted.length; k++) wanted[k] = positions[k] - shell.positions[k];
    fitLinearField(shell.positions, wanted, massShares, field);
    addLinearField(field, dynamics.positions, dynamics.positions);
    dynamics.writeFrames();
    this.placeSurface(carried);
    this.follow(positions, velocities);
  }

  takeOver(shell: Shell): void {
    this.follow(shell.positions, shell.velocities);
  }

  pullBack(shell: Shell, held: Uint8Array): boolean {
    return pullBackStray(shell, held, this.carried, this.rest.size);
  }

  /** Moves the nodes so that they carry the surface to where it is, and `carried` with them. */
  private follow(positions: Float64Array, velocities: Float64Array): void {
    const { dynamics, skin, wanted, carried, carriedVelocities, followBuffers } = this;
    const { massShares } = this.rest;
    for (let k = 0; k < wanted.length; k++) wanted[k] = velocities[k] - carriedVelocities[k];
    followSurface(skin, wanted, dynamics.velocities, followBuffers);
    for (let k = 0; k < wanted.length; k++) {
      carriedVelocities[k] = velocities[k] - wanted[k];
      wanted[k] = positions[k] - carried[k];
    }
    followSurface(skin, wanted, dynamics.positions, followBuffers);
    // What the nodes cannot follow is not to move the centre of mass.
    for (let c = 0; c < 3; c++) {
      let shift = 0;
      for (let i = 0, k = c; i < massShares.length; i++, k += 3) shift += massShares[i] * wanted[k];
      for (let k = c; k < carried.length; k += 3) carried[k] = positions[k] - wanted[k] + shift;
      for (let k = c; k < dynamics.positions.length; k += 3) dynamics.positions[k] += shift;
    }
  }
}
