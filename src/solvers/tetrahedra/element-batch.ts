// Elements by kernels, two at a time: kernels take deformations apart and add up forces and stiffness. Between the two, what the
// material answers is theirs for known materials without λ, and TypeScript's for all others and for elements that are nearly flat.

import type { ElementModes } from './element-modes.js';
import { ELEMENTS, WIDTH } from './kernel-layout.js';
import type { Material } from './materials.js';
import type { TetraMemory } from './memory.js';
import type { TetraRest } from './rest.js';
import { performRuns, type Runs } from './runs.js';
import type { StiffnessMatrix } from './stiffness-matrix.js';

/** Tetrahedra at a time: what is known of them between kernels stays in the processor's first cache. */
export const BATCH_SIZE = 64;
/** Numbers that two tetrahedra have in the last kernel: ten blocks, and three corners' gradients and forces. */
const SCRATCH = 2 * (90 + 9 + 9);
const [S, G, H, SAME, CROSSED] = [18, 21, 24, 30, 33];

/** Batches in the order in which they are added up: run by run. */
export function eachBatch({ ranges }: Runs, visit: (first: number, count: number) => void): void {
  for (let r = 0; r < ranges.length; r += 2) {
    const end = ranges[r + 1];
    for (let t = ranges[r]; t < end; t += BATCH_SIZE) visit(t, Math.min(BATCH_SIZE, end - t));
  }
}

export class ElementBatch {
  private readonly lanes: Float64Array;
  private readonly scratch: Float64Array;
  private readonly ranges: Uint32Array;
  /** Batches that threads leave to the TypeScript. */
  private readonly left: Uint8Array;
  private readonly tetrahedra: Uint32Array;
  private readonly gradients: Float64Array;

  private constructor(
    private readonly memory: TetraMemory,
    private readonly rest: TetraRest,
    private readonly scales: Float64Array,
  ) {
    this.lanes = memory.reals(memory.threads * WIDTH * BATCH_SIZE);
    this.scratch = memory.reals(memory.threads * SCRATCH);
    this.ranges = memory.share(rest.tetraRuns.ranges);
    this.left = memory.bytes(Math.ceil(rest.tetraCount / BATCH_SIZE));
    this.tetrahedra = memory.share(rest.mesh.tetrahedra);
    this.gradients = memory.share(rest.gradients);
  }

  /** Nothing where the body has no kernels. */
  static in(memory: TetraMemory, rest: TetraRest, scales: Float64Array): ElementBatch | undefined {
    return memory.isHeap ? undefined : new ElementBatch(memory, rest, scales);
  }

  /** Adds forces and `factor` times the stiffness of all tetrahedra, in the order of `batchesOf`. */
  runAll(
    x: Float64Array,
    material: Material,
    modes: ElementModes,
    forces: Float64Array,
    matrix: StiffnessMatrix,
    factor: number,
  ): void {
    const { rest, left } = this;
    const { team } = this.memory;
    const { plain } = material;
    left.fill(1);
    if (team && plain) {
      const { ranges, tetrahedra, gradients, scales, lanes, scratch } = this;
      const { slots, values } = matrix;
      const lists = [ranges, x, tetrahedra, gradients, scales, slots, lanes, scratch, forces, values, left];
      const words = [...lists.map(({ byteOffset }) => byteOffset), plain.kind];
      team.measure(() => performRuns(team, ELEMENTS, rest.tetraRuns, words, [plain.mu, plain.least, factor]));
    }
    eachBatch(rest.tetraRuns, (first, count) => {
      if (left[first / BATCH_SIZE]) this.run(first, count, x, material, modes, forces, matrix, factor);
    });
  }

  /** Those of so many from `first` on. */
  private run(
    first: number,
    count: number,
    x: Float64Array,
    material: Material,
    modes: ElementModes,
    forces: Float64Array,
    matrix: StiffnessMatrix,
    factor: number,
  ): void {
    const { kernels } = this.memory;
    if (!kernels) return;
    const [tetrahedra, gradients] = [this.tetrahedra.byteOffset, this.gradients.byteOffset];
    const [batch, scratch] = [this.lanes.byteOffset, this.scratch.byteOffset];
    kernels.decompose(first, count, x.byteOffset, tetrahedra, gradients, batch, scratch);
    const { plain } = material;
    if (!plain) this.writeModes(count, material, modes, Infinity);
    else if (kernels.writeModes(count, plain.kind, plain.mu, plain.least, batch) !== 0) {
      this.writeModes(count, material, modes, plain.least);
    }
    kernels.addElements(
      first,
      count,
      tetrahedra,
      gradients,
      this.scales.byteOffset,
      matrix.slots.byteOffset,
      batch,
      scratch,
      forces.byteOffset,
      matrix.values.byteOffset,
      factor,
    );
  }

  /** The modes of the elements that have a stretch of at most `most`. */
  private writeModes(count: number, material: Material, modes: ElementModes, most: number): void {
    const { lanes } = this;
    const { s, g, h, same, crossed } = modes;
    for (let t = 0; t < count; t++) {
      const at = 2 * WIDTH * (t >> 1) + (t & 1);
      for (let k = 0; k < 3; k++) s[k] = lanes[at + 2 * (S + k)];
      if (s[0] > most && s[1] > most && s[2] > most) continue;
      modes.write(material, true);
      for (let k = 0; k < 3; k++) {
        lanes[at + 2 * (G + k)] = g[k];
        lanes[at + 2 * (SAME + k)] = same[k];
        lanes[at + 2 * (CROSSED + k)] = crossed[k];
      }
      for (let k = 0; k < 6; k++) lanes[at + 2 * (H + k)] = h[k];
    }
  }
}
