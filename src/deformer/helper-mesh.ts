// The helper mesh H: tetrahedra around and inside the surface M, which it carries by barycentric coordinates. It is built once,
// on the mesh as it was bound. Lengths are in half sizes: M's box is centred on the origin, its longest side is 2.

import { accumulate } from '../mesh/counting-sort.js';
import { meanEdgeLength } from '../mesh/measure.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { findKeptLeaves } from './kept-leaves.js';
import { fillLeaves, type LeafTetrahedra } from './leaf-tetrahedra.js';
import { Octree } from './octree.js';
import { countGluedLeaves, insertSurface, type SurfaceLeaves } from './surface-leaves.js';

export interface HelperMesh {
  /** Of the leaves that the surface touches. */
  readonly depth: number;
  /** Edge of those leaves. */
  readonly cellSize: number;
  /** x, y, z per vertex. */
  readonly positions: Float64Array;
  /** Four vertices each, with positive volume. */
  readonly tetrahedra: Uint32Array;
  /** Volume of the leaves that were filled. */
  readonly leafVolume: number;
  /** Per vertex of M: the tetrahedron that carries it, and the weights of its four corners, which sum to 1. */
  readonly carriers: Uint32Array;
  readonly weights: Float64Array;
  /** Leaves that hold two sheets of the surface and move them as one. */
  readonly gluedCells: number;
}

/** The root cube is larger than M's box by this much, so that no vertex lies on its border. */
const ROOT_SIDE = 2 * 1.1;
export const HELPER_DEPTHS = [1, 8] as const;
/**
 * Most vertices of a helper mesh whose depth nobody chose: beyond, factoring takes longer than all the rest, and the surface
 * moves by 0.03 of the half size from one depth to the next.
 */
const MOST_VERTICES = 4000;
/** Vertices of a helper mesh over those of one a level coarser, at least: on six bodies from 2.7 (a hand) to 4.8 (a torus). */
const LEAST_GROWTH = 2.5;

/** @param mesh in half sizes. */
export const buildHelperMesh = (mesh: TriangleMesh, depth: number): HelperMesh =>
  bindHelper(mesh, cutHelper(mesh, depth));

/**
 * The finest helper mesh whose leaves are no smaller than the mean edge of M, within the most vertices: in smaller ones the
 * contact of a vertex pokes single helper vertices.
 */
export function buildFittingHelperMesh(mesh: TriangleMesh): HelperMesh {
  const edge = meanEdgeLength(mesh);
  let best = cutHelper(mesh, 2);
  for (let depth = 3; depth <= HELPER_DEPTHS[1] && ROOT_SIDE / (1 << depth) >= edge; depth++) {
    if (LEAST_GROWTH * best.filled.points.length > 3 * MOST_VERTICES) break;
    const finer = cutHelper(mesh, depth);
    if (finer.filled.points.length > 3 * MOST_VERTICES) break;
    best = finer;
  }
  return bindHelper(mesh, best);
}

/** An octree filled with tetrahedra, without the surface that it is to carry. */
interface CutHelper {
  readonly octree: Octree;
  /** A lattice unit [half sizes]. */
  readonly unit: number;
  /** The surface's vertices in lattice units, and what of it each leaf holds. */
  readonly points: Float64Array;
  readonly surface: SurfaceLeaves;
  readonly filled: LeafTetrahedra;
}

function cutHelper(mesh: TriangleMesh, depth: number): CutHelper {
  const octree = new Octree(depth);
  const unit = ROOT_SIDE / octree.span;
  const points = mesh.positions.map((x) => (x + ROOT_SIDE / 2) / unit);
  const surface = insertSurface(octree, points, mesh.triangles);
  octree.balance();
  const kept = findKeptLeaves(octree, surface, points, mesh.triangles);
  return { octree, unit, points, surface, filled: fillLeaves(octree, kept) };
}

function bindHelper(mesh: TriangleMesh, { octree, unit, points, surface, filled }: CutHelper): HelperMesh {
  const { carriers, weights } = bindPoints(octree, filled, points);
  return {
    depth: octree.depth,
    cellSize: 2 * unit,
    positions: Float64Array.from(filled.points, (x) => x * unit - ROOT_SIDE / 2),
    tetrahedra: filled.tetrahedra,
    leafVolume: filled.leafVolume * unit * unit * unit,
    carriers,
    weights,
    gluedCells: countGluedLeaves(surface, mesh.triangles),
  };
}

/** Of the tetrahedra at the centre of a point's leaf the one whose smallest weight is largest. */
function bindPoints(octree: Octree, filled: LeafTetrahedra, points: ArrayLike<number>) {
  const { tetrahedra, centres } = filled;
  const starts = new Uint32Array(filled.points.length / 3 + 1);
  for (const v of tetrahedra) starts[v + 1]++;
  accumulate(starts);
  const next = starts.slice();
  const around = new Uint32Array(tetrahedra.length);
  for (let i = 0; i < tetrahedra.length; i++) around[next[tetrahedra[i]]++] = i >> 2;
  const count = points.length / 3;
  const carriers = new Uint32Array(count);
  const weights = new Float64Array(4 * count);
  const trial = new Float64Array(4);
  for (let v = 0; v < count; v++) {
    const [x, y, z] = [points[3 * v], points[3 * v + 1], points[3 * v + 2]];
    const centre = centres.get(octree.find(x, y, z));
    if (centre === undefined)
      throw new RangeError(`mesh: expected a triangle at every vertex, got none at vertex ${v}`);
    let most = -Infinity;
    for (let i = starts[centre]; i < starts[centre + 1]; i++) {
      writeWeights(filled, around[i], x, y, z, trial);
      const least = Math.min(trial[0], trial[1], trial[2], trial[3]);
      if (least <= most) continue;
      most = least;
      carriers[v] = around[i];
      weights.set(trial, 4 * v);
    }
  }
  return { carriers, weights };
}

/** Barycentric coordinates of a point in a tetrahedron of lattice points. */
function writeWeights(filled: LeafTetrahedra, t: number, x: number, y: number, z: number, out: Float64Array): void {
  const { points: p, tetrahedra } = filled;
  const [a, b, c, d] = [0, 1, 2, 3].map((k) => 3 * tetrahedra[4 * t + k]);
  const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
  const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
  const [wx, wy, wz] = [p[d] - p[a], p[d + 1] - p[a + 1], p[d + 2] - p[a + 2]];
  const [qx, qy, qz] = [x - p[a], y - p[a + 1], z - p[a + 2]];
  const det = (
    ...[ax, ay, az, bx, by, bz, cx, cy, cz]: [number, number, number, number, number, number, number, number, number]
  ): number => ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  const whole = det(ux, uy, uz, vx, vy, vz, wx, wy, wz);
  out[1] = det(qx, qy, qz, vx, vy, vz, wx, wy, wz) / whole;
  out[2] = det(ux, uy, uz, qx, qy, qz, wx, wy, wz) / whole;
  out[3] = det(ux, uy, uz, vx, vy, vz, qx, qy, qz) / whole;
  out[0] = 1 - out[1] - out[2] - out[3];
}
