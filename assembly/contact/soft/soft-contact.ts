// Contact of bodies with each other in a step, phase by phase over all threads. Mirrors src/contact/soft/soft-contact.ts.

import {
  BODY_COUNT, BODY_CROSSED, BODY_DEEP, BODY_FLAGS, BODY_NORMALS, BODY_PAIR_COUNT, BODY_RING_OFFSETS, BODY_RINGS,
  BODY_STARTS, BODY_SUNK, FLAG_NORMALS, PAIR_A, PAIR_B, PAIR_DEEP, PAIR_SUNK, WORLD_CONTACT_COUNT,
} from '../../layout';
import { ringNormal } from '../../mesh/ring-normal';
import { finish, nextOf, passGate, world } from '../../threads';
import { markTouching, measureGaps, touchAgain } from '../response/neighbour-gaps';
import { bodyAt, bodyCount, colourPairs, findPairs, keepPairs, pairAt, pairCount } from '../broad-phase/body-pairs';
import { refitTree } from '../broad-phase/bvh';
import { beginCandidates } from '../narrow-phase/candidates';
import { findCandidates, findSelfCandidates } from '../narrow-phase/detection';
import { finishCandidates } from '../narrow-phase/finish-candidates';
import { listEdges } from '../narrow-phase/edge-detection';
import { findDeep } from './overlap';
import { isAsleep, separate } from './separation';
import { beginPair, sumPair, sweepPairs } from '../response/response';
import { listContacts, setContactRoom } from '../narrow-phase/vertex-contacts';

// Phases in which threads take bodies or pairs for themselves; before them come those of the step.
const REFIT: usize = 12;
const FIND_LONG: usize = 16;
const FIND: usize = 20;
const BEGIN: usize = 24;
const AGAIN: usize = 28;
const GAPS: usize = 32;
const MARK: usize = 36;
const SWEEPS: usize = 40;
// Those that the calling thread does alone: it has a processor whenever anything gets on at all.
const PAIRS: usize = 44;
const COLOUR: usize = 48;

/** Finds contacts of all bodies. Bodies that lie deep in each other are moved apart. */
export function detectContacts(thread: i32, threads: i32, timeStep: f32): void {
  if (thread == 0) {
    findPairs();
    finish(PAIRS, 1, threads);
  }
  passGate(PAIRS, 1, threads);
  const bodies = bodyCount();
  for (let n = nextOf(REFIT, bodies, thread, threads); n < bodies; n = nextOf(REFIT, bodies, thread, threads)) {
    const body = bodyAt(n);
    if (load<u32>(body + BODY_PAIR_COUNT) != 0 && !isAsleep(body)) {
      refitTree(body);
      findNormals(body);
    }
    finish(REFIT, bodies, threads);
  }
  passGate(REFIT, bodies, threads);
  setContactRoom(thread);
  const pairs = pairCount();
  // Those that take long come first, so that no thread is left with one at the end.
  for (let n = nextOf(FIND_LONG, pairs, thread, threads); n < pairs; n = nextOf(FIND_LONG, pairs, thread, threads)) {
    if (takesLong(pairAt(n))) findContacts(pairAt(n), thread);
    finish(FIND, 2 * pairs, threads);
  }
  for (let n = nextOf(FIND, pairs, thread, threads); n < pairs; n = nextOf(FIND, pairs, thread, threads)) {
    if (!takesLong(pairAt(n))) findContacts(pairAt(n), thread);
    finish(FIND, 2 * pairs, threads);
  }
  passGate(FIND, 2 * pairs, threads);
  if (thread == 0) {
    refindContacts(keepPairs(), pairs);
    for (let n = 0; n < pairs; n++) forgetCrossed(pairAt(n));
    colourPairs();
    for (let n = 0; n < bodies; n++) {
      store<u32>(bodyAt(n) + BODY_DEEP, 0);
      store<u32>(bodyAt(n) + BODY_SUNK, 0);
    }
    for (let n = 0; n < pairs; n++) {
      const pair = pairAt(n);
      noteDepth(pair, BODY_SUNK, load<f32>(pair + PAIR_SUNK));
      if (load<u32>(pair + PAIR_DEEP) == 0) continue;
      separate(pair, timeStep);
      noteDepth(pair, BODY_DEEP, load<f32>(pair + PAIR_DEEP));
    }
    finish(COLOUR, 1, threads);
  }
  passGate(COLOUR, 1, threads);
}

