// An obstacle as one body sees it: its frames relative to the body's origin, so that single precision is enough far from
// the world's origin. Mirrors src/contact/obstacles/collider.ts.

import {
  BODY_GROUPS, BODY_ORIGIN, BODY_SIZE, COLLIDER_BOXES, COLLIDER_END, COLLIDER_FRICTION, COLLIDER_GROUPS,
  COLLIDER_NUMBERS, COLLIDER_SHAPE, COLLIDER_START, COLLIDER_THINNEST, SHAPE_BOX,
  SHAPE_GLASS, SHAPE_HEIGHTFIELD, SHAPE_MESH, SHAPE_PLANE,
} from '../../layout';
import {
  add4, column0, column1, column2, dot3, madd4, mul4, splat4, splatX4, splatY4, splatZ4, sub4, vector30, x4, y4, z4,
} from '../../simd/lanes';
import { distance, nx, ny, nz, setResult } from '../narrow-phase/measured';
import { sweepMesh } from './mesh-obstacle';
import { measureDistance } from './shapes';

let current: usize = 0;
export let shape: i32 = 0;
export let friction: f32 = 0;
export let thinnest: f32 = 0;
/** Share of the speed of an impact that is given back. */
/** How far apart the directions at the start and at the end of the step are: a bound on |ΔR·x|/|x|. */
export let turning: f32 = 0;
/** Whether the pose changes in this step. */
export let moves: boolean = false;
// Position and rotation matrix at the start and at the end of the step.
let sx: f32 = 0, sy: f32 = 0, sz: f32 = 0;
let s0: f32 = 1, s1: f32 = 0, s2: f32 = 0, s3: f32 = 0, s4: f32 = 1, s5: f32 = 0, s6: f32 = 0, s7: f32 = 0, s8: f32 = 1;
let ex: f32 = 0, ey: f32 = 0, ez: f32 = 0;
let e0: f32 = 1, e1: f32 = 0, e2: f32 = 0, e3: f32 = 0, e4: f32 = 1, e5: f32 = 0, e6: f32 = 0, e7: f32 = 0, e8: f32 = 1;
// The last point in a frame of the collider, or the last displacement.
export let px: f32 = 0;
export let py: f32 = 0;
export let pz: f32 = 0;

// @ts-ignore: decorator
@inline function number(at: usize, n: usize): f32 {
  return <f32>load<f64>(at + (n << 3));
}

// Where the collider's own frame is taken to begin, in that frame.
let footX: f64 = 0;
let footY: f64 = 0;
let footZ: f64 = 0;

function setFoot(x: f64, y: f64, z: f64): void {
  footX = x;
  footY = y;
  footZ = z;
}

/**
 * A plane begins below the body, wherever the user's numbers have it begin: from there single precision is enough. (10⁴
 * body sizes from the origin a floor was felt a thousandth of the body too early or too late.)
 */
function findFoot(collider: usize, ox: f64, oy: f64, oz: f64): void {
  const e = collider + COLLIDER_END;
  const dx = ox - load<f64>(e);
  const dy = oy - load<f64>(e, 8);
  const dz = oz - load<f64>(e, 16);
  const lx = load<f64>(e, 24) * dx + load<f64>(e, 48) * dy + load<f64>(e, 72) * dz;
  const ly = load<f64>(e, 32) * dx + load<f64>(e, 56) * dy + load<f64>(e, 80) * dz;
  const lz = load<f64>(e, 40) * dx + load<f64>(e, 64) * dy + load<f64>(e, 88) * dz;
  const a = load<f64>(collider + COLLIDER_NUMBERS);
  const b = load<f64>(collider + COLLIDER_NUMBERS, 8);
  const c = load<f64>(collider + COLLIDER_NUMBERS, 16);
  const height = a * lx + b * ly + c * lz - load<f64>(collider + COLLIDER_NUMBERS, 24);
  setFoot(lx - height * a, ly - height * b, lz - height * c);
}

/** A row of a frame's matrix, by its place in the frame, times the foot. */
// @ts-ignore: decorator
@inline function alongFoot(frame: usize, place: usize): f64 {
  const row = frame + (place << 3);
  return load<f64>(row) * footX + load<f64>(row, 8) * footY + load<f64>(row, 16) * footZ;
}

