// Vertices of one body against triangles of another: two trees are descended together, and each vertex keeps the nearest
// triangle at the start of the step, and where it moves fast the first it meets on its way.

import { visitLeafPairs } from '../broad-phase/leaf-pairs.js';
import { MARGIN, REST_NEAR, SELF_MARGIN } from '../broad-phase/tuning.js';
import type { ContactBody } from '../contact-body.js';
import { visitSelfPairs } from '../soft/self-contact.js';
import { DEEP, LOST, THICKNESS } from './tuning.js';
import { meeting, meetTriangle, nearest, nearestOfTriangle } from './vertex-triangle.js';

/** The same in metres. */
export const marginOf = ({ contactRest, contactSettings }: ContactBody): number =>
  (contactSettings.selfContact ? SELF_MARGIN : MARGIN) * contactRest.edge;
/** Squared distances that differ by less than this share are the same: two triangles at one edge. */
const SAME_DISTANCE = 1e-9;

/** The best candidate of each vertex of a body against one other body. */
export class Candidates {
  readonly touched: Uint32Array;
  touchedCount = 0;
  /** Squared distance to the nearest triangle at the start; Infinity for none [m²]. */
  readonly squares: Float64Array;
  readonly triangles: Uint32Array;
  /** Weights of the corners at the nearest point, vector from there to the vertex, and how far outside of the plane. */
  readonly weights: Float64Array;
  readonly vectors: Float64Array;
  readonly heights: Float64Array;
  /** Outward unit normal of the nearest triangle. */
  readonly normals: Float64Array;
  /** Share of the step until the first meeting of a fast vertex; 2 for none. */
  readonly times: Float64Array;
  readonly metTriangles: Uint32Array;
  readonly metWeights: Float64Array;
  readonly metNormals: Float64Array;

  constructor(readonly count: number) {
    this.touched = new Uint32Array(count);
    this.squares = new Float64Array(count).fill(Infinity);
    this.triangles = new Uint32Array(count);
    this.weights = new Float64Array(3 * count);
    this.vectors = new Float64Array(3 * count);
    this.heights = new Float64Array(count);
    this.normals = new Float64Array(3 * count);
    this.times = new Float64Array(count).fill(2);
    this.metTriangles = new Uint32Array(count);
    this.metWeights = new Float64Array(3 * count);
    this.metNormals = new Float64Array(3 * count);
  }

  /** A vertex deep inside the other body; where it comes out is not known yet. */
  keepDeep(vertex: number): void {
    this.touched[this.touchedCount++] = vertex;
    this.times[vertex] = LOST;
  }

  /** Where a deep vertex comes out: the triangle, the weights of its corners, how far it is [m]. */
  keepExit(vertex: number, triangle: number, wb: number, wc: number, depth: number): void {
    this.times[vertex] = DEEP;
    this.triangles[vertex] = triangle;
    this.weights[3 * vertex] = 1 - wb - wc;
    this.weights[3 * vertex + 1] = wb;
    this.weights[3 * vertex + 2] = wc;
    this.heights[vertex] = -depth;
  }

  clear(): void {
    for (let n = 0; n < this.touchedCount; n++) {
      this.squares[this.touched[n]] = Infinity;
      this.times[this.touched[n]] = 2;
    }
    this.touchedCount = 0;
  }
}

/** What a pair of bodies has in common. */
export interface PairLengths {
  /** Gap to keep, and how far to look [m]. */
  readonly thickness: number;
  readonly margin: number;
  /** Furthest relative motion that is slow [m]. */
  readonly slow: number;
}

export const pairLengths = (a: ContactBody, b: ContactBody): PairLengths => ({
  thickness: THICKNESS * Math.min(a.contactRest.edge, b.contactRest.edge),
  margin: marginOf(a) + marginOf(b),
  slow: Math.min(a.contactRest.slow, b.contactRest.slow),
});

/** Finds the candidates of a's vertices against b's triangles and the other way round. */
export function findCandidates(a: ContactBody, b: ContactBody, ofA: Candidates, ofB: Candidates): void {
  const lengths = pairLengths(a, b);
  visitLeafPairs(a, b, (i, j) => {
    testLeaf(a, i, b, j, lengths, ofA);
    testLeaf(b, j, a, i, lengths, ofB);
  });
}

/**
 * Finds the candidates of a body's vertices against its own triangles, but for those that were near at rest: the surface
 * itself is no contact.
 */
export function findSelfCandidates(body: ContactBody, of: Candidates): void {
  const lengths = pairLengths(body, body);
  const near = (REST_NEAR * body.contactRest.edge) ** 2;
  visitSelfPairs(body, body.bounds, (i, j) => {
    testLeaf(body, i, body, j, lengths, of, near);
    if (i !== j) testLeaf(body, j, body, i, lengths, of, near);
    return false;
  });
}

/**
 * The vertices of a's leaf i against the triangles of b's leaf j; within one body only those further apart at rest than
 * the root of `near`.
 */
