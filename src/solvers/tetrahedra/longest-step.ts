// How long a step may be: what meets an obstacle must not pass a good part of its elements within one.

import type { TetraRest } from './rest.js';

/**
 * In spacings of nodes. Of the specification's prototype 0.38 kept volumes in four runs (0.35 lattice spacings, of which neighbours are 0.92
 * apart), from 0.61 on elements inverted; parts that fail are halved here.
 */
export const REACH = 0.45;
/** Most steps that one is taken in. */
const MOST_STEPS = 32;

/** Longest step [s] at the greatest speed [m/s] of nodes and obstacles towards each other; Infinity where nothing meets. */
export function longestStep(rest: TetraRest, speed: number): number {
  return speed > 0 ? (REACH * rest.spacing) / speed : Infinity;
}

/** What is told of a body before a step. */
interface SteppedBody {
  readonly rest: TetraRest;
  readonly positions: Float64Array;
  readonly velocities: Float64Array;
}

/** In how many equal steps to take one of this length [s]: one unless an obstacle is met fast. */
export function stepsFor(body: SteppedBody, obstacles: MeetingSource, timeStep: number): number {
  return stepsAt(body.rest, obstacles.meetingSpeed(body.positions, body.velocities, timeStep), timeStep);
}

/** The same at a speed [m/s]. */
export const stepsAt = (rest: TetraRest, speed: number, timeStep: number): number =>
  Math.min(MOST_STEPS, Math.max(1, Math.ceil(timeStep / longestStep(rest, speed) - 1e-9)));

/** Whoever knows how fast a body meets something within a step [m/s]; 0 where it meets nothing. */
export interface MeetingSource {
  meetingSpeed(positions: Float64Array, velocities: Float64Array, timeStep: number): number;
}
