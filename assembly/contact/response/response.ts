// What contacts between bodies do: approach ends, slip is braked by Coulomb's law, what still overlaps is pushed apart.
// Mirrors src/contact/response/response.ts. Here the sweeps work on the bodies' own arrays.

import * as tuning from '../../../src/contact/response/tuning';
import {
  BODY_FLAGS, BODY_MASS, BODY_MASS_SHARES, BODY_PINNED, BODY_POSITIONS, BODY_VELOCITIES, CONTACT_BYTES, FLAG_ASLEEP, FLAG_PINS,
  PAIR_A, PAIR_B, PAIR_CONTACTS, PAIR_COUNT_A, PAIR_COUNT_B, PAIR_COUNT_EDGES, PAIR_IMPULSE, PAIR_NORMAL, PAIR_POINT,
  PAIR_PRESSED, PAIR_TAKEN, PAIR_THREAD, PAIR_TURN_A, PAIR_TURN_B, WORLD_COLOURED,
} from '../../layout';
import {
  add4, div4, dot3, madd4, mul4, splat4, splatX4, splatY4, splatZ4, splatW4, sub4, w4, x4,
} from '../../simd/lanes';
import { countAt, finish, passGate, rest, setCount, takeCount, world } from '../../threads';
import { colouredCount, turnsOf } from '../broad-phase/body-pairs';
import {
  BOUNCE, GAP, LEFT, MASS, NORMAL, PARTICLES, PRESSURE, RESTITUTION, SHARES, SHIFT, SLIP, THICKNESS, TIME, WEIGHTS,
} from './feature-contacts';

const VELOCITY_SWEEPS: i32 = <i32>tuning.VELOCITY_SWEEPS;
const POSITION_SWEEPS: i32 = <i32>tuning.POSITION_SWEEPS;
const SWEEPS: i32 = VELOCITY_SWEEPS + POSITION_SWEEPS;
/** Looks for the turn of a pair, some microseconds, after which a thread takes others': its own are in its caches. */
const LOOKS: i32 = 4096;
/** How fast bodies that overlap are pushed apart, in thicknesses per step. */
const PUSH: f32 = <f32>tuning.PUSH;
/** Approach below which nothing bounces, in thicknesses per step. */
const BOUNCE_FROM: f32 = <f32>tuning.BOUNCE_FROM;
/** Gap, in thicknesses, up to which what approaches slowly touches from the start of the step on; see the reference. */
const NEAR: f32 = <f32>tuning.NEAR;
/** Furthest that a contact moves a particle is the inverse of this, in gaps; see the reference. */
const LEAST_WEIGHT: f32 = <f32>tuning.LEAST_WEIGHT;

/** When each contact of a pair touches, and how it is to part. */
export function beginPair(pair: usize, timeStep: f32): void {
  const a: usize = load<u32>(pair + PAIR_A);
  const b: usize = load<u32>(pair + PAIR_B);
  const first: usize = load<u32>(pair + PAIR_CONTACTS);
  const countA: usize = load<u32>(pair + PAIR_COUNT_A);
  const countB: usize = load<u32>(pair + PAIR_COUNT_B);
  const countEdges: usize = load<u32>(pair + PAIR_COUNT_EDGES);
  const edges = countA + countB;
  const middle = first + countA * CONTACT_BYTES;
  const last = first + edges * CONTACT_BYTES;
  beginContacts(first, middle, a, b, b, timeStep);
  beginContacts(middle, last, b, a, a, timeStep);
  beginContacts(last, last + countEdges * CONTACT_BYTES, a, a, b, timeStep);
}

