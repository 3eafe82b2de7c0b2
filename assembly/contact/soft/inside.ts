// What of a body lies inside another at the start of a step, and where it comes out again: near its surface by the nearest triangle,
// elsewhere by a ray. Mirrors src/contact/soft/inside.ts.

import * as tuning from '../../../src/contact/soft/tuning';
import {
  BODY_COUNT, BODY_EDGE, BODY_NORMALS, BODY_STARTS, BODY_SUBTREE_PARTICLES, BODY_SUBTREES, BODY_TREE, BODY_TREE_BOXES,
  BODY_TREE_TRIANGLES, NODE_BYTES, NODE_COUNT, NODE_LINK, NODE_SPAN, NODE_SUBTREE, SUBTREE_COUNT, SUBTREE_PARTICLES,
  SUBTREE_SHARE, SUBTREE_STARTS,
} from '../../layout';
import { add4, div4, dot3, mul4, select4, splat4, splatZ4, sub4, vector30, w4, x4, y4, yzx4, z4 } from '../../simd/lanes';
import { candidateOf, FACE, HEIGHT, keepDeep, keepExit, particleList, scratch, squareOf, touchedA, touchedB, touchedVertex } from '../narrow-phase/candidates';
import { offsetOf, overlaps, SUBTREE } from '../narrow-phase/detection';
import { loadTriangles, metByRay, rayB, rayC, rayShare } from '../narrow-phase/vertex-triangle';
import { FAR, INSIDE, INSIDE_OF_EIGHT, NEAR } from './pockets';

/** Height over a triangle, in mean edges, up to which a vertex is not outside. */
export const SURFACE: f32 = <f32>tuning.SURFACE;
/** Cosine of the angle between two surfaces from which they face the same way, and from which depth on it tells, see the reference. */
const SAME_WAY: f32 = <f32>tuning.SAME_WAY;
const SHALLOW: f32 = <f32>tuning.SHALLOW;
// Rays lie near an axis, but in no coordinate plane and along no edge of a regular mesh.
const TILT: f32 = 0.0713;
const OTHER_TILT: f32 = 0.1137;

/** The ray by which a point leaves a box soonest: fewest boxes below it lie on its way. */
function shortestRay(point: v128, low: v128, high: v128): v128 {
  const down = sub4(point, low);
  const up = sub4(high, point);
  const least = f32x4.pmin(down, up);
  const signs = select4(f32x4.lt(down, up), splat4(-1), splat4(1));
  if (x4(least) <= y4(least) && x4(least) <= z4(least)) return vector30(x4(signs), TILT, OTHER_TILT);
  if (y4(least) <= z4(least)) return vector30(OTHER_TILT, y4(signs), TILT);
  return vector30(TILT, OTHER_TILT, z4(signs));
}

/**
 * Whether a box of a body's frame can leave the body's on its shortest way along an axis without meeting a leaf: then all of it
 * is outside. Asks less of each node than a ray does, and nearly all that is not near the surface is free.
 */
function isFree(body: usize, boxes: usize, low: v128, high: v128): boolean {
  const down = sub4(high, v128.load(boxes));
  const up = sub4(v128.load(boxes, 16), low);
  const least = f32x4.pmin(down, up);
  const isX = x4(least) <= y4(least) && x4(least) <= z4(least);
  const isY = !isX && y4(least) <= z4(least);
  const axis = isX ? i32x4(-1, 0, 0, 0) : isY ? i32x4(0, -1, 0, 0) : i32x4(0, 0, -1, 0);
  const goesDown = f32x4.lt(down, up);
  const from = select4(v128.and(axis, goesDown), splat4(-Infinity), low);
  const to = select4(v128.andnot(axis, goesDown), splat4(Infinity), high);
  const nodes: usize = load<u32>(body + BODY_TREE);
  const end: usize = load<u32>(nodes + NODE_SPAN);
  for (let node: usize = 0; node < end; ) {
    if (!overlaps(boxes + node, from, to)) {
      node += load<u32>(nodes + node + NODE_SPAN);
      continue;
    }
    if (load<u32>(nodes + node + NODE_COUNT) > 0) return false;
    node += NODE_BYTES;
  }
  return true;
}

/** Whether a point of a body's frame is inside it at the start of the step: a ray meets the surface an odd number of times. */
// @ts-ignore: decorator
@inline export function isInside(body: usize, boxes: usize, point: v128): boolean {
  const apart = v128.or(f32x4.lt(point, v128.load(boxes)), f32x4.gt(point, v128.load(boxes, 16)));
  return (i32x4.bitmask(apart) & 7) == 0 && !isFree(body, boxes, point, point) && leavesOddly(body, boxes, point);
}

