// What a skin on the GPU has of meshes at rest: the simulation mesh's rings, its gradients' factors, and what is bound to it.

import type { Embedding } from '../../embedding/embedding-types.js';
import { buildFrameRest, type FrameRest } from '../../embedding/vertex-frames.js';
import type { TriangleMesh } from '../../mesh/triangle-mesh.js';
import { orderedRings } from '../wasm/volume-data.js';
import { BOUND } from './layout.js';

export interface PackedSkin {
  /** Vertices of the simulation mesh, and those that are shown. */
  readonly count: number;
  readonly visibleCount: number;
  /** Places of vertices, offsets of rings, neighbours; where the last two begin. */
  readonly links: Uint32Array;
  readonly offsets: number;
  readonly neighbours: number;
  /** m of vertices, u of neighbours, unit normals at rest; where the last begin, in vectors. */
  readonly factors: Float32Array;
  readonly restNormals: number;
  /** `BOUND` per vertex that is shown; empty where the simulation mesh itself is. */
  readonly bound: Float32Array;
}

export function packSkin(mesh: TriangleMesh, places: Uint32Array, embedding?: Embedding): PackedSkin {
  const count = places.length;
  const rings = orderedRings(mesh.triangles, count, count);
  const offsets = count;
  const neighbours = offsets + count + 1;
  const links = new Uint32Array(neighbours + rings.neighbours.length);
  links.set(places);
  links.set(rings.offsets, offsets);
  links.set(rings.neighbours, neighbours);
  const frameRest = embedding?.frameRest ?? buildFrameRest(mesh);
  const restNormals = count + rings.neighbours.length;
  return {
    ...{ count, visibleCount: embedding?.binding.count ?? count, links, offsets, neighbours },
    ...{ factors: packFactors(frameRest, rings, restNormals), restNormals },
    bound: embedding ? packBound(embedding) : new Float32Array(0),
  };
}

function packFactors(
  rest: FrameRest,
  rings: { readonly offsets: Uint32Array; readonly neighbours: Uint32Array },
  restNormals: number,
): Float32Array {
  const count = rest.normalFactors.length / 3;
  const out = new Float32Array(4 * (restNormals + count));
  const put = (at: number, source: Float64Array, n: number) => out.set(source.subarray(3 * n, 3 * n + 3), 4 * at);
  for (let i = 0; i < count; i++) {
    put(i, rest.normalFactors, i);
    put(restNormals + i, rest.normals, i);
    for (let at = rings.offsets[i]; at < rings.offsets[i + 1]; at++) {
      // The same neighbours in another order.
      const n = rest.neighbours.indexOf(rings.neighbours[at], rest.offsets[i]);
      put(count + at, rest.edgeFactors, n);
    }
  }
  return out;
}

function packBound({ binding, normals, tangents }: Embedding): Float32Array {
  const { count, corners, weights, offsets, farShares } = binding;
  const out = new Float32Array(BOUND.words * count);
  const words = new Uint32Array(out.buffer);
  for (let i = 0; i < count; i++) {
    const at = (field: keyof typeof BOUND.offsets) => BOUND.words * i + BOUND.offsets[field];
    words.set(corners.subarray(3 * i, 3 * i + 3), at('corners'));
    out.set(weights.subarray(3 * i, 3 * i + 3), at('weights'));
    out[at('weights') + 3] = farShares[i];
    out.set(offsets.subarray(3 * i, 3 * i + 3), at('offset'));
    out.set(normals.subarray(3 * i, 3 * i + 3), at('normal'));
    if (tangents) out.set(tangents.subarray(4 * i, 4 * i + 4), at('tangent'));
  }
  return out;
}
