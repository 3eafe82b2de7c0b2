// What a change of the nodes would have moved the surface by at once, taken back over a moment: offsets per vertex, in the
// frame of the node that carries most of it.

import { MOMENT_STRIDE } from '../moments.js';
import { applyInverse } from './frame-inverse.js';
import type { Skin } from './skin.js';

/** How long offsets take to fade [s]: long enough not to be seen as a jump, short enough for the next change. */
const FADE_TIME = 0.2;

export class FadingOffsets {
  private readonly offsets: Float64Array;
  /** The node that carries most of each vertex, and the skin that it is so of. */
  private readonly carriers: Uint32Array;
  private known: Skin | undefined;
  /** What is left of the offsets, 1…0. */
  private readonly rest = new Float64Array(1);

  constructor(vertexCount: number) {
    this.offsets = new Float64Array(3 * vertexCount);
    this.carriers = new Uint32Array(vertexCount);
  }

  private carriersOf(skin: Skin): Uint32Array {
    const { carriers } = this;
    if (this.known !== skin) for (let i = 0; i < carriers.length; i++) carriers[i] = heaviest(skin, i);
    this.known = skin;
    return carriers;
  }

  /** Starts to fade from where the surface was to where the skin has it. */
  start(skin: Skin, frames: Float64Array, was: Float64Array, is: Float64Array): void {
    const { offsets } = this;
    const carriers = this.carriersOf(skin);
    for (let i = 0, k = 0; k < offsets.length; i++, k += 3) {
      const row = MOMENT_STRIDE * carriers[i];
      applyInverse(frames, row, was[k] - is[k], was[k + 1] - is[k + 1], was[k + 2] - is[k + 2], offsets, k);
    }
    this.rest[0] = 1;
  }

  /** Live arrays by name. */
  state() {
    return { fadingOffsets: this.offsets, fadingRest: this.rest };
  }

  advance(timeStep: number): void {
    this.rest[0] = Math.max(0, this.rest[0] - timeStep / FADE_TIME);
  }

  /** Adds to a surface what is left of the offsets. */
  addTo(skin: Skin, frames: Float64Array, out: Float64Array): void {
    const { offsets } = this;
    const left = this.rest[0];
    if (left === 0) return;
    const carriers = this.carriersOf(skin);
    for (let i = 0, k = 0; k < offsets.length; i++, k += 3) {
      const row = MOMENT_STRIDE * carriers[i];
      for (let c = 0; c < 3; c++) {
        const s = row + 4 * c;
        out[k + c] += left * (frames[s] * offsets[k] + frames[s + 1] * offsets[k + 1] + frames[s + 2] * offsets[k + 2]);
      }
    }
  }
}

/** The node that carries most of a vertex. */
export function heaviest({ offsets, nodes, weights }: Skin, i: number): number {
  let best = offsets[i];
  for (let e = best + 1; e < offsets[i + 1]; e++) if (weights[e] > weights[best]) best = e;
  return nodes[best];
}
