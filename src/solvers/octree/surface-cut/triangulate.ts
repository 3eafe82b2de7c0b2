// Triangles of a region of the plane with holes: holes are joined to the outline by bridges, then ears are clipped. Always
// ends with corners − 2 triangles, however degenerate the outline: closed by count, flat where nothing else is left.
// Based on: D. Eberly, Triangulation by Ear Clipping, 2002.

import type { CapVertex } from './cut-vertices.js';

/** Twice the area of a triangle, positive counter-clockwise. */
export const doubleArea = (a: CapVertex, b: CapVertex, c: CapVertex): number =>
  (b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u);

/** Twice the area inside a loop, negative clockwise. */
export function loopArea(loop: readonly CapVertex[]): number {
  let sum = 0;
  for (let k = 1; k + 1 < loop.length; k++) sum += doubleArea(loop[0], loop[k], loop[k + 1]);
  return sum;
}

function loopLength(loop: readonly CapVertex[]): number {
  let sum = 0;
  loop.forEach(({ u, v }, k) => {
    const { u: nextU, v: nextV } = loop[(k + 1) % loop.length];
    sum += Math.sqrt((nextU - u) ** 2 + (nextV - v) ** 2);
  });
  return sum;
}

/** Whether a point is inside a loop, by the crossings of a line along u. */
export function isInLoop(loop: readonly CapVertex[], { u, v }: CapVertex): boolean {
  let inside = false;
  for (let k = 0; k < loop.length; k++) {
    const [a, b] = [loop[k], loop[(k + 1) % loop.length]];
    if (a.v > v === b.v > v) continue;
    if (a.u + ((v - a.v) / (b.v - a.v)) * (b.u - a.u) > u) inside = !inside;
  }
  return inside;
}

/** Triangles, three corners each, of what is inside `outline` (counter-clockwise) and outside `holes` (clockwise). */
export function triangulate(outline: readonly CapVertex[], holes: readonly (readonly CapVertex[])[]): CapVertex[][] {
  const rightmost = (loop: readonly CapVertex[]): number =>
    loop.reduce((best, { u }, k) => (u > loop[best].u ? k : best), 0);
  const { loops, given } = openSlits([outline, ...holes]);
  let [polygon] = loops;
  const ordered = loops.slice(1).map((hole) => ({ hole, at: rightmost(hole) }));
  ordered.sort((a, b) => b.hole[b.at].u - a.hole[a.at].u);
  for (const { hole, at } of ordered) {
    const to = findBridge(polygon, hole[at]);
    const around = [...hole.slice(at), ...hole.slice(0, at + 1)];
    polygon = [...polygon.slice(0, to + 1), ...around, ...polygon.slice(to)];
  }
  return clipEars(polygon).map((corners) => corners.map((corner) => given.get(corner) ?? corner));
}

/** Most area of a loop around an older cut, on one side of it and back on the other, in its length squared: all of it is rounding. */
const SLIT_AREA = 1e-12;
/** Whether a loop encloses nothing. */
export const isSlit = (loop: readonly CapVertex[]): boolean =>
  Math.abs(loopArea(loop)) <= SLIT_AREA * loopLength(loop) ** 2;

/** How far the sides of older cuts are opened, in the length of the outline: far more than rounding, far less than is seen. */
const SLIT_WIDTH = 1e-8;

/**
 * Loops whose corners in one place, the sides of older cuts, are moved apart, each towards the face on its left: without a width between
 * them no ear could be told from one across. `given` leads back from those that were moved.
 */
function openSlits(loops: readonly (readonly CapVertex[])[]): {
  loops: CapVertex[][];
  given: ReadonlyMap<CapVertex, CapVertex>;
} {
  const counts = new Map<string, number>();
  const nameOf = ({ u, v }: CapVertex): string => `${u} ${v}`;
  for (const corner of loops.flat()) counts.set(nameOf(corner), (counts.get(nameOf(corner)) ?? 0) + 1);
  const width = SLIT_WIDTH * loopLength(loops[0]);
  const given = new Map<CapVertex, CapVertex>();
  const open = (loop: readonly CapVertex[]): CapVertex[] =>
    loop.map((corner, k) => {
      if (counts.get(nameOf(corner)) === 1) return corner;
      const [p, q] = [
        directionOf(loop.at(k - 1) as CapVertex, corner),
        directionOf(corner, loop[(k + 1) % loop.length]),
      ];
      const moved = { ...corner, u: corner.u - 0.5 * width * (p[1] + q[1]), v: corner.v + 0.5 * width * (p[0] + q[0]) };
      given.set(moved, corner);
      return moved;
    });
  return { loops: loops.map(open), given };
}

function directionOf(from: CapVertex, to: CapVertex): readonly [number, number] {
  const length = Math.sqrt(squareOf(from, to));
  return length > 0 ? [(to.u - from.u) / length, (to.v - from.v) / length] : [0, 0];
}

