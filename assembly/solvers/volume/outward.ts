// Which way is out, for each particle. Mirrors src/solvers/volume/outward.ts.

import * as tuning from '../../../src/solvers/volume/tuning';
import {
  BODY_AREAS, BODY_COLLIDING, BODY_NORMALS, BODY_OUTWARD, BODY_POSITIONS, BODY_PUSHES, BODY_QUATERNIONS, BODY_RINGS, BODY_RING_OFFSETS,
  CHUNK, SUM_VOLUME,
} from '../../layout';
import { ringNormal } from '../../mesh/ring-normal';
import {
  add4, addWide, column0, column1, column2, div4, dot3, dots4, high4, highPair4, low4, lowPair4, madd4, mul4, nmadd4, splat4, splatW4,
  splatX4, splatY4, splatZ4, squares4, sub4, sumWide,
} from '../../simd/lanes';
import { putPartial } from '../rigid-motion';
import { chunkEnd } from '../sums';

const LOST_NORMAL: f32 = 1e-6;
/** Least share of its length that a push has along the normal. */
const OUTWARD: f32 = <f32>tuning.OUTWARD;

/** n̄ doubled, the outward direction (the push field, turned with the regions) and 6V's part of a chunk. */
export function writeOutward(body: usize, chunk: i32): void {
  const end = chunkEnd(body, chunk);
  const positions: usize = load<u32>(body + BODY_POSITIONS);
  const areas: usize = load<u32>(body + BODY_AREAS);
  const normals: usize = load<u32>(body + BODY_NORMALS);
  const outward: usize = load<u32>(body + BODY_OUTWARD);
  const pushes: usize = load<u32>(body + BODY_PUSHES);
  const quaternions: usize = load<u32>(body + BODY_QUATERNIONS);
  const first = v128.load(positions);
  let volume = f64x2.splat(0);
  for (let i = chunk * CHUNK; i < end; i += 4) {
    const k = <usize>i << 4;
    writeNormals(body, i, positions, normals);
    const area = v128.load(areas + (<usize>i << 2));
    if (pushes != 0) writePushesOf(outward + k, normals + k, pushes + <usize>i * 12, quaternions + k, area);
    else writeOutwardOf(outward + k, normals + k, area, area);
    volume = addWide(volume, dots4(positions + k, first, normals + k));
  }
  putPartial(body, chunk, SUM_VOLUME, sumWide(volume) / 3);
}

/** Takes from pushes beside contacts what they have along the surface: twice the share of their neighbours that touch. */
export function straightenOutward(body: usize, chunk: i32): void {
  const end = chunkEnd(body, chunk);
  const areas: usize = load<u32>(body + BODY_AREAS);
  const normals: usize = load<u32>(body + BODY_NORMALS);
  const outward: usize = load<u32>(body + BODY_OUTWARD);
  const colliding: usize = load<u32>(body + BODY_COLLIDING);
  const rings: usize = load<u32>(body + BODY_RINGS);
  const ringOffsets: usize = load<u32>(body + BODY_RING_OFFSETS);
  for (let i = chunk * CHUNK; i < end; i++) {
    const begin = rings + (<usize>load<u32>(ringOffsets + (<usize>i << 2)) << 2);
    const last = rings + (<usize>load<u32>(ringOffsets + (<usize>i << 2), 4) << 2);
    let touching: i32 = 0;
    for (let e = begin; e < last; e += 4) touching += i32(load<u8>(colliding + (<usize>load<u32>(e) >> 4)) != 0);
    if (touching == 0) continue;
    const k = <usize>i << 4;
    const n = v128.load(normals + k);
    const square = dot3(n, n);
    const lost = <f32>6 * LOST_NORMAL * load<f32>(areas + (<usize>i << 2));
    if (!(square > lost * lost)) continue;
    const straight = min<f32>(1, (<f32>2 * <f32>touching) / <f32>((last - begin) >> 2));
    const o = v128.load(outward + k);
    v128.store(outward + k, madd4(splat4((straight * dot3(o, n)) / square), n, mul4(splat4(<f32>1 - straight), o)));
  }
}

/** The outward direction for velocities: unit normal × mean area. Reads n̄, or finds it where that is not `known`. */
export function writeEvenOutward(body: usize, chunk: i32, even: f32, known: boolean): void {
  const end = chunkEnd(body, chunk);
  const positions: usize = load<u32>(body + BODY_POSITIONS);
  const areas: usize = load<u32>(body + BODY_AREAS);
  const normals: usize = load<u32>(body + BODY_NORMALS);
  const outward: usize = load<u32>(body + BODY_OUTWARD);
  const length = splat4(even);
  for (let i = chunk * CHUNK; i < end; i += 4) {
    const k = <usize>i << 4;
    if (!known) writeNormals(body, i, positions, normals);
    writeOutwardOf(outward + k, normals + k, length, v128.load(areas + (<usize>i << 2)));
  }
}

