// A triangle mesh as an obstacle, solid or a sheet with two sides. Mirrors src/contact/obstacles/mesh-obstacle.ts. Its numbers: 1
// for a closed mesh, the distance kept from a sheet, the distance that is rounding.

import * as tuning from '../../../src/contact/obstacles/tuning';
import * as nearTuning from '../../../src/contact/narrow-phase/tuning';
import {
  COLLIDER_BOXES, COLLIDER_NODES, COLLIDER_NUMBERS, COLLIDER_TRIANGLES, NODE_BYTES, NODE_COUNT, NODE_LINK,
  OBSTACLE_TRIANGLE_BYTES,
} from '../../layout';
import { cross4, dot3, mul4, splat4, sub4, vector30, x4, y4, z4 } from '../../simd/lanes';
import { workingMemory as stack } from '../../threads';
import { setResult } from '../narrow-phase/measured';

/** Squared distances that differ by less than this share are the same: two triangles at one edge. */
const SAME_DISTANCE: f32 = 1e-5;

/** Depth up to which a particle in a closed mesh is one that lies on it, as a share of the mesh's size. */
const SURFACE_DEPTH: f32 = <f32>tuning.SURFACE_DEPTH;
/** How far outside a triangle a crossing still counts, in weights: neighbours overlap, so that no edge lets pass. */
const EDGE_SLACK: f32 = <f32>nearTuning.EDGE_SLACK;

// The triangle nearest to the point: squared distance, vector from it, height over its plane, address.
let square: f32 = 0;
let vector: v128 = i64x2.splat(0);
let height: f32 = 0;
let nearest: usize = 0;

export function measureMesh(collider: usize, x: f32, y: f32, z: f32): void {
  const closed = load<f64>(collider + COLLIDER_NUMBERS) != 0;
  const thickness = <f32>load<f64>(collider + COLLIDER_NUMBERS, 8);
  const point = vector30(x, y, z);
  const boxes: usize = load<u32>(collider + COLLIDER_BOXES);
  const outside = sqrt(squareToBox(boxes, point));
  if (outside > thickness) {
    setResult(outside - thickness, 0, 1, 0);
    return;
  }
  findNearest(collider, boxes, point);
  const distance = sqrt(square);
  const inside = closed && height < 0;
  let result = (inside ? -distance : distance) - thickness;
  // A particle that was put on the surface is there but for rounding.
  if (abs(result) < <f32>load<f64>(collider + COLLIDER_NUMBERS, 16)) result = 0;
  const normal = distance > 0
    ? mul4(splat4((inside ? <f32>-1 : <f32>1) / distance), vector)
    : v128.load(nearest, 48);
  setResult(result, x4(normal), y4(normal), z4(normal));
}

// @ts-ignore: decorator
@inline function squareToBox(box: usize, point: v128): f32 {
  const d = f32x4.pmax(splat4(0), f32x4.pmax(sub4(v128.load(box), point), sub4(point, v128.load(box, 16))));
  return dot3(d, d);
}

function findNearest(collider: usize, boxes: usize, point: v128): void {
  const nodes: usize = load<u32>(collider + COLLIDER_NODES);
  const triangles: usize = load<u32>(collider + COLLIDER_TRIANGLES);
  square = Infinity;
  let top = stack;
  store<u32>(top, 0);
  top += 4;
  while (top > stack) {
    top -= 4;
    const node: usize = load<u32>(top);
    if (squareToBox(boxes + node, point) > square * (<f32>1 + SAME_DISTANCE)) continue;
    const count: i32 = load<i32>(nodes + node + NODE_COUNT);
    if (count > 0) {
      const first = triangles + <usize>load<u32>(nodes + node + NODE_LINK) * OBSTACLE_TRIANGLE_BYTES;
      for (let n = 0; n < count; n++) tryTriangle(first + <usize>n * OBSTACLE_TRIANGLE_BYTES, point);
      continue;
    }
    const left = <u32>(node + NODE_BYTES);
    const right = load<u32>(nodes + node + NODE_LINK);
    const leftFirst = squareToBox(boxes + <usize>left, point) <= squareToBox(boxes + <usize>right, point);
    store<u32>(top, leftFirst ? right : left);
    store<u32>(top, leftFirst ? left : right, 4);
    top += 8;
  }
}

/** Of two triangles at one edge the one that the point faces more tells inside from outside. */
function tryTriangle(triangle: usize, point: v128): void {
  const a = v128.load(triangle);
  const u = sub4(v128.load(triangle, 16), a);
  const v = sub4(v128.load(triangle, 32), a);
  const p = sub4(point, a);
  const r = fromTriangle(p, u, v);
  const candidate = dot3(r, r);
  if (candidate > square * (<f32>1 + SAME_DISTANCE)) return;
  const above = dot3(v128.load(triangle, 48), r);
  if (candidate >= square * (<f32>1 - SAME_DISTANCE) && abs(above) <= abs(height)) return;
  square = candidate;
  vector = r;
  height = above;
  nearest = triangle;
}

