// The volumes of tetrahedra and one-rings of a body, by kernels where it has them.

import { VOLUMES } from './kernel-layout.js';
import type { TetraMemory } from './memory.js';
import { Placed } from './placed.js';
import type { TetraRest } from './rest.js';
import { largestRingError, writeRingSums, writeVolumes } from './ring-sums.js';

/** Tetrahedra of a task: 4 µs of work. */
const TETRA_CHUNK = 1024;

export class RingVolumes {
  /** Of the last positions [m³], of tetrahedra and of one-rings. */
  private readonly volumes: Float64Array;
  readonly sums: Float64Array;
  private readonly tetrahedra: Uint32Array;
  private readonly placed: Placed;
  /** Whether the sums are those of the last positions. */
  private isSummed = false;

  constructor(
    private readonly rest: TetraRest,
    private readonly memory: TetraMemory,
  ) {
    this.volumes = memory.reals(rest.tetraCount);
    this.sums = memory.reals(rest.count);
    this.placed = new Placed(rest.count);
    this.tetrahedra = memory.share(rest.mesh.tetrahedra);
  }

  /** V of each tetrahedron at positions x [m³], signed; always the same array. */
  volumesAt(x: Float64Array): Float64Array {
    const { tetrahedra, volumes } = this;
    const { kernels, team } = this.memory;
    if (!this.placed.moveTo(x)) return volumes;
    this.isSummed = false;
    const words = [x.byteOffset, tetrahedra.byteOffset, volumes.byteOffset];
    if (team) team.performChunks(VOLUMES, TETRA_CHUNK, volumes.length, words);
    else if (kernels) kernels.volumes(x.byteOffset, tetrahedra.byteOffset, volumes.length, volumes.byteOffset);
    else writeVolumes(x, tetrahedra, volumes);
    return volumes;
  }

  /** A quarter of each value per tetrahedron, at each of its nodes. */
  readonly sum = (perTetra: Float64Array, out: Float64Array): void => {
    const { tetrahedra, rest } = this;
    const { kernels } = this.memory;
    const [corners, values] = [tetrahedra.byteOffset, perTetra.byteOffset];
    if (kernels) kernels.ringSums(corners, values, rest.tetraCount, out.byteOffset, rest.count);
    else writeRingSums(tetrahedra, perTetra, out);
  };

  /** Largest |V/V⁰ − 1| of a one-ring at positions x, or |V − wanted|/V⁰. */
  measure(x: Float64Array, wanted?: Float64Array): number {
    const volumes = this.volumesAt(x);
    if (!this.isSummed) this.sum(volumes, this.sums);
    this.isSummed = true;
    return largestRingError(this.sums, this.rest.ringVolumes, wanted);
  }
}