/** Turns to a collider, as seen from a body. */
export function aim(collider: usize, body: usize): void {
  current = collider;
  shape = load<i32>(collider + COLLIDER_SHAPE);
  friction = <f32>load<f64>(collider + COLLIDER_FRICTION);
  thinnest = <f32>load<f64>(collider + COLLIDER_THINNEST);
  const s = collider + COLLIDER_START;
  const e = collider + COLLIDER_END;
  const ox = load<f64>(body + BODY_ORIGIN);
  const oy = load<f64>(body + BODY_ORIGIN, 8);
  const oz = load<f64>(body + BODY_ORIGIN, 16);
  if (shape == SHAPE_PLANE) findFoot(collider, ox, oy, oz);
  else setFoot(0, 0, 0);
  ex = <f32>(load<f64>(e) + alongFoot(e, 3) - ox);
  ey = <f32>(load<f64>(e, 8) + alongFoot(e, 6) - oy);
  ez = <f32>(load<f64>(e, 16) + alongFoot(e, 9) - oz);
  e0 = number(e, 3); e1 = number(e, 4); e2 = number(e, 5);
  e3 = number(e, 6); e4 = number(e, 7); e5 = number(e, 8);
  e6 = number(e, 9); e7 = number(e, 10); e8 = number(e, 11);
  moves = posesDiffer(collider);
  findClear(collider, <f32>load<f64>(body + BODY_SIZE));
  if (!moves) {
    sx = ex; sy = ey; sz = ez;
    s0 = e0; s1 = e1; s2 = e2; s3 = e3; s4 = e4; s5 = e5; s6 = e6; s7 = e7; s8 = e8;
    turning = 0;
    return;
  }
  sx = <f32>(load<f64>(s) + alongFoot(s, 3) - ox);
  sy = <f32>(load<f64>(s, 8) + alongFoot(s, 6) - oy);
  sz = <f32>(load<f64>(s, 16) + alongFoot(s, 9) - oz);
  s0 = number(s, 3); s1 = number(s, 4); s2 = number(s, 5);
  s3 = number(s, 6); s4 = number(s, 7); s5 = number(s, 8);
  s6 = number(s, 9); s7 = number(s, 10); s8 = number(s, 11);
  turning = sqrt(
    square(e0 - s0) + square(e1 - s1) + square(e2 - s2) + square(e3 - s3) + square(e4 - s4) + square(e5 - s5) +
      square(e6 - s6) + square(e7 - s7) + square(e8 - s8),
  );
}

// What `isClear` asks: the frame's directions and where it is at the end of the step; half a box and its rounding, a plane's
// normal and the height from which on a point is above it, or the room in a glass: its radius squared, its floor, its rim.
let columnX: v128 = i64x2.splat(0);
let columnY: v128 = i64x2.splat(0);
let columnZ: v128 = i64x2.splat(0);
let endAt: v128 = i64x2.splat(0);
let clearHalf: v128 = i64x2.splat(0);
let clearNormal: v128 = i64x2.splat(0);
let clearHeight: f32 = 0;
let clearRadius2: f32 = 0;
let clearFloor: f32 = 0;
let clearRim: f32 = 0;
/** Longest way [m] whose sweep sees nothing where both of its ends are clear: `sweep` meets what is nearer than 10⁻⁴ of it. */
export let clearWay: f32 = 0;

/** Covers the rounding of places relative to a frame, in lengths that take part. */
const CLEAR_ROUNDING: f32 = 1e-5;
/** How long such a way may be, in roundings: half of what would still be clear. */
const WAY_PER_ROUNDING: f32 = 5e3;
/** How deep a particle may be found that was just set down on the surface, in the same lengths: six roundings. */
const SET_ROUNDING: f32 = 5e-7;
/** The same [m]. */
export let setDepth: f32 = 0;
/** Half a box without it. */
let setHalf: v128 = i64x2.splat(0);

function findClear(collider: usize, size: f32): void {
  const a = number(collider + COLLIDER_NUMBERS, 0);
  const b = number(collider + COLLIDER_NUMBERS, 1);
  const c = number(collider + COLLIDER_NUMBERS, 2);
  columnX = vector30(e0, e1, e2);
  columnY = vector30(e3, e4, e5);
  columnZ = vector30(e6, e7, e8);
  endAt = vector30(ex, ey, ez);
  const lengths = size + abs(ex) + abs(ey) + abs(ez);
  setDepth = SET_ROUNDING * lengths;
  clearWay = moves ? 0 : WAY_PER_ROUNDING * CLEAR_ROUNDING * lengths;
  if (shape == SHAPE_BOX) {
    setDepth = SET_ROUNDING * (lengths + a + b + c);
    clearHalf = add4(vector30(a, b, c), splat4(CLEAR_ROUNDING * (lengths + a + b + c)));
    setHalf = sub4(vector30(a, b, c), splat4(setDepth));
  } else if (shape == SHAPE_PLANE) {
    clearNormal = vector30(e0 * a + e1 * b + e2 * c, e3 * a + e4 * b + e5 * c, e6 * a + e7 * b + e8 * c);
    clearHeight = CLEAR_ROUNDING * lengths;
  } else if (shape == SHAPE_GLASS) {
    // a, b, c: radius, height, wall.
    const rounding = CLEAR_ROUNDING * (lengths + a + b);
    clearRadius2 = square(max<f32>(0, a - c - rounding));
    clearFloor = c + rounding;
    clearRim = b + rounding;
  }
}

