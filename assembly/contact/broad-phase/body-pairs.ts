// Which bodies may touch in a step: boxes sorted along one axis (mirrors src/contact/broad-phase/body-pairs.ts); and in which order pairs
// are resolved: by colour, as those of one colour have no body in common and threads need not wait for each other.

import {
  BODY_BOX, BODY_CHUNK_BOXES, BODY_CHUNKS, BODY_FLAGS, BODY_GROUPS, BODY_INDEX, BODY_ORIGIN, BODY_PAIR_COUNT,
  BODY_PAIRS, BODY_TOUCHED, COLOURS, CONTACT_BYTES, COUPLING_SHIFT, FLAG_ASLEEP, FLAG_SELF, PAIR_A, PAIR_B, PAIR_BYTES, PAIR_COUNT_A, PAIR_COUNT_B, PAIR_COUNT_EDGES,
  PAIR_DEEP, PAIR_PRESSED, PAIR_SUNK, PAIR_TAKEN, PAIR_THREAD, PAIR_TURN_A, PAIR_TURN_B, TURNS_BYTES, WORLD_BODIES, WORLD_BODY_COLOURS,
  WORLD_BODY_PAIRS, WORLD_BODY_TURNS, WORLD_COLOUR_STARTS, WORLD_COLOURED,
  WORLD_CONTACT_COUNT, WORLD_CONTACTS_BYTES, WORLD_LARGE_COUNT, WORLD_PAIR_CAPACITY, WORLD_PAIR_COUNT, WORLD_PAIRS,
  WORLD_SMALL_COUNT, WORLD_SORTED, WORLD_THREADS,
} from '../../layout';
import { add4, splat4, sub4, w4 } from '../../simd/lanes';
import { world } from '../../threads';
import { marginOf } from './bvh';

/** Number of pairs listed; a world keeps no more than there is room for. */
export function pairCount(): i32 {
  return min(load<i32>(world + WORLD_PAIR_COUNT), load<i32>(world + WORLD_PAIR_CAPACITY));
}

// @ts-ignore: decorator
@inline export function bodyAt(n: i32): usize {
  return load<u32>(<usize>load<u32>(world + WORLD_BODIES) + (<usize>n << 2));
}

// @ts-ignore: decorator
@inline export function bodyCount(): i32 {
  return load<i32>(world + WORLD_SMALL_COUNT) + load<i32>(world + WORLD_LARGE_COUNT);
}

// @ts-ignore: decorator
@inline export function pairAt(n: i32): usize {
  return <usize>load<u32>(world + WORLD_PAIRS) + <usize>n * PAIR_BYTES;
}

/** Joins the boxes of a body's chunks; what it moves is bounded as well. */
function boundBody(body: usize): void {
  const boxes: usize = load<u32>(body + BODY_CHUNK_BOXES);
  const chunks: usize = load<u32>(body + BODY_CHUNKS);
  let low = v128.load(boxes);
  let high = v128.load(boxes, 16);
  let least = v128.load(boxes, 32);
  let most = v128.load(boxes, 48);
  let mark = w4(least);
  for (let c: usize = 1; c < chunks; c++) {
    const at = boxes + (c << 6);
    low = f32x4.pmin(low, v128.load(at));
    high = f32x4.pmax(high, v128.load(at, 16));
    mark += w4(v128.load(at, 32));
    least = f32x4.pmin(least, v128.load(at, 32));
    most = f32x4.pmax(most, v128.load(at, 48));
  }
  // A body that is not finite is nowhere: what touches it would be no more either.
  if (mark != 0) {
    low = splat4(Infinity);
    high = splat4(-Infinity);
  }
  const margin = splat4(marginOf(body));
  v128.store(body + BODY_BOX, sub4(low, margin));
  v128.store(body + BODY_BOX, add4(high, margin), 16);
  v128.store(body + BODY_BOX, least, 32);
  v128.store(body + BODY_BOX, most, 48);
}

/** Lowest (side 0) or highest coordinate of a body's box in the world. */
// @ts-ignore: decorator
@inline function bound(body: usize, axis: usize, side: usize): f64 {
  return load<f64>(body + BODY_ORIGIN + (axis << 3)) + <f64>load<f32>(body + BODY_BOX + (side << 4) + (axis << 2));
}

