// What the host calls.

import { followSkin } from './embedding/follow';
import { WORLD_SKIN, WORLD_THREADS } from './layout';
import { setWorld, sync, world } from './threads';
import { stepWorld } from './world/step';

/** Gives this instance its world record and working memory of its own; `spins` are looks at a barrier before sleeping there. */
export function attach(world: usize, workingMemory: usize, mayBlock: boolean, spins: i32): void {
  setWorld(world, workingMemory, mayBlock, spins);
}

/** One thread's part of a step, or of what a skin does after one; comes back when all threads have done theirs. */
export function step(thread: i32): void {
  const skin: usize = load<u32>(world + WORLD_SKIN);
  const threads = load<i32>(world + WORLD_THREADS);
  if (skin != 0) followSkin(skin, thread, threads);
  else stepWorld(thread);
  sync(threads);
}
