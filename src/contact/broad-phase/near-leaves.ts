// Which leaves of a body's tree lie so near each other at rest that nothing of one ever touches anything of the other:
// neighbours on the surface, whose boxes overlap in every step.

import { accumulate } from '../../mesh/counting-sort.js';
import type { TriangleMesh } from '../../mesh/triangle-mesh.js';
import type { ContactRest } from '../contact-body.js';
import type { BodyEdges } from '../narrow-phase/edges.js';
import { nearestOfTriangle } from '../narrow-phase/vertex-triangle.js';
import type { Bvh } from './bvh.js';
import { REST_NEAR } from './tuning.js';

/** The same where it is found out once for all: a little less, so that no rounding makes it more. */
const SURELY_NEAR = 0.999 * REST_NEAR;
/** How far apart boxes at rest may be, in mean edges, to be asked: further ones hardly overlap later. */
const ASKED = 0.5;

/** Leaves near leaf n, all of them later in the tree: list[offsets[n]] … list[offsets[n + 1] − 1]. */
export interface NearLeaves {
  readonly offsets: Uint32Array;
  readonly list: Uint32Array;
}

const found = new WeakMap<Bvh, NearLeaves>();

/** Found when they are first asked for: bodies that do not touch themselves never do, and they are a seventh of what a cut takes. */
export function nearLeavesOf({ mesh, bvh, edges, edge }: ContactRest): NearLeaves {
  const known = found.get(bvh) ?? buildNearLeaves(mesh, bvh, edges, edge);
  found.set(bvh, known);
  return known;
}

function buildNearLeaves(mesh: TriangleMesh, bvh: Bvh, edges: BodyEdges, edge: number): NearLeaves {
  const { nodeCount, nodeCounts, nodeLinks, restBounds } = bvh;
  /** Two leaves per pair. */
  const pairs: number[] = [];
  const offsets = new Uint32Array(nodeCount + 1);
  const near = (SURELY_NEAR * edge) ** 2;
  const asked = (ASKED * edge) ** 2;
  const visit = (m: number, n: number): void => {
    if (boxSquare(restBounds, 6 * m, 6 * n) > asked) return;
    const leafM = nodeCounts[m] > 0;
    if (leafM && nodeCounts[n] > 0) {
      const all =
        m !== n &&
        areEdgesNear(mesh.positions, edges, m, n, near) &&
        areVerticesNear(mesh, bvh, m, n, near) &&
        areVerticesNear(mesh, bvh, n, m, near);
      if (!all) return;
      pairs.push(m, n);
      offsets[m + 1]++;
    } else if (m === n) {
      visit(m + 1, m + 1);
      visit(m + 1, nodeLinks[m]);
      visit(nodeLinks[m], nodeLinks[m]);
    } else if (leafM) {
      visit(m, n + 1);
      visit(m, nodeLinks[n]);
    } else {
      visit(m + 1, n);
      visit(nodeLinks[m], n);
    }
  };
  visit(0, 0);
  accumulate(offsets);
  const next = offsets.slice();
  const list = new Uint32Array(offsets[nodeCount]);
  for (let k = 0; k < pairs.length; k += 2) list[next[pairs[k]]++] = pairs[k + 1];
  return { offsets, list };
}

/** Whether leaf n is among those near leaf m. */
export function isNearLeaf({ offsets, list }: NearLeaves, m: number, n: number): boolean {
  for (let k = offsets[m]; k < offsets[m + 1]; k++) if (list[k] === n) return true;
  return false;
}

/** Squared distance between the boxes at m and n [m²]. */
function boxSquare(bounds: Float64Array, m: number, n: number): number {
  const x = Math.max(bounds[m] - bounds[n + 3], bounds[n] - bounds[m + 3], 0);
  const y = Math.max(bounds[m + 1] - bounds[n + 4], bounds[n + 1] - bounds[m + 4], 0);
  const z = Math.max(bounds[m + 2] - bounds[n + 5], bounds[n + 2] - bounds[m + 5], 0);
  return x * x + y * y + z * z;
}

/** Whether all vertices of leaf m are near all triangles of leaf n. */
function areVerticesNear(
  { positions, triangles }: TriangleMesh,
  bvh: Bvh,
  m: number,
  n: number,
  near: number,
): boolean {
  const { owned, ownedOffsets, nodeLinks, nodeCounts, order } = bvh;
  for (let o = ownedOffsets[m]; o < ownedOffsets[m + 1]; o++) {
    for (let k = nodeLinks[n]; k < nodeLinks[n] + nodeCounts[n]; k++) {
      const t = 3 * order[k];
      const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
      if (nearestOfTriangle(positions, 3 * owned[o], positions, a, b, c) >= near) return false;
    }
  }
  return true;
}

/** Whether all edges of leaf m are near all edges of leaf n. */
function areEdgesNear(x: Float64Array, edges: BodyEdges, m: number, n: number, near: number): boolean {
  const { owned, ownedOffsets, ends } = edges;
  for (let k = ownedOffsets[m]; k < ownedOffsets[m + 1]; k++) {
    for (let l = ownedOffsets[n]; l < ownedOffsets[n + 1]; l++) {
      const [e, f] = [2 * owned[k], 2 * owned[l]];
      if (endsSquare(x, 3 * ends[e], 3 * ends[e + 1], 3 * ends[f], 3 * ends[f + 1]) >= near) return false;
    }
  }
  return true;
}

/** Least squared distance between the ends of edges pq and ru (indices of x coordinates) [m²]. */
export function endsSquare(x: Float64Array, p: number, q: number, r: number, u: number): number {
  return Math.min(pointsSquare(x, p, r), pointsSquare(x, p, u), pointsSquare(x, q, r), pointsSquare(x, q, u));
}

function pointsSquare(x: Float64Array, p: number, r: number): number {
  const dx = x[p] - x[r];
  const dy = x[p + 1] - x[r + 1];
  const dz = x[p + 2] - x[r + 2];
  return dx * dx + dy * dy + dz * dz;
}
