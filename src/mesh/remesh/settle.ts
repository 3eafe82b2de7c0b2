// Makes the triangles of a closed mesh rounder without changing how many there are or where they are small: edges flip,
// vertices slide along the surface. What `evenOut` does to sizes, this leaves: a simplifier put small triangles where
// they are needed, at fingers and tips.

import type { Vec3 } from '../../math/vec3.js';
import type { TriangleMesh } from '../triangle-mesh.js';
import { flipEdges } from './flip-edges.js';
import { HalfEdgeMesh } from './half-edge-mesh.js';
import { relax } from './relax.js';

const SWEEPS = 8;
/** Neighbours share their sizes this often: single small triangles count for little, small regions stay. */
const SMOOTHING = 6;
/** Measured on an armadillo of 1000 vertices: its fingers lose 2.4 % of the size instead of 3.5 %, and rims stay straight. */
const CREASES = 0.85;

/** Mean length of the edges at each vertex, smoothed. */
function measureSizes(mesh: HalfEdgeMesh): Float64Array {
  const sizes = new Float64Array(mesh.capacity);
  const mean = (v: number, value: (h: number) => number): number => {
    let sum = 0;
    let count = 0;
    const first = mesh.outgoingOf(v);
    let h = first;
    do {
      sum += value(h);
      count++;
      h = mesh.turn(h);
    } while (h !== first);
    return sum / count;
  };
  for (let v = 0; v < mesh.vertexEnd; v++) if (mesh.isVertex(v)) sizes[v] = mean(v, (h) => mesh.lengthOf(h));
  for (let pass = 0; pass < SMOOTHING; pass++) {
    for (let v = 0; v < mesh.vertexEnd; v++) {
      if (mesh.isVertex(v)) sizes[v] = 0.5 * sizes[v] + 0.5 * mean(v, (h) => sizes[mesh.endOf(h)]);
    }
  }
  return sizes;
}

/** `project` brings points near the surface back onto it. Throws a RangeError unless the mesh is a closed 2-manifold. */
export function settle(mesh: TriangleMesh, project?: (point: Vec3) => Vec3): TriangleMesh {
  const edited = new HalfEdgeMesh(mesh);
  const sizes = measureSizes(edited);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    flipEdges(edited);
    relax(edited, sizes, project, CREASES);
  }
  flipEdges(edited);
  return edited.toTriangleMesh();
}
