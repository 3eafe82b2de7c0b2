// Joins open edges that lie on each other, by merging their ends.

import { arcTangent } from '../math/trigonometry.js';
import type { MeshAdjacency } from './adjacency.js';
import { sortByKey } from './counting-sort.js';
import type { UnionFind } from './topology.js';
import type { TriangleMesh } from './triangle-mesh.js';

/** Open edges sorted by the places of their ends, lower place first. */
interface OpenEdges {
  readonly sorted: Uint32Array;
  /** Vertex of each open edge in the place `low`, and in the place `high`. */
  readonly atLow: Uint32Array;
  readonly atHigh: Uint32Array;
  readonly low: Uint32Array;
  readonly high: Uint32Array;
  /** +1 where the triangle runs from the lower to the higher place. */
  readonly directions: Int8Array;
  readonly triangles: Uint32Array;
}

function listOpenEdges(adjacency: MeshAdjacency, heads: Uint32Array): OpenEdges {
  const { edgeVertices, edgeTriangleOffsets, edgeTriangles, edgeDirections } = adjacency;
  let count = 0;
  const isOpen = (e: number) =>
    edgeTriangleOffsets[e + 1] - edgeTriangleOffsets[e] === 1 &&
    heads[edgeVertices[2 * e]] !== heads[edgeVertices[2 * e + 1]];
  for (let e = 0; e < adjacency.edgeCount; e++) if (isOpen(e)) count++;
  const atLow = new Uint32Array(count);
  const atHigh = new Uint32Array(count);
  const low = new Uint32Array(count);
  const high = new Uint32Array(count);
  const directions = new Int8Array(count);
  const triangles = new Uint32Array(count);
  let i = 0;
  for (let e = 0; e < adjacency.edgeCount; e++) {
    if (!isOpen(e)) continue;
    const [a, b] = [edgeVertices[2 * e], edgeVertices[2 * e + 1]];
    const swap = heads[a] > heads[b];
    atLow[i] = swap ? b : a;
    atHigh[i] = swap ? a : b;
    low[i] = heads[atLow[i]];
    high[i] = heads[atHigh[i]];
    directions[i] = edgeDirections[edgeTriangleOffsets[e]] * (swap ? -1 : 1);
    triangles[i++] = edgeTriangles[edgeTriangleOffsets[e]];
  }
  const all = new Uint32Array(count).map((_, k) => k);
  const sorted = sortByKey(sortByKey(all, high, heads.length), low, heads.length);
  return { sorted, atLow, atHigh, low, high, directions, triangles };
}

/** Angle of each triangle's third corner about the edge, from an arbitrary start. */
function anglesAbout(mesh: TriangleMesh, edges: OpenEdges, run: readonly number[]): number[] {
  const { positions, triangles } = mesh;
  const point = (v: number) => [positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]];
  const origin = point(edges.low[run[0]]);
  const end = point(edges.high[run[0]]);
  const axis = end.map((value, k) => value - origin[k]);
  const length = Math.sqrt(axis[0] ** 2 + axis[1] ** 2 + axis[2] ** 2);
  const [dx, dy, dz] = axis.map((value) => value / length);
  // Any direction across the axis, made from the coordinate axis farthest from it.
  const side =
    Math.abs(dx) <= Math.abs(dy) && Math.abs(dx) <= Math.abs(dz)
      ? [0, dz, -dy]
      : Math.abs(dy) <= Math.abs(dz)
        ? [-dz, 0, dx]
        : [dy, -dx, 0];
  const up = [dy * side[2] - dz * side[1], dz * side[0] - dx * side[2], dx * side[1] - dy * side[0]];
  return run.map((i) => {
    const t = 3 * edges.triangles[i];
    const third = [triangles[t], triangles[t + 1], triangles[t + 2]].find(
      (v) => v !== edges.atLow[i] && v !== edges.atHigh[i],
    );
    const offset = point(third as number).map((value, k) => value - origin[k]);
    const along = (direction: readonly number[]) =>
      offset[0] * direction[0] + offset[1] * direction[1] + offset[2] * direction[2];
    return arcTangent(along(up), along(side));
  });
}

/**
 * Pairs more than two edges in one place so that each pair has the solid between its triangles: going round the edge
 * with growing angle, the solid begins behind a triangle that runs from high to low and ends before one that runs from
 * low to high. At one angle the end comes before the beginning, so faces on each other stay two bodies.
 */
function pairByAngle(mesh: TriangleMesh, edges: OpenEdges, run: readonly number[]): [number, number][] {
  const angles = anglesAbout(mesh, edges, run);
  const round = run
    .map((edge, i) => ({ edge, angle: angles[i], direction: edges.directions[edge] }))
    .sort((a, b) => a.angle - b.angle || b.direction - a.direction || a.edge - b.edge);
  const pairs: [number, number][] = [];
  for (let i = 0; i < round.length; i++) {
    const next = round[(i + 1) % round.length];
    if (round[i].direction < 0 && next.direction > 0) pairs.push([round[i].edge, next.edge]);
  }
  return pairs;
}

/** The edges of a run that have no partner between the same two merged vertices yet. */
function withoutPartner(edges: OpenEdges, run: readonly number[], sets: UnionFind): number[] {
  const ends = run.map((edge) => ({ edge, low: sets.find(edges.atLow[edge]), high: sets.find(edges.atHigh[edge]) }));
  ends.sort((a, b) => a.low - b.low || a.high - b.high || a.edge - b.edge);
  const same = (i: number, j: number) => ends[i]?.low === ends[j]?.low && ends[i]?.high === ends[j]?.high;
  return ends.filter((_, i) => !same(i, i - 1) && !same(i, i + 1)).map(({ edge }) => edge);
}

/**
 * Merges the ends of open edges that lie on each other, in `sets`; `heads` says which vertices are in one place.
 * First the places with two edges, which leave no choice. Where several bodies touch in an edge, that often
 * has settled who belongs together; the rest is paired by angle.
 */
export function stitchOpenEdges(
  mesh: TriangleMesh,
  adjacency: MeshAdjacency,
  heads: Uint32Array,
  sets: UnionFind,
): void {
  const edges = listOpenEdges(adjacency, heads);
  const { sorted, atLow, atHigh, low, high } = edges;
  const join = (i: number, j: number) => {
    sets.union(atLow[i], atLow[j]);
    sets.union(atHigh[i], atHigh[j]);
  };
  const crowded: number[][] = [];
  for (let first = 0, end = 0; first < sorted.length; first = end) {
    const i = sorted[first];
    while (end < sorted.length && low[sorted[end]] === low[i] && high[sorted[end]] === high[i]) end++;
    if (end - first === 2) join(i, sorted[first + 1]);
    else if (end - first > 2) crowded.push(Array.from(sorted.subarray(first, end)));
  }
  for (const run of crowded) {
    const alone = withoutPartner(edges, run, sets);
    if (alone.length === 2) join(alone[0], alone[1]);
    else if (alone.length > 2) for (const [i, j] of pairByAngle(mesh, edges, alone)) join(i, j);
  }
}
