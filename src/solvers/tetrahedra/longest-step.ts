// How long a step may be: what meets an obstacle must not pass a good part of its elements within one.

import type { TetraRest } from './rest.js';

/**
 * In spacings of nodes, from four runs of the specification's prototype: 0.35 kept volumes, from 0.56 on elements inverted.
 * Here a ball of 648 tetrahedra broke at 20 m/s with it and without it, and at 15 m/s with it only: it is no guarantee.
 */
const REACH = 0.35;

/** Longest step [s] at the greatest speed [m/s] of nodes and obstacles towards each other; Infinity where nothing meets. */
export function longestStep(rest: TetraRest, speed: number): number {
  return speed > 0 ? (REACH * rest.spacing) / speed : Infinity;
}
