// Cuts a closed mesh along a patch that the patch cutter refuses, by somebody else's boolean operations on solids: a wedge as thin as
// rounding lets it be is taken away, and what is left is led back to the mesh that it is of.
// What it costs: vertices in single precision, the volume of the wedge, and faces that are not the same on both sides.

import type { Vec3 } from '../../../math/vec3.js';
import { boundsOf, diagonalOf, vertexNormals } from '../../../mesh/measure.js';
import type { TriangleMesh } from '../../../mesh/triangle-mesh.js';
import { findProblems } from '../../../mesh/validate.js';
import type { SolidModule } from '../../blade.js';
import type { CutPatch } from '../patch.js';
import { CutFailure } from './cut-failure.js';
import type { VertexOrigin } from './cut-vertices.js';
import type { SurfaceCut } from './surface-cut.js';

/** Half of the wedge's thickness, in the mesh's size: single precision is 6e-8 of it. */
const HALF_THICKNESS = 5e-6;
/** A weight below this is none: the point is on an edge of its triangle. */
const ON_EDGE = 1e-4;

/** How far the patch is moved where it fails as it stands, in the mesh's size: the wedge may not swallow a vertex. */
const SHIFTS = [0, 2e-5, -2e-5, 1e-4, -1e-4, 5e-4] as const;

/** @throws CutFailure where that is refused as well. */
export function cutByFallback(mesh: TriangleMesh, patch: CutPatch, solids: SolidModule): SurfaceCut {
  const size = diagonalOf(boundsOf(mesh.positions));
  let last: unknown;
  for (const shift of SHIFTS) {
    try {
      return cutOnce(mesh, shift === 0 ? patch : patch.moved(shift * size), HALF_THICKNESS * size, solids);
    } catch (problem) {
      if (!(problem instanceof CutFailure)) throw problem;
      last = problem;
    }
  }
  throw last;
}

function cutOnce(mesh: TriangleMesh, patch: CutPatch, half: number, solids: SolidModule): SurfaceCut {
  const left = subtract(mesh, thicken(patch.surface(), half), solids);
  const result = leadBack(mesh, patch, left);
  const [problem] = findProblems(result.mesh, { parts: true });
  if (problem) throw new CutFailure(`the fallback leaves a mesh with ${problem.code}`);
  return result;
}

/** A sheet of triangles as a solid: both sides of it, and walls along its border. */
function thicken({ positions, triangles }: TriangleMesh, half: number): TriangleMesh {
  const normals = vertexNormals(positions, triangles);
  const count = positions.length / 3;
  const solid = new Float64Array(6 * count);
  for (let k = 0; k < positions.length; k += 3) {
    const length = Math.sqrt(normals[k] ** 2 + normals[k + 1] ** 2 + normals[k + 2] ** 2) || 1;
    for (let c = 0; c < 3; c++) {
      const out = (half * normals[k + c]) / length;
      solid[k + c] = positions[k + c] + out;
      solid[3 * count + k + c] = positions[k + c] - out;
    }
  }
  const next = (k: number): number => triangles[k % 3 === 2 ? k - 2 : k + 1];
  const known = new Set<number>();
  for (let k = 0; k < triangles.length; k++) known.add(triangles[k] * count + next(k));
  const corners: number[] = [];
  for (let k = 0; k < triangles.length; k += 3) {
    const [a, b, c] = triangles.subarray(k, k + 3);
    corners.push(a, b, c, count + c, count + b, count + a);
  }
  for (let k = 0; k < triangles.length; k++) {
    const [a, b] = [triangles[k], next(k)];
    if (!known.has(b * count + a)) corners.push(b, a, count + a, b, count + a, count + b);
  }
  return { positions: solid, triangles: Uint32Array.from(corners) };
}

/** What is left of a mesh: triangles, and the triangle of it that each is of, −1 on the wedge. */
interface Left {
  readonly positions: Float32Array;
  readonly triangles: Uint32Array;
  readonly sources: Int32Array;
}

function subtract(mesh: TriangleMesh, wedge: TriangleMesh, solids: SolidModule): Left {
  const made: { delete(): void }[] = [];
  const keep = <T extends { delete(): void }>(one: T): T => {
    made.push(one);
    return one;
  };
  const solidOf = ({ positions, triangles }: TriangleMesh) => {
    const id = solids.Manifold.reserveIDs(1);
    const solid = new solids.Mesh({
      numProp: 3,
      vertProperties: Float32Array.from(positions),
      triVerts: triangles,
      faceID: Uint32Array.from({ length: triangles.length / 3 }, (_, t) => t),
      runIndex: Uint32Array.of(0, triangles.length),
      runOriginalID: Uint32Array.of(id),
    });
    return { id, solid: keep(new solids.Manifold(solid as never)) };
  };
  try {
    const { id: own, solid: body } = solidOf(mesh);
    const rest = keep(body.subtract(solidOf(wedge).solid as never));
    const out = rest.getMesh();
    const sources = new Int32Array(out.triVerts.length / 3).fill(-1);
    out.runOriginalID.forEach((id, run) => {
      if (id !== own) return;
      for (let k = out.runIndex[run]; k < out.runIndex[run + 1]; k += 3) sources[k / 3] = out.faceID[k / 3];
    });
    return { positions: out.vertProperties, triangles: out.triVerts, sources };
  } catch (problem) {
    throw new CutFailure(`the fallback refuses it too: ${problem instanceof Error ? problem.message : problem}`);
  } finally {
    for (const one of made) one.delete();
  }
}

