// How threads of one world keep in step. All threads run the same phases; a barrier separates phases that read what others
// wrote. Without the threads feature there is one thread and every barrier is nothing.

import { COUNTERS_BYTES, WORLD_BARRIER_COUNT, WORLD_BARRIER_PHASE, WORLD_COUNTERS, WORLD_SLEEPERS } from '../layout';

// Sleeping and waking are the host's: with the instructions themselves, kernels compiled by V8's first tier (Node 20)
// came back from their first sleep with floats lost, NaN in one step out of a process.
/** Sleeps while the barrier's phase is this one. */
// @ts-ignore: decorator
@external('env', 'sleep')
declare function sleep(phase: i32): void;
/** Leaves the processor to others for a moment. */
// @ts-ignore: decorator
@external('env', 'nap')
declare function nap(): void;
/** Wakes who sleeps at the barrier. */
// @ts-ignore: decorator
@external('env', 'wake')
declare function wake(): void;

/** This instance's world record. */
export let world: usize = 0;
/** Whether this thread may block; a browser's main thread may not. */
let blocks: boolean = false;
/** Looks at a barrier before a thread goes to sleep there. */
let spins: i32 = 0;

export function setWorld(record: usize, mayBlock: boolean, looks: i32): void {
  world = record;
  blocks = mayBlock;
  spins = looks;
}

/** Waits until all `threads` have come here. */
// @ts-ignore: decorator
@inline export function sync(threads: i32): void {
  if (threads > 1) wait(threads);
}

function wait(threads: i32): void {
  if (ASC_FEATURE_THREADS) {
    const phase = atomic.load<i32>(world + WORLD_BARRIER_PHASE);
    if (atomic.add<i32>(world + WORLD_BARRIER_COUNT, 1) == threads - 1) {
      atomic.store<i32>(world + WORLD_BARRIER_COUNT, 0);
      atomic.store<i32>(world + WORLD_BARRIER_PHASE, phase + 1);
      // Who counts itself a sleeper after this look finds the new phase and does not sleep.
      if (atomic.load<i32>(world + WORLD_SLEEPERS) > 0) wake();
    } else {
      let looks = 0;
      while (atomic.load<i32>(world + WORLD_BARRIER_PHASE) == phase) {
        // With more threads than processors the others may need this one's.
        if (++looks <= spins || !blocks) continue;
        atomic.add<i32>(world + WORLD_SLEEPERS, 1);
        sleep(phase);
        atomic.sub<i32>(world + WORLD_SLEEPERS, 1);
      }
    }
  }
}

/** Waits until others have counted up to a number. */
// @ts-ignore: decorator
@inline export function awaitCount(at: usize, wanted: i32): void {
  if (ASC_FEATURE_THREADS) {
    if (atomic.load<i32>(at) != wanted) lookUntil(at, wanted);
  }
}

function lookUntil(at: usize, wanted: i32): void {
  if (ASC_FEATURE_THREADS) {
    let looks = 0;
    while (atomic.load<i32>(at) != wanted) {
      if (++looks > spins && blocks) nap();
    }
  }
}

/** Tells others how far this thread has counted, and with it what it has written before. */
// @ts-ignore: decorator
@inline export function setCount(at: usize, value: i32): void {
  if (ASC_FEATURE_THREADS) atomic.store<i32>(at, value);
}

/**
 * The next of `count` things that threads take in a phase, `count` when there are none left. Each takes those of its own
 * share first: what it worked on in the phase before is still in its caches.
 */
export function nextOf(phase: usize, count: i32, thread: i32, threads: i32): i32 {
  for (let k = 0; k < threads; k++) {
    const owner = thread + k < threads ? thread + k : thread + k - threads;
    const n = (count * owner) / threads + next(world + WORLD_COUNTERS + <usize>owner * COUNTERS_BYTES + phase);
    if (n < (count * (owner + 1)) / threads) return n;
  }
  return count;
}

/** Takes the next number of a counter. */
function next(counter: usize): i32 {
  if (ASC_FEATURE_THREADS) return atomic.add<i32>(counter, 1);
  const value = load<i32>(counter);
  store<i32>(counter, value + 1);
  return value;
}