/** Of the four particles the first is a's, the last two are b's; the second is b's corner or the other end of a's edge. */
function beginContacts(from: usize, to: usize, a: usize, second: usize, b: usize, timeStep: f32): void {
  const x: usize = load<u32>(a + BODY_POSITIONS);
  const v: usize = load<u32>(a + BODY_VELOCITIES);
  const secondX: usize = load<u32>(second + BODY_POSITIONS);
  const secondV: usize = load<u32>(second + BODY_VELOCITIES);
  const otherX: usize = load<u32>(b + BODY_POSITIONS);
  const otherV: usize = load<u32>(b + BODY_VELOCITIES);
  const shareOf: usize = load<u32>(a + BODY_MASS_SHARES);
  const secondShareOf: usize = load<u32>(second + BODY_MASS_SHARES);
  const otherShareOf: usize = load<u32>(b + BODY_MASS_SHARES);
  const massA = <f32>load<f64>(a + BODY_MASS);
  const massB = <f32>load<f64>(b + BODY_MASS);
  const moves = f32x4(awake(a), awake(second), awake(b), awake(b));
  const masses = f32x4(massA, second == a ? massA : massB, massB, massB);
  const pins = ((load<u32>(a + BODY_FLAGS) | load<u32>(b + BODY_FLAGS)) & FLAG_PINS) != 0;
  for (let contact = from; contact < to; contact += CONTACT_BYTES) {
    const p: usize = load<u32>(contact + PARTICLES);
    const q: usize = load<u32>(contact + PARTICLES, 4);
    const r: usize = load<u32>(contact + PARTICLES, 8);
    const s: usize = load<u32>(contact + PARTICLES, 12);
    let of4 = v128.load32_zero(shareOf + (p >> 2));
    of4 = v128.load_lane<f32>(secondShareOf + (q >> 2), of4, 1);
    of4 = v128.load_lane<f32>(otherShareOf + (r >> 2), of4, 2);
    of4 = v128.load_lane<f32>(otherShareOf + (s >> 2), of4, 3);
    let inverses = mul4(moves, div4(splat4(1), mul4(masses, of4)));
    if (pins) {
      if (isPinned(a, p)) inverses = f32x4.replace_lane(inverses, 0, 0);
      if (isPinned(second, q)) inverses = f32x4.replace_lane(inverses, 1, 0);
      if (isPinned(b, r)) inverses = f32x4.replace_lane(inverses, 2, 0);
      if (isPinned(b, s)) inverses = f32x4.replace_lane(inverses, 3, 0);
    }
    const weights = v128.load(contact + WEIGHTS);
    const shares = mul4(weights, inverses);
    v128.store(contact + SHARES, shares);
    const inverse = dot3(weights, shares) + w4(weights) * w4(shares);
    const sizes = f32x4.abs(shares);
    const pairwise = f32x4.pmax(sizes, v128.shuffle<f32>(sizes, sizes, 2, 3, 0, 1));
    const largest = x4(f32x4.pmax(pairwise, v128.shuffle<f32>(pairwise, pairwise, 1, 0, 3, 2)));
    const thickness = load<f32>(contact + THICKNESS);
    const gap = load<f32>(contact + GAP);
    const shift = load<f32>(contact + SHIFT);
    const normal = v128.load(contact + NORMAL);
    const end = dot3(normal, across(contact, x, secondX, otherX)) + shift;
    let touching = load<f32>(contact + TIME);
    const displacement = gap - end;
    const rests = gap <= NEAR * thickness && displacement <= BOUNCE_FROM * thickness;
    if (touching == 0 && gap > thickness && displacement > 0 && !rests) touching = min<f32>(1, (gap - thickness) / displacement);
    const approach = -dot3(normal, across(contact, v, secondV, otherV));
    const fresh = touching > 0 && approach * timeStep > BOUNCE_FROM * thickness;
    const floor = LEAST_WEIGHT * largest;
    store<f32>(contact + MASS, inverse > 0 ? <f32>1 / (inverse > floor ? inverse : floor) : 0);
    store<f32>(contact + LEFT, (<f32>1 - touching) * timeStep);
    store<f32>(contact + BOUNCE, fresh ? load<f32>(contact + RESTITUTION) * approach : 0);
    store<f32>(contact + PRESSURE, 0);
    v128.store(contact + SLIP, splat4(0));
  }
}

