// An embedding in the kernels' memory: written once and shared by all copies of a body in a world.

import type { Embedding } from '../../embedding/embedding.js';
import * as layout from './layout.js';
import type { WasmMemory } from './memory.js';
import type { RestData } from './rest-data.js';

export interface SkinRest {
  readonly vertexCount: number;
  readonly hasFar: boolean;
  /** Pointers for the skin record, by field; those that are its own to release come first. */
  readonly own: ReadonlyMap<number, number>;
  readonly borrowed: ReadonlyMap<number, number>;
}

/** `places` is the particle of each vertex of the simulation mesh. */
export function writeSkinRest(memory: WasmMemory, embedding: Embedding, rest: RestData, places: Uint32Array): SkinRest {
  const own = new Map<number, number>();
  const put = (field: number, values: Float32Array): void => {
    const address = memory.allocate(values.byteLength);
    memory.floats(address, values.length).set(values);
    own.set(field, address);
  };
  const { frameRest, binding, tangents } = embedding;
  put(layout.SKIN_VERTICES, vertexRecords(embedding, places));
  if (tangents) put(layout.SKIN_REST_TANGENTS, tangents);
  const ringOffsets = pointerOf(rest, layout.BODY_RING_OFFSETS);
  const rings = pointerOf(rest, layout.BODY_RINGS);
  const offsets = memory.integers(ringOffsets, rest.count + 1).slice();
  const neighbours = memory.integers(rings, offsets[rest.count]).slice();
  const order = new Uint32Array(places.length);
  places.forEach((place, vertex) => {
    order[place] = vertex;
  });
  const edgeFactors = new Float32Array(4 * neighbours.length);
  const normalFactors = new Float32Array(4 * rest.count);
  const restNormals = new Float32Array(4 * rest.count);
  for (let place = 0; place < rest.count; place++) {
    const vertex = order[place];
    for (let n = offsets[place]; n < offsets[place + 1]; n++) {
      const from = frameRest.offsets[vertex];
      const list = frameRest.neighbours.subarray(from, frameRest.offsets[vertex + 1]);
      const at = 3 * (from + list.indexOf(order[neighbours[n] / 16]));
      edgeFactors.set(frameRest.edgeFactors.subarray(at, at + 3), 4 * n);
    }
    normalFactors.set(frameRest.normalFactors.subarray(3 * vertex, 3 * vertex + 3), 4 * place);
    restNormals.set(frameRest.normals.subarray(3 * vertex, 3 * vertex + 3), 4 * place);
  }
  put(layout.SKIN_EDGE_FACTORS, edgeFactors);
  put(layout.SKIN_NORMAL_FACTORS, normalFactors);
  put(layout.SKIN_REST_NORMALS, restNormals);
  return {
    vertexCount: binding.count,
    hasFar: binding.farShares.some((share) => share > 0),
    own,
    borrowed: new Map([
      [layout.SKIN_RING_OFFSETS, ringOffsets],
      [layout.SKIN_RINGS, rings],
    ]),
  };
}

export function releaseSkinRest(memory: WasmMemory, rest: SkinRest): void {
  for (const address of rest.own.values()) memory.release(address);
}

function pointerOf({ pointers }: RestData, field: number): number {
  const address = pointers.get(field);
  if (address === undefined) throw new Error('rest data without rings');
  return address;
}

function vertexRecords({ binding, normals }: Embedding, places: Uint32Array): Float32Array {
  const { count, corners, weights, offsets, farShares } = binding;
  const stride = layout.SKIN_VERTEX_BYTES / 4;
  const records = new Float32Array(stride * count);
  const integers = new Uint32Array(records.buffer);
  for (let i = 0; i < count; i++) {
    const at = stride * i;
    for (let k = 0; k < 3; k++) {
      integers[at + layout.SKIN_VERTEX_CORNERS / 4 + k] = 16 * places[corners[3 * i + k]];
      records[at + layout.SKIN_VERTEX_WEIGHTS / 4 + k] = weights[3 * i + k];
      records[at + layout.SKIN_VERTEX_OFFSET / 4 + k] = offsets[3 * i + k];
      records[at + layout.SKIN_VERTEX_NORMAL / 4 + k] = normals[3 * i + k];
    }
    records[at + layout.SKIN_VERTEX_FAR / 4] = farShares[i];
  }
  return records;
}
