// The surface where its nodes carry it: see src/solvers/octree/carrying.ts.

import { add2, both2, madd2, mul2, total2 } from '../../simd/doubles';
import {
  BLENDS, CHANGES, FRAMES, NODE_COUNT, ORIGIN, POINTS, POSITIONS, PULLS, REST_POSITIONS, SKIN_NODES, SKIN_OFFSETS, STARTS,
  VERTEX_COUNT, WALK, WEIGHTS,
} from './layout';

/** Writes the motions of the nodes with the current frames, and their pulls. */
function writeBlends(): void {
  const count: usize = load<u32>(NODE_COUNT);
  const origin: usize = load<u32>(ORIGIN);
  let frame: usize = load<u32>(FRAMES);
  let rest: usize = load<u32>(REST_POSITIONS);
  let at: usize = load<u32>(POSITIONS);
  let pull: usize = load<u32>(PULLS);
  let to: usize = load<u32>(BLENDS);
  for (let i: usize = 0; i < count; i++, frame += 96, rest += 24, to += 128) {
    const x = load<f64>(rest);
    const y = load<f64>(rest, 8);
    const z = load<f64>(rest, 16);
    for (let c: usize = 0; c < 3; c++, at += 8, pull += 8) {
      const a = load<f64>(frame + 32 * c);
      const b = load<f64>(frame + 32 * c, 8);
      const d = load<f64>(frame + 32 * c, 16);
      store<f64>(to + 32 * c, a);
      store<f64>(to + 32 * c, b, 8);
      store<f64>(to + 32 * c, d, 16);
      store<f64>(to + 32 * c, load<f64>(at) - load<f64>(origin + 8 * c) - (a * x + b * y + d * z), 24);
      store<f64>(to + 96 + 8 * c, load<f64>(pull));
    }
  }
}

/** Writes where the nodes have the surface. */
export function place(out: usize): void {
  writeBlends();
  const origin: usize = load<u32>(ORIGIN);
  const ox = load<f64>(origin);
  const oy = load<f64>(origin, 8);
  const oz = load<f64>(origin, 16);
  const count: usize = load<u32>(VERTEX_COUNT);
  const offsets: usize = load<u32>(SKIN_OFFSETS);
  const blends: usize = load<u32>(BLENDS);
  let node: usize = load<u32>(SKIN_NODES);
  let weight: usize = load<u32>(WEIGHTS);
  let point: usize = load<u32>(POINTS);
  const walk: usize = load<u32>(WALK);
  const nodes = node;
  for (let i: usize = 0; i < count; i++, point += 32) {
    const end = nodes + 4 * load<u32>(offsets + 4 * i + 4);
    let a = f64x2.splat(0);
    let b = a;
    let c = a;
    let d = a;
    let e = a;
    let f = a;
    for (; node < end; node += 4, weight += 8) {
      const w = both2(weight);
      const from = blends + 128 * load<u32>(node);
      a = madd2(a, w, v128.load(from));
      b = madd2(b, w, v128.load(from, 16));
      c = madd2(c, w, v128.load(from, 32));
      d = madd2(d, w, v128.load(from, 48));
      e = madd2(e, w, v128.load(from, 64));
      f = madd2(f, w, v128.load(from, 80));
    }
    const xy = v128.load(point);
    const z1 = v128.load(point, 16);
    const to = out + load<u32>(walk + 4 * i);
    store<f64>(to, total2(add2(mul2(a, xy), mul2(b, z1))) + ox);
    store<f64>(to, total2(add2(mul2(c, xy), mul2(d, z1))) + oy, 8);
    store<f64>(to, total2(add2(mul2(e, xy), mul2(f, z1))) + oz, 16);
  }
}

/** Writes where the nodes have the surface at the start of a step, and how far the last pull moved each vertex. */
export function placeStarts(): void {
  writeBlends();
  const origin: usize = load<u32>(ORIGIN);
  const ox = load<f64>(origin);
  const oy = load<f64>(origin, 8);
  const oz = load<f64>(origin, 16);
  const count: usize = load<u32>(VERTEX_COUNT);
  const offsets: usize = load<u32>(SKIN_OFFSETS);
  const blends: usize = load<u32>(BLENDS);
  const out: usize = load<u32>(STARTS);
  const changes: usize = load<u32>(CHANGES);
  const walk: usize = load<u32>(WALK);
  let node: usize = load<u32>(SKIN_NODES);
  let weight: usize = load<u32>(WEIGHTS);
  let point: usize = load<u32>(POINTS);
  const nodes = node;
  for (let i: usize = 0; i < count; i++, point += 32) {
    const end = nodes + 4 * load<u32>(offsets + 4 * i + 4);
    let a = f64x2.splat(0);
    let b = a;
    let c = a;
    let d = a;
    let e = a;
    let f = a;
    let pull = a;
    let pullZ = a;
    for (; node < end; node += 4, weight += 8) {
      const w = both2(weight);
      const from = blends + 128 * load<u32>(node);
      a = madd2(a, w, v128.load(from));
      b = madd2(b, w, v128.load(from, 16));
      c = madd2(c, w, v128.load(from, 32));
      d = madd2(d, w, v128.load(from, 48));
      e = madd2(e, w, v128.load(from, 64));
      f = madd2(f, w, v128.load(from, 80));
      pull = madd2(pull, w, v128.load(from, 96));
      pullZ = madd2(pullZ, w, v128.load(from, 112));
    }
    const xy = v128.load(point);
    const z1 = v128.load(point, 16);
    const vertex = load<u32>(walk + 4 * i);
    const to = out + vertex;
    store<f64>(to, total2(add2(mul2(a, xy), mul2(b, z1))) + ox);
    store<f64>(to, total2(add2(mul2(c, xy), mul2(d, z1))) + oy, 8);
    store<f64>(to, total2(add2(mul2(e, xy), mul2(f, z1))) + oz, 16);
    const z = f64x2.extract_lane(pullZ, 0);
    store<f64>(changes + vertex / 3, sqrt(total2(mul2(pull, pull)) + z * z));
  }
}
