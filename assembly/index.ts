// What the host calls.

import { setLanes } from './solvers/surface/rotation';
import { stepWorld } from './world/step';
import { setWorld } from './world/threads';

/** Gives this instance its world record and working memory of its own; `spins` are looks at a barrier before sleeping there. */
export function attach(world: usize, workingMemory: usize, mayBlock: boolean, spins: i32): void {
  setWorld(world, mayBlock, spins);
  setLanes(workingMemory);
}

/** One thread's part of a step. */
export function step(thread: i32): void {
  stepWorld(thread);
}