/** Place of a corner of the polygon that a point inside it can see: along u, or the sharpest corner in the way. */
function findBridge(polygon: readonly CapVertex[], from: CapVertex): number {
  let nearest = Infinity;
  let edge = -1;
  for (let k = 0; k < polygon.length; k++) {
    const [a, b] = [polygon[k], polygon[(k + 1) % polygon.length]];
    // Edges that run upwards have the polygon on their left: those to the right of the point.
    if (!(a.v <= from.v && b.v > from.v)) continue;
    const u = a.u + ((from.v - a.v) / (b.v - a.v)) * (b.u - a.u);
    if (u < from.u || u >= nearest) continue;
    nearest = u;
    edge = k;
  }
  // A hole that touches the outline, by rounding beyond it: closed by count all the same.
  if (edge < 0) return nearestCorner(polygon, from);
  const ends = [edge, (edge + 1) % polygon.length];
  let best = polygon[ends[0]].u > polygon[ends[1]].u ? ends[0] : ends[1];
  const hit: CapVertex = { u: nearest, v: from.v, above: -1, below: -1 };
  const corner = polygon[best];
  const isUp = corner.v >= from.v;
  let steepest = Infinity;
  for (let k = 0; k < polygon.length; k++) {
    const p = polygon[k];
    if (p === corner || p.u < from.u) continue;
    const inside = isUp
      ? doubleArea(from, hit, p) >= 0 && doubleArea(hit, corner, p) >= 0 && doubleArea(corner, from, p) >= 0
      : doubleArea(from, corner, p) >= 0 && doubleArea(corner, hit, p) >= 0 && doubleArea(hit, from, p) >= 0;
    if (!inside) continue;
    const slope = Math.abs(p.v - from.v) / (p.u - from.u);
    if (!(slope < steepest)) continue;
    if (!seesInto(polygon, k, from)) continue;
    steepest = slope;
    best = k;
  }
  if (steepest === Infinity) {
    // Of corners in one place, as bridges have, the one whose angle holds the point.
    const same = polygon.findIndex((p, k) => p.u === corner.u && p.v === corner.v && seesInto(polygon, k, from));
    if (same >= 0) best = same;
  }
  return best;
}

function nearestCorner(polygon: readonly CapVertex[], from: CapVertex): number {
  let best = 0;
  polygon.forEach((corner, k) => {
    if (squareOf(corner, from) < squareOf(polygon[best], from)) best = k;
  });
  return best;
}

/** Whether a point lies in the angle of a polygon's corner. */
function seesInto(polygon: readonly CapVertex[], k: number, point: CapVertex): boolean {
  const [before, here, after] = [polygon.at(k - 1) as CapVertex, polygon[k], polygon[(k + 1) % polygon.length]];
  const [left, right] = [doubleArea(here, after, point) > 0, doubleArea(before, here, point) > 0];
  return doubleArea(before, here, after) > 0 ? left && right : left || right;
}

/** A corner of what is left of a polygon. */
interface Ear {
  readonly corner: CapVertex;
  before: Ear;
  after: Ear;
  isLeft: boolean;
  /** How round its triangle is; none that turns the wrong way. */
  roundness: number;
  area: number;
  /** A corner that was found in its triangle: while it is left the ear cannot be clipped. */
  inside: Ear | undefined;
}

/** Clips the roundest ear until none is left; where there is none, the flattest corner. */
function clipEars(given: readonly CapVertex[]): CapVertex[][] {
  const ears = given.map(
    (corner) => ({ corner, isLeft: true, roundness: 0, area: 0, inside: undefined }) as unknown as Ear,
  );
  ears.forEach((ear, k) => {
    ear.before = ears[(k + ears.length - 1) % ears.length];
    ear.after = ears[(k + 1) % ears.length];
  });
  ears.forEach(measureEar);
  const triangles: CapVertex[][] = [];
  let left = [...ears];
  while (left.length > 3) {
    const ear = chooseEar(left);
    triangles.push([ear.before.corner, ear.corner, ear.after.corner]);
    ear.isLeft = false;
    ear.before.after = ear.after;
    ear.after.before = ear.before;
    measureEar(ear.before);
    measureEar(ear.after);
    left = left.filter((other) => other !== ear);
  }
  if (left.length === 3) triangles.push(left.map(({ corner }) => corner));
  return triangles;
}

function measureEar(ear: Ear): void {
  const [a, b, c] = [ear.before.corner, ear.corner, ear.after.corner];
  ear.area = doubleArea(a, b, c);
  ear.roundness = ear.area > 0 ? roundness(a, b, c, ear.area) : -1;
  ear.inside = undefined;
}

function chooseEar(left: readonly Ear[]): Ear {
  let best: Ear | undefined;
  let flattest = left[0];
  for (const ear of left) {
    if (Math.abs(ear.area) < Math.abs(flattest.area)) flattest = ear;
    if (!(ear.roundness > 0) || (best && ear.roundness <= best.roundness)) continue;
    if (!ear.inside?.isLeft) ear.inside = cornerInside(left, ear);
    if (!ear.inside) best = ear;
  }
  return best ?? flattest;
}

function squareOf(p: CapVertex, q: CapVertex): number {
  const [du, dv] = [p.u - q.u, p.v - q.v];
  return du * du + dv * dv;
}

/** Area over the squares of the sides: the larger the rounder. */
function roundness(a: CapVertex, b: CapVertex, c: CapVertex, area: number): number {
  return area / (squareOf(a, b) + squareOf(b, c) + squareOf(c, a));
}

/** A corner of the polygon that lies in the triangle of an ear, other than in one of its corners. */
function cornerInside(left: readonly Ear[], { before, corner: b, after }: Ear): Ear | undefined {
  const [a, c] = [before.corner, after.corner];
  for (const ear of left) {
    const p = ear.corner;
    if (doubleArea(a, b, p) < 0 || doubleArea(b, c, p) < 0 || doubleArea(c, a, p) < 0) continue;
    const isCorner = (p.u === a.u && p.v === a.v) || (p.u === b.u && p.v === b.v) || (p.u === c.u && p.v === c.v);
    if (!isCorner) return ear;
  }
  return undefined;
}