/** 1, or 0 for a body that nothing moves. */
// @ts-ignore: decorator
@inline function awake(body: usize): f32 {
  return (load<u32>(body + BODY_FLAGS) & FLAG_ASLEEP) != 0 ? 0 : 1;
}

// @ts-ignore: decorator
@inline function isPinned(body: usize, k: usize): boolean {
  return load<u8>(<usize>load<u32>(body + BODY_PINNED) + (k >> 4)) != 0;
}

/** Σ w·vector over the four particles of a contact: the first over `own`, the last two over `other`. */
// @ts-ignore: decorator
@inline export function across(contact: usize, own: usize, second: usize, other: usize): v128 {
  const weights = v128.load(contact + WEIGHTS);
  let sum = mul4(splatX4(weights), v128.load(own + <usize>load<u32>(contact + PARTICLES)));
  sum = madd4(splatY4(weights), v128.load(second + <usize>load<u32>(contact + PARTICLES, 4)), sum);
  sum = madd4(splatZ4(weights), v128.load(other + <usize>load<u32>(contact + PARTICLES, 8)), sum);
  return madd4(splatW4(weights), v128.load(other + <usize>load<u32>(contact + PARTICLES, 12)), sum);
}

// @ts-ignore: decorator
@inline function addScaled(vectors: usize, k: usize, scale: v128, change: v128): void {
  v128.store(vectors + k, madd4(scale, change, v128.load(vectors + k)));
}

/**
 * All sweeps over the pairs, shared by the threads. There are no barriers: a pair waits until both of its bodies have taken
 * the turns before it, so every body is touched in the same order whatever the threads. Each thread takes its own pairs; one
 * that waits, or has none left, takes those of others whose turn it is. The first of all pairs that are not done is always
 * begun or free to be taken: nobody waits for ever.
 */
export function sweepPairs(phase: usize, thread: i32, threads: i32): void {
  const coloured: usize = load<u32>(world + WORLD_COLOURED);
  const count = colouredCount();
  if (threads == 1) {
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
      for (let n = 0; n < count; n++) sweepPair(load<u32>(coloured + (<usize>n << 2)), sweep < VELOCITY_SWEEPS);
    }
    return;
  }
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (let n = 0; n < count; n++) {
      const pair: usize = load<u32>(coloured + (<usize>n << 2));
      if (load<i32>(pair + PAIR_THREAD) != thread) continue;
      for (let looks = 1; countAt(pair + PAIR_TAKEN) == sweep; looks++) {
        if (tryPair(pair, sweep, phase, count, threads)) break;
        if (looks % LOOKS != 0) continue;
        if (sweepAny(coloured, count, sweep, phase, threads)) looks = 0;
        else rest(looks);
      }
    }
  }
  while (sweepAny(coloured, count, SWEEPS - 1, phase, threads)) {}
  passGate(phase, count, threads);
}

/** Takes a pair through a sweep if its bodies have taken the turns before and nobody else takes it; whether it did. */
function tryPair(pair: usize, sweep: i32, phase: usize, count: i32, threads: i32): boolean {
  const a = turnsOf(load<u32>(pair + PAIR_A));
  const b = turnsOf(load<u32>(pair + PAIR_B));
  const turnA = sweep * load<i32>(a, 4) + load<i32>(pair + PAIR_TURN_A);
  const turnB = sweep * load<i32>(b, 4) + load<i32>(pair + PAIR_TURN_B);
  if (countAt(a) != turnA || (a != b && countAt(b) != turnB) || !takeCount(pair + PAIR_TAKEN, sweep)) return false;
  sweepPair(pair, sweep < VELOCITY_SWEEPS);
  setCount(a, turnA + 1);
  if (a != b) setCount(b, turnB + 1);
  if (sweep == SWEEPS - 1) finish(phase, count, threads);
  return true;
}

