// How far pins reach: goals near pins that follow them. Ours.
//
// Regions count a pinned vertex as any other member. A row of pinned vertices is a small part of the regions that hold it, so goals beside it
// were those of a body that is hardly held, and a single ring of triangles took what is between: 32° of 360° at each end of a bar of 40 rows,
// and most of the way by which a body was drawn out that is hardly longer than its regions. By what the goal of a pinned vertex misses
// its place, those of its neighbours miss theirs. Of a field that goes on evenly from the pins, averaged over regions twice (for their transforms, and
// for goals), that falls off as (1 − d/D)³ with the rings d to the pins; D = 2ω for means over 2ω + 1 rows, and √3 ω for discs, which
// are as wide as √¾ of that. So goals are moved by that share of an affine field, fitted to what the goals of the pins miss.

import { solveSymmetric } from '../math/mat3.js';
import type { MeshAdjacency } from '../mesh/adjacency.js';

/** Who is a neighbour of whom. */
type NeighbourLists = Pick<MeshAdjacency, 'neighbourOffsets' | 'neighbours'>;

/** D in ω. At 2 a cube bent by half a turn lets go (ω = 8), at 1.2 and 1.5 a bent duck is rough (ω = 5: by 5.0° and 3.2°, so by 0.8°). */
const DEPTH = Math.sqrt(3);
/** Passes of smoothing over neighbours, of the shares and of the feet: rings are whole numbers, and a goal must not be rough. */
const SHARE_PASSES = 4;
const FOOT_PASSES = 10;
/** Share of the neighbours' mean in a pass. */
const SMOOTHING = 0.75;
/** Relative floor on the moments of pins, so that those in a plane, on a line or alone have a field as well. */
const FLAT = 1e-6;

/** The pins of a body in groups that lie together, and the particles that each reaches. All rows are of four numbers. */
export interface PinReach {
  readonly groups: number;
  /** Pinned particles with neighbours that are free; group g has pins[pinOffsets[g]] … pins[pinOffsets[g + 1] − 1]. */
  readonly pinOffsets: Uint32Array;
  readonly pins: Uint32Array;
  /** Of each pin u·(1, r): its share u in the group, Σ u = 1, and the way r from the group's centre at rest [m]. */
  readonly pinRows: Float64Array;
  readonly reachOffsets: Uint32Array;
  readonly reached: Uint32Array;
  /** Of each particle w·(1, S⁻¹ f): its share w, and f of its foot among the pins [m]; S = Σ u r⊗r [m²]. */
  readonly reachRows: Float64Array;
}

/**
 * @param pinned 1 for particles that a pin moves.
 * @param rings ω.
 * @param x0 positions at rest [m].
 */
export function buildPinReach(lists: NeighbourLists, rings: number, x0: Float64Array, pinned: Uint8Array): PinReach {
  const count = pinned.length;
  const depth = DEPTH * rings;
  const groups = gatherGroups(lists, rings, pinned);
  const places = new Float64Array(3 * count);
  const found = groups.map((pins) => findReached(lists, depth, x0, pinned, pins, places));
  // Who is reached by several groups belongs to each by the inverse square of its rings.
  const totals = new Float64Array(count);
  for (const { vertices, depths } of found) {
    vertices.forEach((vertex, n) => {
      totals[vertex] += 1 / depths[n] ** 2;
    });
  }
  const shares = new Float64Array(count);
  const pinRows: number[] = [];
  const reached: number[] = [];
  const reachRows: number[] = [];
  const reachOffsets = new Uint32Array(groups.length + 1);
  const field = new Float64Array(3);
  groups.forEach((pins, g) => {
    const { vertices, depths, feet } = found[g];
    const own = 1 / pins.length;
    const centre = [0, 1, 2].map((c) => own * pins.reduce((sum, pin) => sum + x0[3 * pin + c], 0));
    const shape = new Float64Array(6);
    for (const pin of pins) {
      const r = [0, 1, 2].map((c) => x0[3 * pin + c] - centre[c]);
      pinRows.push(own, own * r[0], own * r[1], own * r[2]);
      for (let c = 0, at = 0; c < 3; c++) for (let d = c; d < 3; d++) shape[at++] += own * r[c] * r[d];
    }
    // A pin by itself has no extent, and its field is the same everywhere.
    const extent = shape[0] + shape[3] + shape[5];
    for (const pin of pins) shares[pin] = 1;
    vertices.forEach((vertex, n) => {
      const left = 1 - depths[n] / depth;
      shares[vertex] = (left * left * left) / (depths[n] ** 2 * totals[vertex]);
    });
    smooth(lists, vertices, shares, 1, SHARE_PASSES);
    vertices.forEach((vertex, n) => {
      const w = shares[vertex];
      const foot = [0, 1, 2].map((c) => feet[3 * n + c] - centre[c]);
      if (extent > 0) solveSymmetric(shape, FLAT * extent, foot, field);
      else field.fill(0);
      reached.push(vertex);
      reachRows.push(w, w * field[0], w * field[1], w * field[2]);
    });
    reachOffsets[g + 1] = reached.length;
    for (const pin of pins) shares[pin] = 0;
    for (const vertex of vertices) shares[vertex] = 0;
  });
  const pinOffsets = new Uint32Array(groups.length + 1);
  groups.forEach((pins, g) => {
    pinOffsets[g + 1] = pinOffsets[g] + pins.length;
  });
  return {
    groups: groups.length,
    pinOffsets,
    pins: Uint32Array.from(groups.flat()),
    pinRows: Float64Array.from(pinRows),
    reachOffsets,
    reached: Uint32Array.from(reached),
    reachRows: Float64Array.from(reachRows),
  };
}

