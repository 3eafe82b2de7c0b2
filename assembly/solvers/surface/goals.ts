// Region transforms and goals. Mirrors src/solvers/surface/goals.ts: four regions at a time, the extra point's normal from
// the ring of neighbours, the prefix sums of the transforms written as they come.

import {
  BLOCK, BODY_AREAS, BODY_CHANGES, BODY_EXTRA_ARMS, BODY_EXTRA_LENGTHS, BODY_FIELD_PREFIX, BODY_MASS_SHARES, BODY_POSITIONS,
  BODY_PREFIX, BODY_QUATERNIONS, BODY_REGION_CENTRES, BODY_REGION_INVERSES, BODY_REGION_MASSES, BODY_REGION_TOTALS,
  BODY_REST_MOMENTS, BODY_REST_NORMALS, BODY_REST_POSITIONS, BODY_REST_SCALE, BODY_RINGS, BODY_RING_OFFSETS, BODY_STARTS,
  BODY_STIFFNESSES, BODY_STIFFNESS_MEANS, BODY_VELOCITIES, CHUNK, ROW, SUM_MATCH,
} from '../../layout';
import { ringNormal } from '../../mesh/ring-normal';
import {
  add4, cross4, crossZxy4, div4, high4, highPair4, low4, lowPair4, madd4, mul4, nmadd4, splat4, splatW4, sub4, vector30, yzx4,
} from '../../simd/lanes';
import { workingMemory as lanes } from '../../threads';
import { putVector } from '../rigid-motion';
import { chunkEnd } from '../sums';
import { rowBefore } from './moments';
import { nextRow4, sumRows3 } from './region-sums';
import { LANE_A, LANE_MOMENT, nearestRotations, ROWS } from './rotation';

const LOST_NORMAL: f32 = 1e-6;

/** Where the ring has no normal left, lane l gets its rest normal turned by the region's previous rotation. */
function findLostNormals(body: usize, group: i32, found: v128, normals: usize): void {
  const quaternions: usize = <usize>load<u32>(body + BODY_QUATERNIONS) + (<usize>group << 4);
  const restNormals: usize = <usize>load<u32>(body + BODY_REST_NORMALS) + (<usize>group << 4);
  v128.store(normals + 64, found);
  for (let lane: usize = 0; lane < 4; lane++) {
    const n = lane << 2;
    if (load<u32>(normals + 64 + n) != 0) continue;
    const q = f32x4.replace_lane(
      vector30(load<f32>(quaternions + n), load<f32>(quaternions + n, 16), load<f32>(quaternions + n, 32)),
      3, load<f32>(quaternions + n, 48),
    );
    const rest = v128.load(restNormals + (lane << 4));
    const t = mul4(splat4(2), cross4(q, rest));
    const turned = add4(add4(rest, mul4(splatW4(q), t)), cross4(q, t));
    v128.store(normals + (lane << 4), f32x4.replace_lane(turned, 3, 0));
  }
}

