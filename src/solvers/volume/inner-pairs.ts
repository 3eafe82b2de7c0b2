// Inner pairs: for each vertex the vertex across the body, to measure how the interior is squeezed. They only measure;
// they never move a particle. Based on: DBB11 §5 "Inner Structures".

import type { TriangleMesh } from '../../mesh/triangle-mesh.js';
import { triangleTreeOf } from '../../mesh/triangle-tree-build.js';
import { FirstHit } from '../../mesh/triangle-tree-ray.js';

/** Relative difference of lengths that counts as none. */
const EQUAL_LENGTHS = 1e-9;

export interface InnerPairs {
  /** Vertex across the body; the vertex itself where the ray found none. */
  readonly partners: Uint32Array;
  /** ‖x⁰ᵢ − x⁰ₖ‖ [m]. */
  readonly lengths: Float64Array;
  /** 0 for the shortest pair of the body, 1 for the longest. */
  readonly depths: Float64Array;
}

/** Pairs each vertex with the one nearest to the first hit of the ray from it along its inward normal. */
export function buildInnerPairs(mesh: TriangleMesh, unitNormals: Float64Array): InnerPairs {
  const { positions, triangles } = mesh;
  const count = positions.length / 3;
  const hit = new FirstHit(triangleTreeOf(mesh));
  const partners = new Uint32Array(count);
  const lengths = new Float64Array(count);
  const depths = new Float64Array(count);
  const origin = new Float64Array(3);
  const direction = new Float64Array(3);
  let shortest = Infinity;
  let longest = 0;
  for (let i = 0; i < count; i++) {
    for (let c = 0; c < 3; c++) {
      origin[c] = positions[3 * i + c];
      direction[c] = -unitNormals[3 * i + c];
    }
    partners[i] = i;
    if (!hit.find(origin, direction, Infinity, i)) continue;
    const x = origin[0] + hit.distance * direction[0];
    const y = origin[1] + hit.distance * direction[1];
    const z = origin[2] + hit.distance * direction[2];
    let nearest = Infinity;
    for (let c = 0; c < 3; c++) {
      const vertex = triangles[3 * hit.triangle + c];
      const away = distance(positions, vertex, x, y, z);
      if (away < nearest) {
        nearest = away;
        partners[i] = vertex;
      }
    }
    lengths[i] = distance(positions, partners[i], origin[0], origin[1], origin[2]);
    shortest = Math.min(shortest, lengths[i]);
    longest = Math.max(longest, lengths[i]);
  }
  const range = longest - shortest;
  // Pairs of one length, as a sphere's, differ by rounding alone: that is no range to spread them over.
  const spread = range > EQUAL_LENGTHS * longest;
  for (let i = 0; i < count; i++) depths[i] = partners[i] !== i && spread ? (lengths[i] - shortest) / range : 0;
  return { partners, lengths, depths };
}

function distance(positions: Float64Array, vertex: number, x: number, y: number, z: number): number {
  const dx = positions[3 * vertex] - x;
  const dy = positions[3 * vertex + 1] - y;
  const dz = positions[3 * vertex + 2] - z;
  return Math.sqrt(dx * dx + dy * dy + dz * dz);
}
