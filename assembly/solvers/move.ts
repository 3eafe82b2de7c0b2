// How bodies that the kernels move are moved: the one place that knows which solvers have kernels. Each function is a stage for the
// chunks of one thread; what follows may read what all threads wrote.

import { BODY_DAMPING, BODY_STIFFNESS, SUM_DAMP, SUM_MATCH, SUM_STARTS } from '../layout';
import { sync } from '../threads';
import { findRestoring } from './rigid-motion';
import { dampRegions, dampVelocities, writeMomenta } from './surface/damping';
import { pullToGoals, transformRegions } from './surface/goals';
import { predict } from './surface/moments';
import { followPins } from './surface/pin-reach';

/** v ← v + Δt·g, x = xⁿ + Δt·v, pins to their targets. */
export function predictBody(body: usize, from: i32, to: i32, threads: i32, timeStep: f32, fall: v128): void {
  for (let c = from; c < to; c++) predict(body, c, timeStep, fall);
  sync(threads);
}

/** Velocities towards the goals; leaves the field that restores momentum. */
export function matchBody(body: usize, from: i32, to: i32, threads: i32, timeStep: f32): void {
  for (let c = from; c < to; c++) transformRegions(body, c);
  sync(threads);
  const stiffness = <f32>load<f64>(body + BODY_STIFFNESS);
  for (let c = from; c < to; c++) pullToGoals(body, c, stiffness, timeStep);
  sync(threads);
  followPins(body, from, to, timeStep);
  findRestoring(body, SUM_STARTS, SUM_MATCH);
}

/** Restores momentum, takes what is not rigid from the velocities and leaves the field that restores momentum again. */
export function dampBody(body: usize, from: i32, to: i32, threads: i32, timeStep: f32): void {
  const damping = <f32>load<f64>(body + BODY_DAMPING);
  if (!(damping > 0)) return;
  for (let c = from; c < to; c++) writeMomenta(body, c, timeStep);
  sync(threads);
  for (let c = from; c < to; c++) dampRegions(body, c);
  sync(threads);
  for (let c = from; c < to; c++) dampVelocities(body, c, damping, timeStep);
  sync(threads);
  findRestoring(body, SUM_STARTS, SUM_DAMP);
}
