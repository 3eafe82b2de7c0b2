// A closed mesh with fewer vertices: reduced by meshoptimizer's simplifier, checked, its triangles rounded and fitted to the
// surface that was.

import type { Vec3 } from '../../math/vec3.js';
import { boundsOf, centreOf, diagonalOf, signedVolume } from '../measure.js';
import { evenOut } from '../remesh/even-out.js';
import { fair, restoreVolume } from '../remesh/fair.js';
import { HalfEdgeMesh } from '../remesh/half-edge-mesh.js';
import { hug } from '../remesh/hug.js';
import { settle } from '../remesh/settle.js';
import { untangle } from '../remesh/untangle.js';
import { splitLongest } from '../remesh/vertex-count.js';
import { findSelfIntersections } from '../self-intersections.js';
import type { TriangleMesh } from '../triangle-mesh.js';
import { buildTriangleTree } from '../triangle-tree.js';
import { NearestPoint } from '../triangle-tree-nearest.js';
import { mendPinches } from './pinches.js';
import { keepTriangles, trackMesh } from './tracked-mesh.js';

/** Where the simplifier's result cannot be mended, it ends elsewhere when it is asked for a few vertices more. */
const ATTEMPTS = [1, 1.02, 1.05, 1.1];
/** Share of the vertices that the simplifier places; fitting places the others where they are missed. */
const FIRST = 0.93;
/** Sweeps of smoothing where fitting fails. */
const SWEEPS = 8;

/** Reduced to about `vertices`, a closed manifold still; null where the simplifier does not get there. */
async function reduce(mesh: TriangleMesh, volume: number, vertices: number): Promise<TriangleMesh | null> {
  const { MeshoptSimplifier } = await import('meshoptimizer/simplifier');
  await MeshoptSimplifier.ready;
  const bounds = boundsOf(mesh.positions);
  const centre = centreOf(bounds);
  const scale = 1 / diagonalOf(bounds);
  // About the middle and of unit size, as it works in single precision.
  const positions = Float32Array.from(mesh.positions, (value, i) => scale * (value - centre[i % 3]));
  // V − 2 + 2g = F/2.
  const extra = mesh.triangles.length / 3 - 2 * (mesh.positions.length / 3);
  for (const attempt of ATTEMPTS) {
    const triangleCount = 2 * Math.round(attempt * vertices) + extra;
    const [triangles] = MeshoptSimplifier.simplify(mesh.triangles, positions, 3, 3 * triangleCount, 1, ['Regularize']);
    if (triangles.length > 3 * 1.1 * triangleCount) return null;
    const reduced = mendPinches(keepTriangles(trackMesh(mesh), triangles).mesh, volume);
    if (reduced !== null) return reduced;
  }
  return null;
}

/**
 * About `vertices` vertices on the surface of `mesh`, which is a closed manifold; its volume is kept to first order. Null
 * where every way there ends in a surface with more than `crossings` pairs of crossing triangles, or is impossible.
 */
export async function simplify(mesh: TriangleMesh, vertices: number, crossings = 0): Promise<TriangleMesh | null> {
  const nearest = new NearestPoint(buildTriangleTree(mesh.positions, mesh.triangles));
  const project = ([x, y, z]: Vec3): Vec3 => {
    nearest.find(x, y, z);
    return [...nearest.point];
  };
  const volume = signedVolume(mesh.positions, mesh.triangles);
  const isSound = (candidate: TriangleMesh) =>
    signedVolume(candidate.positions, candidate.triangles) > 0 &&
    findSelfIntersections(candidate.positions, candidate.triangles, crossings + 1).count <= crossings;
  const first = Math.round(FIRST * vertices);
  const reduced = await reduce(mesh, volume, first);
  const starts = [
    () => (reduced === null ? null : settle(reduced, project)),
    () => evenOut(mesh, { vertices: first, adaptivity: 1, project }),
  ];
  for (const start of starts) {
    let rounded: TriangleMesh | null;
    try {
      rounded = start();
    } catch (problem) {
      if (!(problem instanceof RangeError)) throw problem;
      continue;
    }
    if (rounded === null) continue;
    const close = hug(rounded, nearest, vertices);
    if (isSound(close)) return close;
    const untangled = crossings === 0 ? untangle(close) : null;
    if (untangled !== null && isSound(untangled)) return untangled;
    const smooth = restoreVolume(fair(close, SWEEPS), volume);
    if (isSound(smooth)) return smooth;
    if (isSound(rounded)) return rounded;
  }
  return null;
}

/** Edges of one round are all longer than this share of the longest: halving the longest first keeps triangles round. */
const ROUND = 0.8;

/** The same surface with more vertices: longest edges are halved until there are `vertices`. */
export function refine(mesh: TriangleMesh, vertices: number): TriangleMesh {
  const edited = new HalfEdgeMesh(mesh, vertices);
  const sizes = new Float64Array(edited.capacity).fill(1);
  while (edited.vertexCount < vertices) {
    let longest = 0;
    for (let h = 0; h < edited.halfEdgeEnd; h++) longest = Math.max(longest, edited.lengthOf(h));
    splitLongest(edited, sizes, vertices, ROUND * longest);
  }
  return edited.toTriangleMesh();
}
