// What the host calls.

import { setLanes } from './solvers/surface/rotation';
import { stepWorld } from './world/step';
import { setWorld } from './world/threads';

/** Gives this instance its world record and working memory of its own. */
export function attach(world: usize, workingMemory: usize, mayBlock: boolean): void {
  setWorld(world, mayBlock);
  setLanes(workingMemory);
}

/** One thread's part of a step. */
export function step(thread: i32): void {
  stepWorld(thread);
}
