// Where a surface is folded: edges whose two triangles, nearly in one plane at rest, face away from each other. Ordinary
// motion has next to none (drops at 20 m/s, presses to 30 % of the height and stretches ×3: below 4.5 % of the edges), a
// surface that was scattered, collapsed or crushed has many.

import { adjacencyOf } from '../../mesh/adjacency.js';
import { meanEdgeLength } from '../../mesh/measure.js';
import type { TriangleMesh } from '../../mesh/triangle-mesh.js';

/** Cosine of the angle between triangles at rest up to which an edge can fold: 70°. A box's own edges are none. */
const SMOOTH = 0.342;
/** Cosine below which it is folded. */
const FOLDED = -0.2;
/**
 * Stretch from which on a fold is torn. Bodies pressed to 30 % of their height by less than eight times their weight have creases
 * (up to 100 folded edges of 16 000) and none of these; limbs that were crushed into themselves have dozens.
 */
const STRETCHED = 1.7;
/** Most edges that are watched: of 4096 a share of 2 % is known to a tenth of itself. */
const MOST_WATCHED = 4096;

/** The edges that can fold, in the mesh's own numbering; shared by all copies of a body. */
export interface FoldRest {
  /** Four vertices per edge: its ends, the corner on its left and the one on its right. */
  readonly edges: Uint32Array;
  /** How many of them are watched, and how far apart they are in the list. */
  readonly watched: number;
  readonly stride: number;
  /** Mean length of an edge [m]. */
  readonly edgeLength: number;
}

const known = new WeakMap<TriangleMesh, FoldRest>();

/** Of a body's mesh at rest, or of one of its parts: found when it is first looked at. */
export function foldsOf(mesh: TriangleMesh): FoldRest {
  const found = known.get(mesh) ?? buildFoldRest(mesh);
  known.set(mesh, found);
  return found;
}

function buildFoldRest(mesh: TriangleMesh): FoldRest {
  const { positions, triangles } = mesh;
  const { edgeCount, edgeVertices, edgeTriangles, edgeDirections } = adjacencyOf(mesh);
  const corners = new Uint32Array(4 * edgeCount);
  let count = 0;
  for (let e = 0; e < edgeCount; e++) {
    const at = 4 * count;
    corners[at] = edgeVertices[2 * e];
    corners[at + 1] = edgeVertices[2 * e + 1];
    for (let side = 2 * e; side < 2 * e + 2; side++) {
      // A closed manifold has two triangles at each edge.
      const t = 3 * edgeTriangles[side];
      const sum = triangles[t] + triangles[t + 1] + triangles[t + 2];
      corners[edgeDirections[side] > 0 ? at + 2 : at + 3] = sum - corners[at] - corners[at + 1];
    }
    if (faces(positions, corners, at, SMOOTH) > 0) count++;
  }
  const stride = Math.max(1, Math.ceil(count / MOST_WATCHED));
  return {
    edges: corners.slice(0, 4 * count),
    watched: Math.floor(count / stride),
    stride,
    edgeLength: meanEdgeLength(mesh),
  };
}

/** Edges that were found folded, and those of them that are torn: on top of that stretched as no crease is. */
export interface Folds {
  folded: number;
  torn: number;
}

/** Adds what the watched edges `from` … `to` − 1 are like. */
export function addFolds(
  mesh: TriangleMesh,
  rest: FoldRest,
  positions: ArrayLike<number>,
  from: number,
  to: number,
  found: Folds,
): Folds {
  const { edges, stride } = rest;
  for (let n = from; n < to; n++) {
    const e = 4 * n * stride;
    if (opens(positions, edges, e) || faces(positions, edges, e, FOLDED) >= 0) continue;
    found.folded++;
    if (isStretched(mesh.positions, positions, edges, e)) found.torn++;
  }
  return found;
}

/**
 * Torn edges among the watched ones of a body that is drawn out to `stretch` times its length: those that are stretched by as much more. Of one
 * that pins draw out to three times its length every crease beside them would be torn otherwise.
 */
