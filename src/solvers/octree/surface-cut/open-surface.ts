// Opens the triangles of a mesh along a patch, and gathers the segments along which it did: each triangle by its own, with
// what it shares with its neighbours computed once per edge, so that the result is closed by its making, not by arithmetic.

import type { TriangleMesh } from '../../../mesh/triangle-mesh.js';
import { type CutPatch, innerSide, isInDomain } from '../patch.js';
import type { CapVertex, CutVertices, VertexOrigin } from './cut-vertices.js';

/** End of a segment: a crossing of a mesh's edge, or a point on the border of the domain. */
export interface SegmentEnd {
  readonly vertex: CapVertex;
  /** Along the domain's border: edge of it, and how far along that, 0…1; undefined at a crossing. */
  readonly border: { readonly edge: number; readonly along: number } | undefined;
}

/** A piece of the line where patch and surface meet; the solid is on its left seen from above. */
export interface Segment {
  readonly from: SegmentEnd;
  readonly to: SegmentEnd;
}

/** Where a mesh's edge crosses the patch. */
interface Crossing {
  readonly between: VertexOrigin['between'];
  readonly u: number;
  readonly v: number;
  /** Undefined outside the domain, where nothing opens. */
  readonly vertex: CapVertex | undefined;
}

export interface OpenedSurface {
  readonly triangles: number[];
  /** The triangle of the mesh that each of them is, or is a piece of. */
  readonly sources: number[];
  readonly segments: Segment[];
}

export function openSurface(mesh: TriangleMesh, patch: CutPatch, vertices: CutVertices): OpenedSurface {
  const { positions, triangles: given } = mesh;
  const heights = new Float64Array(positions.length / 3);
  for (let i = 0, k = 0; i < heights.length; i++, k += 3) {
    heights[i] = patch.height(positions[k], positions[k + 1], positions[k + 2]);
  }
  const crossings = new Map<number, Crossing>();
  const crossingOf = (i: number, j: number): Crossing => {
    // From above, whatever the numbers: on both sides of an older cut, which differ by these alone, it is the same point.
    const [a, b] = heights[i] >= 0 ? [i, j] : [j, i];
    const key = a * heights.length + b;
    const known = crossings.get(key);
    if (known) return known;
    const t = crossAt(positions, a, b, heights[a], heights[b], patch);
    const between = [[a, 1 - t] as const, [b, t] as const];
    const [x, y, z] = [0, 1, 2].map((c) => (1 - t) * positions[3 * a + c] + t * positions[3 * b + c]);
    const [u, v] = patch.chart(x, y, z);
    const vertex = isInDomain(patch, u, v) ? vertices.addOnSurface(between, true) : undefined;
    const crossing = { between, u, v, vertex };
    crossings.set(key, crossing);
    return crossing;
  };
  const triangles: number[] = [];
  const sources: number[] = [];
  const segments: Segment[] = [];
  for (let t = 0; t < given.length; t += 3) {
    const corners = [given[t], given[t + 1], given[t + 2]];
    const above = corners.map((i) => heights[i] >= 0);
    const alone = [0, 1, 2].find((c) => above[c] !== above[(c + 1) % 3] && above[c] !== above[(c + 2) % 3]);
    if (alone === undefined) {
      triangles.push(...corners);
      sources.push(t / 3);
      continue;
    }
    const [a, b, c] = [corners[alone], corners[(alone + 1) % 3], corners[(alone + 2) % 3]];
    openTriangle(a, b, c, above[alone], crossingOf(a, b), crossingOf(a, c), patch, vertices, triangles, segments);
    while (3 * sources.length < triangles.length) sources.push(t / 3);
  }
  return { triangles, sources, segments };
}

/** Steps of the search for where an edge meets a bent patch; each leaves a small share of the error. */
const CROSSING_STEPS = 6;

/**
 * Least share of an edge between where it is cut and its ends: where a patch goes through a vertex, triangles would have no area.
 * The kernels' single precision sees a share of some 1e-6; a plane through a whole row of vertices is off by some 4e-7 of a cube's volume (estimated).
 */
const LEAST_SHARE = 1e-5;

/** How far along the edge from a to b, whose ends have these heights, it meets the patch: clearly between the two. */
const crossAt = (x: Float64Array, a: number, b: number, above: number, below: number, patch: CutPatch): number =>
  Math.min(1 - LEAST_SHARE, Math.max(LEAST_SHARE, findCrossing(x, a, b, above, below, patch)));

function findCrossing(x: Float64Array, a: number, b: number, above: number, below: number, patch: CutPatch): number {
  let t = above / (above - below);
  if (!patch.isBent) return t;
  let [low, high, atLow, atHigh] = [0, 1, above, below];
  for (let step = 0; step < CROSSING_STEPS; step++) {
    const at = (c: number): number => (1 - t) * x[3 * a + c] + t * x[3 * b + c];
    const height = patch.height(at(0), at(1), at(2));
    if (height === 0) return t;
    // The end that stays counts half, or it might stay for ever.
    if (height >= 0 === above >= 0) [low, atLow, atHigh] = [t, height, 0.5 * atHigh];
    else [high, atHigh, atLow] = [t, height, 0.5 * atLow];
    const next = low + ((high - low) * atLow) / (atLow - atHigh);
    if (!(next > low && next < high)) return t;
    t = next;
  }
  return t;
}

