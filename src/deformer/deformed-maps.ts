// Output maps: what happened to each vertex, for shaders, wrinkle maps and corrective shapes.

import { vertexNormals } from '../mesh/measure.js';
import { smoothstep } from './finish.js';

/** What happened to each vertex in a frame. */
export interface DeformedMaps {
  /** 1 where a vertex or one of its edges lies on a collider, falling smoothly to 0 at 2 % of the body's half size away. */
  readonly contact: Float64Array;
  /** How far a vertex moved [m]. */
  readonly displacement: Float64Array;
  /** Mean change of the edges at a vertex: 0.1 where they are a tenth longer than in the input. */
  readonly stretch: Float64Array;
  /** How deep a vertex of the input was inside a collider [m]. */
  readonly depth: Float64Array;
}

/** Distance at which the contact map ends [half sizes]. */
export const CONTACT_FALLOFF = 0.02;

/** 1 at distance 0 [half sizes] and inside, 0 from the falloff on. */
export const contactAt = (distance: number): number => 1 - smoothstep(distance / CONTACT_FALLOFF);

export function measureDisplacement(before: ArrayLike<number>, after: ArrayLike<number>): Float64Array {
  const out = new Float64Array(before.length / 3);
  for (let v = 0; v < out.length; v++) {
    const x = after[3 * v] - before[3 * v];
    const y = after[3 * v + 1] - before[3 * v + 1];
    const z = after[3 * v + 2] - before[3 * v + 2];
    out[v] = Math.sqrt(x * x + y * y + z * z);
  }
  return out;
}

/** Mean change of the sides of the triangles at each vertex, and the largest change of any. */
export function measureStretch(
  before: ArrayLike<number>,
  after: ArrayLike<number>,
  triangles: Uint32Array,
): { readonly stretch: Float64Array; readonly most: number } {
  const stretch = new Float64Array(before.length / 3);
  const counts = new Uint32Array(stretch.length);
  let most = 0;
  for (let i = 0; i < triangles.length; i++) {
    const a = triangles[i];
    const b = triangles[i % 3 === 2 ? i - 2 : i + 1];
    const rest = lengthOf(before, a, b);
    if (!(rest > 0)) continue;
    const change = lengthOf(after, a, b) / rest - 1;
    most = Math.max(most, Math.abs(change));
    stretch[a] += change;
    stretch[b] += change;
    counts[a]++;
    counts[b]++;
  }
  for (let v = 0; v < stretch.length; v++) if (counts[v] > 0) stretch[v] /= counts[v];
  return { stretch, most };
}

function lengthOf(p: ArrayLike<number>, a: number, b: number): number {
  const x = p[3 * b] - p[3 * a];
  const y = p[3 * b + 1] - p[3 * a + 1];
  const z = p[3 * b + 2] - p[3 * a + 2];
  return Math.sqrt(x * x + y * y + z * z);
}

/** Unit normals of the vertices; zero where the triangles at one cancel. */
export function unitNormals(positions: ArrayLike<number>, triangles: Uint32Array): Float64Array {
  const normals = vertexNormals(positions, triangles);
  for (let v = 0; v < normals.length; v += 3) {
    const [x, y, z] = [normals[v], normals[v + 1], normals[v + 2]];
    const size = Math.sqrt(x * x + y * y + z * z);
    for (let k = v; k < v + 3 && size > 0; k++) normals[k] /= size;
  }
  return normals;
}