export function countTorn(
  mesh: TriangleMesh,
  { edges, stride, watched }: FoldRest,
  positions: ArrayLike<number>,
  stretch: number,
): number {
  let torn = 0;
  for (let n = 0; n < watched; n++) {
    const e = 4 * n * stride;
    if (opens(positions, edges, e) || faces(positions, edges, e, FOLDED) >= 0) continue;
    if (isStretched(mesh.positions, positions, edges, e, STRETCHED * stretch)) torn++;
  }
  return torn;
}

/** Names the ends of all torn edges, watched or not; some twice. */
export function markTorn(
  mesh: TriangleMesh,
  { edges }: FoldRest,
  positions: ArrayLike<number>,
  mark: (vertex: number) => void,
): void {
  for (let e = 0; e < edges.length; e += 4) {
    if (faces(positions, edges, e, FOLDED) >= 0 || !isStretched(mesh.positions, positions, edges, e)) continue;
    mark(edges[e]);
    mark(edges[e + 1]);
  }
}

/** Whether a side of the two triangles at an edge is much longer than at rest. */
function isStretched(
  rest: ArrayLike<number>,
  x: ArrayLike<number>,
  edges: Uint32Array,
  e: number,
  most = STRETCHED,
): boolean {
  for (let side = 0; side < 5; side++) {
    const a = 3 * edges[e + SIDES[2 * side]];
    const b = 3 * edges[e + SIDES[2 * side + 1]];
    if (squareBetween(x, a, b) > most * most * squareBetween(rest, a, b)) return true;
  }
  return false;
}

const SIDES = [0, 1, 0, 2, 1, 2, 0, 3, 1, 3];

const squareBetween = (x: ArrayLike<number>, a: number, b: number): number =>
  (x[a] - x[b]) ** 2 + (x[a + 1] - x[b + 1]) ** 2 + (x[a + 2] - x[b + 2]) ** 2;

/**
 * Whether the normals of the triangles at an edge are within 90° of each other: most are, and then it is not folded. The same numbers
 * as in `faces`, without those that need areas: bodies are looked at in every step.
 */
function opens(x: ArrayLike<number>, edges: Uint32Array, e: number): boolean {
  const a = 3 * edges[e];
  const b = 3 * edges[e + 1];
  const c = 3 * edges[e + 2];
  const d = 3 * edges[e + 3];
  const ax = x[a];
  const ay = x[a + 1];
  const az = x[a + 2];
  const ux = x[b] - ax;
  const uy = x[b + 1] - ay;
  const uz = x[b + 2] - az;
  const vx = x[c] - ax;
  const vy = x[c + 1] - ay;
  const vz = x[c + 2] - az;
  const wx = x[d] - ax;
  const wy = x[d + 1] - ay;
  const wz = x[d + 2] - az;
  return (
    (uy * vz - uz * vy) * (wy * uz - wz * uy) +
      (uz * vx - ux * vz) * (wz * ux - wx * uz) +
      (ux * vy - uy * vx) * (wx * uy - wy * ux) >=
    0
  );
}

/**
 * Above 0 where the cosine of the angle between the triangles at an edge is above `cosine`, below 0 where it is below, and 0
 * where a triangle has no area left: such a one faces nowhere.
 */
function faces(x: ArrayLike<number>, edges: Uint32Array, e: number, cosine: number): number {
  const a = 3 * edges[e];
  const b = 3 * edges[e + 1];
  const c = 3 * edges[e + 2];
  const d = 3 * edges[e + 3];
  const ux = x[b] - x[a];
  const uy = x[b + 1] - x[a + 1];
  const uz = x[b + 2] - x[a + 2];
  const vx = x[c] - x[a];
  const vy = x[c + 1] - x[a + 1];
  const vz = x[c + 2] - x[a + 2];
  const wx = x[d] - x[a];
  const wy = x[d + 1] - x[a + 1];
  const wz = x[d + 2] - x[a + 2];
  // u×v and w×u: both triangles run outwards.
  const lx = uy * vz - uz * vy;
  const ly = uz * vx - ux * vz;
  const lz = ux * vy - uy * vx;
  const rx = wy * uz - wz * uy;
  const ry = wz * ux - wx * uz;
  const rz = wx * uy - wy * ux;
  const areas2 = (lx * lx + ly * ly + lz * lz) * (rx * rx + ry * ry + rz * rz);
  if (!(areas2 > 0)) return 0;
  return lx * rx + ly * ry + lz * rz - cosine * Math.sqrt(areas2);
}