/** Opens triangle a, b, c, of which a is alone on its side; the line crosses ab in p and ac in q. */
function openTriangle(
  a: number,
  b: number,
  c: number,
  isAbove: boolean,
  p: Crossing,
  q: Crossing,
  patch: CutPatch,
  vertices: CutVertices,
  triangles: number[],
  segments: Segment[],
): void {
  const push = (from: SegmentEnd, to: SegmentEnd) => segments.push(isAbove ? { from, to } : { from: to, to: from });
  const near = (vertex: CapVertex): number => (isAbove ? vertex.above : vertex.below);
  const far = (vertex: CapVertex): number => (isAbove ? vertex.below : vertex.above);
  const at = (crossing: Crossing): SegmentEnd => ({ vertex: crossing.vertex as CapVertex, border: undefined });
  if (p.vertex && q.vertex) {
    triangles.push(a, near(p.vertex), near(q.vertex), far(p.vertex), b, c, far(p.vertex), c, far(q.vertex));
    push(at(p), at(q));
  } else if (p.vertex) {
    const end = leaveDomain(p, q, patch, vertices);
    const r = end.vertex.above;
    triangles.push(a, near(p.vertex), r, far(p.vertex), b, r, b, c, r, c, a, r);
    push(at(p), end);
  } else if (q.vertex) {
    const end = leaveDomain(q, p, patch, vertices);
    const r = end.vertex.above;
    triangles.push(a, b, r, b, c, r, c, far(q.vertex), r, near(q.vertex), a, r);
    push(end, at(q));
  } else {
    triangles.push(a, b, c);
    // From the same end whichever way the triangle faces: both sides of an older cut give the same bits.
    const isTurned = p.u > q.u || (p.u === q.u && p.v > q.v);
    const front = isTurned ? clipFront(q, p, patch, vertices) : clipFront(p, q, patch, vertices);
    if (front) push(front[isTurned ? 1 : 0], front[isTurned ? 0 : 1]);
  }
}

/** Where the line from a crossing inside the domain to one outside leaves it. */
function leaveDomain(inside: Crossing, outside: Crossing, patch: CutPatch, vertices: CutVertices): SegmentEnd {
  let least = Infinity;
  let edge = 0;
  for (let k = 0; 2 * k < patch.domain.length; k++) {
    const here = innerSide(patch.domain, k, inside.u, inside.v);
    const there = innerSide(patch.domain, k, outside.u, outside.v);
    const t = here / (here - there);
    if (there > 0 || t >= least) continue;
    least = t;
    edge = k;
  }
  return borderPoint(inside, outside, least, edge, patch, vertices);
}

/** The ends of the piece of a line between two crossings outside that is in the domain; undefined where none is. */
function clipFront(
  p: Crossing,
  q: Crossing,
  patch: CutPatch,
  vertices: CutVertices,
): readonly [SegmentEnd, SegmentEnd] | undefined {
  let [first, last] = [0, 1];
  let [entry, exit] = [-1, -1];
  for (let k = 0; 2 * k < patch.domain.length; k++) {
    const here = innerSide(patch.domain, k, p.u, p.v);
    const there = innerSide(patch.domain, k, q.u, q.v);
    if (here <= 0 && there <= 0) return undefined;
    const t = here / (here - there);
    if (here <= 0 && t >= first) [first, entry] = [t, k];
    if (there <= 0 && t <= last) [last, exit] = [t, k];
  }
  if (entry < 0 || exit < 0 || !(first < last)) return undefined;
  return [borderPoint(p, q, first, entry, patch, vertices), borderPoint(p, q, last, exit, patch, vertices)];
}

/** The point at t of the way between two crossings, on an edge of the domain: inside a triangle, and not opened. */
function borderPoint(
  p: Crossing,
  q: Crossing,
  t: number,
  edge: number,
  { domain }: CutPatch,
  vertices: CutVertices,
): SegmentEnd {
  const between = [
    ...p.between.map(([vertex, weight]) => [vertex, (1 - t) * weight] as const),
    ...q.between.map(([vertex, weight]) => [vertex, t * weight] as const),
  ];
  const vertex = vertices.addOnSurface(between, false, [p.u + t * (q.u - p.u), p.v + t * (q.v - p.v)]);
  const next = (2 * edge + 2) % domain.length;
  const [du, dv] = [domain[next] - domain[2 * edge], domain[next + 1] - domain[2 * edge + 1]];
  const along = ((vertex.u - domain[2 * edge]) * du + (vertex.v - domain[2 * edge + 1]) * dv) / (du * du + dv * dv);
  return { vertex, border: { edge, along: Math.min(1, Math.max(0, along)) } };
}
