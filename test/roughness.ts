// How rough a deformed surface is: the angles between neighbouring triangles against those of the smooth ideal, the same
// deformation without what changes from vertex to vertex. The ideal place of a vertex is that of an affine map fitted to the
// vertices within two edges of it, weighted by rest area; so an affine motion is its own ideal, at creases too.
//
// Where the deformation itself has a kink the ideal has none: within two edges of vertices that are pinned (`held`) nothing is
// measured. Near creases of the body at rest the two sides may bend each in its way; there
// the angles are compared as a whole, `rms` with `idealRms`, and left out of the differences from edge to edge.

import { solveSymmetric } from '../src/math/mat3.js';
import { buildAdjacency } from '../src/mesh/adjacency.js';
import { type TriangleMesh, vertexAreas } from '../src/mesh/index.js';

/** Angles between neighbouring triangles [°], over all edges but those near `held`. */
export interface Roughness {
  readonly mean: number;
  /** Root mean squares of the surface and of its ideal. */
  readonly rms: number;
  readonly idealRms: number;
  /** Away from creases: root mean square of the differences, and what one in a hundred exceeds. */
  readonly excess: number;
  readonly p99: number;
}

/** An edge at which the body at rest bends by more is a crease [°]. */
const CREASE = 30;
/** Edges between two vertices that are near each other: those that share in a vertex's ideal place. */
const NEAR = 2;

export function roughnessOf(rest: TriangleMesh, positions: ArrayLike<number>, held: Iterable<number> = []): Roughness {
  const adjacency = buildAdjacency(rest);
  const { edgeVertices } = adjacency;
  const creases = Array.from(foldAngles(rest, adjacency, rest.positions)).flatMap((angle, edge) =>
    Math.abs(angle) > CREASE ? [edge] : [],
  );
  const nearHeld = near(adjacency, held);
  const nearCreases = near(
    adjacency,
    creases.flatMap((edge) => [...edgeVertices.subarray(2 * edge, 2 * edge + 2)]),
  );
  const without = (angles: Float64Array, marked: Uint8Array) =>
    angles.filter((_, edge) => marked[edgeVertices[2 * edge]] + marked[edgeVertices[2 * edge + 1]] === 0);
  const allNow = foldAngles(rest, adjacency, positions);
  const allIdeal = foldAngles(rest, adjacency, idealPositions(rest, adjacency, positions));
  const now = without(allNow, nearHeld);
  const ideal = without(allIdeal, nearHeld);
  const both = nearHeld.map((mark, vertex) => mark | nearCreases[vertex]);
  const differences = without(
    allNow.map((angle, edge) => Math.abs(angle - allIdeal[edge])),
    both,
  ).sort();
  const rms = (angles: Float64Array) => Math.sqrt(angles.reduce((sum, a) => sum + a * a, 0) / angles.length);
  return {
    mean: now.reduce((sum, angle) => sum + Math.abs(angle), 0) / now.length,
    rms: rms(now),
    idealRms: rms(ideal),
    excess: rms(differences),
    p99: differences[Math.trunc(0.99 * differences.length)],
  };
}

type Adjacency = ReturnType<typeof buildAdjacency>;

/** Marks the vertices within NEAR edges of the given ones. */
function near(
  { vertexCount, neighbours, neighbourOffsets: offsets }: Adjacency,
  vertices: Iterable<number>,
): Uint8Array {
  const marked = new Uint8Array(vertexCount);
  for (const vertex of vertices) marked[vertex] = 1;
  for (let ring = 0; ring < NEAR; ring++) {
    const before = marked.slice();
    for (let vertex = 0; vertex < vertexCount; vertex++) {
      if (before[vertex] === 0) continue;
      for (let e = offsets[vertex]; e < offsets[vertex + 1]; e++) marked[neighbours[e]] = 1;
    }
  }
  return marked;
}

