// A sheet: triangles along which something is cut, with coordinates in a plane, a convex domain of it, for each vertex.

import { cosine, sine } from '../../math/trigonometry.js';
import { distance, pointAt, type Vec3 } from '../../math/vec3.js';

export interface Sheet {
  /** x, y, z of each vertex [m]. */
  readonly positions: Float64Array;
  /** Turned alike: counter-clockwise seen from above. */
  readonly triangles: Uint32Array;
  /** u, v of each vertex [m]. */
  readonly charts: Float64Array;
  /** Corners of the convex domain, counter-clockwise. */
  readonly domain: Float64Array;
}

/** The sheet that a blade sweeps: a row of points along the blade for each of its places, all of one length. */
export function sweepSheet(rows: readonly (readonly Vec3[])[]): Sheet {
  const across = rows[0].length;
  const along = meanSteps(rows.length, across, (i, j) => rows[i][j]);
  const down = meanSteps(across, rows.length, (j, i) => rows[i][j]);
  const positions = Float64Array.from(rows.flat(2));
  const charts = Float64Array.from(rows.flatMap((row, i) => row.flatMap((_, j) => [along[i], down[j]])));
  const triangles: number[] = [];
  for (let i = 0; i + 1 < rows.length; i++) {
    for (let j = 0; j + 1 < across; j++) {
      const [a, b] = [i * across + j, (i + 1) * across + j];
      triangles.push(a, b, b + 1, a, b + 1, a + 1);
    }
  }
  const [right, top] = [along[along.length - 1], down[down.length - 1]];
  return {
    ...{ positions, charts, triangles: Uint32Array.from(triangles) },
    domain: Float64Array.of(0, 0, right, 0, right, top, 0, top),
  };
}

/** How far each line of a grid is along the other lines, in their mean lengths. */
function meanSteps(count: number, lines: number, at: (n: number, line: number) => Vec3): number[] {
  const sums = [0];
  for (let n = 1; n < count; n++) {
    let step = 0;
    for (let line = 0; line < lines; line++) step += distance(at(n - 1, line), at(n, line)) / lines;
    sums.push(sums[n - 1] + step);
  }
  return sums;
}

/** Rounds of the mean over neighbours that find the coordinates of vertices inside: errors shrink below what is seen long before. */
const ROUNDS = 400;

/**
 * A sheet of any triangles of one piece without holes: its border goes round a circle, and every vertex inside is the mean of its
 * neighbours, so that no triangle is turned over.
 * Based on: W. Tutte, How to draw a graph, 1963.
 * @throws RangeError where they are of another kind.
 */
export function chartSheet(positions: Float64Array, triangles: Uint32Array): Sheet {
  const border = findBorder(positions.length / 3, triangles);
  const charts = new Float64Array((positions.length / 3) * 2);
  const lengths = border.map((vertex, n) =>
    distance(pointAt(positions, vertex), pointAt(positions, border[(n + 1) % border.length])),
  );
  const around = lengths.reduce((sum, length) => sum + length, 0);
  if (!(around > 0)) throw new RangeError('triangles: expected some with an area, got none');
  const radius = around / (2 * Math.PI);
  let gone = 0;
  const domain: number[] = [];
  border.forEach((vertex, n) => {
    const angle = gone / radius;
    charts[2 * vertex] = radius * cosine(angle);
    charts[2 * vertex + 1] = radius * sine(angle);
    domain.push(charts[2 * vertex], charts[2 * vertex + 1]);
    gone += lengths[n];
  });
  relaxInside(charts, triangles, new Set(border));
  return { positions, triangles, charts, domain: Float64Array.from(domain) };
}

function relaxInside(charts: Float64Array, triangles: Uint32Array, border: ReadonlySet<number>): void {
  const neighbours = new Map<number, Set<number>>();
  for (let k = 0; k < triangles.length; k++) {
    const [a, b] = [triangles[k], triangles[k % 3 === 2 ? k - 2 : k + 1]];
    for (const [p, q] of [
      [a, b],
      [b, a],
    ]) {
      if (border.has(p)) continue;
      const list = neighbours.get(p) ?? new Set();
      neighbours.set(p, list.add(q));
    }
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const [vertex, list] of neighbours) {
      let [u, v] = [0, 0];
      for (const next of list) {
        u += charts[2 * next];
        v += charts[2 * next + 1];
      }
      charts[2 * vertex] = u / list.size;
      charts[2 * vertex + 1] = v / list.size;
    }
  }
}

/** The vertices around triangles of one piece without holes. */
function findBorder(count: number, triangles: Uint32Array): number[] {
  const edges = new Set<number>();
  for (let k = 0; k < triangles.length; k++) {
    const key = triangles[k] * count + triangles[k % 3 === 2 ? k - 2 : k + 1];
    if (edges.has(key)) throw new RangeError('triangles: expected two at most at an edge, turned alike');
    edges.add(key);
  }
  const next = new Map<number, number>();
  for (const key of edges) {
    const [from, to] = [Math.floor(key / count), key % count];
    if (edges.has(to * count + from)) continue;
    if (next.has(from)) throw new RangeError('triangles: expected one piece, got some that meet in a vertex');
    next.set(from, to);
  }
  const border: number[] = [];
  const [first] = next.keys();
  for (let vertex = first; vertex !== undefined && border.length < next.size; ) {
    border.push(vertex);
    vertex = next.get(vertex) as number;
    if (vertex === first) break;
  }
  // A disc has one border, and as many vertices and triangles as edges and one more.
  const used = new Set(triangles);
  const edgeCount = (edges.size + next.size) / 2;
  const isDisc = border.length === next.size && used.size - edgeCount + triangles.length / 3 === 1;
  if (!isDisc || used.size !== count) {
    throw new RangeError('triangles: expected one piece without holes, and no vertex without a triangle');
  }
  return border;
}