/** Whether a ray from a point within a body's box meets its surface an odd number of times. */
function leavesOddly(body: usize, boxes: usize, point: v128): boolean {
  const nodes: usize = load<u32>(body + BODY_TREE);
  const starts: usize = load<u32>(body + BODY_STARTS);
  const triangles: usize = load<u32>(body + BODY_TREE_TRIANGLES);
  const ray = shortestRay(point, v128.load(boxes), v128.load(boxes, 16));
  // The fourth lane says that the ray begins at 0.
  const inverse = f32x4.replace_lane(div4(splat4(1), ray), 3, 0);
  const end: usize = load<u32>(nodes + NODE_SPAN);
  let hits = 0;
  for (let node: usize = 0; node < end; ) {
    const one = mul4(sub4(v128.load(boxes + node), point), inverse);
    const other = mul4(sub4(v128.load(boxes + node, 16), point), inverse);
    const enters = f32x4.pmin(one, other);
    const leaves = f32x4.pmax(one, other);
    const entersLate = f32x4.pmax(enters, v128.shuffle<f32>(enters, enters, 2, 3, 0, 1));
    const last = f32x4.pmax(entersLate, yzx4(entersLate));
    const first = f32x4.pmin(leaves, f32x4.pmin(yzx4(leaves), splatZ4(leaves)));
    if ((i32x4.bitmask(f32x4.gt(last, first)) & 1) != 0) {
      node += load<u32>(nodes + node + NODE_SPAN);
      continue;
    }
    const count: i32 = load<i32>(nodes + node + NODE_COUNT);
    if (count > 0) {
      loadTriangles(starts, triangles + <usize>load<u32>(nodes + node + NODE_LINK) * 12, count);
      hits += popcnt(metByRay(point, ray) & ((1 << count) - 1));
    }
    node += NODE_BYTES;
  }
  return (hits & 1) == 1;
}

/** How far the deepest of the vertices that were marked is from the surface that it is near to [m]. */
export let sunk: f32 = 0;

export function resetSunk(): void {
  sunk = 0;
}

/** Marks what of a body lies inside the other, keeps what is deeper than contact looks; returns how many vertices are far in. */
export function markInside(body: usize, other: usize, side: i32, size: f32): i32 {
  const normals: usize = load<u32>(body + BODY_NORMALS);
  const count: usize = load<u32>(body + BODY_COUNT);
  const marks = particleList(side);
  memory.fill(marks, 0, (count + 7) & ~7);
  markTouched(other, side, marks);
  markDeep(body, other, marks);
  let far = 0;
  for (let i: usize = 0; i < count; i += 8) {
    // Marks of eight, most of them none; in the order of the particles, as sums depend on it.
    for (let left = load<u64>(marks + i) & INSIDE_OF_EIGHT; left != 0; left &= left - 1) {
      const k = (i + (<usize>ctz(left) >> 3)) << 4;
      const mark = load<u8>(marks + (k >> 4));
      const isNear = mark != INSIDE;
      const normal = v128.load(normals + k);
      if (!isNear) keepDeep(side, k);
      if (isNear && !reachesFar(candidateOf(side, k), normal, SHALLOW * size)) continue;
      store<u8>(marks + (k >> 4), mark | FAR);
      far++;
    }
  }
  return far;
}

/** Whether a vertex near the other's surface is far in; see the reference. */
// @ts-ignore: decorator
@inline function reachesFar(candidate: usize, normal: v128, shallow: f32): boolean {
  if (load<f32>(candidate + HEIGHT) >= -shallow) return false;
  return dot3(v128.load(candidate + FACE), normal) > SAME_WAY * sqrt(dot3(normal, normal));
}

/** Marks the vertices that are near the other's surface, and those of them that are not outside. */
function markTouched(other: usize, side: i32, marks: usize): void {
  const surface = SURFACE * <f32>load<f64>(other + BODY_EDGE);
  const touched = side == 0 ? touchedA : touchedB;
  for (let n = 0; n < touched; n++) {
    const vertex = touchedVertex(side, n);
    const candidate = candidateOf(side, vertex);
    const isOutside = load<f32>(candidate + HEIGHT) > surface;
    if (!isOutside) sunk = max(sunk, sqrt(squareOf(candidate)));
    store<u8>(marks + (vertex >> 4), isOutside ? NEAR : NEAR | INSIDE);
  }
}

