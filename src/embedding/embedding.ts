// A visible mesh bound to a simulation mesh: what all copies of a body share.

import { groupCoincidentVertices } from '../mesh/coincident-vertices.js';
import { vertexNormals } from '../mesh/measure.js';
import { stepOf } from '../mesh/mesh-descent.js';
import { expectMesh, type TriangleMesh } from '../mesh/triangle-mesh.js';
import { bindPoints } from './bind.js';
import type { EmbeddableMesh, Embedding } from './embedding-types.js';
import { followStep } from './follow-step.js';
import { buildFrameRest } from './vertex-frames.js';

export type { EmbeddableMesh, Embedding, VisibleCut } from './embedding-types.js';

const bound = new WeakMap<TriangleMesh, WeakMap<EmbeddableMesh, Embedding>>();

/**
 * Binds a visible mesh to a closed simulation mesh, both at rest in the same coordinates. Binding takes about 7 µs per vertex
 * and is remembered: the same two meshes give the same embedding.
 * @throws RangeError where the visible mesh has no vertices or one that is not finite.
 * @example
 * ```ts
 * const embedding = embed(icosphere({ detail: 2, radius: 1.05 }), icosphere());
 * ```
 */
export function embed(cage: TriangleMesh, visible: EmbeddableMesh): Embedding {
  let ofCage = bound.get(cage);
  if (!ofCage) {
    ofCage = new WeakMap();
    bound.set(cage, ofCage);
  }
  let embedding = ofCage.get(visible);
  if (!embedding) {
    const step = stepOf(cage);
    embedding = step ? followStep(embed(step.before, visible), cage, step) : buildEmbedding(cage, visible);
    ofCage.set(visible, embedding);
  }
  return embedding;
}

function buildEmbedding(cage: TriangleMesh, visible: EmbeddableMesh): Embedding {
  expectMesh('cage', cage);
  expectMesh('visible mesh', visible);
  const count = visible.positions.length / 3;
  if (count === 0) throw new RangeError('visible mesh: expected at least one vertex, got none');
  expectLength('normals', visible.normals, 3 * count);
  expectLength('tangents', visible.tangents, 4 * count);
  const frameRest = buildFrameRest(cage);
  return {
    cage,
    visible,
    original: visible,
    frameRest,
    binding: bindPoints(frameRest, visible.positions),
    normals: restNormals(visible),
    tangents: visible.tangents ? Float32Array.from(visible.tangents) : null,
  };
}

function expectLength(name: string, values: ArrayLike<number> | null | undefined, length: number): void {
  if (values && values.length !== length) {
    throw new RangeError(`visible mesh: expected ${length} numbers of ${name}, got ${values.length}`);
  }
}

/** The mesh's own normals as unit vectors; those it lacks are made from its triangles. */
function restNormals({ positions, triangles, normals }: EmbeddableMesh): Float32Array {
  const out = new Float32Array(positions.length);
  let made: Float64Array | undefined;
  for (let k = 0; k < out.length; k += 3) {
    let from: ArrayLike<number> | undefined = normals ?? undefined;
    if (!from || !(squareAt(from, k) > 0)) {
      made ??= smoothNormals(positions, triangles);
      from = made;
    }
    const square = squareAt(from, k);
    const scale = square > 0 && square < Infinity ? 1 / Math.sqrt(square) : 0;
    for (let c = 0; c < 3; c++) out[k + c] = scale > 0 ? from[k + c] * scale : c === 1 ? 1 : 0;
  }
  return out;
}

const squareAt = (v: ArrayLike<number>, k: number): number => v[k] ** 2 + v[k + 1] ** 2 + v[k + 2] ** 2;

/** Normals by the triangles at each place, whichever of its vertices they are at. */
function smoothNormals(positions: Float64Array, triangles: Uint32Array): Float64Array {
  const heads = groupCoincidentVertices(positions);
  const sums = vertexNormals(
    positions,
    triangles.map((vertex) => heads[vertex]),
  );
  return sums.map((_, k) => sums[3 * heads[Math.trunc(k / 3)] + (k % 3)]);
}
