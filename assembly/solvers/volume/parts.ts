// Bodies of several closed parts: each part has a record and arrays of its own for the volume constraint alone, filled from the
// body's before it and read back after it. So the constraint's kernels, four particles at a time, need not know of parts.

import {
  BODY_CHANGES, BODY_CHUNKS, BODY_COLLIDING, BODY_CONTACT_NORMALS, BODY_FLAGS, BODY_GLOBAL_SHARE, BODY_GROUPS, BODY_INNER_MAX, BODY_INNER_MIN,
  BODY_INNER_SHARE, BODY_MASS_SHARES, BODY_MOTION, BODY_NORMALS, BODY_ORIGIN, BODY_PAIRS, BODY_PAIR_COUNT, BODY_PARTS, BODY_PART_COUNT,
  BODY_PINNED, BODY_POSITIONS, BODY_SHIFT, BODY_STARTS, BODY_SURFACE_VELOCITIES, BODY_TOUCHED, BODY_TOUCH_NORMALS, BODY_TOUCH_VELOCITIES,
  BODY_VELOCITIES, BODY_WEIGHTS, BY_OBSTACLE, CHUNK, FLAG_VOLUME, SUM_STARTS, SUM_SUPPORT,
} from '../../layout';
import { add4, madd4, mul4, splat4 } from '../../simd/lanes';
import { sync } from '../../threads';
import { putVector } from '../rigid-motion';
import { chunkEnd, putSquares } from '../sums';
import { conserve } from './volume-constraint';

/** Steps 4 and 5 for all parts of a body, one after the other, by all threads; returns what `conserve` does, for all of them. */
export function conserveParts(body: usize, thread: i32, threads: i32): f64 {
  const parts: usize = load<u32>(body + BODY_PARTS);
  const count: usize = load<u32>(body + BODY_PART_COUNT);
  // What is known of contacts was finished by the body's chunks, which are not those of its parts.
  sync(threads);
  for (let n: usize = 0; n < count; n++) {
    const part: usize = load<u32>(parts + (n << 2));
    if (thread == 0) tellPart(body, part);
    for (let c = firstOf(part, thread, threads); c < firstOf(part, thread + 1, threads); c++) fillChunk(body, part, c);
  }
  sync(threads);
  let missed: f64 = 0;
  for (let n: usize = 0; n < count; n++) {
    const part: usize = load<u32>(parts + (n << 2));
    if (!keepsVolume(part)) continue;
    missed += conserve(part, firstOf(part, thread, threads), firstOf(part, thread + 1, threads), threads);
  }
  for (let n: usize = 0; n < count; n++) {
    const part: usize = load<u32>(parts + (n << 2));
    if (!keepsVolume(part)) continue;
    for (let c = firstOf(part, thread, threads); c < firstOf(part, thread + 1, threads); c++) readChunk(body, part, c);
  }
  sync(threads);
  return missed;
}

/** One that is broken does not. */
// @ts-ignore: decorator
@inline function keepsVolume(part: usize): boolean {
  return (load<u32>(part + BODY_FLAGS) & FLAG_VOLUME) != 0;
}

/** First chunk of a part that is a thread's. */
// @ts-ignore: decorator
@inline function firstOf(part: usize, thread: i32, threads: i32): i32 {
  return (load<i32>(part + BODY_CHUNKS) * thread) / threads;
}

/** What a part has of its body in this step: settings, frame, who is near. */
function tellPart(body: usize, part: usize): void {
  store<f64>(part + BODY_GLOBAL_SHARE, load<f64>(body + BODY_GLOBAL_SHARE));
  store<f64>(part + BODY_INNER_SHARE, load<f64>(body + BODY_INNER_SHARE));
  store<f64>(part + BODY_INNER_MIN, load<f64>(body + BODY_INNER_MIN));
  store<f64>(part + BODY_INNER_MAX, load<f64>(body + BODY_INNER_MAX));
  store<f64>(part + BODY_MOTION, load<f64>(body + BODY_MOTION));
  memory.copy(part + BODY_ORIGIN, body + BODY_ORIGIN, 24);
  store<u64>(part + BODY_GROUPS, load<u64>(body + BODY_GROUPS));
  store<u32>(part + BODY_TOUCHED, load<u32>(body + BODY_TOUCHED));
  store<u32>(part + BODY_PAIRS, load<u32>(body + BODY_PAIRS));
  store<u32>(part + BODY_PAIR_COUNT, load<u32>(body + BODY_PAIR_COUNT));
}

