// A body of an octree that can be cut between steps: at once, or along a stroke, whose matter comes apart while the blade moves and
// whose surface is cut when it ends.

import type { StateTree } from '../../math/state-tree.js';
import { boundingSphere } from '../../mesh/measure.js';
import { findProblems } from '../../mesh/validate.js';
import type { Blade, BladeStroke, SolidModule } from '../blade.js';
import type { Model, Shell } from '../model.js';
import type { SolverRest } from '../solver-rest.js';
import type { TopologyChange } from '../topology-change.js';
import { cutForest } from './cut.js';
import { cutBody } from './cut-body.js';
import { divideBody } from './division.js';
import { cellSizeOf } from './forest.js';
import { OctreeModel } from './octree-model.js';
import { PendingCuts } from './pending-cuts.js';
import type { OctreeRest } from './rest.js';
import { recordStructure } from './revival.js';
import type { OctreeSettings } from './settings.js';
import { createSheetPatch } from './sheet-patch.js';
import { createRestFinder } from './skin-inverse.js';
import { CutFailure } from './surface-cut/cut-failure.js';
import { type CutState, changeOf } from './topology.js';

/** Points along the blade of a stroke: one for each half of a base cell, and not fewer or more than these. */
const ACROSS = [4, 32] as const;

/** Vertices beyond which a body is not cut any further: cuts add some, and whoever goes on for ever would run out of memory. */
const mostVertices = ({ count, uncutCount = count }: OctreeRest): number => 16 * uncutCount + 2000;

export class CuttableOctree extends OctreeModel {
  pending = new PendingCuts(this.forest.grid.voxelSize);
  /** What the model after a cut goes on from. */
  protected successor: CutState | undefined;

  cut(blade: Blade): void {
    this.pending.add(blade, this.rest.size);
  }

  beginStroke(fallback?: SolidModule): BladeStroke {
    return this.pending.begin(this.strokePoints, fallback);
  }

  private get strokePoints(): number {
    const across = Math.ceil((2 * this.rest.size) / cellSizeOf(this.forest.grid, 0));
    return Math.min(ACROSS[1], Math.max(ACROSS[0], across));
  }

  structure(made: SolverRest): StateTree {
    return recordStructure(this, (made as unknown as { octree: OctreeRest }).octree);
  }

  /** A patch that misses the body, or along which its surface cannot be cut, changes nothing; nor does one more of very many. */
  adapt({ positions, velocities }: Shell): TopologyChange | undefined {
    this.followStroke(positions);
    const blade = this.pending.next();
    if (!blade || this.rest.count > mostVertices(this.rest)) return undefined;
    try {
      const cut = cutBody(this, positions, velocities, blade);
      if (!cut) return undefined;
      const { change, state } = changeOf(this.rest, cut);
      // A cut that would leave triangles without area is none.
      if (findProblems(change.mesh, { parts: true }).length > 0) return undefined;
      this.successor = state;
      return { ...change, isChecked: true };
    } catch (problem) {
      if (problem instanceof CutFailure) return undefined;
      throw problem;
    }
  }

  /** Cuts the matter where the blade of a stroke went since the last step, and asks for the surface to be cut where it has ended. */
  private followStroke(positions: Float64Array): void {
    const { stroke } = this.pending;
    if (!stroke || (stroke.active && !stroke.hasMoved)) return;
    const { centre, radius } = boundingSphere(positions);
    this.dynamics.writeFrames();
    const pieces = stroke.advance({ centre, radius, findRest: createRestFinder(this) });
    for (const piece of pieces) {
      const patch = createSheetPatch(piece);
      this.change((forest) => cutForest(forest, patch, undefined, { keepDebris: true }));
    }
    if (!stroke.active) this.pending.endStroke();
  }

  divide(): readonly TopologyChange[] {
    return divideBody(this);
  }

  succeed(before: Model<OctreeSettings>, shell: Shell): void {
    if (this.rest.partOf) {
      this.takePart(before as CuttableOctree, this.rest.partOf.leaves, shell);
      return;
    }
    const { successor } = before as CuttableOctree;
    if (!successor) return;
    shell.positions.set(successor.positions);
    shell.velocities.set(successor.velocities);
    this.takeOverNodes(successor.model, shell);
  }

  /** Goes on as some nodes of another body did. */
  private takePart({ dynamics: before }: CuttableOctree, leaves: Uint32Array, shell: Shell): void {
    const { dynamics } = this;
    const take = (from: Float64Array, to: Float64Array, stride: number): void => {
      leaves.forEach((leaf, n) => {
        for (let c = 0; c < stride; c++) to[stride * n + c] = from[stride * leaf + c];
      });
    };
    take(before.positions, dynamics.positions, 3);
    take(before.velocities, dynamics.velocities, 3);
    take(before.quaternions, dynamics.quaternions, 4);
    take(before.flows, dynamics.flows, 9);
    this.takeOverNodes(this, shell);
  }
}