/** Names what is left by the vertices of the mesh that it is of: they keep their numbers, new ones follow. */
function leadBack(mesh: TriangleMesh, patch: CutPatch, left: Left): SurfaceCut {
  const count = mesh.positions.length / 3;
  const numbers = new Int32Array(left.positions.length / 3).fill(-1);
  const betweens = new Map<number, VertexOrigin['between']>();
  for (let t = 0; t < left.sources.length; t++) {
    if (left.sources[t] < 0) continue;
    const source = mesh.triangles.subarray(3 * left.sources[t], 3 * left.sources[t] + 3);
    for (let k = 3 * t; k < 3 * t + 3; k++) {
      const vertex = left.triangles[k];
      if (numbers[vertex] >= 0) continue;
      const own = source.find((corner) => isAt(mesh.positions, corner, left.positions, vertex));
      if (own !== undefined) numbers[vertex] = own;
      else if (!betweens.has(vertex)) betweens.set(vertex, weigh(mesh.positions, source, left.positions, vertex));
    }
  }
  const positions = Array.from(mesh.positions);
  const origins: VertexOrigin[] = [];
  const charts: number[] = [];
  for (let vertex = 0; vertex < numbers.length; vertex++) {
    if (numbers[vertex] >= 0) continue;
    const between = betweens.get(vertex) ?? [];
    const point: Vec3 = [0, 1, 2].map((c) =>
      between.length === 0
        ? left.positions[3 * vertex + c]
        : between.reduce((sum, [corner, weight]) => sum + weight * mesh.positions[3 * corner + c], 0),
    ) as unknown as Vec3;
    numbers[vertex] = count + origins.length;
    positions.push(...point);
    origins.push({ between, side: patch.height(...point) >= 0 ? 1 : -1 });
    charts.push(...patch.chart(...point));
  }
  const [kept, faces, sources]: [number[], number[], number[]] = [[], [], []];
  left.sources.forEach((source, t) => {
    const corners = [0, 1, 2].map((c) => numbers[left.triangles[3 * t + c]]);
    (source < 0 ? faces : kept).push(...corners);
    if (source >= 0) sources.push(source);
  });
  // What nothing is left of has no place in a mesh: every vertex of before must still be there.
  const used = new Set([...kept, ...faces]);
  for (let vertex = 0; vertex < count; vertex++) {
    if (!used.has(vertex)) throw new CutFailure('the fallback loses a vertex');
  }
  return {
    mesh: { positions: Float64Array.from(positions), triangles: Uint32Array.from([...kept, ...faces]) },
    ...{ origins, charts, sources },
    firstFace: kept.length / 3,
    isPaired: false,
  };
}

const isAt = (positions: Float64Array, corner: number, others: Float32Array, vertex: number): boolean =>
  [0, 1, 2].every((c) => Math.fround(positions[3 * corner + c]) === others[3 * vertex + c]);

/** Weights of a triangle's corners for the point of it nearest to a vertex. */
function weigh(
  positions: Float64Array,
  source: Uint32Array,
  others: Float32Array,
  vertex: number,
): VertexOrigin['between'] {
  const at = (corner: number, c: number): number => positions[3 * source[corner] + c];
  const e = [0, 1, 2].map((c) => at(1, c) - at(0, c));
  const f = [0, 1, 2].map((c) => at(2, c) - at(0, c));
  const d = [0, 1, 2].map((c) => others[3 * vertex + c] - at(0, c));
  const dot = (a: readonly number[], b: readonly number[]): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const [ee, ef, ff, de, df] = [dot(e, e), dot(e, f), dot(f, f), dot(d, e), dot(d, f)];
  const determinant = ee * ff - ef * ef;
  if (!(determinant > 0)) throw new CutFailure('the fallback cuts a triangle without area');
  const [v, w] = [(ff * de - ef * df) / determinant, (ee * df - ef * de) / determinant];
  const weights = [1 - v - w, v, w].map((weight) => (weight < ON_EDGE ? 0 : weight));
  const sum = weights[0] + weights[1] + weights[2];
  return Array.from(source, (corner, c) => [corner, weights[c] / sum] as const).filter(([, weight]) => weight > 0);
}
