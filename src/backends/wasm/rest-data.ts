// Rest data in the kernels' memory: written once per prepared body and shared by its copies in a world.

import { nearLeavesOf } from '../../contact/broad-phase/near-leaves.js';
import type { KernelRest, Prepared } from '../../solvers/solver.js';
import * as layout from './layout.js';
import type { WasmMemory } from './memory.js';
import { bodyTree, putArray } from './tree-records.js';
import { type PartData, type Put, paddedArrays, writePartRest, writeVolumeRest } from './volume-data.js';

export interface RestData {
  /** Particles, and padded to whole groups of four. */
  readonly count: number;
  readonly padded: number;
  readonly chunks: number;
  /** Prefix rows: one per particle and one at the start of each block. */
  readonly rows: number;
  /** Small branches of the contact's tree. */
  readonly subtrees: number;
  /** Pointers for the body record, by field. */
  readonly pointers: Map<number, number>;
  /** Of a body of several parts, what the volume constraint needs of each; else none. */
  readonly parts: readonly PartData[];
}

export function writeRestData(memory: WasmMemory, prepared: Prepared): RestData {
  const { particles, kernels, volume, contact } = prepared;
  const { count } = particles;
  const padded = Math.ceil(count / 4) * 4;
  const pointers = new Map<number, number>();
  const put: Put = (field, values) => {
    pointers.set(field, putArray(memory, values));
  };
  const vectors = (source: Float64Array, fourth: number): Float32Array => {
    const out = new Float32Array(4 * padded);
    for (let i = 0; i < count; i++) {
      for (let c = 0; c < 3; c++) out[4 * i + c] = source[3 * i + c];
      out[4 * i + 3] = fourth;
    }
    return out;
  };
  const { groups, numbers } = paddedArrays(count);

  put(layout.BODY_REST_POSITIONS, vectors(kernels?.positions ?? contact.mesh.positions, 1));
  // The kernels know the shell alone: its shares are of its own mass.
  const shell = kernels ? 1 : shellShare(particles.massShares);
  put(layout.BODY_MASS_SHARES, numbers(kernels ? particles.massShares : particles.massShares.map((m) => m / shell)));
  writeVolumeRest(put, volume, kernels?.areas ?? volume.pushAreas);
  if (contact.frictions) put(layout.BODY_FRICTIONS, numbers(contact.frictions));
  if (kernels?.stiffnesses) {
    put(layout.BODY_STIFFNESSES, numbers(kernels.stiffnesses.factors));
    put(layout.BODY_STIFFNESS_MEANS, numbers(kernels.stiffnesses.means));
  }
  if (kernels?.dampings) {
    put(layout.BODY_DAMPINGS, numbers(kernels.dampings.factors));
    put(layout.BODY_DAMPING_MEANS, numbers(kernels.dampings.means));
  }
  if (kernels) {
    // Of region masses only ratios matter. In this unit their moments are about 1, so that products of three, of a millimetre's
    // body or of its smallest triangles, are numbers in single precision still.
    const moment = kernels.restMoments.reduce((sum, m) => sum + m, 0) / count;
    const unit = moment > 0 ? powerToOne(moment) : 1;
    put(layout.BODY_REST_NORMALS, vectors(kernels.unitNormals, 0));
    put(layout.BODY_REGION_CENTRES, groups(kernels.regionCentres));
    put(layout.BODY_EXTRA_ARMS, groups(extraArms(kernels)));
    put(layout.BODY_REGION_MASSES, numbers(kernels.regionMasses.map((m) => m * unit)));
    put(
      layout.BODY_REGION_TOTALS,
      numbers(
        kernels.regionTotals.map((m) => m * unit),
        1,
      ),
    );
    put(layout.BODY_REGION_INVERSES, numbers(Float64Array.from(kernels.regions.sizes, (size) => 1 / size)));
    put(layout.BODY_EXTRA_LENGTHS, numbers(kernels.extraLengths));
    put(
      layout.BODY_REST_MOMENTS,
      numbers(
        kernels.restMoments.map((m) => m * unit),
        0,
      ),
    );
    const { offsets, intervals } = blockIntervals(kernels, padded);
    put(layout.BODY_INTERVAL_OFFSETS, offsets);
    put(layout.BODY_INTERVALS, intervals);
  }
  put(layout.BODY_ORDER, particles.order);
  const tree = bodyTree(contact.bvh, contact.edges, contact.mesh.triangles);
  for (const [field, values] of tree) put(field, values);
  return {
    count,
    padded,
    chunks: Math.ceil(count / layout.CHUNK),
    rows: padded + Math.ceil(padded / layout.BLOCK) + 1,
    subtrees: (tree.get(layout.BODY_SUBTREES)?.byteLength ?? 0) / layout.SUBTREE_BYTES,
    pointers,
    parts: prepared.parts.length > 1 ? prepared.parts.map((part) => writePartRest(memory, part, particles)) : [],
  };
}

/** What contact of a body with itself needs beside it: written for the first of its bodies that touches itself. */
export function writeSelfRest(memory: WasmMemory, { contact }: Prepared, { pointers }: RestData): void {
  if (pointers.has(layout.BODY_NEAR_LEAVES)) return;
  const { offsets, list } = nearLeavesOf(contact);
  pointers.set(layout.BODY_NEAR_OFFSETS, putArray(memory, offsets));
  const leaves = list.map((node) => layout.NODE_BYTES * node);
  pointers.set(layout.BODY_NEAR_LEAVES, putArray(memory, leaves));
}

/** Share of a body's mass that lies on its shell. */
export const shellShare = (massShares: Float64Array): number => massShares.reduce((sum, m) => sum + m, 0);

export function releaseRestData(memory: WasmMemory, rest: RestData): void {
  for (const { pointers } of [rest, ...rest.parts]) for (const address of pointers.values()) memory.release(address);
}

/** The power of two that brings a positive number to between 1 and 2. */
function powerToOne(value: number): number {
  let power = 1;
  while (value * power < 1) power *= 2;
  while (value * power > 2) power /= 2;
  return power;
}

/** p⁰ − t⁰ of each region's extra point. */
function extraArms({ positions, unitNormals, regionCentres, extraLengths }: KernelRest): Float64Array {
  return positions.map((x, k) => x + extraLengths[Math.trunc(k / 3)] * unitNormals[k] - regionCentres[k]);
}

/** Intervals cut at block boundaries, as pairs of byte offsets of prefix rows. */
function blockIntervals({ regions }: KernelRest, padded: number): { offsets: Uint32Array; intervals: Uint32Array } {
  const { BLOCK } = layout;
  const offsets = new Uint32Array(padded + 1);
  const intervals: number[] = [];
  for (let i = 0; i < padded; i++) {
    for (let n = regions.offsets[i]; i < regions.count && n < regions.offsets[i + 1]; n++) {
      for (let begin = regions.begins[n]; begin < regions.ends[n]; ) {
        const block = Math.trunc(begin / BLOCK);
        const end = Math.min(regions.ends[n], (block + 1) * BLOCK);
        intervals.push((begin + block) * layout.ROW, (end + block) * layout.ROW);
        begin = end;
      }
    }
    offsets[i + 1] = intervals.length / 2;
  }
  return { offsets, intervals: Uint32Array.from(intervals) };
}