/** Signed angle at each edge of a closed mesh, positive where it is a ridge [°]. */
function foldAngles({ triangles }: TriangleMesh, adjacency: Adjacency, x: ArrayLike<number>): Float64Array {
  const { edgeCount, edgeVertices, edgeTriangles, edgeTriangleOffsets } = adjacency;
  const at = (vertex: number) => [x[3 * vertex], x[3 * vertex + 1], x[3 * vertex + 2]];
  const minus = (a: number[], b: number[]) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  const cross = (a: number[], b: number[]) => [
    a[1] * b[2] - a[2] * b[1],
    a[2] * b[0] - a[0] * b[2],
    a[0] * b[1] - a[1] * b[0],
  ];
  const dot = (a: number[], b: number[]) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const corners = (t: number) => [triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]];
  const normal = (t: number) => {
    const [a, b, c] = corners(t).map(at);
    return cross(minus(b, a), minus(c, a));
  };
  const angles = new Float64Array(edgeCount);
  for (let edge = 0; edge < edgeCount; edge++) {
    const [first, second] = edgeTriangles.subarray(edgeTriangleOffsets[edge], edgeTriangleOffsets[edge] + 2);
    const [n, m] = [normal(first), normal(second)];
    const [a, b] = [edgeVertices[2 * edge], edgeVertices[2 * edge + 1]];
    const opposite = corners(second).find((vertex) => vertex !== a && vertex !== b) ?? a;
    const sine = Math.sqrt(dot(cross(n, m), cross(n, m)));
    const sign = dot(n, minus(at(opposite), at(a))) <= 0 ? 1 : -1;
    angles[edge] = (sign * Math.atan2(sine, dot(n, m)) * 180) / Math.PI;
  }
  return angles;
}

function idealPositions(rest: TriangleMesh, adjacency: Adjacency, x: ArrayLike<number>): Float64Array {
  const { neighbours, neighbourOffsets: offsets } = adjacency;
  const areas = vertexAreas(rest);
  const x0 = rest.positions;
  const ideal = new Float64Array(x0.length);
  const ring = (vertex: number) => neighbours.subarray(offsets[vertex], offsets[vertex + 1]);
  const shape = new Float64Array(6);
  const gradient = new Float64Array(3);
  for (let i = 0; i < areas.length; i++) {
    const members = new Set([i, ...ring(i), ...[...ring(i)].flatMap((j) => [...ring(j)])]);
    let total = 0;
    const centre = new Float64Array(6);
    for (const j of members) {
      total += areas[j];
      for (let c = 0; c < 3; c++) {
        centre[c] += areas[j] * x0[3 * j + c];
        centre[3 + c] += areas[j] * x[3 * j + c];
      }
    }
    const [ax, ay, az, bx, by, bz] = centre.map((sum) => sum / total);
    shape.fill(0);
    const moments = [0, 1, 2].map(() => new Float64Array(3));
    for (const j of members) {
      const r = [x0[3 * j] - ax, x0[3 * j + 1] - ay, x0[3 * j + 2] - az];
      const s = [x[3 * j] - bx, x[3 * j + 1] - by, x[3 * j + 2] - bz];
      let place = 0;
      for (let c = 0; c < 3; c++) {
        for (let d = c; d < 3; d++) shape[place++] += areas[j] * r[c] * r[d];
        for (let d = 0; d < 3; d++) moments[d][c] += areas[j] * r[c] * s[d];
      }
    }
    // A flat neighbourhood says nothing about its normal, and asks for nothing there.
    const floor = 1e-9 * (shape[0] + shape[3] + shape[5]);
    for (let d = 0; d < 3; d++) {
      solveSymmetric(shape, floor, moments[d], gradient);
      const r = [x0[3 * i] - ax, x0[3 * i + 1] - ay, x0[3 * i + 2] - az];
      ideal[3 * i + d] = [bx, by, bz][d] + gradient[0] * r[0] + gradient[1] * r[1] + gradient[2] * r[2];
    }
  }
  return ideal;
}
