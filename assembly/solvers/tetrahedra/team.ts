// Tasks of one body that any thread may take: who takes one, and what it is. Tasks of one call write nothing in common, so that the bits do
// not depend on who does them. See src/kernels/kernel-team.ts.

import { multiplyRows } from './blocks';
import { decompose } from './decompose';
import { addElements } from './elements';
import { factorRows, mirrorRows, sweepBackward, sweepForward } from './incomplete-cholesky';
import { writeModes } from './modes';
import { addPairs } from './pressure-matrix';
import {
  CHANGES, DONE, ELEMENTS, FACTOR, FIRST, FORCES, FORWARD, GENERATION, OPERATION, PAIRS, RATES, REALS, RING_VECTORS, ROWS,
  SLEEPERS, TAKEN, TAKING_PART, TEAM, TICKET, VOLUMES, WIDTH, WORDS,
} from './layout';
import { takeVectors, writeChanges, writeRates } from './ring-product';
import { addRingVectors, volumes, writeForces } from './rings';

/** Tetrahedra at a time, as in element-batch.ts, and what a thread needs for them [bytes]. */
const BATCH = 64;
const SCRATCH: usize = 2 * (90 + 9 + 9) << 3;

// Sleeping and waking are the host's, as in assembly/threads.ts.
// @ts-ignore: decorator
@external('env', 'wake')
declare function wake(at: usize): void;

/** Does the tasks from `first` to `end` of an operation on this thread. */
export function performAlone(operation: i32, first: i32, end: i32): void {
  for (let task = first; task < end; task++) run(operation, task, 0);
}

/** The same with whoever helps; those that others have taken may not be done yet. */
export function perform(operation: i32, first: i32, end: i32): void {
  store<i32>(TEAM + OPERATION, operation);
  store<i32>(TEAM + FIRST, first);
  atomic.store<i32>(TEAM + DONE, 0);
  const generation = load<i32>(TEAM + GENERATION) + 1;
  const count = end - first;
  atomic.store<u64>(TEAM + TICKET, ((<u64>generation) << 32) | ((<u64>count) << 16));
  atomic.store<i32>(TEAM + GENERATION, generation);
  // Who counts itself a sleeper after this look finds the new generation and does not sleep.
  if (atomic.load<i32>(TEAM + SLEEPERS) > 0) wake(TEAM + GENERATION);
  help(0);
}

/** Waits until so many tasks of the last call are done. */
export function settle(count: i32): void {
  while (atomic.load<i32>(TEAM + DONE) != count) {}
}

/**
 * Takes tasks while there are some: the calling thread from the first on, others from the last, so that a thread finds in its cache what
 * it had before. A ticket is of one generation, so nobody takes a task of a call that is over.
 */
export function help(thread: i32): void {
  for (;;) {
    const ticket = atomic.load<u64>(TEAM + TICKET);
    const first = <i32>(ticket & 0xffff);
    const end = <i32>((ticket >> 16) & 0xffff);
    if (first >= end || <usize>thread >= word(TAKING_PART)) return;
    const next = thread == 0 ? ticket + 1 : ticket - 0x10000;
    if (atomic.cmpxchg<u64>(TEAM + TICKET, ticket, next) != ticket) continue;
    run(load<i32>(TEAM + OPERATION), load<i32>(TEAM + FIRST) + (thread == 0 ? first : end - 1), thread);
    atomic.add<i32>(TEAM + DONE, 1);
  }
}

// @ts-ignore: decorator
@inline function word(n: usize): usize {
  return <usize>load<u32>(TEAM + WORDS + (n << 2));
}

// @ts-ignore: decorator
@inline function real(n: usize): f64 {
  return load<f64>(TEAM + REALS + (n << 3));
}

/** Ends of a run, by a list of runs. */
// @ts-ignore: decorator
@inline function firstOf(runs: usize, task: i32): i32 {
  return load<i32>(runs + ((<usize>task) << 3));
}

// @ts-ignore: decorator
@inline function endOf(runs: usize, task: i32): i32 {
  return load<i32>(runs + ((<usize>task) << 3), 4);
}

function run(operation: i32, task: i32, thread: i32): void {
  if (operation <= PAIRS) runRun(operation, firstOf(word(0), task), endOf(word(0), task), thread);
  else if (operation >= FACTOR) runChain(operation, task);
  else runChunk(operation, task);
}

function runRun(operation: i32, first: i32, end: i32, thread: i32): void {
  if (operation == ELEMENTS) {
    for (let t = first; t < end; t += BATCH) addBatch(t, min(BATCH, end - t), thread);
  } else if (operation == RING_VECTORS) {
    addRingVectors(word(1), word(2), word(3), first, end, word(4));
  } else if (operation == ROWS) {
    multiplyRows(word(1), word(2), word(3), first, end, word(4), word(5));
  } else {
    addPairs(word(1), word(2), word(3), word(4), word(5), word(6), word(7), first, end, word(8));
  }
}

function runChunk(operation: i32, task: i32): void {
  const size = <i32>word(0);
  const first = size * task;
  const end = min(first + size, <i32>word(1));
  const at = <usize>first;
  if (operation == FORCES) {
    writeForces(word(2), word(3), word(4), first, end, word(5), word(6));
  } else if (operation == TAKEN) {
    takeVectors(word(2) + (at << 5), word(3) + (at << 2), end - first, word(4) + (at << 4), word(5));
  } else if (operation == VOLUMES) {
    volumes(word(2), word(3) + (at << 4), end - first, word(4) + (at << 3));
  } else if (operation == CHANGES) {
    writeChanges(word(2), word(3), word(4), word(6), word(7), word(8), first, end, word(9), word(10));
  } else if (operation == RATES) {
    writeRates(word(2), word(3), word(5), first, end, word(10), word(11));
  } else {
    mirrorRows(first, end, word(2), word(3), word(4));
  }
}

/** Rows of the factors that need no other chain's, or the last ones, which need both. */
function runChain(operation: i32, task: i32): void {
  const chains = word(0);
  const first = load<i32>(chains + ((<usize>task) << 2));
  const end = load<i32>(chains + ((<usize>task) << 2), 4);
  if (operation == FACTOR) {
    const row = word(12) + 4 * <usize>task * word(13);
    const isFactored = factorRows(
      first, end, word(2), word(3), word(4), <u32>word(5), word(6), word(7), word(8), word(14), word(9), word(10), row, real(0), real(1),
    );
    store<u32>(word(11) + ((<usize>task) << 2), isFactored ? 1 : 0);
  } else if (operation == FORWARD) {
    sweepForward(first, end, word(2), word(3), word(4), word(5), word(8), word(9), word(10));
  } else {
    sweepBackward(first, end, word(2), word(6), word(7), word(11), word(8), word(10), word(12));
  }
}

/** As `run` of element-batch.ts does; a batch that has an element for the TypeScript is left to it. */
function addBatch(first: i32, count: i32, thread: i32): void {
  const batch = word(6) + <usize>thread * ((WIDTH * <usize>BATCH) << 3);
  const scratch = word(7) + <usize>thread * SCRATCH;
  decompose(first, count, word(1), word(2), word(3), batch, scratch);
  const isLeft = writeModes(count, <i32>word(11), real(0), real(1), batch) != 0;
  store<u8>(word(10) + <usize>(first / BATCH), isLeft ? 1 : 0);
  if (isLeft) return;
  addElements(first, count, word(2), word(3), word(4), word(5), batch, scratch, word(8), word(9), real(2));
}
