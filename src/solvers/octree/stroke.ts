// A stroke of a blade through a body that moves: the sheet that it sweeps, gathered at rest, where it stays what it is however the
// body goes on to bend. Matter is cut along each new piece of it, the surface along the whole when it ends.

import { add, distance, dot, mix, scale, subtract, type Vec3 } from '../../math/vec3.js';
import type { BladeStroke, SolidModule } from '../blade.js';
import { type Sheet, sweepSheet } from './sheet.js';

/** Where the blade is, and what it goes through. */
export interface StrokeBody {
  /** Middle and radius of a ball around the body now [m]. */
  readonly centre: Vec3;
  readonly radius: number;
  /** From a point where the body is to the one at rest. */
  readonly findRest: (point: Vec3) => Vec3;
}

/** How much farther than the ball around the body the blade is followed. */
const MARGIN = 1.1;
/** Cosine of the turn beyond which a sheet would fold over itself: what follows is another one. */
const SHARP_TURN = 0.5;
/** A piece of the way is cut along when it is this many voxels long, the last one already when it is this share of that. */
const LEAST_STEP = 1;
const LEAST_LAST_STEP = 0.25;
/** Rows before the new ones that matter is cut along with them, so that nothing is left where two pieces meet at an angle. */
const OVERLAP = 2;

export class OctreeStroke implements BladeStroke {
  active = true;
  /** Sheets at rest, row by row; the last is the one that grows. */
  private readonly sheets: Vec3[][][] = [[]];
  private readonly pending: (readonly [Vec3, Vec3])[] = [];

  /**
   * @param across points along the blade.
   * @param voxel side of a voxel [m].
   * @param fallback cuts the surface where that is refused otherwise.
   */
  constructor(
    private readonly across: number,
    private readonly voxel: number,
    readonly fallback?: SolidModule,
  ) {}

  /** Whether it went on since the last `advance`. */
  get hasMoved(): boolean {
    return this.pending.length > 0;
  }

  moveTo(tip: Vec3, end: Vec3): void {
    this.pending.push([tip, end]);
  }

  end(): void {
    this.active = false;
  }

  /** Takes the way since the last call; the new pieces of the sheets, to cut matter along. */
  advance({ centre, radius, findRest }: StrokeBody): Sheet[] {
    const first = this.sheets.length - 1;
    const known = this.rows.length;
    this.pending.forEach(([tip, end], n) => {
      const isLast = !this.active && n + 1 === this.pending.length;
      const points = this.sample(tip, end, centre, MARGIN * radius);
      if (points) this.add(points.map(findRest), isLast ? LEAST_LAST_STEP : LEAST_STEP);
    });
    this.pending.length = 0;
    const grown = this.sheets.slice(first).map((rows, n) => (n > 0 ? rows : rows.slice(Math.max(0, known - OVERLAP))));
    return grown
      .filter((rows, n) => rows.length > (n > 0 ? 1 : Math.min(known, OVERLAP)) && rows.length > 1)
      .map(sweepSheet);
  }

  /** All that it swept. */
  finish(): Sheet[] {
    return this.sheets.filter((rows) => rows.length > 1).map(sweepSheet);
  }

  private get rows(): Vec3[][] {
    return this.sheets[this.sheets.length - 1];
  }

  /** Points along the blade as far as it may be in the body; undefined where it ends before. */
  private sample(tip: Vec3, end: Vec3, centre: Vec3, radius: number): Vec3[] | undefined {
    const way = subtract(end, tip);
    const length = distance(tip, end);
    if (!(length > 0)) return undefined;
    const nearest = dot(subtract(centre, tip), way) / length;
    const from = Math.max(0, nearest - radius);
    const to = Math.min(length, nearest + radius);
    if (!(to - from > 0)) return undefined;
    const at = (share: number): Vec3 => add(tip, scale(way, (from + share * (to - from)) / length));
    return Array.from({ length: this.across }, (_, n) => at(n / (this.across - 1)));
  }

  /** Adds a row where it is far enough from the last. */
  private add(row: Vec3[], least: number): void {
    const last = this.rows.at(-1);
    const before = this.rows.at(-2);
    const step = last ? row.reduce((most, point, n) => Math.max(most, distance(point, last[n])), 0) : Infinity;
    if (!(step >= least * this.voxel)) return;
    if (last && before && isSharp(middle(before), middle(last), middle(row))) this.sheets.push([last]);
    this.rows.push(row);
  }
}

const middle = (row: readonly Vec3[]): Vec3 => mix(row[0], row[row.length - 1], 0.5);

function isSharp(a: Vec3, b: Vec3, c: Vec3): boolean {
  const [before, after] = [subtract(b, a), subtract(c, b)];
  return dot(before, after) < SHARP_TURN * Math.sqrt(dot(before, before) * dot(after, after));
}