/** From the moments' prefix sums to the transforms' prefix sums. */
export function transformRegions(body: usize, chunk: i32): void {
  const end = chunkEnd(body, chunk);
  const prefix: usize = load<u32>(body + BODY_PREFIX);
  const fields: usize = load<u32>(body + BODY_FIELD_PREFIX);
  const positions: usize = load<u32>(body + BODY_POSITIONS);
  const rings: usize = load<u32>(body + BODY_RINGS);
  const ringOffsets: usize = load<u32>(body + BODY_RING_OFFSETS);
  const centres: usize = load<u32>(body + BODY_REGION_CENTRES);
  const arms: usize = load<u32>(body + BODY_EXTRA_ARMS);
  const lengths: usize = load<u32>(body + BODY_EXTRA_LENGTHS);
  const masses: usize = load<u32>(body + BODY_REGION_MASSES);
  const totals: usize = load<u32>(body + BODY_REGION_TOTALS);
  const moments: usize = load<u32>(body + BODY_REST_MOMENTS);
  const areas: usize = load<u32>(body + BODY_AREAS);
  const quaternions: usize = load<u32>(body + BODY_QUATERNIONS);
  const work = lanes;
  const rows = work + ROWS;
  const normals = rows + 192;
  const lost = splat4(<f32>6 * LOST_NORMAL);
  const one = splat4(1);
  const factors: usize = load<u32>(body + BODY_STIFFNESSES);
  const whole = splat4(<f32>load<f64>(body + BODY_REST_SCALE));
  let p0 = splat4(0);
  let p1 = splat4(0);
  let p2 = splat4(0);
  for (let group = chunk * CHUNK; group < end; group += 4) {
    const n = <usize>group << 2;
    const k = <usize>group << 4;
    sumRows3(body, prefix, group, rows);
    v128.store(normals, ringNormal(positions, rings, ringOffsets, group));
    v128.store(normals, ringNormal(positions, rings, ringOffsets, group + 1), 16);
    v128.store(normals, ringNormal(positions, rings, ringOffsets, group + 2), 32);
    v128.store(normals, ringNormal(positions, rings, ringOffsets, group + 3), 48);
    // From here on a value holds one number of each of the four regions. M̃·t stands in the fourth columns.
    const aLow01 = low4(v128.load(rows), v128.load(rows, 16));
    const aLow23 = low4(v128.load(rows, 32), v128.load(rows, 48));
    const aHigh01 = high4(v128.load(rows), v128.load(rows, 16));
    const aHigh23 = high4(v128.load(rows, 32), v128.load(rows, 48));
    const bLow01 = low4(v128.load(rows + 64), v128.load(rows + 64, 16));
    const bLow23 = low4(v128.load(rows + 64, 32), v128.load(rows + 64, 48));
    const bHigh01 = high4(v128.load(rows + 64), v128.load(rows + 64, 16));
    const bHigh23 = high4(v128.load(rows + 64, 32), v128.load(rows + 64, 48));
    const cLow01 = low4(v128.load(rows + 128), v128.load(rows + 128, 16));
    const cLow23 = low4(v128.load(rows + 128, 32), v128.load(rows + 128, 48));
    const cHigh01 = high4(v128.load(rows + 128), v128.load(rows + 128, 16));
    const cHigh23 = high4(v128.load(rows + 128, 32), v128.load(rows + 128, 48));
    const inverse = div4(one, v128.load(totals + n));
    const a03 = highPair4(aHigh01, aHigh23);
    const a13 = highPair4(bHigh01, bHigh23);
    const a23 = highPair4(cHigh01, cHigh23);
    const tx = mul4(a03, inverse);
    const ty = mul4(a13, inverse);
    const tz = mul4(a23, inverse);
    let nLow01 = low4(v128.load(normals), v128.load(normals, 16));
    let nLow23 = low4(v128.load(normals, 32), v128.load(normals, 48));
    let nx = lowPair4(nLow01, nLow23);
    let ny = highPair4(nLow01, nLow23);
    let nz = lowPair4(high4(v128.load(normals), v128.load(normals, 16)), high4(v128.load(normals, 32), v128.load(normals, 48)));
    const square = madd4(nx, nx, madd4(ny, ny, mul4(nz, nz)));
    const smallest = mul4(lost, v128.load(areas + n));
    const found = f32x4.gt(square, mul4(smallest, smallest));
    let scale = div4(one, f32x4.sqrt(square));
    if (!i32x4.all_true(found)) {
      findLostNormals(body, group, found, normals);
      scale = v128.bitselect(scale, one, found);
      nLow01 = low4(v128.load(normals), v128.load(normals, 16));
      nLow23 = low4(v128.load(normals, 32), v128.load(normals, 48));
      nx = lowPair4(nLow01, nLow23);
      ny = highPair4(nLow01, nLow23);
      nz = lowPair4(high4(v128.load(normals), v128.load(normals, 16)), high4(v128.load(normals, 32), v128.load(normals, 48)));
    }
    const xLow01 = low4(v128.load(positions + k), v128.load(positions + k, 16));
    const xLow23 = low4(v128.load(positions + k, 32), v128.load(positions + k, 48));
    const xHigh01 = high4(v128.load(positions + k), v128.load(positions + k, 16));
    const xHigh23 = high4(v128.load(positions + k, 32), v128.load(positions + k, 48));
    // m̃·(x + l·n − t)
    const length = mul4(v128.load(lengths + n), scale);
    const m = v128.load(masses + n);
    const px = mul4(m, sub4(madd4(length, nx, lowPair4(xLow01, xLow23)), tx));
    const py = mul4(m, sub4(madd4(length, ny, highPair4(xLow01, xLow23)), ty));
    const pz = mul4(m, sub4(madd4(length, nz, lowPair4(xHigh01, xHigh23)), tz));
    const g = <usize>group * 12;
    const cx = v128.load(centres + g);
    const cy = v128.load(centres + g, 16);
    const cz = v128.load(centres + g, 32);
    const armX = v128.load(arms + g);
    const armY = v128.load(arms + g, 16);
    const armZ = v128.load(arms + g, 32);
    v128.store(work + LANE_A, madd4(px, armX, nmadd4(a03, cx, lowPair4(aLow01, aLow23))));
    v128.store(work + LANE_A, madd4(px, armY, nmadd4(a03, cy, highPair4(aLow01, aLow23))), 16);
    v128.store(work + LANE_A, madd4(px, armZ, nmadd4(a03, cz, lowPair4(aHigh01, aHigh23))), 32);
    v128.store(work + LANE_A, madd4(py, armX, nmadd4(a13, cx, lowPair4(bLow01, bLow23))), 48);
    v128.store(work + LANE_A, madd4(py, armY, nmadd4(a13, cy, highPair4(bLow01, bLow23))), 64);
    v128.store(work + LANE_A, madd4(py, armZ, nmadd4(a13, cz, lowPair4(bHigh01, bHigh23))), 80);
    v128.store(work + LANE_A, madd4(pz, armX, nmadd4(a23, cx, lowPair4(cLow01, cLow23))), 96);
    v128.store(work + LANE_A, madd4(pz, armY, nmadd4(a23, cy, highPair4(cLow01, cLow23))), 112);
    v128.store(work + LANE_A, madd4(pz, armZ, nmadd4(a23, cz, lowPair4(cHigh01, cHigh23))), 128);
    v128.store(work + LANE_MOMENT, v128.load(moments + n));
    nearestRotations(quaternions + k);

    // Rows of R, as large as the body is to be, beside them t − R·t⁰; all of it by as much as is painted on the region.
    let size = whole;
    let ux = tx;
    let uy = ty;
    let uz = tz;
    if (factors != 0) {
      const factor = v128.load(factors + n);
      size = mul4(factor, whole);
      ux = mul4(factor, tx);
      uy = mul4(factor, ty);
      uz = mul4(factor, tz);
    }
    const q = quaternions + k;
    const x = v128.load(q);
    const y = v128.load(q, 16);
    const z = v128.load(q, 32);
    const w = v128.load(q, 48);
    const x2 = mul4(size, add4(x, x));
    const y2 = mul4(size, add4(y, y));
    const z2 = mul4(size, add4(z, z));
    const r00 = sub4(size, madd4(y2, y, mul4(z2, z)));
    const r01 = sub4(mul4(x2, y), mul4(z2, w));
    const r02 = madd4(x2, z, mul4(y2, w));
    const r03 = sub4(ux, madd4(r00, cx, madd4(r01, cy, mul4(r02, cz))));
    const uLow01 = low4(r00, r01);
    const uLow23 = low4(r02, r03);
    const uHigh01 = high4(r00, r01);
    const uHigh23 = high4(r02, r03);
    const r10 = madd4(x2, y, mul4(z2, w));
    const r11 = sub4(size, madd4(x2, x, mul4(z2, z)));
    const r12 = sub4(mul4(y2, z), mul4(x2, w));
    const r13 = sub4(uy, madd4(r10, cx, madd4(r11, cy, mul4(r12, cz))));
    const vLow01 = low4(r10, r11);
    const vLow23 = low4(r12, r13);
    const vHigh01 = high4(r10, r11);
    const vHigh23 = high4(r12, r13);
    const r20 = sub4(mul4(x2, z), mul4(y2, w));
    const r21 = madd4(y2, z, mul4(x2, w));
    const r22 = sub4(size, madd4(x2, x, mul4(y2, y)));
    const r23 = sub4(uz, madd4(r20, cx, madd4(r21, cy, mul4(r22, cz))));
    const wLow01 = low4(r20, r21);
    const wLow23 = low4(r22, r23);
    const wHigh01 = high4(r20, r21);
    const wHigh23 = high4(r22, r23);
    const row = rowBefore(fields, group);
    if (group % BLOCK == 0) {
      p0 = splat4(0);
      p1 = splat4(0);
      p2 = splat4(0);
      v128.store(row, p0);
      v128.store(row, p1, 16);
      v128.store(row, p2, 32);
    }
    p0 = nextRow4(p0, lowPair4(uLow01, uLow23));
    p1 = nextRow4(p1, lowPair4(vLow01, vLow23));
    p2 = nextRow4(p2, lowPair4(wLow01, wLow23));
    v128.store(row + ROW, p0);
    v128.store(row + ROW, p1, 16);
    v128.store(row + ROW, p2, 32);
    p0 = nextRow4(p0, highPair4(uLow01, uLow23));
    p1 = nextRow4(p1, highPair4(vLow01, vLow23));
    p2 = nextRow4(p2, highPair4(wLow01, wLow23));
    v128.store(row + 2 * ROW, p0);
    v128.store(row + 2 * ROW, p1, 16);
    v128.store(row + 2 * ROW, p2, 32);
    p0 = nextRow4(p0, lowPair4(uHigh01, uHigh23));
    p1 = nextRow4(p1, lowPair4(vHigh01, vHigh23));
    p2 = nextRow4(p2, lowPair4(wHigh01, wHigh23));
    v128.store(row + 3 * ROW, p0);
    v128.store(row + 3 * ROW, p1, 16);
    v128.store(row + 3 * ROW, p2, 32);
    p0 = nextRow4(p0, highPair4(uHigh01, uHigh23));
    p1 = nextRow4(p1, highPair4(vHigh01, vHigh23));
    p2 = nextRow4(p2, highPair4(wHigh01, wHigh23));
    v128.store(row + 4 * ROW, p0);
    v128.store(row + 4 * ROW, p1, 16);
    v128.store(row + 4 * ROW, p2, 32);
  }
}