/** n̄ doubled of four particles at `points`; those that fill up a chunk have none. */
export function writeNormals(body: usize, i: i32, points: usize, normals: usize): void {
  const rings: usize = load<u32>(body + BODY_RINGS);
  const ringOffsets: usize = load<u32>(body + BODY_RING_OFFSETS);
  const to = normals + (<usize>i << 4);
  v128.store(to, ringNormal(points, rings, ringOffsets, i));
  v128.store(to, ringNormal(points, rings, ringOffsets, i + 1), 16);
  v128.store(to, ringNormal(points, rings, ringOffsets, i + 2), 32);
  v128.store(to, ringNormal(points, rings, ringOffsets, i + 3), 48);
}

/** Four pushes, turned with their regions, leaning outwards where they are less than 0.1 of their length along the normal. */
// @ts-ignore: decorator
@inline function writePushesOf(to: usize, normals: usize, pushes: usize, quaternions: usize, areas: v128): void {
  const px = v128.load(pushes);
  const py = v128.load(pushes, 16);
  const pz = v128.load(pushes, 32);
  const qx = v128.load(quaternions);
  const qy = v128.load(quaternions, 16);
  const qz = v128.load(quaternions, 32);
  const qw = v128.load(quaternions, 48);
  const sx = nmadd4(qz, py, mul4(qy, pz));
  const sy = nmadd4(qx, pz, mul4(qz, px));
  const sz = nmadd4(qy, px, mul4(qx, py));
  const tx = add4(sx, sx);
  const ty = add4(sy, sy);
  const tz = add4(sz, sz);
  let dx = madd4(qw, tx, nmadd4(qz, ty, madd4(qy, tz, px)));
  let dy = madd4(qw, ty, nmadd4(qx, tz, madd4(qz, tx, py)));
  let dz = madd4(qw, tz, nmadd4(qy, tx, madd4(qx, ty, pz)));
  const n0 = v128.load(normals);
  const n1 = v128.load(normals, 16);
  const n2 = v128.load(normals, 32);
  const n3 = v128.load(normals, 48);
  const nx = column0(n0, n1, n2, n3);
  const ny = column1(n0, n1, n2, n3);
  const nz = column2(n0, n1, n2, n3);
  const square = squares4(nx, ny, nz);
  // Along the normal, times its length: what is missing there is rare, and only then anything is divided.
  const along = madd4(dx, nx, madd4(dy, ny, mul4(dz, nz)));
  const least = mul4(splat4(OUTWARD), mul4(f32x4.sqrt(squares4(px, py, pz)), f32x4.sqrt(square)));
  const lost = mul4(splat4(<f32>6 * LOST_NORMAL), areas);
  const leans = v128.and(f32x4.lt(along, least), f32x4.gt(square, mul4(lost, lost)));
  if (v128.any_true(leans)) {
    const lean = v128.and(leans, div4(sub4(least, along), square));
    dx = madd4(lean, nx, dx);
    dy = madd4(lean, ny, dy);
    dz = madd4(lean, nz, dz);
  }
  const d01 = low4(dx, dy);
  const d23 = high4(dx, dy);
  const z01 = low4(dz, splat4(0));
  const z23 = high4(dz, splat4(0));
  v128.store(to, lowPair4(d01, z01));
  v128.store(to, highPair4(d01, z01), 16);
  v128.store(to, lowPair4(d23, z23), 32);
  v128.store(to, highPair4(d23, z23), 48);
}

/** Four normals at the given lengths; none where a particle's triangles have collapsed. */
// @ts-ignore: decorator
@inline function writeOutwardOf(to: usize, normals: usize, lengths: v128, areas: v128): void {
  const n0 = v128.load(normals);
  const n1 = v128.load(normals, 16);
  const n2 = v128.load(normals, 32);
  const n3 = v128.load(normals, 48);
  const now = f32x4.sqrt(squares4(column0(n0, n1, n2, n3), column1(n0, n1, n2, n3), column2(n0, n1, n2, n3)));
  const scale = v128.and(f32x4.gt(now, mul4(splat4(<f32>6 * LOST_NORMAL), areas)), div4(lengths, now));
  v128.store(to, mul4(splatX4(scale), n0));
  v128.store(to, mul4(splatY4(scale), n1), 16);
  v128.store(to, mul4(splatZ4(scale), n2), 32);
  v128.store(to, mul4(splatW4(scale), n3), 48);
}