/** Whether a body is not finite. */
// @ts-ignore: decorator
@inline function isNowhere(body: usize): boolean {
  return !(bound(body, 0, 0) <= bound(body, 0, 1));
}

function boxesMeet(a: usize, b: usize): boolean {
  for (let axis: usize = 0; axis < 3; axis++) {
    if (!(bound(a, axis, 0) <= bound(b, axis, 1) && bound(b, axis, 0) <= bound(a, axis, 1))) return false;
  }
  return true;
}

/** The axis along which the boxes' centres spread most: there the fewest overlap. */
function widestAxis(count: i32): usize {
  let widest: usize = 0;
  let most: f64 = -1;
  for (let axis: usize = 0; axis < 3; axis++) {
    let low: f64 = Infinity;
    let high: f64 = -Infinity;
    for (let n = 0; n < count; n++) {
      const body = bodyAt(n);
      if (isNowhere(body)) continue;
      const centre = bound(body, axis, 0) + bound(body, axis, 1);
      low = min(low, centre);
      high = max(high, centre);
    }
    if (high - low > most) {
      most = high - low;
      widest = axis;
    }
  }
  return widest;
}

/** Lists the pairs of bodies whose boxes overlap, one of them awake, and the bodies that may touch themselves. */
export function findPairs(): void {
  const count = bodyCount();
  for (let n = 0; n < count; n++) {
    const body = bodyAt(n);
    if ((load<u32>(body + BODY_FLAGS) & FLAG_ASLEEP) == 0) boundBody(body);
    store<i32>(body + BODY_INDEX, n);
    store<i32>(body + BODY_PAIR_COUNT, 0);
    store<u32>(body + BODY_TOUCHED, 0);
  }
  const axis = widestAxis(count);
  sortBodies(count, axis);
  const sorted: usize = load<u32>(world + WORLD_SORTED);
  let found = 0;
  for (let m = 0; m < count; m++) {
    const first = bodyAt(load<i32>(sorted + (<usize>m << 2)));
    const end = bound(first, axis, 1);
    if (keepsOffItself(first)) addPair(first, first, found++);
    for (let n = m + 1; n < count; n++) {
      const second = bodyAt(load<i32>(sorted + (<usize>n << 2)));
      if (bound(second, axis, 0) > end) break;
      if ((load<u32>(first + BODY_FLAGS) & load<u32>(second + BODY_FLAGS) & FLAG_ASLEEP) != 0) continue;
      if (areCoupled(first, second) || !mayMeet(first, second) || !boxesMeet(first, second)) continue;
      const ordered = load<i32>(first + BODY_INDEX) < load<i32>(second + BODY_INDEX);
      addPair(ordered ? first : second, ordered ? second : first, found++);
    }
  }
  store<i32>(world + WORLD_PAIR_COUNT, found);
}

/** Whether the groups of two bodies let them touch: each one's mask has the other's group. */
// @ts-ignore: decorator
@inline function mayMeet(a: usize, b: usize): boolean {
  return (
    (load<u32>(a + BODY_GROUPS) & load<u32>(b + BODY_GROUPS, 4)) != 0 &&
    (load<u32>(b + BODY_GROUPS) & load<u32>(a + BODY_GROUPS, 4)) != 0
  );
}

/** Whether the host has solved the contact of two bodies. */
// @ts-ignore: decorator
@inline function areCoupled(a: usize, b: usize): boolean {
  const coupling = load<u32>(a + BODY_FLAGS) >> COUPLING_SHIFT;
  return coupling != 0 && coupling == load<u32>(b + BODY_FLAGS) >> COUPLING_SHIFT;
}

// @ts-ignore: decorator
@inline function keepsOffItself(body: usize): boolean {
  return (load<u32>(body + BODY_FLAGS) & (FLAG_SELF | FLAG_ASLEEP)) == FLAG_SELF && !isNowhere(body);
}

