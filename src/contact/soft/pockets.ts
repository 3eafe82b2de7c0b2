// Where two bodies lie in each other: pockets, connected parts of what of each is inside the other. Each has a way of its own on
// which the first body leaves the second there.
// Based on: J. Allard, F. Faure, H. Courtecuisse, F. Falipou, C. Duriez, P. Kry, Volume contact constraints at arbitrary
// resolution, 2010 (the overlap shrinks fastest where each body's surface inside the other moves along its own normals).
//
// (With one way for a pair, limbs that cross in two places had none that frees both, and where the bodies lay on each other besides,
// the contacts against it were left out and they sank in there: in piles of real meshes limbs went in and out of their neighbours for good.)

import { adjacencyOf } from '../../mesh/adjacency.js';
import type { ContactBody } from '../contact-body.js';
import type { Candidates } from '../narrow-phase/detection.js';
import { FAR, INSIDE, NO_DIRECTION } from './tuning.js';

/** What of one body lies inside another: a mark for each vertex, how many are far in, how deep others are [m], and the vertices' normals, n̄. */
export interface Inside {
  readonly marks: Uint8Array;
  readonly far: number;
  readonly sunk: number;
  readonly normals: Float64Array;
}

/** One pocket. */
export interface Pocket {
  /** Its box [m]. */
  readonly low: number[];
  readonly high: number[];
  /** Σ n̄ of the second body's vertices less the first's; later the way out, 0 where nothing is far in. */
  way: Float64Array;
  /** Σ |n̄|, and how many vertices are far in. */
  area: number;
  far: number;
  /** The pocket that it is one with. */
  root: Pocket;
}

export class Pockets {
  private readonly list: Pocket[] = [];
  /** Per side: the pocket of each vertex. */
  private readonly of: readonly [(Pocket | undefined)[], (Pocket | undefined)[]];

  /** @param otherwise the way where normals tell none: one body contains the other, or a limb goes through. */
  constructor(
    private readonly bodies: readonly [ContactBody, ContactBody],
    private readonly inside: readonly [Inside, Inside],
    candidates: readonly [Candidates, Candidates],
    otherwise: Float64Array,
  ) {
    this.of = [[], []];
    this.gather(0);
    this.gather(1);
    this.join(Math.max(bodies[0].contactRest.edge, bodies[1].contactRest.edge));
    for (const pocket of this.list) findWay(pocket, otherwise);
    this.widen(0, candidates[0]);
    this.widen(1, candidates[1]);
  }

  /** The pocket in which a vertex is, if something is far in there. */
  at(side: 0 | 1, vertex: number): Pocket | undefined {
    const root = this.of[side][vertex]?.root;
    return root && root.far > 0 ? root : undefined;
  }

  /** How far from a point the nearest other pocket begins in which something is far in [m]. */
  othersFrom(middle: readonly number[], own: Pocket): number {
    let nearest = Infinity;
    for (const pocket of this.list) {
      if (pocket === own || pocket.root !== pocket || pocket.far === 0) continue;
      const { low, high } = pocket;
      const away = middle.map((x, c) => Math.max(low[c] - x, x - high[c], 0));
      nearest = Math.min(nearest, Math.sqrt(away[0] ** 2 + away[1] ** 2 + away[2] ** 2));
    }
    return nearest;
  }

  private gather(side: 0 | 1): void {
    const { marks } = this.inside[side];
    for (let i = 0; i < marks.length; i++) {
      if ((marks[i] & INSIDE) !== 0 && !this.of[side][i]) this.list.push(this.gatherFrom(side, i));
    }
  }