/** Pinned particles with free neighbours, those together that are within ω rings of each other. */
function gatherGroups(
  { neighbourOffsets: offsets, neighbours }: NeighbourLists,
  rings: number,
  pinned: Uint8Array,
): number[][] {
  const isBorder = new Uint8Array(pinned.length);
  for (let i = 0; i < pinned.length; i++) {
    for (let e = offsets[i]; pinned[i] !== 0 && e < offsets[i + 1]; e++) {
      if (pinned[neighbours[e]] === 0) isBorder[i] = 1;
    }
  }
  const groups: number[][] = [];
  const taken = new Uint8Array(pinned.length);
  // How many rings further each vertex is looked on from; a pin begins anew.
  const left = new Int32Array(pinned.length).fill(-1);
  for (let first = 0; first < pinned.length; first++) {
    if (isBorder[first] === 0 || taken[first] !== 0) continue;
    const group: number[] = [];
    const seen = [first];
    left[first] = rings;
    for (let n = 0; n < seen.length; n++) {
      const i = seen[n];
      if (isBorder[i] !== 0 && taken[i] === 0) {
        taken[i] = 1;
        group.push(i);
        left[i] = rings;
      }
      if (left[i] === 0) continue;
      for (let e = offsets[i]; e < offsets[i + 1]; e++) {
        const j = neighbours[e];
        if (left[j] >= left[i] - 1) continue;
        left[j] = left[i] - 1;
        seen.push(j);
      }
    }
    for (const i of seen) left[i] = -1;
    groups.push(group.sort((a, b) => a - b));
  }
  return groups;
}

/** Free particles fewer than `depth` rings from a group's pins, how many, and their feet: points among the pins [m]. `places` is scratch, left as 0. */
function findReached(
  lists: NeighbourLists,
  depth: number,
  x0: Float64Array,
  pinned: Uint8Array,
  pins: readonly number[],
  places: Float64Array,
) {
  const { neighbourOffsets: offsets, neighbours } = lists;
  const rings = new Map(pins.map((pin) => [pin, 0]));
  for (const pin of pins) for (let k = 3 * pin; k < 3 * pin + 3; k++) places[k] = x0[k];
  const vertices: number[] = [];
  let front: readonly number[] = pins;
  for (let d = 1; d < depth; d++) {
    const next: number[] = [];
    for (const i of front) {
      for (let e = offsets[i]; e < offsets[i + 1]; e++) {
        const j = neighbours[e];
        if (pinned[j] !== 0 || rings.has(j)) continue;
        rings.set(j, d);
        next.push(j);
      }
    }
    for (const i of next) {
      let size = 0;
      for (let e = offsets[i]; e < offsets[i + 1]; e++) {
        const j = neighbours[e];
        if (rings.get(j) !== d - 1) continue;
        size++;
        for (let c = 0; c < 3; c++) places[3 * i + c] += places[3 * j + c];
      }
      for (let c = 0; c < 3; c++) places[3 * i + c] /= size;
    }
    for (const i of next) vertices.push(i);
    front = next;
  }
  smooth(lists, vertices, places, 3, FOOT_PASSES, (vertex) => rings.has(vertex));
  const feet = new Float64Array(3 * vertices.length);
  vertices.forEach((i, n) => {
    feet.set(places.subarray(3 * i, 3 * i + 3), 3 * n);
  });
  for (const i of rings.keys()) places.fill(0, 3 * i, 3 * i + 3);
  return { vertices, depths: vertices.map((i) => rings.get(i) as number), feet };
}

/** Draws the numbers of the given vertices towards the mean of their neighbours that count. */
function smooth(
  { neighbourOffsets: offsets, neighbours }: NeighbourLists,
  vertices: readonly number[],
  values: Float64Array,
  stride: number,
  passes: number,
  counts: (vertex: number) => boolean = () => true,
): void {
  const next = new Float64Array(stride * vertices.length);
  for (let pass = 0; pass < passes; pass++) {
    vertices.forEach((i, n) => {
      for (let c = 0; c < stride; c++) {
        let sum = 0;
        let size = 0;
        for (let e = offsets[i]; e < offsets[i + 1]; e++) {
          const j = neighbours[e];
          if (!counts(j)) continue;
          sum += values[stride * j + c];
          size++;
        }
        const own = values[stride * i + c];
        next[stride * n + c] = own + SMOOTHING * (sum / size - own);
      }
    });
    vertices.forEach((i, n) => {
      for (let c = 0; c < stride; c++) values[stride * i + c] = next[stride * n + c];
    });
  }
}

/**
 * Moves goals by what those of the pins miss: `changes` are s·(g − x) of all particles [m], those of pins as of any other.
 */
export function followPins(reach: PinReach, changes: Float64Array): void {
  const { groups, pinOffsets, pins, pinRows, reachOffsets, reached, reachRows } = reach;
  for (let g = 0; g < groups; g++) {
    const field = new Float64Array(12);
    for (let n = pinOffsets[g]; n < pinOffsets[g + 1]; n++) {
      for (let c = 0; c < 3; c++) {
        const missed = changes[3 * pins[n] + c];
        for (let d = 0; d < 4; d++) field[4 * c + d] += missed * pinRows[4 * n + d];
      }
    }
    for (let n = reachOffsets[g]; n < reachOffsets[g + 1]; n++) {
      for (let c = 0; c < 3; c++) {
        let moved = 0;
        for (let d = 0; d < 4; d++) moved += field[4 * c + d] * reachRows[4 * n + d];
        changes[3 * reached[n] + c] -= moved;
      }
    }
  }
}

/** Whether two lists of marks are the same. */
export function areSameMarks<Marks extends Uint8Array | Uint32Array>(a: Marks, b: Marks): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