function testLeaf(
  a: ContactBody,
  i: number,
  b: ContactBody,
  j: number,
  lengths: PairLengths,
  of: Candidates,
  near = 0,
): void {
  const { ownedOffsets, owned } = a.contactRest.bvh;
  const { nodeLinks, nodeCounts, order } = b.contactRest.bvh;
  const { triangles, positions: rest } = b.contactRest.mesh;
  const { starts, positions } = a.particles;
  const others = b.particles;
  const reach = marginOf(a);
  const at = 6 * j;
  for (let o = ownedOffsets[i]; o < ownedOffsets[i + 1]; o++) {
    const vertex = owned[o];
    const k = 3 * vertex;
    if (!sweepsInto(starts, positions, k, reach, b.bounds, at)) continue;
    for (let n = nodeLinks[j]; n < nodeLinks[j] + nodeCounts[j]; n++) {
      const t = 3 * order[n];
      const p = 3 * triangles[t];
      const q = 3 * triangles[t + 1];
      const r = 3 * triangles[t + 2];
      if (near > 0 && restSquare(rest, k, p) < near) continue;
      const square = nearestOfTriangle(starts, k, others.starts, p, q, r);
      const motion = relativeMotion(starts, positions, k, others.starts, others.positions, p, q, r);
      const range = Math.max(lengths.margin, lengths.thickness + motion);
      if (square > range * range) continue;
      if (near > 0) {
        if (nearestOfTriangle(rest, k, rest, p, q, r) < near) continue;
        nearestOfTriangle(starts, k, others.starts, p, q, r);
      }
      keepNearest(of, vertex, order[n], square, others.starts, p, q, r);
      if (motion <= lengths.slow) continue;
      if (!meetTriangle(starts, positions, k, others.starts, others.positions, p, q, r, near > 0)) continue;
      keepMeeting(of, vertex, order[n]);
    }
  }
}

/** Squared distance between two particles at rest [m²]. */
function restSquare(rest: Float64Array, k: number, p: number): number {
  const x = rest[k] - rest[p];
  const y = rest[k + 1] - rest[p + 1];
  const z = rest[k + 2] - rest[p + 2];
  return x * x + y * y + z * z;
}

/** Whether the way of a vertex, and `reach` beyond, touches the box at `at`. */
function sweepsInto(
  starts: Float64Array,
  ends: Float64Array,
  k: number,
  reach: number,
  bounds: Float64Array,
  at: number,
): boolean {
  for (let c = 0; c < 3; c++) {
    if (Math.max(starts[k + c], ends[k + c]) + reach < bounds[at + c]) return false;
    if (Math.min(starts[k + c], ends[k + c]) - reach > bounds[at + 3 + c]) return false;
  }
  return true;
}

/** How far the vertex moves against the nearest point of the triangle in the step [m]. */
function relativeMotion(
  starts: Float64Array,
  ends: Float64Array,
  k: number,
  otherStarts: Float64Array,
  otherEnds: Float64Array,
  p: number,
  q: number,
  r: number,
): number {
  const { wa, wb, wc } = nearest;
  let square = 0;
  for (let c = 0; c < 3; c++) {
    const own = ends[k + c] - starts[k + c];
    const other =
      wa * (otherEnds[p + c] - otherStarts[p + c]) +
      wb * (otherEnds[q + c] - otherStarts[q + c]) +
      wc * (otherEnds[r + c] - otherStarts[r + c]);
    square += (own - other) * (own - other);
  }
  return Math.sqrt(square);
}

/** Keeps the triangle if it is nearer than what the vertex has; of two at one edge the one that the vertex faces more. */
function keepNearest(
  of: Candidates,
  vertex: number,
  triangle: number,
  square: number,
  x: Float64Array,
  p: number,
  q: number,
  r: number,
): void {
  const known = of.squares[vertex];
  if (square > known * (1 + SAME_DISTANCE)) return;
  const ux = x[q] - x[p];
  const uy = x[q + 1] - x[p + 1];
  const uz = x[q + 2] - x[p + 2];
  const vx = x[r] - x[p];
  const vy = x[r + 1] - x[p + 1];
  const vz = x[r + 2] - x[p + 2];
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
  const inverse = length > 0 ? 1 / length : 0;
  const height = inverse * (nx * nearest.dx + ny * nearest.dy + nz * nearest.dz);
  if (square >= known * (1 - SAME_DISTANCE) && Math.abs(height) <= Math.abs(of.heights[vertex])) return;
  if (known === Infinity) of.touched[of.touchedCount++] = vertex;
  of.squares[vertex] = square;
  of.triangles[vertex] = triangle;
  of.heights[vertex] = height;
  const k = 3 * vertex;
  of.normals[k] = inverse * nx;
  of.normals[k + 1] = inverse * ny;
  of.normals[k + 2] = inverse * nz;
  of.weights[k] = nearest.wa;
  of.weights[k + 1] = nearest.wb;
  of.weights[k + 2] = nearest.wc;
  of.vectors[k] = nearest.dx;
  of.vectors[k + 1] = nearest.dy;
  of.vectors[k + 2] = nearest.dz;
}

function keepMeeting(of: Candidates, vertex: number, triangle: number): void {
  if (meeting.time >= of.times[vertex]) return;
  of.times[vertex] = meeting.time;
  of.metTriangles[vertex] = triangle;
  const k = 3 * vertex;
  of.metWeights[k] = meeting.wa;
  of.metWeights[k + 1] = meeting.wb;
  of.metWeights[k + 2] = meeting.wc;
  of.metNormals[k] = meeting.nx;
  of.metNormals[k + 1] = meeting.ny;
  of.metNormals[k + 2] = meeting.nz;
}
