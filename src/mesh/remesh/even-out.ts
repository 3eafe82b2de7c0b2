// Rebuilds a closed mesh with a wanted number of vertices and triangles that are alike.
// Based on: M. Botsch, L. Kobbelt, "A remeshing approach to multiresolution modeling", 2004. Different from the paper:
// the number of vertices is given, not the edge length, so edges are collapsed and split in order of length until the
// number is met; flips aim at Delaunay triangles instead of valence 6.

import type { Vec3 } from '../../math/vec3.js';
import type { TriangleMesh } from '../triangle-mesh.js';
import { flipEdges } from './flip-edges.js';
import { HalfEdgeMesh } from './half-edge-mesh.js';
import { relax } from './relax.js';
import { collapseShortest, relativeLength, splitLongest } from './vertex-count.js';
import { chooseSizes } from './vertex-sizes.js';

export interface EvenOutOptions {
  /** Number of vertices of the result. */
  readonly vertices: number;
  /** Brings a point near the surface back onto it; without it the mesh follows its own tangent planes only. */
  readonly project?: (point: Vec3) => Vec3;
  /** From 0, equal triangles everywhere, to 1, edges half as long where the surface bends sharply. */
  readonly adaptivity?: number;
  /** How often edges are split, collapsed, flipped and relaxed. */
  readonly rounds?: number;
}

/** Edges longer than this many mean lengths are split between rounds, to be paid for by collapsing the shortest. */
const LONG = 1.35;

/**
 * A mesh of the same surface with exactly `vertices` vertices, still closed and of the same genus. Throws a RangeError
 * when the input is not a closed, oriented 2-manifold or cannot have that number of vertices.
 */
export function evenOut(mesh: TriangleMesh, options: EvenOutOptions): TriangleMesh {
  const { vertices, project, adaptivity = 0, rounds = 5 } = options;
  if (!Number.isInteger(vertices) || vertices < 4) {
    throw new RangeError(`vertices must be a whole number of at least 4, got ${vertices}`);
  }
  const room = Math.ceil(1.5 * Math.max(vertices, mesh.positions.length / 3)) + 8;
  const edited = new HalfEdgeMesh(mesh, room);
  const sizes = new Float64Array(edited.capacity).fill(1);
  for (let round = 0; round < rounds; round++) {
    if (round > 0) {
      // The first round brings the number of vertices down; from then on the mesh can tell how it bends.
      chooseSizes(edited, sizes, adaptivity, meanLength(edited, null));
      splitLongest(edited, sizes, Math.ceil(1.2 * vertices), LONG * meanLength(edited, sizes));
    }
    collapseShortest(edited, sizes, vertices);
    splitLongest(edited, sizes, vertices);
    for (let sweep = 0; sweep < 3; sweep++) {
      flipEdges(edited);
      relax(edited, sizes, project);
    }
  }
  flipEdges(edited);
  if (edited.vertexCount !== vertices) {
    throw new RangeError(`vertices must be at least ${edited.vertexCount} for this surface, got ${vertices}`);
  }
  return edited.toTriangleMesh();
}

/** Mean length of the edges, relative to the wanted sizes where they are given. */
function meanLength(mesh: HalfEdgeMesh, sizes: Float64Array | null): number {
  let sum = 0;
  let count = 0;
  for (let h = 0; h < mesh.halfEdgeEnd; h++) {
    if (!mesh.isHalfEdge(h)) continue;
    sum += sizes ? relativeLength(mesh, sizes, h) : mesh.lengthOf(h);
    count++;
  }
  return sum / count;
}
