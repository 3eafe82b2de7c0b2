// How long a step may be: what meets an obstacle must not pass a good part of its elements within one.

import type { TetraRest } from './rest.js';

/**
 * In spacings of nodes. With 0.35 three Newton steps keep one-rings to 0.1 % in an impact; from 0.56 on elements invert and
 * volumes are lost.
 */
const REACH = 0.35;

/** Longest step [s] at the greatest speed [m/s] of nodes and obstacles towards each other; Infinity where nothing meets. */
export function longestStep(rest: TetraRest, speed: number): number {
  return speed > 0 ? (REACH * rest.spacing) / speed : Infinity;
}
