// A shell that has strayed from what carries it, where contact or volume moved it further than its model could follow.

import type { Shell } from './model.js';
import { createRigidMotion, measureRigidMotion, restoreRigidMotion } from './rigid-motion.js';

/**
 * How far a shell may stray before it is pulled back, in body sizes. Pulling back costs a second contact and volume stage, which
 * free flight and light contact do without; without it a squeezed cube strayed by 2.3 %.
 */
const STRAY_LIMIT = 3e-3;

const kept = createRigidMotion();

/** Takes a shell that has strayed to where it is `carried`, but for the held particles, and restores its momentum. Whether so. */
export function pullBackStray(shell: Shell, held: Uint8Array, carried: Float64Array, size: number): boolean {
  const { positions, velocities, masses } = shell;
  if (!(longestDifference(positions, carried) > STRAY_LIMIT * size)) return false;
  measureRigidMotion(positions, velocities, masses, kept);
  for (let i = 0, k = 0; i < held.length; i++, k += 3) {
    if (held[i] !== 0) continue;
    for (let c = k; c < k + 3; c++) positions[c] = carried[c];
  }
  restoreRigidMotion(positions, velocities, masses, kept);
  return true;
}

/** Length of the longest difference between two lists of vectors. */
function longestDifference(a: Float64Array, b: Float64Array): number {
  let longest2 = 0;
  for (let k = 0; k < a.length; k += 3) {
    const distance2 = (a[k] - b[k]) ** 2 + (a[k + 1] - b[k + 1]) ** 2 + (a[k + 2] - b[k + 2]) ** 2;
    if (distance2 > longest2) longest2 = distance2;
  }
  return Math.sqrt(longest2);
}