/** Marks the vertices inside the other that are not near its surface. */
function markDeep(body: usize, other: usize, marks: usize): void {
  const nodes: usize = load<u32>(body + BODY_TREE);
  const boxes: usize = load<u32>(body + BODY_TREE_BOXES);
  const otherBoxes: usize = load<u32>(other + BODY_TREE_BOXES);
  const shift = sub4(splat4(0), offsetOf(body, other));
  const low = sub4(v128.load(otherBoxes), shift);
  const high = sub4(v128.load(otherBoxes, 16), shift);
  const end: usize = load<u32>(nodes + NODE_SPAN);
  for (let at: usize = 0; at < end; ) {
    const span: usize = load<u32>(nodes + at + NODE_SPAN);
    const isApart = !overlaps(boxes + at, low, high);
    if (!isApart && span <= SUBTREE) markSubtree(body, load<u32>(nodes + at + NODE_SUBTREE), other, shift, marks);
    at += isApart || span <= SUBTREE ? span : NODE_BYTES;
  }
}

/** The same for a subtree: where the box of all that are in question is free, none of them is inside. */
function markSubtree(body: usize, place: usize, other: usize, shift: v128, marks: usize): void {
  const starts: usize = load<u32>(body + BODY_STARTS);
  const boxes: usize = load<u32>(other + BODY_TREE_BOXES);
  const subtree = <usize>load<u32>(body + BODY_SUBTREES) + place / SUBTREE_SHARE;
  let at = <usize>load<u32>(body + BODY_SUBTREE_PARTICLES) + <usize>load<u32>(subtree + SUBTREE_PARTICLES);
  const last = at + (<usize>load<u8>(subtree + <usize>load<u32>(subtree + SUBTREE_COUNT) + SUBTREE_STARTS) << 2);
  let low = splat4(Infinity);
  let high = splat4(-Infinity);
  let end = scratch;
  for (; at < last; at += 4) {
    const k: usize = load<u32>(at);
    const point = add4(v128.load(starts + k), shift);
    if (load<u8>(marks + (k >> 4)) != 0 || !overlaps(boxes, point, point)) continue;
    low = f32x4.pmin(low, point);
    high = f32x4.pmax(high, point);
    store<u32>(end, <u32>k);
    end += 4;
  }
  if (end == scratch || isFree(other, boxes, low, high)) return;
  for (let n = scratch; n < end; n += 4) {
    const k: usize = load<u32>(n);
    if (isInside(other, boxes, add4(v128.load(starts + k), shift))) store<u8>(marks + (k >> 4), INSIDE);
  }
}

/** Finds where a vertex comes out of a body; returns how far it is, or `furthest`. */
export function findExit(candidate: usize, body: usize, point: v128, ray: v128, furthest: f32): f32 {
  const nodes: usize = load<u32>(body + BODY_TREE);
  const boxes: usize = load<u32>(body + BODY_TREE_BOXES);
  const starts: usize = load<u32>(body + BODY_STARTS);
  const triangles: usize = load<u32>(body + BODY_TREE_TRIANGLES);
  const inverse = f32x4.replace_lane(div4(splat4(1), ray), 3, 0);
  const end: usize = load<u32>(nodes + NODE_SPAN);
  for (let node: usize = 0; node < end; ) {
    const one = mul4(sub4(v128.load(boxes + node), point), inverse);
    const other = mul4(sub4(v128.load(boxes + node, 16), point), inverse);
    const enters = f32x4.replace_lane(f32x4.pmin(one, other), 3, 0);
    const leaves = f32x4.replace_lane(f32x4.pmax(one, other), 3, furthest);
    const first = max(max(x4(enters), y4(enters)), max(z4(enters), w4(enters)));
    const last = min(min(x4(leaves), y4(leaves)), min(z4(leaves), w4(leaves)));
    if (first > last) {
      node += load<u32>(nodes + node + NODE_SPAN);
      continue;
    }
    const count: i32 = load<i32>(nodes + node + NODE_COUNT);
    if (count > 0) {
      const leaf = triangles + <usize>load<u32>(nodes + node + NODE_LINK) * 12;
      loadTriangles(starts, leaf, count);
      const hits = metByRay(point, ray) & ((1 << count) - 1);
      for (let lane = 0; lane < count; lane++) {
        if ((hits & (1 << lane)) == 0 || laneOf(rayShare, lane) >= furthest) continue;
        furthest = laneOf(rayShare, lane);
        keepExit(candidate, leaf + <usize>(12 * lane), laneOf(rayB, lane), laneOf(rayC, lane), furthest);
      }
    }
    node += NODE_BYTES;
  }
  return furthest;
}

// @ts-ignore: decorator
@inline function laneOf(v: v128, lane: i32): f32 {
  return lane < 2 ? (lane == 0 ? x4(v) : y4(v)) : lane == 2 ? z4(v) : w4(v);
}
