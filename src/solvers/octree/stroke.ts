// A stroke of a blade through a body that moves: the sheet that it sweeps, gathered at rest, where it stays what it is however the
// body goes on to bend. Matter is cut along each new piece of it, the surface along the whole when it ends.

import { add, distance, dot, length, mix, normalize, pointAt, scale, subtract, type Vec3 } from '../../math/vec3.js';
import type { BladeStroke, SolidModule } from '../blade.js';
import { type Sheet, sweepSheet } from './sheet.js';

/** A stroke as numbers: points of its sheets, how many each sheet has, and both ends of the blade at the places that it was moved to since. */
export type StrokeRecord = {
  readonly active: boolean;
  readonly across: number;
  readonly points: Float64Array;
  readonly counts: Uint32Array;
  readonly pending: Float64Array;
};

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
  /** Whether somebody moves it: one that a snapshot brought back is nobody's until a stroke is begun. */
  isHeld = false;
  /** Sheets at rest, row by row; the last is the one that grows. */
  private sheets: Vec3[][][] = [[]];
  private pending: (readonly [Vec3, Vec3])[] = [];

  /**
   * @param across points along the blade.
   * @param voxel side of a voxel [m].
   * @param fallback cuts the surface where that is refused otherwise.
   */
  constructor(
    private across: number,
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

  /** All that it swept: rows of the sheets. */
  finish(): Vec3[][][] {
    return this.sheets.filter((rows) => rows.length > 1);
  }

  record(): StrokeRecord {
    const { active, across, sheets, pending } = this;
    return {
      active,
      across,
      points: Float64Array.from(sheets.flat(3)),
      counts: Uint32Array.from(sheets, (rows) => rows.length),
      pending: Float64Array.from(pending.flat(2)),
    };
  }

  /**
   * Reads a record; what it returns makes this stroke the recorded one.
   * @throws RangeError where it is none.
   */
  read({ active, across, points, counts, pending }: StrokeRecord): () => void {
    const areNumbers = [points, pending].every((list) => list instanceof Float64Array && list.every(Number.isFinite));
    const isWide = Number.isInteger(across) && across >= 2;
    const isOne =
      isWide && areNumbers && counts instanceof Uint32Array && counts.length > 0 && pending.length % 6 === 0;
    if (!isOne || 3 * across * counts.reduce((sum, count) => sum + count, 0) !== points.length) {
      throw new RangeError('snapshot: expected a stroke through its body');
    }
    const all = rowsOf(points, across);
    const sheets = Array.from(counts, (count) => all.splice(0, count));
    const ends = rowsOf(pending, 2).map(([tip, end]) => [tip, end] as const);
    return () => {
      this.active = active === true;
      this.across = across;
      this.sheets = sheets;
      this.pending = ends;
    };
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
    const blade = normalize(subtract(row[row.length - 1], row[0]));
    const step = last
      ? row.reduce((most, point, n) => Math.max(most, length(acrossOf(subtract(point, last[n]), blade))), 0)
      : Infinity;
    if (!(step >= least * this.voxel)) return;
    if (last && before && isSharp(middle(before), middle(last), middle(row), blade)) this.sheets.push([last]);
    this.rows.push(row);
  }
}

/** Numbers as rows of so many points. */
export const rowsOf = (numbers: Float64Array, across: number): Vec3[][] =>
  Array.from({ length: numbers.length / (3 * across) }, (_, i) =>
    Array.from({ length: across }, (_, j) => pointAt(numbers, across * i + j)),
  );

const middle = (row: readonly Vec3[]): Vec3 => mix(row[0], row[row.length - 1], 0.5);

/**
 * A way without what of it is along the blade: which piece of it is followed depends on where all of the body is. With that, a stroke through a liver
 * whose pieces lay on the floor became 28 sheets.
 */
const acrossOf = (way: Vec3, blade: Vec3): Vec3 => subtract(way, scale(blade, dot(way, blade)));

function isSharp(a: Vec3, b: Vec3, c: Vec3, blade: Vec3): boolean {
  const [before, after] = [acrossOf(subtract(b, a), blade), acrossOf(subtract(c, b), blade)];
  return dot(before, after) < SHARP_TURN * Math.sqrt(dot(before, before) * dot(after, after));
}
