// Cuts the triangles of a visible mesh along a sheet. They need not be closed, and may have seams: what is in one place comes apart at
// the same points, as these are found from where the vertices are alone.

import type { CutPlaces } from './cut-places.js';
import type { FaceSheet } from './face-sheet.js';
import type { Between, ShownMesh } from './shown-mesh.js';

/** How far from the sheet a crossing may be, in the length of its edge: sheets bend. */
const BEND = 0.1;
/** The same, in how far the vertices are from what they are bound to: where the visible mesh stands out the cut goes on. */
const STANDS_OUT = 1.5;
/** Least share of an edge between where it is cut and its ends. */
const LEAST_SHARE = 1e-5;
/** Steps of the search for where an edge meets a sheet. */
const CROSSING_STEPS = 8;
/** Halvings that find where a cut ends within a triangle. */
const HALVINGS = 16;

/** New vertices of a mesh that was cut, and on which side each is; 0 where the sides are not apart. */
export interface CutTriangles {
  readonly first: number;
  readonly sides: readonly number[];
  /** The closed piece of the simulation mesh that each hangs on. */
  readonly pieces: readonly number[];
  /** The triangle of that mesh before the cut that each is on; −1 where it is not known. */
  readonly sources: readonly number[];
}

interface Crossing {
  readonly between: Between;
  /** Where the cut goes through: the vertex above and the one below. */
  readonly above: number;
  readonly below: number;
  readonly isOpen: boolean;
}

/**
 * Cuts what hangs on each closed piece of the simulation mesh along that piece's own sheet: others have faces in the same place, where an
 * older cut parted them, and are not cut there.
 * @param pieceOf the piece that each vertex hangs on.
 * @param known on which side each is, 1 above or −1 below, where that is known.
 */
