// How long a step may be: what meets an obstacle must not pass a good part of its elements within one.

import type { TetraRest } from './rest.js';

/** In spacings of nodes, from four runs of the specification's prototype: 0.35 kept volumes, from 0.56 on elements inverted. */
export const REACH = 0.35;
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