/** Whether a point is seen at a glance to be outside at the end of the step; of most shapes it is not. */
// @ts-ignore: decorator
@inline export function isClear(point: v128): boolean {
  const d = sub4(point, endAt);
  if (shape == SHAPE_PLANE) return dot3(clearNormal, d) > clearHeight;
  if (shape != SHAPE_BOX && shape != SHAPE_GLASS) return false;
  const local = madd4(splatX4(d), columnX, madd4(splatY4(d), columnY, mul4(splatZ4(d), columnZ)));
  if (shape == SHAPE_BOX) return (i32x4.bitmask(f32x4.gt(f32x4.abs(local), clearHalf)) & 7) != 0;
  const y = y4(local);
  return y > clearFloor && (y > clearRim || square(x4(local)) + square(z4(local)) < clearRadius2);
}

/** Which of four points are, as bits; with `set` those on the surface count too, of planes and boxes. */
export function clearOfFour(p0: v128, p1: v128, p2: v128, p3: v128, set: boolean): i32 {
  if (shape != SHAPE_PLANE && shape != SHAPE_BOX && shape != SHAPE_GLASS) return 0;
  const d0 = sub4(p0, endAt);
  const d1 = sub4(p1, endAt);
  const d2 = sub4(p2, endAt);
  const d3 = sub4(p3, endAt);
  const x = column0(d0, d1, d2, d3);
  const y = column1(d0, d1, d2, d3);
  const z = column2(d0, d1, d2, d3);
  if (shape == SHAPE_PLANE) return i32x4.bitmask(f32x4.gt(along4(clearNormal, x, y, z), splat4(set ? -setDepth : clearHeight)));
  const localX = along4(f32x4(e0, e3, e6, 0), x, y, z);
  const localY = along4(f32x4(e1, e4, e7, 0), x, y, z);
  const localZ = along4(f32x4(e2, e5, e8, 0), x, y, z);
  if (shape == SHAPE_BOX) {
    const half = set ? setHalf : clearHalf;
    const beyondX = f32x4.gt(f32x4.abs(localX), splatX4(half));
    const beyondY = f32x4.gt(f32x4.abs(localY), splatY4(half));
    const beyondZ = f32x4.gt(f32x4.abs(localZ), splatZ4(half));
    return i32x4.bitmask(v128.or(beyondX, v128.or(beyondY, beyondZ)));
  }
  const within = f32x4.lt(add4(mul4(localX, localX), mul4(localZ, localZ)), splat4(clearRadius2));
  const above = f32x4.gt(localY, splat4(clearRim));
  return i32x4.bitmask(v128.and(f32x4.gt(localY, splat4(clearFloor)), v128.or(above, within)));
}

/**
 * Which of four points on straight ways, from `starts` to `ends`, are clear all the way, as bits: of an obstacle that does not move, whose
 * free side is convex or has both ends beyond the same face.
 */
export function clearWaysOfFour(starts: usize, ends: usize): i32 {
  if (shape != SHAPE_BOX && shape != SHAPE_GLASS) return 0;
  toLocal(starts);
  const fromX = localX, fromY = localY, fromZ = localZ;
  toLocal(ends);
  if (shape == SHAPE_BOX) {
    const half = clearHalf;
    const beyondX = beyond(fromX, localX, splatX4(half));
    const beyondY = beyond(fromY, localY, splatY4(half));
    const beyondZ = beyond(fromZ, localZ, splatZ4(half));
    return i32x4.bitmask(v128.or(beyondX, v128.or(beyondY, beyondZ)));
  }
  const before = add4(mul4(fromX, fromX), mul4(fromZ, fromZ));
  const after = add4(mul4(localX, localX), mul4(localZ, localZ));
  const within = f32x4.lt(f32x4.pmax(before, after), splat4(clearRadius2));
  return i32x4.bitmask(v128.and(within, f32x4.gt(f32x4.pmin(fromY, localY), splat4(clearFloor))));
}

/** Whether both of two coordinates are beyond the same one of two faces. */
// @ts-ignore: decorator
@inline function beyond(a: v128, b: v128, half: v128): v128 {
  return v128.or(f32x4.gt(f32x4.pmin(a, b), half), f32x4.lt(f32x4.pmax(a, b), f32x4.neg(half)));
}

// Four points in the frame of the obstacle, at the end of the step.
let localX: v128 = i64x2.splat(0);
let localY: v128 = i64x2.splat(0);
let localZ: v128 = i64x2.splat(0);