/** Copies a chunk's share of an array of `bytes` (as a power of two) per particle. */
// @ts-ignore: decorator
@inline function copyChunk(from: usize, to: usize, chunk: i32, particles: i32, power: usize): void {
  const at = <usize>(chunk * CHUNK) << power;
  memory.copy(to + at, from + at, <usize>particles << power);
}

/** Where a part's particles begin in an array of its body. */
// @ts-ignore: decorator
@inline function ofPart(body: usize, part: usize, field: usize, power: usize): usize {
  return <usize>load<u32>(body + field) + ((<usize>load<u32>(part + BODY_SHIFT) >> 4) << power);
}

/** Fills a chunk of a part, with the sums over it that the body's own chunks have elsewhere: of starts, and of what obstacles bear. */
function fillChunk(body: usize, part: usize, chunk: i32): void {
  const begin = chunk * CHUNK;
  const end = chunkEnd(part, chunk);
  const count = end - begin;
  fill(body, part, BODY_POSITIONS, chunk, count, 4);
  fill(body, part, BODY_VELOCITIES, chunk, count, 4);
  fill(body, part, BODY_CONTACT_NORMALS, chunk, count, 4);
  fill(body, part, BODY_SURFACE_VELOCITIES, chunk, count, 4);
  fill(body, part, BODY_TOUCH_NORMALS, chunk, count, 4);
  fill(body, part, BODY_TOUCH_VELOCITIES, chunk, count, 4);
  fill(body, part, BODY_CHANGES, chunk, count, 2);
  fill(body, part, BODY_PINNED, chunk, count, 0);
  fill(body, part, BODY_COLLIDING, chunk, count, 0);
  const starts = ofPart(body, part, BODY_STARTS, 4);
  const masses: usize = load<u32>(part + BODY_MASS_SHARES);
  const colliding: usize = load<u32>(part + BODY_COLLIDING);
  const contacts: usize = load<u32>(part + BODY_CONTACT_NORMALS);
  let sum = splat4(0);
  let squares = splat4(0);
  let products = splat4(0);
  let support = splat4(0);
  for (let i = begin; i < end; i++) {
    const k = <usize>i << 4;
    const m = v128.load32_splat(masses + (k >> 2));
    const start = v128.load(starts + k);
    const ms = mul4(m, start);
    sum = add4(sum, ms);
    squares = madd4(ms, start, squares);
    products = madd4(v128.shuffle<f32>(ms, ms, 0, 0, 1, 3), v128.shuffle<f32>(start, start, 1, 2, 2, 3), products);
    if ((load<u8>(colliding + i) & BY_OBSTACLE) != 0) support = madd4(m, v128.load(contacts + k), support);
  }
  putVector(part, chunk, SUM_STARTS, sum);
  putSquares(part, chunk, SUM_STARTS + 3, squares, products);
  putVector(part, chunk, SUM_SUPPORT, support);
}

// @ts-ignore: decorator
@inline function fill(body: usize, part: usize, field: usize, chunk: i32, count: i32, power: usize): void {
  copyChunk(ofPart(body, part, field, power), load<u32>(part + field), chunk, count, power);
}

/** Gives the body what the constraint made of a chunk. */
function readChunk(body: usize, part: usize, chunk: i32): void {
  const count = chunkEnd(part, chunk) - chunk * CHUNK;
  readBack(body, part, BODY_POSITIONS, chunk, count);
  readBack(body, part, BODY_VELOCITIES, chunk, count);
  readBack(body, part, BODY_NORMALS, chunk, count);
  readBack(body, part, BODY_WEIGHTS, chunk, count);
}

// @ts-ignore: decorator
@inline function readBack(body: usize, part: usize, field: usize, chunk: i32, count: i32): void {
  copyChunk(load<u32>(part + field), ofPart(body, part, field, 4), chunk, count, 4);
}
