// What kernels of every stage share: chunks of particles, where the sums of their starts stand, what pins change.

import { BODY_COUNT, BODY_PIN_CHANGES, CHUNK } from '../layout';
import { add4, sub4 } from '../simd/lanes';
import { putPartial, putVector } from './rigid-motion';

/** First particle after a chunk. */
// @ts-ignore: decorator
@inline export function chunkEnd(body: usize, chunk: i32): i32 {
  return min<i32>((chunk + 1) * CHUNK, load<u32>(body + BODY_COUNT));
}

/** Squares of a vector's components as the six sums xx, yy, zz, xy, xz, yz. */
export function putSquares(body: usize, chunk: i32, place: i32, squares: v128, products: v128): void {
  putVector(body, chunk, place, squares);
  putVector(body, chunk, place + 3, products);
}

/** Notes that a pin takes particle k (bytes) from one velocity to another. */
export function notePinChange(body: usize, k: usize, from: v128, to: v128): void {
  const at = <usize>load<u32>(body + BODY_PIN_CHANGES) + k;
  v128.store(at, add4(v128.load(at), sub4(to, from)));
}

/** Keeps the sums of a chunk that holds nothing. */
export function clearPartials(body: usize, chunk: i32, place: i32, count: i32): void {
  for (let c = 0; c < count; c++) putPartial(body, chunk, place + c, 0);
}
