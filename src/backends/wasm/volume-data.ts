// What the volume constraint's kernels need of a body at rest, or of one of its closed parts.

import type { PartRest } from '../../solvers/parts.js';
import type { ParticleRest } from '../../solvers/solver.js';
import type { VolumeRest } from '../../solvers/volume/rest.js';
import * as layout from './layout.js';
import type { WasmMemory } from './memory.js';
import { putArray } from './tree-records.js';

/** Writes an array for a field of the record. */
export type Put = (field: number, values: Float32Array | Uint32Array) => void;

/** A part's rest data in the kernels' memory. */
export interface PartData {
  readonly rest: PartRest;
  readonly padded: number;
  readonly chunks: number;
  /** Pointers for its record, by field. */
  readonly pointers: ReadonlyMap<number, number>;
}

/** Arrays padded to whole groups of four particles. */
export function paddedArrays(count: number) {
  const padded = Math.ceil(count / 4) * 4;
  return {
    padded,
    /** Four x, four y, four z of each group of four. */
    groups: (source: Float64Array): Float32Array => {
      const out = new Float32Array(3 * padded);
      for (let i = 0; i < count; i++) {
        for (let c = 0; c < 3; c++) out[12 * (i >> 2) + 4 * c + (i & 3)] = source[3 * i + c];
      }
      return out;
    },
    numbers: (source: ArrayLike<number>, padding = 0): Float32Array => {
      const out = new Float32Array(padded).fill(padding);
      out.set(source);
      return out;
    },
  };
}

/** @param areas how far a correction moves each particle for its weight [m²]. */
export function writeVolumeRest(put: Put, volume: VolumeRest, areas: Float64Array): void {
  const count = volume.pairs.partners.length;
  const { padded, groups, numbers } = paddedArrays(count);
  put(layout.BODY_AREAS, numbers(areas));
  if (volume.pushes) put(layout.BODY_PUSHES, groups(volume.pushes));
  if (volume.weights) put(layout.BODY_VOLUME_WEIGHTS, numbers(volume.weights));
  const rings = orderedRings(volume.triangles, count, padded);
  put(layout.BODY_RING_OFFSETS, rings.offsets);
  put(
    layout.BODY_RINGS,
    rings.neighbours.map((neighbour) => 16 * neighbour),
  );
  const partners = Uint32Array.from({ length: padded }, (_, i) => i);
  partners.set(volume.pairs.partners);
  put(layout.BODY_PARTNERS, partners);
  put(layout.BODY_PAIR_LENGTHS, numbers(volume.pairs.lengths));
  put(layout.BODY_PAIR_DEPTHS, numbers(volume.pairs.depths));
}

/** Its masses are shares of the part's, which the constraint's sums take to be 1. */
export function writePartRest(memory: WasmMemory, rest: PartRest, { massShares }: ParticleRest): PartData {
  const { first, count, volume } = rest;
  const pointers = new Map<number, number>();
  const put: Put = (field, values) => {
    pointers.set(field, putArray(memory, values));
  };
  writeVolumeRest(put, volume, volume.pushAreas);
  const own = massShares.subarray(first, first + count);
  const total = own.reduce((sum, share) => sum + share, 0);
  const { padded, numbers } = paddedArrays(count);
  put(layout.BODY_MASS_SHARES, numbers(own.map((share) => share / total)));
  return { rest, padded, chunks: Math.ceil(count / layout.CHUNK), pointers };
}

/** Neighbours of each vertex of a closed manifold, counter-clockwise. */
export function orderedRings(triangles: Uint32Array, count: number, padded: number) {
  const offsets = new Uint32Array(padded + 1);
  for (const vertex of triangles) offsets[vertex + 1]++;
  for (let i = 0; i < padded; i++) offsets[i + 1] += offsets[i];
  const firsts = new Uint32Array(triangles.length);
  const seconds = new Uint32Array(triangles.length);
  const filled = offsets.slice();
  for (let t = 0; t < triangles.length; t += 3) {
    for (let c = 0; c < 3; c++) {
      const at = filled[triangles[t + c]]++;
      firsts[at] = triangles[t + ((c + 1) % 3)];
      seconds[at] = triangles[t + ((c + 2) % 3)];
    }
  }
  const neighbours = new Uint32Array(triangles.length);
  for (let i = 0; i < count; i++) {
    let wanted = firsts[offsets[i]];
    for (let at = offsets[i]; at < offsets[i + 1]; at++) {
      neighbours[at] = wanted;
      for (let e = offsets[i]; e < offsets[i + 1]; e++) {
        if (firsts[e] === wanted) {
          wanted = seconds[e];
          break;
        }
      }
    }
  }
  return { offsets, neighbours };
}