/** By lowest coordinate, then by place; the order of the step before is a good start and changes nothing. */
function sortBodies(count: i32, axis: usize): void {
  const sorted: usize = load<u32>(world + WORLD_SORTED);
  for (let n = 1; n < count; n++) {
    const index = load<i32>(sorted + (<usize>n << 2));
    const low = bound(bodyAt(index), axis, 0);
    let at = n - 1;
    for (; at >= 0; at--) {
      const other = load<i32>(sorted + (<usize>at << 2));
      const otherLow = bound(bodyAt(other), axis, 0);
      if (otherLow < low || (otherLow == low && other < index)) break;
      store<i32>(sorted + (<usize>at << 2), other, 4);
    }
    store<i32>(sorted + (<usize>(at + 1) << 2), index);
  }
}

function addPair(a: usize, b: usize, n: i32): void {
  if (n >= load<i32>(world + WORLD_PAIR_CAPACITY)) return;
  const pair = pairAt(n);
  store<u32>(pair + PAIR_A, <u32>a);
  store<u32>(pair + PAIR_B, <u32>b);
  store<i32>(pair + PAIR_COUNT_A, 0);
  store<i32>(pair + PAIR_COUNT_B, 0);
  store<i32>(pair + PAIR_COUNT_EDGES, 0);
  store<u32>(pair + PAIR_DEEP, 0);
  store<u32>(pair + PAIR_SUNK, 0);
  store<u32>(pair + PAIR_PRESSED, 0);
  store<i32>(a + BODY_PAIR_COUNT, load<i32>(a + BODY_PAIR_COUNT) + 1);
  if (a != b) store<i32>(b + BODY_PAIR_COUNT, load<i32>(b + BODY_PAIR_COUNT) + 1);
}

/**
 * Counts the contacts found, and drops the pairs that come after as many as one thread has room for: the same ones whatever
 * the threads. Returns how many pairs there are before them.
 */
export function keepPairs(): i32 {
  const pairs = pairCount();
  const room = load<u32>(world + WORLD_CONTACTS_BYTES) / CONTACT_BYTES;
  let wanted: u32 = 0;
  let kept = 0;
  for (let n = 0; n < pairs; n++) {
    const pair = pairAt(n);
    wanted += contactCount(pair);
    if (wanted <= room) {
      kept++;
      continue;
    }
    store<u32>(pair + PAIR_COUNT_A, 0);
    store<u32>(pair + PAIR_COUNT_B, 0);
    store<u32>(pair + PAIR_COUNT_EDGES, 0);
  }
  store<u32>(world + WORLD_CONTACT_COUNT, wanted);
  return kept;
}

/**
 * Tells each body its pairs, and sorts pairs with contacts by colour: each gets the first that neither of its bodies has. The
 * last colour is for those that find none. Threads share them by where they are: pairs were found along an axis, and bodies
 * in the middle of a thread's part are its own.
 */
export function colourPairs(): void {
  const bodies = bodyCount();
  const pairs = pairCount();
  const colours: usize = load<u32>(world + WORLD_BODY_COLOURS);
  const starts: usize = load<u32>(world + WORLD_COLOUR_STARTS);
  memory.fill(colours, 0, <usize>bodies << 3);
  memory.fill(starts, 0, (COLOURS + 2) << 2);
  listPairsOfBodies(bodies, pairs);
  // Twice over the pairs: to count each colour, then to put them in place.
  for (let n = 0; n < pairs; n++) {
    const pair = pairAt(n);
    if (contactCount(pair) == 0) continue;
    const a = colours + (<usize>load<u32>(<usize>load<u32>(pair + PAIR_A) + BODY_INDEX) << 3);
    const b = colours + (<usize>load<u32>(<usize>load<u32>(pair + PAIR_B) + BODY_INDEX) << 3);
    const taken: u64 = load<u64>(a) | load<u64>(b);
    const colour: usize = min<usize>(<usize>ctz(~taken), COLOURS - 1);
    store<u64>(a, load<u64>(a) | (<u64>1 << <u64>colour));
    store<u64>(b, load<u64>(b) | (<u64>1 << <u64>colour));
    store<u32>(pair + PAIR_PRESSED, <u32>colour);
    const counter = starts + ((colour + 2) << 2);
    store<u32>(counter, load<u32>(counter) + 1);
  }
  for (let c: usize = 2; c < <usize>COLOURS + 2; c++) {
    store<u32>(starts + (c << 2), load<u32>(starts + (c << 2)) + load<u32>(starts + ((c - 1) << 2)));
  }
  const coloured: usize = load<u32>(world + WORLD_COLOURED);
  for (let n = 0; n < pairs; n++) {
    const pair = pairAt(n);
    if (contactCount(pair) == 0) continue;
    const counter = starts + ((<usize>load<u32>(pair + PAIR_PRESSED) + 1) << 2);
    const at = load<u32>(counter);
    store<u32>(counter, at + 1);
    store<u32>(coloured + (<usize>at << 2), <u32>pair);
    store<u32>(pair + PAIR_PRESSED, 0);
  }
  shareTurns(bodies, pairs);
}

