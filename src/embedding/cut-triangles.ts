// Cuts the triangles of a visible mesh along a sheet. They need not be closed, and may have seams: what is in one place comes apart at
// the same points, as these are found from where the vertices are alone.

import type { FaceSheet } from './face-sheet.js';
import type { Between, ShownMesh } from './shown-mesh.js';

/** How far from the sheet a crossing may be, in the length of its edge: sheets bend. */
const BEND = 0.1;
/** The same, in how far the vertices are from what they are bound to: where the visible mesh stands out the cut goes on. */
const STANDS_OUT = 1.5;
/** Least share of an edge between where it is cut and its ends. */
const LEAST_SHARE = 1e-5;
/** Halvings that find where a cut ends within a triangle. */
const HALVINGS = 16;

/** New vertices of a mesh that was cut, and on which side each is; 0 where the sides are not apart. */
export interface CutTriangles {
  readonly first: number;
  readonly sides: readonly number[];
  /** 1 above the sheet, −1 below, of the vertices before. */
  readonly before: Int8Array;
}

interface Crossing {
  readonly between: Between;
  /** Where the cut goes through: the vertex above and the one below. */
  readonly above: number;
  readonly below: number;
  readonly isOpen: boolean;
}

export function cutTriangles(mesh: ShownMesh, sheet: FaceSheet): CutTriangles {
  const first = mesh.count;
  const heights = new Float64Array(first);
  const sides: number[] = [];
  for (let i = 0; i < first; i++) {
    sheet.look(mesh.positions[3 * i], mesh.positions[3 * i + 1], mesh.positions[3 * i + 2]);
    heights[i] = sheet.height;
  }
  const add = (between: Between, side: number): number => {
    sides.push(side);
    return mesh.addBetween(between);
  };
  const isOpenAt = (between: Between): boolean => {
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
    return sheet.isOpen && sheet.distance <= STANDS_OUT * out + BEND * longest;
  };
  const crossings = new Map<number, Crossing>();
  const crossingOf = (i: number, j: number): Crossing => {
    const [a, b] = heights[i] >= 0 ? [i, j] : [j, i];
    const key = a * first + b;
    const known = crossings.get(key);
    if (known) return known;
    const t = Math.min(1 - LEAST_SHARE, Math.max(LEAST_SHARE, heights[a] / (heights[a] - heights[b])));
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
    return add(at(0.5 * (low + high)), 0);
  };
  const { triangles: given, sources: givenSources } = mesh;
  mesh.triangles = [];
  mesh.sources = [];
  for (let t = 0; t < given.length; t += 3) {
    const above = [0, 1, 2].map((c) => heights[given[t + c]] >= 0);
    const alone = [0, 1, 2].find((c) => above[c] !== above[(c + 1) % 3] && above[c] !== above[(c + 2) % 3]);
    if (alone === undefined) mesh.triangles.push(given[t], given[t + 1], given[t + 2]);
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
  return { first, sides, before: Int8Array.from(heights, (height) => (height >= 0 ? 1 : -1)) };
}