/** Takes the first pair through its next sweep, up to `last`, that is free to be taken; whether there is one. */
function sweepAny(coloured: usize, count: i32, last: i32, phase: usize, threads: i32): boolean {
  for (let n = 0; n < count; n++) {
    const pair: usize = load<u32>(coloured + (<usize>n << 2));
    const sweep = countAt(pair + PAIR_TAKEN);
    if (sweep <= last && tryPair(pair, sweep, phase, count, threads)) return true;
  }
  return false;
}

function sweepPair(pair: usize, forVelocities: boolean): void {
  const a: usize = load<u32>(pair + PAIR_A);
  const b: usize = load<u32>(pair + PAIR_B);
  const positionsA: usize = load<u32>(a + BODY_POSITIONS);
  const positionsB: usize = load<u32>(b + BODY_POSITIONS);
  const velocitiesA: usize = load<u32>(a + BODY_VELOCITIES);
  const velocitiesB: usize = load<u32>(b + BODY_VELOCITIES);
  const first: usize = load<u32>(pair + PAIR_CONTACTS);
  const middle = first + <usize>load<u32>(pair + PAIR_COUNT_A) * CONTACT_BYTES;
  const last = middle + <usize>load<u32>(pair + PAIR_COUNT_B) * CONTACT_BYTES;
  const end = last + <usize>load<u32>(pair + PAIR_COUNT_EDGES) * CONTACT_BYTES;
  if (forVelocities) {
    sweepVelocities(first, middle, positionsA, velocitiesA, positionsB, velocitiesB, positionsB, velocitiesB);
    sweepVelocities(middle, last, positionsB, velocitiesB, positionsA, velocitiesA, positionsA, velocitiesA);
    sweepVelocities(last, end, positionsA, velocitiesA, positionsA, velocitiesA, positionsB, velocitiesB);
  } else {
    sweepPositions(first, middle, positionsA, positionsB, positionsB);
    sweepPositions(middle, last, positionsB, positionsA, positionsA);
    sweepPositions(last, end, positionsA, positionsA, positionsB);
  }
}

/** The first particle over x and v, the second over its own, the last two over `other`. */
function sweepVelocities(
  from: usize, to: usize, x: usize, v: usize, secondX: usize, secondV: usize, otherX: usize, otherV: usize,
): void {
  for (let contact = from; contact < to; contact += CONTACT_BYTES) {
    const numbers = v128.load(contact + MASS);
    const before = w4(numbers);
    const contactNormal = v128.load(contact + NORMAL);
    if (before == 0) {
      const gap = dot3(contactNormal, across(contact, x, secondX, otherX)) + load<f32>(contact + SHIFT);
      if (gap >= load<f32>(contact + THICKNESS)) continue;
    }
    const mass = load<f32>(contact + MASS);
    const normal = f32x4.replace_lane(contactNormal, 3, 0);
    const u = across(contact, v, secondV, otherV);
    const speed = dot3(u, normal);
    const wanted = before + mass * (load<f32>(contact + BOUNCE) - speed);
    const pressure: f32 = wanted > 0 ? wanted : 0;
    // What parts by itself has no slip to brake either.
    if (pressure == 0 && before == 0) continue;
    // Slip: what would stop it, as far as Coulomb's cone reaches.
    const slipBefore = v128.load(contact + SLIP);
    const along = f32x4.replace_lane(sub4(u, mul4(splat4(speed), normal)), 3, 0);
    let slip = sub4(slipBefore, mul4(splat4(mass), along));
    const limit = w4(contactNormal) * pressure;
    const size = sqrt(dot3(slip, slip));
    if (size > limit) slip = mul4(splat4(limit / size), slip);
    const impulse = add4(mul4(splat4(pressure - before), normal), sub4(slip, slipBefore));
    store<f32>(contact + PRESSURE, pressure);
    v128.store(contact + SLIP, slip);
    const moved = mul4(splat4(load<f32>(contact + LEFT)), impulse);
    const shares = v128.load(contact + SHARES);
    const p: usize = load<u32>(contact + PARTICLES);
    const q: usize = load<u32>(contact + PARTICLES, 4);
    const r: usize = load<u32>(contact + PARTICLES, 8);
    const s: usize = load<u32>(contact + PARTICLES, 12);
    addScaled(v, p, splatX4(shares), impulse);
    addScaled(secondV, q, splatY4(shares), impulse);
    addScaled(otherV, r, splatZ4(shares), impulse);
    addScaled(otherV, s, splatW4(shares), impulse);
    addScaled(x, p, splatX4(shares), moved);
    addScaled(secondX, q, splatY4(shares), moved);
    addScaled(otherX, r, splatZ4(shares), moved);
    addScaled(otherX, s, splatW4(shares), moved);
  }
}

