// A prepared body as the shaders read it: a struct per particle, the intervals of its regions, the rings of its vertices. Made once per
// prepared body; places are relative to it.

import type { KernelRest, Prepared } from '../../solvers/solver.js';
import { orderedRings } from '../wasm/volume-data.js';
import { CHUNK, CHUNK_ROWS, PARTICLE_REST } from './layout.js';
import { powerOfTwoBelow } from './powers-of-two.js';

export interface PackedRest {
  readonly count: number;
  readonly chunks: number;
  /** `PARTICLE_REST` per particle, padded to whole chunks. */
  readonly particles: Float32Array;
  /** Region i has the intervals intervalOffsets[i] … intervalOffsets[i + 1] − 1; one more than padded. */
  readonly intervalOffsets: Uint32Array;
  /** Pairs of rows of prefix sums. */
  readonly intervals: Uint32Array;
  readonly ringOffsets: Uint32Array;
  readonly rings: Uint32Array;
  readonly meanArea: number;
}

const packed = new WeakMap<Prepared, PackedRest>();

/** Whether the shaders run its solver. */
export const hasShaders = ({ kernels, volume, parts }: Prepared): boolean =>
  kernels !== undefined && volume.pushes !== undefined && parts.length === 1;

export function packRest(prepared: Prepared): PackedRest {
  const known = packed.get(prepared);
  if (known) return known;
  const made = buildPacked(prepared, prepared.kernels as KernelRest);
  packed.set(prepared, made);
  return made;
}

function buildPacked({ volume, particles }: Prepared, kernels: KernelRest): PackedRest {
  const { count } = particles;
  const chunks = Math.ceil(count / CHUNK);
  const padded = chunks * CHUNK;
  const { words, offsets } = PARTICLE_REST;
  const out = new Float32Array(words * padded);
  const unit = unitOf(kernels.restMoments);
  const { stiffnesses, dampings, regions } = kernels;
  const { pairs } = volume;
  const pushes = volume.pushes as Float64Array;
  for (let i = 0; i < count; i++) {
    const vector = (field: keyof typeof offsets, source: Float64Array, fourth: number) => {
      out.set([source[3 * i], source[3 * i + 1], source[3 * i + 2], fourth], words * i + offsets[field]);
    };
    const numbers = (field: keyof typeof offsets, values: number[]) => out.set(values, words * i + offsets[field]);
    vector('position', kernels.positions, unit * kernels.regionMasses[i]);
    vector('centre', kernels.regionCentres, unit * kernels.regionTotals[i]);
    vector('normal', kernels.unitNormals, kernels.extraLengths[i]);
    const moment = unit * kernels.restMoments[i];
    numbers('areas', [kernels.areas[i], moment, 1 / regions.sizes[i], particles.massShares[i]]);
    vector('push', pushes, volume.pushAreas[i]);
    numbers('pair', [pairs.partners[i], pairs.lengths[i], pairs.depths[i], volume.weights?.[i] ?? 1]);
    const stiffness = stiffnesses ? [stiffnesses.factors[i], stiffnesses.means[i]] : [1, 1];
    numbers('painted', [...stiffness, ...(dampings ? [dampings.factors[i], dampings.means[i]] : [1, 1])]);
  }
  const rings = orderedRings(volume.triangles, count, padded);
  return {
    ...{ count, chunks, particles: out, ...cutIntervals(kernels, padded) },
    ...{ ringOffsets: rings.offsets, rings: rings.neighbours },
    meanArea: volume.areas.reduce((sum, area) => sum + area, 0) / count,
  };
}

/**
 * Of region masses only ratios matter. In this unit, a power of two, their moments are about 1: products of a millimetre's body are
 * numbers in single precision still.
 */
function unitOf(moments: Float64Array): number {
  const mean = moments.reduce((sum, moment) => sum + moment, 0) / moments.length;
  return mean > 0 ? 1 / powerOfTwoBelow(mean) : 1;
}

/** Intervals cut at the ends of chunks, where prefix sums start anew. */
function cutIntervals({ regions }: KernelRest, padded: number) {
  const offsets = new Uint32Array(padded + 1);
  const intervals: number[] = [];
  for (let i = 0; i < padded; i++) {
    for (let n = regions.offsets[i]; i < regions.count && n < regions.offsets[i + 1]; n++) {
      for (let begin = regions.begins[n]; begin < regions.ends[n]; ) {
        const chunk = Math.trunc(begin / CHUNK);
        const end = Math.min(regions.ends[n], (chunk + 1) * CHUNK);
        intervals.push(CHUNK_ROWS * chunk + (begin % CHUNK), CHUNK_ROWS * chunk + (end - chunk * CHUNK));
        begin = end;
      }
    }
    offsets[i + 1] = intervals.length / 2;
  }
  return { intervalOffsets: offsets, intervals: Uint32Array.from(intervals) };
}
