// A body's new topology, as a model that cuts, joins or refines its shell tells it, and what follows by the origin of its vertices.

import type { MeshCut } from '../mesh/mesh-descent.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import type { SolverRest } from './solver-rest.js';

/** Where the vertices of a new mesh are in the one before: three corners and their weights for each; the weights sum to 1. */
export interface Origin {
  readonly corners: Uint32Array;
  readonly weights: Float64Array;
  /** Whether it is only a part of what was, whose mass and momentum are then those of its vertices. */
  readonly isPart?: boolean;
}

/** A new topology of a body. */
export interface TopologyChange {
  /** At rest, where the mesh before was; one closed part, or several where the solver takes those. */
  readonly mesh: TriangleMesh;
  /** Pins, grips, attachments, positions and velocities follow by it. */
  readonly origin: Origin;
  /** What the solver's `prepare` gives of the mesh: a snapshot has the mesh alone, and goes on with what that gives. */
  readonly rest: SolverRest;
  /** Where it is a cut: what skins need to be cut as well. */
  readonly cut?: Omit<MeshCut, 'kind' | 'before' | 'origin'>;
  /** Whether the mesh was found to be one that can be simulated. */
  readonly isChecked?: boolean;
}

/** What was known by vertex of the mesh before, `stride` numbers each, for the vertices of the new one. */
export function carryValues({ corners, weights }: Origin, values: ArrayLike<number>, stride: number): Float64Array {
  const out = new Float64Array((corners.length / 3) * stride);
  for (let k = 0; k < corners.length; k++) {
    const to = stride * Math.trunc(k / 3);
    // Exact where a vertex is one of before.
    if (weights[k] === 0) continue;
    for (let c = 0; c < stride; c++) out[to + c] += weights[k] * values[stride * corners[k] + c];
  }
  return out;
}

/** The vertex of the mesh before that a new one mainly is; −1 where none has more than half of its weight. */
export function mainOrigin({ corners, weights }: Origin, vertex: number): number {
  for (let k = 3 * vertex; k < 3 * vertex + 3; k++) {
    // Corners may repeat.
    let weight = 0;
    for (let c = 3 * vertex; c < 3 * vertex + 3; c++) if (corners[c] === corners[k]) weight += weights[c];
    if (weight > 0.5) return corners[k];
  }
  return -1;
}