/** From the transforms' prefix sums to goals; v ← v + s·(g − x)/Δt; sums of the change. */
export function pullToGoals(body: usize, chunk: i32, stiffness: f32, timeStep: f32): void {
  const end = chunkEnd(body, chunk);
  const fields: usize = load<u32>(body + BODY_FIELD_PREFIX);
  const positions: usize = load<u32>(body + BODY_POSITIONS);
  const starts: usize = load<u32>(body + BODY_STARTS);
  const velocities: usize = load<u32>(body + BODY_VELOCITIES);
  const rest: usize = load<u32>(body + BODY_REST_POSITIONS);
  const inverses: usize = load<u32>(body + BODY_REGION_INVERSES);
  const masses: usize = load<u32>(body + BODY_MASS_SHARES);
  const changes: usize = load<u32>(body + BODY_CHANGES);
  const rows = lanes + ROWS;
  const means: usize = load<u32>(body + BODY_STIFFNESS_MEANS);
  const s4 = splat4(stiffness);
  const perTime = splat4(<f32>1 / timeStep);
  let linear = splat4(0);
  let angular = splat4(0);
  for (let group = chunk * CHUNK; group < end; group += 4) {
    const n = <usize>group << 2;
    const k = <usize>group << 4;
    sumRows3(body, fields, group, rows);
    const aLow01 = low4(v128.load(rows), v128.load(rows, 16));
    const aLow23 = low4(v128.load(rows, 32), v128.load(rows, 48));
    const aHigh01 = high4(v128.load(rows), v128.load(rows, 16));
    const aHigh23 = high4(v128.load(rows, 32), v128.load(rows, 48));
    const bLow01 = low4(v128.load(rows + 64), v128.load(rows + 64, 16));
    const bLow23 = low4(v128.load(rows + 64, 32), v128.load(rows + 64, 48));
    const bHigh01 = high4(v128.load(rows + 64), v128.load(rows + 64, 16));
    const bHigh23 = high4(v128.load(rows + 64, 32), v128.load(rows + 64, 48));
    const cLow01 = low4(v128.load(rows + 128), v128.load(rows + 128, 16));
    const cLow23 = low4(v128.load(rows + 128, 32), v128.load(rows + 128, 48));
    const cHigh01 = high4(v128.load(rows + 128), v128.load(rows + 128, 16));
    const cHigh23 = high4(v128.load(rows + 128, 32), v128.load(rows + 128, 48));
    const oLow01 = low4(v128.load(rest + k), v128.load(rest + k, 16));
    const oLow23 = low4(v128.load(rest + k, 32), v128.load(rest + k, 48));
    const oHigh01 = high4(v128.load(rest + k), v128.load(rest + k, 16));
    const oHigh23 = high4(v128.load(rest + k, 32), v128.load(rest + k, 48));
    const xLow01 = low4(v128.load(positions + k), v128.load(positions + k, 16));
    const xLow23 = low4(v128.load(positions + k, 32), v128.load(positions + k, 48));
    const xHigh01 = high4(v128.load(positions + k), v128.load(positions + k, 16));
    const xHigh23 = high4(v128.load(positions + k, 32), v128.load(positions + k, 48));
    const x0 = lowPair4(oLow01, oLow23);
    const y0 = highPair4(oLow01, oLow23);
    const z0 = lowPair4(oHigh01, oHigh23);
    const scale = v128.load(inverses + n);
    const gx = mul4(
      scale,
      madd4(lowPair4(aLow01, aLow23), x0, madd4(
        highPair4(aLow01, aLow23), y0, madd4(lowPair4(aHigh01, aHigh23), z0, highPair4(aHigh01, aHigh23)),
      )),
    );
    const gy = mul4(
      scale,
      madd4(lowPair4(bLow01, bLow23), x0, madd4(
        highPair4(bLow01, bLow23), y0, madd4(lowPair4(bHigh01, bHigh23), z0, highPair4(bHigh01, bHigh23)),
      )),
    );
    const gz = mul4(
      scale,
      madd4(lowPair4(cLow01, cLow23), x0, madd4(
        highPair4(cLow01, cLow23), y0, madd4(lowPair4(cHigh01, cHigh23), z0, highPair4(cHigh01, cHigh23)),
      )),
    );
    let ownX = lowPair4(xLow01, xLow23);
    let ownY = highPair4(xLow01, xLow23);
    let ownZ = lowPair4(xHigh01, xHigh23);
    if (means != 0) {
      const mean = v128.load(means + n);
      ownX = mul4(mean, ownX);
      ownY = mul4(mean, ownY);
      ownZ = mul4(mean, ownZ);
    }
    const changeX = mul4(s4, sub4(gx, ownX));
    const changeY = mul4(s4, sub4(gy, ownY));
    const changeZ = mul4(s4, sub4(gz, ownZ));
    v128.store(
      changes + n,
      f32x4.sqrt(madd4(changeX, changeX, madd4(changeY, changeY, mul4(changeZ, changeZ)))),
    );
    const dx = mul4(changeX, perTime);
    const dy = mul4(changeY, perTime);
    const dz = mul4(changeZ, perTime);
    const zero = splat4(0);
    const dLow01 = low4(dx, dy);
    const dLow23 = low4(dz, zero);
    const dHigh01 = high4(dx, dy);
    const dHigh23 = high4(dz, zero);
    const dv0 = lowPair4(dLow01, dLow23);
    const mdv0 = mul4(v128.load32_splat(masses + n), dv0);
    v128.store(velocities + k, add4(v128.load(velocities + k), dv0));
    linear = add4(linear, mdv0);
    angular = add4(angular, crossZxy4(v128.load(starts + k), mdv0));
    const dv1 = highPair4(dLow01, dLow23);
    const mdv1 = mul4(v128.load32_splat(masses + n, 4), dv1);
    v128.store(velocities + k, add4(v128.load(velocities + k, 16), dv1), 16);
    linear = add4(linear, mdv1);
    angular = add4(angular, crossZxy4(v128.load(starts + k, 16), mdv1));
    const dv2 = lowPair4(dHigh01, dHigh23);
    const mdv2 = mul4(v128.load32_splat(masses + n, 8), dv2);
    v128.store(velocities + k, add4(v128.load(velocities + k, 32), dv2), 32);
    linear = add4(linear, mdv2);
    angular = add4(angular, crossZxy4(v128.load(starts + k, 32), mdv2));
    const dv3 = highPair4(dHigh01, dHigh23);
    const mdv3 = mul4(v128.load32_splat(masses + n, 12), dv3);
    v128.store(velocities + k, add4(v128.load(velocities + k, 48), dv3), 48);
    linear = add4(linear, mdv3);
    angular = add4(angular, crossZxy4(v128.load(starts + k, 48), mdv3));
  }
  putVector(body, chunk, SUM_MATCH, linear);
  putVector(body, chunk, SUM_MATCH + 3, yzx4(angular));
}
