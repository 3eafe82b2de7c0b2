// What a thread has of its own, and how the threads of one world keep in step.
//
// All threads run the same phases. Where they take things for themselves, a gate ends the phase: it opens when all things
// are done, whoever has done them, so that nobody waits for a thread that has no processor and has begun nothing; when it
// comes it finds nothing left, gate after gate, until it has caught up. Where all work on one body, a barrier ends the
// phase: it waits for all threads. Without the threads feature there is one thread and both are nothing.

import {
  COUNTERS_BYTES, WORLD_BARRIER_COUNT, WORLD_BARRIER_PHASE, WORLD_COUNTERS, WORLD_DONE, WORLD_GATES, WORLD_LARGE_COUNT, WORLD_SLEEPERS,
} from './layout';

// Sleeping and waking are the host's: with the instructions themselves, kernels compiled by V8's first tier (Node 20)
// came back from their first sleep with floats lost, NaN in one step out of a process.
/** Sleeps while there is this number at a place. */
// @ts-ignore: decorator
@external('env', 'sleep')
declare function sleep(at: usize, value: i32): void;
/** Leaves the processor to others for a moment. */
// @ts-ignore: decorator
@external('env', 'nap')
declare function nap(): void;
/** Wakes who sleeps at a place. */
// @ts-ignore: decorator
@external('env', 'wake')
declare function wake(at: usize): void;

/** This instance's world record. */
export let world: usize = 0;
/** Working memory of this thread's own, 2048 bytes: values of four lanes, rows, the stack of a walk down a tree. */
export let workingMemory: usize = 0;
/** Its second half. */
export let scratch: usize = 0;
/** Whether this thread may block; a browser's main thread may not. */
let blocks: boolean = false;
/** Looks at a barrier before a thread goes to sleep there. */
let spins: i32 = 0;

export function setWorld(record: usize, memory: usize, mayBlock: boolean, looks: i32): void {
  world = record;
  workingMemory = memory;
  scratch = memory + 1024;
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
      if (atomic.load<i32>(world + WORLD_SLEEPERS) > 0) wake(world + WORLD_BARRIER_PHASE);
    } else {
      let looks = 0;
      while (atomic.load<i32>(world + WORLD_BARRIER_PHASE) == phase) {
        // With more threads than processors the others may need this one's.
        if (++looks <= spins || !blocks) continue;
        atomic.add<i32>(world + WORLD_SLEEPERS, 1);
        sleep(world + WORLD_BARRIER_PHASE, phase);
        atomic.sub<i32>(world + WORLD_SLEEPERS, 1);
      }
    }
  }
}

/** Tells that one of the `count` things of a phase is done; with the last one its gate opens. */
export function finish(phase: usize, count: i32, threads: i32): void {
  if (ASC_FEATURE_THREADS) {
    if (threads == 1 || atomic.add<i32>(world + WORLD_DONE + phase, 1) != count - 1) return;
    atomic.add<i32>(world + WORLD_GATES, 1);
    // Who counts itself a sleeper after this look finds that the gates have changed and does not sleep.
    if (atomic.load<i32>(world + WORLD_SLEEPERS) > 0) wake(world + WORLD_GATES);
  }
}

/** Waits until all `count` things of a phase are done; where all threads share bodies, until all have come here. */
export function passGate(phase: usize, count: i32, threads: i32): void {
  if (threads == 1) return;
  if (load<i32>(world + WORLD_LARGE_COUNT) > 0) wait(threads);
  else awaitDone(phase, count);
}

function awaitDone(phase: usize, count: i32): void {
  if (ASC_FEATURE_THREADS) {
    const done = world + WORLD_DONE + phase;
    for (let looks = 0; atomic.load<i32>(done) != count; looks++) {
      if (looks < spins || !blocks) continue;
      const gates = atomic.load<i32>(world + WORLD_GATES);
      if (atomic.load<i32>(done) == count) return;
      atomic.add<i32>(world + WORLD_SLEEPERS, 1);
      sleep(world + WORLD_GATES, gates);
      atomic.sub<i32>(world + WORLD_SLEEPERS, 1);
    }
  }
}

/** How far others have counted, and what they have written before that. */
// @ts-ignore: decorator
@inline export function countAt(at: usize): i32 {
  return ASC_FEATURE_THREADS ? atomic.load<i32>(at) : load<i32>(at);
}

/** Tells others how far this thread has counted, and with it what it has written before. */
// @ts-ignore: decorator
@inline export function setCount(at: usize, value: i32): void {
  if (ASC_FEATURE_THREADS) atomic.store<i32>(at, value);
}

/** Counts on from `value` if nobody has done so; whether it was this thread. */
// @ts-ignore: decorator
@inline export function takeCount(at: usize, value: i32): boolean {
  return ASC_FEATURE_THREADS ? atomic.cmpxchg<i32>(at, value, value + 1) == value : true;
}

/** What a thread does that has looked in vain so many times. */
export function rest(looks: i32): void {
  if (ASC_FEATURE_THREADS) {
    if (looks > spins && blocks) nap();
  }
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