/** Pushes apart what is nearer than its thickness, overlaps from before by a bounded way. */
function sweepPositions(from: usize, to: usize, x: usize, secondX: usize, otherX: usize): void {
  for (let contact = from; contact < to; contact += CONTACT_BYTES) {
    const normal = v128.load(contact + NORMAL);
    const thickness = load<f32>(contact + THICKNESS);
    const goal = min(thickness, load<f32>(contact + GAP) + PUSH * thickness);
    const missing = goal - dot3(normal, across(contact, x, secondX, otherX)) - load<f32>(contact + SHIFT);
    if (missing <= 0) continue;
    const push = mul4(splat4(missing * load<f32>(contact + MASS)), f32x4.replace_lane(normal, 3, 0));
    const shares = v128.load(contact + SHARES);
    addScaled(x, load<u32>(contact + PARTICLES), splatX4(shares), push);
    addScaled(secondX, load<u32>(contact + PARTICLES, 4), splatY4(shares), push);
    addScaled(otherX, load<u32>(contact + PARTICLES, 8), splatZ4(shares), push);
    addScaled(otherX, load<u32>(contact + PARTICLES, 12), splatW4(shares), push);
  }
}

/** Whether the bodies of a pair press each other, and what went from one to the other: momentum, where, on which normal. */
export function sumPair(pair: usize): void {
  const a: usize = load<u32>(pair + PAIR_A);
  const positions: usize = load<u32>(a + BODY_POSITIONS);
  const first: usize = load<u32>(pair + PAIR_CONTACTS);
  const middle = first + <usize>load<u32>(pair + PAIR_COUNT_A) * CONTACT_BYTES;
  const last = middle + <usize>load<u32>(pair + PAIR_COUNT_B) * CONTACT_BYTES;
  let impulse = splat4(0);
  let point = splat4(0);
  let normals = splat4(0);
  let total: f32 = 0;
  const end = last + <usize>load<u32>(pair + PAIR_COUNT_EDGES) * CONTACT_BYTES;
  for (let contact = first; contact < end; contact += CONTACT_BYTES) {
    const pressure = load<f32>(contact + PRESSURE);
    if (pressure == 0) continue;
    // The vertex is a's in the first part, b's in the second; of two edges the first is a's.
    const isA = contact < middle || contact >= last;
    const sign: f32 = isA ? 1 : -1;
    const normal = f32x4.replace_lane(v128.load(contact + NORMAL), 3, 0);
    const slip = v128.load(contact + SLIP);
    impulse = madd4(splat4(sign), madd4(splat4(pressure), normal, slip), impulse);
    normals = madd4(splat4(sign * pressure), normal, normals);
    const k: usize = load<u32>(contact + PARTICLES + (isA ? 0 : 4));
    point = madd4(splat4(pressure), v128.load(positions + k), point);
    total += pressure;
  }
  store<u32>(pair + PAIR_PRESSED, total > 0 ? 1 : 0);
  v128.store(pair + PAIR_IMPULSE, impulse);
  v128.store(pair + PAIR_POINT, f32x4.replace_lane(point, 3, total));
  v128.store(pair + PAIR_NORMAL, normals);
}