/** Of both bodies of a pair, where none before it was deeper. */
function noteDepth(pair: usize, field: usize, depth: f32): void {
  const a = <usize>load<u32>(pair + PAIR_A) + field;
  const b = <usize>load<u32>(pair + PAIR_B) + field;
  store<f32>(a, max(load<f32>(a), depth));
  store<f32>(b, max(load<f32>(b), depth));
}

/** The normals of the last step's end are those of this one's start, unless the body was put somewhere else. */
function findNormals(body: usize): void {
  if ((load<u32>(body + BODY_FLAGS) & FLAG_NORMALS) != 0) return;
  const starts: usize = load<u32>(body + BODY_STARTS);
  const rings: usize = load<u32>(body + BODY_RINGS);
  const ringOffsets: usize = load<u32>(body + BODY_RING_OFFSETS);
  const normals: usize = load<u32>(body + BODY_NORMALS);
  const count: i32 = load<i32>(body + BODY_COUNT);
  for (let i = 0; i < count; i++) v128.store(normals + (<usize>i << 4), ringNormal(starts, rings, ringOffsets, i));
}

/** Whether all vertices of a pair will be asked whether they lie inside the other, or a body is tested against itself. */
function takesLong(pair: usize): boolean {
  const a: usize = load<u32>(pair + PAIR_A);
  const b: usize = load<u32>(pair + PAIR_B);
  return a == b || (load<u32>(a + BODY_DEEP) != 0 && load<u32>(b + BODY_DEEP) != 0);
}

/**
 * Where not all pairs are kept, those that were found late may have found no room though they come first: they are found again,
 * one after the other, in the room of one thread, which is enough for the `kept`.
 */
function refindContacts(kept: i32, pairs: i32): void {
  if (kept == pairs) return;
  setContactRoom(0);
  for (let n = 0; n < kept; n++) findContacts(pairAt(n), 0);
}

/** Contacts know now which vertices had passed through their own body; those that still have are marked anew. */
function forgetCrossed(pair: usize): void {
  const a: usize = load<u32>(pair + PAIR_A);
  if (a == <usize>load<u32>(pair + PAIR_B)) memory.fill(load<u32>(a + BODY_CROSSED), 0, load<u32>(a + BODY_COUNT));
}

/** Finds the contacts of a pair; a second time gives the same. */
function findContacts(pair: usize, thread: i32): void {
  const a: usize = load<u32>(pair + PAIR_A);
  const b: usize = load<u32>(pair + PAIR_B);
  beginCandidates(thread);
  if (a == b) {
    findSelfCandidates(a);
    finishCandidates(a, a);
    listContacts(pair, false);
    listEdges(pair, false);
    return;
  }
  findCandidates(a, b);
  finishCandidates(a, b);
  const deep = findDeep(pair);
  listContacts(pair, deep);
  listEdges(pair, deep);
}

/** Resolves the contacts found, and tells each body what it touches and how far it may still move. */
export function resolveContacts(thread: i32, threads: i32, timeStep: f32): void {
  const pairs = pairCount();
  if (load<u32>(world + WORLD_CONTACT_COUNT) == 0) return;
  for (let n = nextOf(BEGIN, pairs, thread, threads); n < pairs; n = nextOf(BEGIN, pairs, thread, threads)) {
    beginPair(pairAt(n), timeStep);
    finish(BEGIN, pairs, threads);
  }
  passGate(BEGIN, pairs, threads);
  sweepPairs(SWEEPS, thread, threads);
  const bodies = bodyCount();
  for (let n = nextOf(AGAIN, bodies, thread, threads); n < bodies; n = nextOf(AGAIN, bodies, thread, threads)) {
    touchAgain(bodyAt(n), thread, timeStep);
    finish(AGAIN, bodies, threads);
  }
  passGate(AGAIN, bodies, threads);
  for (let n = nextOf(GAPS, pairs, thread, threads); n < pairs; n = nextOf(GAPS, pairs, thread, threads)) {
    measureGaps(pairAt(n));
    sumPair(pairAt(n));
    finish(GAPS, pairs, threads);
  }
  passGate(GAPS, pairs, threads);
  for (let n = nextOf(MARK, bodies, thread, threads); n < bodies; n = nextOf(MARK, bodies, thread, threads)) {
    if (!isAsleep(bodyAt(n))) markTouching(bodyAt(n));
    finish(MARK, bodies, threads);
  }
  passGate(MARK, bodies, threads);
}