export function cutTriangles(
  mesh: ShownMesh,
  sheets: ReadonlyMap<number, FaceSheet>,
  pieceOf: Uint32Array,
  known: Int8Array,
  places: CutPlaces,
): CutTriangles {
  const first = mesh.count;
  const heights = new Float64Array(first).fill(1);
  const sides: number[] = [];
  const pieces: number[] = [];
  const sources: number[] = [];
  for (let i = 0; i < first; i++) {
    const sheet = sheets.get(pieceOf[i]);
    if (!sheet) continue;
    sheet.look(mesh.positions[3 * i], mesh.positions[3 * i + 1], mesh.positions[3 * i + 2]);
    heights[i] = known[i] === 0 ? sheet.height : known[i] * Math.max(Number.MIN_VALUE, Math.abs(sheet.height));
  }
  const add = (between: Between, side: number): number => {
    sides.push(side);
    pieces.push(pieceOf[between[0][0]]);
    sources.push(places.triangle);
    return mesh.addBetween(between);
  };
  const isOpenAt = (between: Between): boolean => {
    const sheet = sheets.get(pieceOf[between[0][0]]) as FaceSheet;
    const point = [0, 0, 0];
    let out = 0;
    let longest = 0;
    for (const [vertex, weight] of between) {
      for (let c = 0; c < 3; c++) {
        point[c] += weight * mesh.positions[3 * vertex + c];
        longest = Math.max(longest, Math.abs(mesh.positions[3 * vertex + c] - mesh.positions[3 * between[0][0] + c]));
      }
      const [x, y, z] = mesh.offsets.slice(3 * vertex, 3 * vertex + 3);
      out = Math.max(out, Math.sqrt(x * x + y * y + z * z));
    }
    sheet.look(point[0], point[1], point[2]);
    const near = STANDS_OUT * out + BEND * longest;
    return sheet.isOpen && sheet.distance <= near && places.has(point, between, near);
  };
  /** How far along the edge from a vertex above to one below it meets the sheet, which bends. */
  const meet = (a: number, b: number): number => {
    const sheet = sheets.get(pieceOf[a]) as FaceSheet;
    let [low, high, atLow, atHigh] = [0, 1, heights[a], heights[b]];
    let t = atLow / (atLow - atHigh);
    for (let n = 0; n < CROSSING_STEPS; n++) {
      const [x, y, z] = [0, 1, 2].map((c) => (1 - t) * mesh.positions[3 * a + c] + t * mesh.positions[3 * b + c]);
      sheet.look(x, y, z);
      if (sheet.height === 0) return t;
      // The end that stays counts half, or it might stay for ever.
      if (sheet.height > 0) [low, atLow, atHigh] = [t, sheet.height, 0.5 * atHigh];
      else [high, atHigh, atLow] = [t, sheet.height, 0.5 * atLow];
      const next = low + ((high - low) * atLow) / (atLow - atHigh);
      if (!(next > low && next < high)) return t;
      t = next;
    }
    return t;
  };
  const crossings = new Map<number, Crossing>();
  const crossingOf = (i: number, j: number): Crossing => {
    const [a, b] = heights[i] >= 0 ? [i, j] : [j, i];
    const key = a * first + b;
    const known = crossings.get(key);
    if (known) return known;
    const t = Math.min(1 - LEAST_SHARE, Math.max(LEAST_SHARE, meet(a, b)));
    const between: Between = [
      [a, 1 - t],
      [b, t],
    ];
    const isOpen = isOpenAt(between);
    const crossing = { between, isOpen, above: isOpen ? add(between, 1) : -1, below: isOpen ? add(between, -1) : -1 };
    crossings.set(key, crossing);
    return crossing;
  };
  /** Where the cut ends on the way from a crossing that it goes through to one that it does not. */
  const endBetween = (inside: Crossing, outside: Crossing): number => {
    const at = (s: number): Between => [
      ...inside.between.map(([vertex, weight]) => [vertex, (1 - s) * weight] as const),
      ...outside.between.map(([vertex, weight]) => [vertex, s * weight] as const),
    ];
    let [low, high] = [0, 1];
    for (let n = 0; n < HALVINGS; n++) {
      const middle = 0.5 * (low + high);
      if (isOpenAt(at(middle))) low = middle;
      else high = middle;
    }
    // The last place that was looked at may be beyond the end.
    isOpenAt(at(low));
    return add(at(0.5 * (low + high)), 0);
  };
  const { triangles: given, sources: givenSources } = mesh;
  mesh.triangles = [];
  mesh.sources = [];
  for (let t = 0; t < given.length; t += 3) {
    const above = [0, 1, 2].map((c) => heights[given[t + c]] >= 0);
    const alone = [0, 1, 2].find((c) => above[c] !== above[(c + 1) % 3] && above[c] !== above[(c + 2) % 3]);
    const piece = pieceOf[given[t]];
    const isWhole = pieceOf[given[t + 1]] !== piece || pieceOf[given[t + 2]] !== piece || !sheets.has(piece);
    if (alone === undefined || isWhole) mesh.triangles.push(given[t], given[t + 1], given[t + 2]);
    else {
      const [a, b, c] = [given[t + alone], given[t + ((alone + 1) % 3)], given[t + ((alone + 2) % 3)]];
      const [p, q] = [crossingOf(a, b), crossingOf(a, c)];
      const near = (one: Crossing): number => (above[alone] ? one.above : one.below);
      const far = (one: Crossing): number => (above[alone] ? one.below : one.above);
      if (p.isOpen && q.isOpen) mesh.triangles.push(a, near(p), near(q), far(p), b, c, far(p), c, far(q));
      else if (p.isOpen) {
        const r = endBetween(p, q);
        mesh.triangles.push(a, near(p), r, far(p), b, r, b, c, r, c, a, r);
      } else if (q.isOpen) {
        const r = endBetween(q, p);
        mesh.triangles.push(a, b, r, b, c, r, c, far(q), r, near(q), a, r);
      } else mesh.triangles.push(a, b, c);
    }
    while (3 * mesh.sources.length < mesh.triangles.length) mesh.sources.push(givenSources[t / 3]);
  }
  return { first, sides, pieces, sources };
}