/** Says whose turn comes when: how many pairs of its bodies come before each, and which thread takes it. */
function shareTurns(bodies: i32, pairs: i32): void {
  const threads: u32 = load<u32>(world + WORLD_THREADS);
  const room = load<u32>(world + WORLD_CONTACTS_BYTES) / CONTACT_BYTES;
  const contacts = min(load<u32>(world + WORLD_CONTACT_COUNT), room);
  memory.fill(load<u32>(world + WORLD_BODY_TURNS), 0, <usize>bodies * TURNS_BYTES);
  let before: u32 = 0;
  for (let n = 0; n < pairs; n++) {
    const pair = pairAt(n);
    const count = contactCount(pair);
    // By the middle of its contacts.
    store<u32>(pair + PAIR_THREAD, min(threads - 1, (threads * (2 * before + count)) / max<u32>(1, 2 * contacts)));
    store<i32>(pair + PAIR_TAKEN, 0);
    before += count;
  }
  const coloured: usize = load<u32>(world + WORLD_COLOURED);
  const count = colouredCount();
  for (let n = 0; n < count; n++) {
    const pair: usize = load<u32>(coloured + (<usize>n << 2));
    const a = turnsOf(load<u32>(pair + PAIR_A));
    const b = turnsOf(load<u32>(pair + PAIR_B));
    store<i32>(pair + PAIR_TURN_A, takeTurn(a));
    store<i32>(pair + PAIR_TURN_B, a == b ? 0 : takeTurn(b));
  }
}

// @ts-ignore: decorator
@inline function takeTurn(turns: usize): i32 {
  const turn = load<i32>(turns, 4);
  store<i32>(turns, turn + 1, 4);
  return turn;
}

/** Turns that a body has taken, and after them those in a sweep. */
// @ts-ignore: decorator
@inline export function turnsOf(body: usize): usize {
  return <usize>load<u32>(world + WORLD_BODY_TURNS) + <usize>load<u32>(body + BODY_INDEX) * TURNS_BYTES;
}

/** Pairs with contacts. */
// @ts-ignore: decorator
@inline export function colouredCount(): i32 {
  return load<i32>(<usize>load<u32>(world + WORLD_COLOUR_STARTS) + (COLOURS << 2));
}

// @ts-ignore: decorator
@inline function contactCount(pair: usize): u32 {
  return load<u32>(pair + PAIR_COUNT_A) + load<u32>(pair + PAIR_COUNT_B) + load<u32>(pair + PAIR_COUNT_EDGES);
}

function listPairsOfBodies(bodies: i32, pairs: i32): void {
  const list: usize = load<u32>(world + WORLD_BODY_PAIRS);
  let at: u32 = 0;
  for (let n = 0; n < bodies; n++) {
    const body = bodyAt(n);
    store<u32>(body + BODY_PAIRS, <u32>list + (at << 2));
    at += load<u32>(body + BODY_PAIR_COUNT);
    store<i32>(body + BODY_PAIR_COUNT, 0);
  }
  for (let n = 0; n < pairs; n++) {
    const pair = pairAt(n);
    const a: usize = load<u32>(pair + PAIR_A);
    const b: usize = load<u32>(pair + PAIR_B);
    append(a, pair);
    if (a != b) append(b, pair);
  }
}

function append(body: usize, pair: usize): void {
  const count = load<u32>(body + BODY_PAIR_COUNT);
  store<u32>(<usize>load<u32>(body + BODY_PAIRS) + (<usize>count << 2), <u32>pair);
  store<u32>(body + BODY_PAIR_COUNT, count + 1);
}
