// The normal of a particle from the ring of its neighbours.

import { add4, crossZxy4, splat4, sub4, yzx4 } from '../simd/lanes';

/**
 * Twice the area-weighted normal of a particle, Σ (pₖ − p)×(pₖ₊₁ − p) round its ring. The ring is closed, so that any point
 * may stand for p: with the ring's first one two triangles are nothing. Two triangles at a time: with the edge between
 * them, a×b + b×c = b×(c − a).
 */
// @ts-ignore: decorator
@inline export function ringNormal(points: usize, rings: usize, ringOffsets: usize, i: i32): v128 {
  let e = rings + (<usize>load<u32>(ringOffsets + (<usize>i << 2)) << 2);
  const end = rings + (<usize>load<u32>(ringOffsets + (<usize>i << 2), 4) << 2);
  let sum = splat4(0);
  if (e == end) return sum;
  const p = v128.load(points + <usize>load<u32>(e));
  let previous = v128.load(points + <usize>load<u32>(e, 4));
  if (end - e == 24) {
    // Six neighbours are the rule: without the loop.
    const fourth = v128.load(points + <usize>load<u32>(e, 12));
    const sixth = v128.load(points + <usize>load<u32>(e, 20));
    sum = crossZxy4(sub4(v128.load(points + <usize>load<u32>(e, 8)), p), sub4(fourth, previous));
    return yzx4(add4(sum, crossZxy4(sub4(v128.load(points + <usize>load<u32>(e, 16)), p), sub4(sixth, fourth))));
  }
  // The last of an odd number stands for the one after it: rings of seven and of eight take the same way.
  const last = end - 4;
  for (e += 8; e < end; e += 8) {
    const next = v128.load(points + <usize>load<u32>(min(e + 4, last)));
    const b = sub4(v128.load(points + <usize>load<u32>(e)), p);
    sum = add4(sum, crossZxy4(b, sub4(next, previous)));
    previous = next;
  }
  return yzx4(sum);
}
