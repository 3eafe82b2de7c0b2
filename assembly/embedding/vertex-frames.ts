// How the surface at each particle is turned and stretched. Mirrors src/embedding/vertex-frames.ts.

import {
  GRADIENT_BYTES, SKIN_EDGE_FACTORS, SKIN_GRADIENTS, SKIN_MEAN_GRADIENT, SKIN_NORMAL_FACTORS, SKIN_PARTICLES,
  SKIN_PARTICLE_POSITIONS, SKIN_REST_NORMALS, SKIN_RINGS, SKIN_RING_OFFSETS, SKIN_SCRATCH,
} from '../layout';
import { add4, cross4, div4, dot3, madd4, mul4, splat4, splatX4, splatY4, splatZ4, sub4 } from '../simd/lanes';

/** G = Σ e⊗u + n⊗m of the particles from `from` to `to`. */
export function writeGradients(skin: usize, from: i32, to: i32): void {
  const positions: usize = load<u32>(skin + SKIN_PARTICLE_POSITIONS);
  const ringOffsets: usize = load<u32>(skin + SKIN_RING_OFFSETS);
  const rings: usize = load<u32>(skin + SKIN_RINGS);
  const edgeFactors: usize = load<u32>(skin + SKIN_EDGE_FACTORS);
  const normalFactors: usize = load<u32>(skin + SKIN_NORMAL_FACTORS);
  const restNormals: usize = load<u32>(skin + SKIN_REST_NORMALS);
  const gradients: usize = load<u32>(skin + SKIN_GRADIENTS);
  for (let i = from; i < to; i++) {
    const first: usize = load<u32>(ringOffsets + (<usize>i << 2));
    const last: usize = load<u32>(ringOffsets + (<usize>i << 2), 4);
    const x = v128.load(positions + (<usize>i << 4));
    let before = splat4(0);
    if (last > first) before = sub4(v128.load(positions + <usize>load<u32>(rings + ((last - 1) << 2))), x);
    let normal = splat4(0);
    let c0 = splat4(0);
    let c1 = splat4(0);
    let c2 = splat4(0);
    for (let n = first; n < last; n++) {
      const e = sub4(v128.load(positions + <usize>load<u32>(rings + (n << 2))), x);
      const u = v128.load(edgeFactors + (n << 4));
      c0 = madd4(e, splatX4(u), c0);
      c1 = madd4(e, splatY4(u), c1);
      c2 = madd4(e, splatZ4(u), c2);
      normal = add4(normal, cross4(before, e));
      before = e;
    }
    const square = dot3(normal, normal);
    normal = square > 0 && square < Infinity ? div4(normal, splat4(sqrt(square))) : v128.load(restNormals + (<usize>i << 4));
    const m = v128.load(normalFactors + (<usize>i << 4));
    const at = gradients + <usize>i * GRADIENT_BYTES;
    v128.store(at, madd4(normal, splatX4(m), c0));
    v128.store(at, madd4(normal, splatY4(m), c1), 16);
    v128.store(at, madd4(normal, splatZ4(m), c2), 32);
  }
}

/** Means over each particle and its neighbours, from one set to the other. */
export function calmGradients(skin: usize, from: i32, to: i32, round: i32): void {
  const ringOffsets: usize = load<u32>(skin + SKIN_RING_OFFSETS);
  const rings: usize = load<u32>(skin + SKIN_RINGS);
  const even = (round & 1) == 0;
  const source: usize = even ? load<u32>(skin + SKIN_GRADIENTS) : load<u32>(skin + SKIN_SCRATCH);
  const target: usize = even ? load<u32>(skin + SKIN_SCRATCH) : load<u32>(skin + SKIN_GRADIENTS);
  for (let i = from; i < to; i++) {
    const first: usize = load<u32>(ringOffsets + (<usize>i << 2));
    const last: usize = load<u32>(ringOffsets + (<usize>i << 2), 4);
    const own = <usize>i * GRADIENT_BYTES;
    let c0 = v128.load(source + own);
    let c1 = v128.load(source + own, 16);
    let c2 = v128.load(source + own, 32);
    for (let n = first; n < last; n++) {
      // Offsets of vectors are 16 bytes apart, gradients three times that.
      const at = source + 3 * <usize>load<u32>(rings + (n << 2));
      c0 = add4(c0, v128.load(at));
      c1 = add4(c1, v128.load(at, 16));
      c2 = add4(c2, v128.load(at, 32));
    }
    const share = splat4(<f32>1 / <f32>(<i32>(last - first) + 1));
    v128.store(target + own, mul4(share, c0));
    v128.store(target + own, mul4(share, c1), 16);
    v128.store(target + own, mul4(share, c2), 32);
  }
}

/** The mean of all gradients, by one thread. */
export function meanGradient(skin: usize): void {
  const count: i32 = load<i32>(skin + SKIN_PARTICLES);
  const gradients: usize = load<u32>(skin + SKIN_GRADIENTS);
  let c0 = splat4(0);
  let c1 = splat4(0);
  let c2 = splat4(0);
  for (let i = 0; i < count; i++) {
    const at = gradients + <usize>i * GRADIENT_BYTES;
    c0 = add4(c0, v128.load(at));
    c1 = add4(c1, v128.load(at, 16));
    c2 = add4(c2, v128.load(at, 32));
  }
  const total = splat4(<f32>max(1, count));
  v128.store(skin + SKIN_MEAN_GRADIENT, div4(c0, total));
  v128.store(skin + SKIN_MEAN_GRADIENT, div4(c1, total), 16);
  v128.store(skin + SKIN_MEAN_GRADIENT, div4(c2, total), 32);
}