/** From the nearest point of the triangle (0, u, v) to p. */
function fromTriangle(p: v128, u: v128, v: v128): v128 {
  const uu = dot3(u, u);
  const uv = dot3(u, v);
  const vv = dot3(v, v);
  const d1 = dot3(u, p);
  const d2 = dot3(v, p);
  const area = uu * vv - uv * uv;
  const nb = vv * d1 - uv * d2;
  const nc = uu * d2 - uv * d1;
  if (nb > 0 && nc > 0 && nb + nc < area) {
    return sub4(sub4(p, mul4(splat4(nb / area), u)), mul4(splat4(nc / area), v));
  }
  const e = sub4(v, u);
  const q = sub4(p, u);
  let best = sub4(p, mul4(splat4(share(d1, uu)), u));
  const second = sub4(p, mul4(splat4(share(d2, vv)), v));
  if (dot3(second, second) < dot3(best, best)) best = second;
  const third = sub4(q, mul4(splat4(share(dot3(e, q), dot3(e, e))), e));
  return dot3(third, third) < dot3(best, best) ? third : best;
}

// @ts-ignore: decorator
@inline function share(a: f32, b: f32): f32 {
  return b > 0 ? max<f32>(0, min<f32>(1, a / b)) : 0;
}

/**
 * The first triangle on the way between two points of the mesh's frame; of a closed mesh only from outside, or from its
 * surface. On a hit the result is the end of the way against the triangle's plane, on the side it came from.
 */
export function sweepMesh(collider: usize, from: v128, to: v128): boolean {
  const nodes: usize = load<u32>(collider + COLLIDER_NODES);
  const boxes: usize = load<u32>(collider + COLLIDER_BOXES);
  const triangles: usize = load<u32>(collider + COLLIDER_TRIANGLES);
  const displacement = sub4(to, from);
  const low = f32x4.pmin(from, to);
  const high = f32x4.pmax(from, to);
  let first: f32 = 2;
  let hit: usize = 0;
  let top = stack;
  store<u32>(top, 0);
  top += 4;
  while (top > stack) {
    top -= 4;
    const node: usize = load<u32>(top);
    const apart = v128.or(f32x4.lt(high, v128.load(boxes + node)), f32x4.gt(low, v128.load(boxes + node, 16)));
    if ((i32x4.bitmask(apart) & 7) != 0) continue;
    const count: i32 = load<i32>(nodes + node + NODE_COUNT);
    if (count == 0) {
      store<u32>(top, load<u32>(nodes + node + NODE_LINK));
      store<u32>(top, <u32>(node + NODE_BYTES), 4);
      top += 8;
      continue;
    }
    const begin = triangles + <usize>load<u32>(nodes + node + NODE_LINK) * OBSTACLE_TRIANGLE_BYTES;
    for (let n = 0; n < count; n++) {
      const triangle = begin + <usize>n * OBSTACLE_TRIANGLE_BYTES;
      const t = crossing(triangle, from, displacement);
      if (t >= first) continue;
      first = t;
      hit = triangle;
    }
  }
  const closed = load<f64>(collider + COLLIDER_NUMBERS) != 0;
  if (hit == 0) return closed && leaveFrom(collider, from, displacement);
  const normal = v128.load(hit, 48);
  const along = dot3(normal, displacement);
  if (closed && along >= 0) return leaveFrom(collider, from, displacement);
  const side: f32 = along < 0 ? 1 : -1;
  const thickness = <f32>load<f64>(collider + COLLIDER_NUMBERS, 8);
  setResult(-abs(along) * (<f32>1 - first) - thickness, side * x4(normal), side * y4(normal), side * z4(normal));
  return true;
}

/** The same for a way that begins on the surface or just below it and goes in: against the plane above its begin. */
function leaveFrom(collider: usize, from: v128, displacement: v128): boolean {
  const boxes: usize = load<u32>(collider + COLLIDER_BOXES);
  const rounding = <f32>load<f64>(collider + COLLIDER_NUMBERS, 16);
  if (squareToBox(boxes, from) > rounding * rounding) return false;
  findNearest(collider, boxes, from);
  const diagonal = sub4(v128.load(boxes, 16), v128.load(boxes));
  if (height > rounding || square > SURFACE_DEPTH * SURFACE_DEPTH * dot3(diagonal, diagonal)) return false;
  const normal = v128.load(nearest, 48);
  const along = dot3(normal, displacement);
  if (along >= 0) return false;
  setResult(height + along, x4(normal), y4(normal), z4(normal));
  return true;
}

/** Share of the way at which it crosses a triangle; 2 for none. */
function crossing(triangle: usize, from: v128, displacement: v128): f32 {
  const a = v128.load(triangle);
  const u = sub4(v128.load(triangle, 16), a);
  const v = sub4(v128.load(triangle, 32), a);
  const p = cross4(displacement, v);
  const determinant = dot3(u, p);
  if (determinant == 0) return 2;
  const s = sub4(from, a);
  const wb = dot3(s, p) / determinant;
  if (wb < -EDGE_SLACK || wb > <f32>1 + EDGE_SLACK) return 2;
  const q = cross4(s, u);
  const wc = dot3(displacement, q) / determinant;
  if (wc < -EDGE_SLACK || wb + wc > <f32>1 + EDGE_SLACK) return 2;
  const t = dot3(v, q) / determinant;
  return t >= 0 && t <= 1 ? t : 2;
}
