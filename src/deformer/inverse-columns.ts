// Columns of A⁻¹ at the helper vertices that carry the surface, found when a contact first asks for them and kept for the frames to come: they
// depend on the bound body and the reach alone, so what was asked before changes time and no bit.

import type { SparseFactor } from './sparse-factor.js';

/** Numbers that are kept at most, 128 MB: beyond, all columns are forgotten and found anew as they are asked for. */
const MOST_NUMBERS = 1 << 24;
/** Columns of one solve. */
const AT_ONCE = 3;

export class InverseColumns {
  /** The vertices that carry the surface, in the factor's order: columns and their numbers go by places in it. */
  readonly vertices: Uint32Array;
  private columns: (Float64Array | undefined)[];
  private keptCount = 0;
  private readonly solution: Float64Array;

  /** @param carriers the vertices, in any order, doubles allowed. */
  constructor(
    private readonly factor: SparseFactor,
    carriers: Uint32Array,
  ) {
    const { places, count } = factor.pattern;
    this.vertices = Uint32Array.from(new Set(carriers)).sort((a, b) => places[a] - places[b]);
    this.columns = new Array(this.vertices.length);
    this.solution = new Float64Array(3 * count);
  }

  /** To be called when A has changed. */
  forget(): void {
    this.columns = new Array(this.vertices.length);
    this.keptCount = 0;
  }

  /** Finds the columns of these places that are not known. */
  prepare(wanted: Uint32Array): void {
    const { vertices, solution, factor } = this;
    let missing: Uint32Array = wanted.filter((v) => !this.columns[v]);
    if ((this.keptCount + missing.length) * vertices.length > MOST_NUMBERS) {
      this.forget();
      missing = wanted;
    }
    for (let first = 0; first < missing.length; first += AT_ONCE) {
      const some = missing.subarray(first, first + AT_ONCE);
      solution.fill(0);
      for (let k = 0; k < some.length; k++) solution[3 * vertices[some[k]] + k] = 1;
      factor.solve(solution, solution);
      for (let k = 0; k < some.length; k++) {
        const column = new Float64Array(vertices.length);
        for (let v = 0; v < column.length; v++) column[v] = solution[3 * vertices[v] + k];
        this.columns[some[k]] = column;
      }
    }
    this.keptCount += missing.length;
  }

  /** A column that was prepared. */
  at(place: number): Float64Array {
    return this.columns[place] as Float64Array;
  }
}
