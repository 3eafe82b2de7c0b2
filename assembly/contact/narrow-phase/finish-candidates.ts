// What the nearest triangles of a pair's vertices mean: how high over its triangle each vertex is, and along which normal and how far it is
// from the surface. Once for each vertex, four at a time, when all triangles are tested. Mirrors parts of
// src/contact/narrow-phase/detection.ts and vertex-contacts.ts.

import * as tuning from '../../../src/contact/narrow-phase/tuning';
import { BODY_CROSSED, BODY_NORMALS, BODY_STARTS } from '../../layout';
import {
  add4, column0, column1, column2, column3, div4, madd4, mul4, nmadd4, select4, splat4, splatX4, splatY4, splatZ4, squares4, sub4,
} from '../../simd/lanes';
import { candidateOf, FACE, OPPOSITE, OUTWARD, SQUARE, touchedA, touchedB, touchedVertex, TRIANGLE, WEIGHT_B, WEIGHT_C } from './candidates';
import { offsetOf } from './detection';
import { thickness } from './leaf-test';

/** Cosine of the angle from which on a surface has a crease, and a way out does not follow its normal: 30°. */
const CREASE: f32 = <f32>tuning.CREASE;
/** Share of the thickness below which a distance has no direction of its own. */
const NO_DISTANCE: f32 = <f32>tuning.NO_DISTANCE;

/** Finishes the candidates of both sides of a pair, which may be one body. */
export function finishCandidates(a: usize, b: usize): void {
  const none = splat4(0);
  if (a == b) {
    finishSide(a, a, 0, touchedA, none);
    return;
  }
  const offset = offsetOf(a, b);
  finishSide(a, b, 0, touchedA, sub4(none, offset));
  finishSide(b, a, 1, touchedB, sub4(offset, none));
}

// @ts-ignore: decorator
@inline function corner(points: usize, candidate: usize, which: usize): v128 {
  return v128.load(points + <usize>load<u32>(<usize>load<u32>(candidate + TRIANGLE) + which));
}

/** A number of four candidates. */
// @ts-ignore: decorator
@inline function of4(c0: usize, c1: usize, c2: usize, c3: usize, field: usize): v128 {
  const two = v128.load_lane<f32>(c1 + field, v128.load32_zero(c0 + field), 1);
  return v128.load_lane<f32>(c3 + field, v128.load_lane<f32>(c2 + field, two, 2), 3);
}

