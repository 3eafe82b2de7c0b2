// A body of an octree that can be cut between steps.

import { cosine, sine } from '../../math/trigonometry.js';
import { cross, type Vec3 } from '../../math/vec3.js';
import { meanEdgeLength } from '../../mesh/measure.js';
import { findProblems } from '../../mesh/validate.js';
import type { Model, Shell } from '../model.js';
import type { TopologyChange } from '../topology-change.js';
import { cutBody } from './cut-body.js';
import { OctreeModel } from './octree-model.js';
import { type CutPatch, createPatch } from './patch.js';
import type { OctreeSettings } from './settings.js';
import { CutFailure } from './surface-cut/cut-failure.js';
import { type CutState, changeOf } from './topology.js';

/** A regular polygon of twelve corners, counter-clockwise. */
const DOMAIN = Array.from({ length: 12 }, (_, n) => [cosine((n * Math.PI) / 6), sine((n * Math.PI) / 6)]).flat();

export class CuttableOctree extends OctreeModel {
  /** Along what it is to be cut before the next step. */
  private readonly patches: CutPatch[] = [];
  /** What the model after a cut goes on from. */
  protected successor: CutState | undefined;

  /** Cuts along a patch in world space before the next step. */
  cut(patch: CutPatch): void {
    this.patches.push(patch);
  }

  cutPlane(point: Vec3, normal: Vec3, within: number): void {
    const along: Vec3 = Math.abs(normal[0]) > 0.7 ? [0, 1, 0] : [1, 0, 0];
    const across = cross(normal, along);
    // Through all of it where it ends nowhere: the body is no further from any point of a cut than its size.
    const far = Math.min(within, 4 * this.rest.size);
    const corners = DOMAIN.map((share) => far * share);
    this.cut(createPatch(point, normal, cross(across, normal), corners));
  }

  /** A patch that misses the body, or along which its surface cannot be cut, changes nothing. */
  adapt({ positions, velocities }: Shell): TopologyChange | undefined {
    const patch = this.patches.shift();
    if (!patch) return undefined;
    try {
      const cut = cutBody(this, positions, velocities, { patch }, meanEdgeLength(this.rest.mesh));
      if (!cut || cut.surface.origins.length === 0) return undefined;
      const { change, state } = changeOf(this.rest, cut);
      // A cut that would leave triangles without area is none.
      if (findProblems(change.mesh, { parts: true }).length > 0) return undefined;
      this.successor = state;
      return change;
    } catch (problem) {
      if (problem instanceof CutFailure) return undefined;
      throw problem;
    }
  }

  succeed(before: Model<OctreeSettings>, shell: Shell): void {
    const { patches, successor } = before as CuttableOctree;
    if (!successor) return;
    this.patches.push(...patches);
    shell.positions.set(successor.positions);
    shell.velocities.set(successor.velocities);
    this.takeOverNodes(successor.model, shell);
  }
}