function toLocal(points: usize): void {
  const d0 = sub4(v128.load(points), endAt);
  const d1 = sub4(v128.load(points, 16), endAt);
  const d2 = sub4(v128.load(points, 32), endAt);
  const d3 = sub4(v128.load(points, 48), endAt);
  const x = column0(d0, d1, d2, d3);
  const y = column1(d0, d1, d2, d3);
  const z = column2(d0, d1, d2, d3);
  localX = along4(f32x4(e0, e3, e6, 0), x, y, z);
  localY = along4(f32x4(e1, e4, e7, 0), x, y, z);
  localZ = along4(f32x4(e2, e5, e8, 0), x, y, z);
}

// @ts-ignore: decorator
@inline function along4(a: v128, x: v128, y: v128, z: v128): v128 {
  return add4(add4(mul4(splatX4(a), x), mul4(splatY4(a), y)), mul4(splatZ4(a), z));
}

/** Whether the numbers of the two frames differ. */
function posesDiffer(collider: usize): boolean {
  for (let n: usize = 0; n < <usize>(COLLIDER_END - COLLIDER_START); n += 8) {
    if (load<f64>(collider + COLLIDER_START + n) != load<f64>(collider + COLLIDER_END + n)) return true;
  }
  return false;
}

// @ts-ignore: decorator
@inline function square(x: f32): f32 {
  return x * x;
}

/** Whether groups let a body touch a collider. */
export function mayMeet(collider: usize, body: usize): boolean {
  return (
    (load<u32>(body + BODY_GROUPS, 4) & load<u32>(collider + COLLIDER_GROUPS)) != 0 &&
    (load<u32>(collider + COLLIDER_GROUPS, 4) & load<u32>(body + BODY_GROUPS)) != 0
  );
}

/** A point of the body's frame in the collider's frame at the start of the step. */
export function toStart(x: f32, y: f32, z: f32): void {
  const dx = x - sx;
  const dy = y - sy;
  const dz = z - sz;
  px = s0 * dx + s3 * dy + s6 * dz;
  py = s1 * dx + s4 * dy + s7 * dz;
  pz = s2 * dx + s5 * dy + s8 * dz;
}

/** The same at the end of the step. */
export function toEnd(x: f32, y: f32, z: f32): void {
  const dx = x - ex;
  const dy = y - ey;
  const dz = z - ez;
  px = e0 * dx + e3 * dy + e6 * dz;
  py = e1 * dx + e4 * dy + e7 * dz;
  pz = e2 * dx + e5 * dy + e8 * dz;
}

/** Distance in the collider's own frame. */
// @ts-ignore: decorator
@inline export function measureLocal(x: f32, y: f32, z: f32): void {
  measureDistance(shape, current, x, y, z);
}

/**
 * A lower bound on the distance from a point of the collider's frame: over a landscape the measured distance is along the
 * normal of what is below, and a cliff may be nearer.
 */
export function leastDistance(x: f32, y: f32, z: f32): f32 {
  if (shape == SHAPE_HEIGHTFIELD) return y - load<f32>(current + COLLIDER_BOXES);
  measureLocal(x, y, z);
  return distance;
}

/** Whether obstacles of this shape find what passes through them themselves. */
// @ts-ignore: decorator
@inline export function isMesh(): boolean {
  return shape == SHAPE_MESH;
}

/** The first triangle of a mesh on the way between two points of its frame. */
export function sweepTriangles(ax: f32, ay: f32, az: f32, bx: f32, by: f32, bz: f32): boolean {
  return sweepMesh(current, vector30(ax, ay, az), vector30(bx, by, bz));
}

/** Turns the last normal from the collider's frame to the world's, at the end of the step. */
export function turnNormal(): void {
  setResult(distance, e0 * nx + e1 * ny + e2 * nz, e3 * nx + e4 * ny + e5 * nz, e6 * nx + e7 * ny + e8 * nz);
}

/** Signed distance and normal at the end of the step. */
export function measure(x: f32, y: f32, z: f32): void {
  toEnd(x, y, z);
  measureLocal(px, py, pz);
  turnNormal();
}

/** How far the collider's point now at (x, y, z) has moved in this step. */
export function displacementAt(x: f32, y: f32, z: f32): void {
  if (!moves) {
    px = 0;
    py = 0;
    pz = 0;
    return;
  }
  toEnd(x, y, z);
  const a = px;
  const b = py;
  const c = pz;
  px = x - (sx + s0 * a + s1 * b + s2 * c);
  py = y - (sy + s3 * a + s4 * b + s5 * c);
  pz = z - (sz + s6 * a + s7 * b + s8 * c);
}