  /** A new pocket: all inside vertices that are connected with one by others. */
  private gatherFrom(side: 0 | 1, first: number): Pocket {
    const { marks, normals } = this.inside[side];
    const { contactRest, particles } = this.bodies[side];
    const { neighbours, neighbourOffsets } = adjacencyOf(contactRest.mesh);
    const of = this.of[side];
    const pocket = emptyPocket();
    const sign = side === 0 ? -1 : 1;
    const queue = [first];
    of[first] = pocket;
    for (const i of queue) {
      const k = 3 * i;
      for (let c = 0; c < 3; c++) {
        pocket.low[c] = Math.min(pocket.low[c], particles.starts[k + c]);
        pocket.high[c] = Math.max(pocket.high[c], particles.starts[k + c]);
        pocket.way[c] += sign * normals[k + c];
      }
      pocket.area += Math.sqrt(normals[k] ** 2 + normals[k + 1] ** 2 + normals[k + 2] ** 2);
      if ((marks[i] & FAR) !== 0) pocket.far++;
      for (let e = neighbourOffsets[i]; e < neighbourOffsets[i + 1]; e++) {
        const j = neighbours[e];
        if ((marks[j] & INSIDE) === 0 || of[j]) continue;
        of[j] = pocket;
        queue.push(j);
      }
    }
    return pocket;
  }

  /** Pockets whose boxes have a point in common, `reach` allowed for, are one: the first of them. */
  private join(reach: number): void {
    const boxes = this.list.map(({ low, high }) => [[...low], [...high]]);
    const isApart = (m: number, n: number) =>
      [0, 1, 2].some((c) => boxes[m][0][c] > boxes[n][1][c] + reach || boxes[m][1][c] < boxes[n][0][c] - reach);
    for (let n = 1; n < this.list.length; n++) {
      for (let m = 0; m < n; m++) if (!isApart(m, n)) unite(rootOf(this.list[m]), rootOf(this.list[n]), this.list);
    }
    for (const pocket of this.list) pocket.root = rootOf(pocket);
  }

  /** Vertices that are outside, but near: they belong to the pocket of a neighbour, or of the triangle that they touch. */
  private widen(side: 0 | 1, { touched, touchedCount, triangles }: Candidates): void {
    const { marks } = this.inside[side];
    const other = side === 0 ? 1 : 0;
    const { neighbours, neighbourOffsets } = adjacencyOf(this.bodies[side].contactRest.mesh);
    const corners = this.bodies[other].contactRest.mesh.triangles;
    const insideOf = (of: 0 | 1, vertex: number) =>
      (this.inside[of].marks[vertex] & INSIDE) !== 0 ? this.of[of][vertex] : undefined;
    for (let n = 0; n < touchedCount; n++) {
      const i = touched[n];
      if ((marks[i] & INSIDE) !== 0) continue;
      let pocket: Pocket | undefined;
      for (let e = neighbourOffsets[i]; e < neighbourOffsets[i + 1] && !pocket; e++)
        pocket = insideOf(side, neighbours[e]);
      for (let c = 0; c < 3 && !pocket; c++) pocket = insideOf(other, corners[3 * triangles[i] + c]);
      this.of[side][i] = pocket;
    }
  }
}

function emptyPocket(): Pocket {
  const pocket = {
    low: [Infinity, Infinity, Infinity],
    high: [-Infinity, -Infinity, -Infinity],
    way: new Float64Array(3),
    area: 0,
    far: 0,
  } as Pocket;
  pocket.root = pocket;
  return pocket;
}

function rootOf(pocket: Pocket): Pocket {
  let root = pocket;
  while (root.root !== root) root = root.root;
  return root;
}

function unite(one: Pocket, other: Pocket, list: readonly Pocket[]): void {
  if (one === other) return;
  const [to, from] = list.indexOf(one) < list.indexOf(other) ? [one, other] : [other, one];
  from.root = to;
  to.area += from.area;
  to.far += from.far;
  for (let c = 0; c < 3; c++) {
    to.way[c] += from.way[c];
    to.low[c] = Math.min(to.low[c], from.low[c]);
    to.high[c] = Math.max(to.high[c], from.high[c]);
  }
}

/** Makes the way of a sum of normals, or takes the other one where they cancel. */
function findWay(pocket: Pocket, otherwise: Float64Array): void {
  if (pocket.root !== pocket) return;
  const { way } = pocket;
  const length = Math.sqrt(way[0] ** 2 + way[1] ** 2 + way[2] ** 2);
  pocket.way = length > NO_DIRECTION * pocket.area ? way.map((x) => x / length) : otherwise;
}