function finishSide(body: usize, other: usize, side: i32, count: i32, shift: v128): void {
  const starts: usize = load<u32>(body + BODY_STARTS);
  const points: usize = load<u32>(other + BODY_STARTS);
  const normals: usize = load<u32>(other + BODY_NORMALS);
  const crossed: usize = body == other ? load<u32>(body + BODY_CROSSED) : 0;
  for (let n = 0; n < count; n += 4) {
    // The last stands for those behind it.
    const k0 = touchedVertex(side, n);
    const k1 = touchedVertex(side, min(n + 1, count - 1));
    const k2 = touchedVertex(side, min(n + 2, count - 1));
    const k3 = touchedVertex(side, min(n + 3, count - 1));
    const c0 = candidateOf(side, k0);
    const c1 = candidateOf(side, k1);
    const c2 = candidateOf(side, k2);
    const c3 = candidateOf(side, k3);
    const a0 = corner(points, c0, 0), a1 = corner(points, c1, 0), a2 = corner(points, c2, 0), a3 = corner(points, c3, 0);
    let d0 = sub4(corner(points, c0, 4), a0), d1 = sub4(corner(points, c1, 4), a1);
    let d2 = sub4(corner(points, c2, 4), a2), d3 = sub4(corner(points, c3, 4), a3);
    const ux = column0(d0, d1, d2, d3), uy = column1(d0, d1, d2, d3), uz = column2(d0, d1, d2, d3);
    d0 = sub4(corner(points, c0, 8), a0);
    d1 = sub4(corner(points, c1, 8), a1);
    d2 = sub4(corner(points, c2, 8), a2);
    d3 = sub4(corner(points, c3, 8), a3);
    const vx = column0(d0, d1, d2, d3), vy = column1(d0, d1, d2, d3), vz = column2(d0, d1, d2, d3);
    d0 = sub4(add4(v128.load(starts + k0), shift), a0);
    d1 = sub4(add4(v128.load(starts + k1), shift), a1);
    d2 = sub4(add4(v128.load(starts + k2), shift), a2);
    d3 = sub4(add4(v128.load(starts + k3), shift), a3);
    const px = column0(d0, d1, d2, d3), py = column1(d0, d1, d2, d3), pz = column2(d0, d1, d2, d3);
    // From the nearest point to the vertex.
    const wb = of4(c0, c1, c2, c3, WEIGHT_B);
    const wc = of4(c0, c1, c2, c3, WEIGHT_C);
    const opposite = of4(c0, c1, c2, c3, OPPOSITE);
    const toX = select4(opposite, nmadd4(wc, sub4(vx, ux), sub4(px, ux)), nmadd4(wc, vx, nmadd4(wb, ux, px)));
    const toY = select4(opposite, nmadd4(wc, sub4(vy, uy), sub4(py, uy)), nmadd4(wc, vy, nmadd4(wb, uy, py)));
    const toZ = select4(opposite, nmadd4(wc, sub4(vz, uz), sub4(pz, uz)), nmadd4(wc, vz, nmadd4(wb, uz, pz)));
    // The triangle's normal, and how far outside of its plane the vertex is.
    const nx = sub4(mul4(uy, vz), mul4(uz, vy));
    const ny = sub4(mul4(uz, vx), mul4(ux, vz));
    const nz = sub4(mul4(ux, vy), mul4(uy, vx));
    const scale = inverse4(f32x4.sqrt(squares4(nx, ny, nz)));
    const faceX = mul4(scale, nx), faceY = mul4(scale, ny), faceZ = mul4(scale, nz);
    const height = dots(faceX, faceY, faceZ, toX, toY, toZ);
    // The surface's normal, smooth but for creases: those of the corners, or the triangle's where they are too different.
    let sx = splat4(0), sy = sx, sz = sx;
    for (let c: usize = 0; c < 12; c += 4) {
      d0 = corner(normals, c0, c);
      d1 = corner(normals, c1, c);
      d2 = corner(normals, c2, c);
      d3 = corner(normals, c3, c);
      const x = column0(d0, d1, d2, d3), y = column1(d0, d1, d2, d3), z = column2(d0, d1, d2, d3);
      // A vertex without a normal gets none.
      const unit = inverse4(f32x4.sqrt(squares4(x, y, z)));
      const unitX = mul4(unit, x), unitY = mul4(unit, y), unitZ = mul4(unit, z);
      const alike = f32x4.gt(dots(unitX, unitY, unitZ, faceX, faceY, faceZ), splat4(CREASE));
      const goodX = select4(alike, unitX, faceX), goodY = select4(alike, unitY, faceY), goodZ = select4(alike, unitZ, faceZ);
      if (c == 0) {
        const wa = sub4(sub4(splat4(1), wb), wc);
        sx = mul4(wa, goodX);
        sy = mul4(wa, goodY);
        sz = mul4(wa, goodZ);
      } else {
        const weight = c == 4 ? wb : wc;
        sx = madd4(weight, goodX, sx);
        sy = madd4(weight, goodY, sy);
        sz = madd4(weight, goodZ, sz);
      }
    }
    // A body's own surface is kept on the side where it is, unless that is where it got to by passing through.
    const outside = crossed == 0
      ? f32x4.ge(height, splat4(0))
      : i32x4.eq(
        i32x4(load<u8>(crossed + (k0 >> 4)), load<u8>(crossed + (k1 >> 4)), load<u8>(crossed + (k2 >> 4)), load<u8>(crossed + (k3 >> 4))),
        i32x4.splat(0),
      );
    const sign = select4(outside, splat4(1), splat4(-1));
    // The side of the triangle on which the vertex is to be.
    const facing = select4(f32x4.lt(mul4(height, sign), splat4(0)), splat4(-1), splat4(1));
    const length = f32x4.sqrt(squares4(sx, sy, sz));
    const turn = v128.and(div4(facing, length), f32x4.gt(length, splat4(0)));
    sx = mul4(turn, sx);
    sy = mul4(turn, sy);
    sz = mul4(turn, sz);
    const along = dots(sx, sy, sz, toX, toY, toZ);
    const distance = f32x4.sqrt(of4(c0, c1, c2, c3, SQUARE));
    const isSmooth = v128.or(
      f32x4.le(distance, splat4(NO_DISTANCE * thickness)), f32x4.gt(mul4(along, sign), mul4(splat4(CREASE), distance)),
    );
    const straight = div4(sign, distance);
    const x = select4(isSmooth, sx, mul4(straight, toX));
    const y = select4(isSmooth, sy, mul4(straight, toY));
    const z = select4(isSmooth, sz, mul4(straight, toZ));
    const gap = select4(isSmooth, along, mul4(sign, distance));
    v128.store(c0 + OUTWARD, column0(x, y, z, gap));
    v128.store(c1 + OUTWARD, column1(x, y, z, gap));
    v128.store(c2 + OUTWARD, column2(x, y, z, gap));
    v128.store(c3 + OUTWARD, column3(x, y, z, gap));
    v128.store(c0 + FACE, column0(faceX, faceY, faceZ, height));
    v128.store(c1 + FACE, column1(faceX, faceY, faceZ, height));
    v128.store(c2 + FACE, column2(faceX, faceY, faceZ, height));
    v128.store(c3 + FACE, column3(faceX, faceY, faceZ, height));
  }
}

/** 1/length, 0 for none. */
// @ts-ignore: decorator
@inline function inverse4(length: v128): v128 {
  return v128.and(div4(splat4(1), length), f32x4.gt(length, splat4(0)));
}

// @ts-ignore: decorator
@inline function dots(ax: v128, ay: v128, az: v128, bx: v128, by: v128, bz: v128): v128 {
  return add4(add4(mul4(ax, bx), mul4(ay, by)), mul4(az, bz));
}
