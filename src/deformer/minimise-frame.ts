// One frame as the minimum of its energy, in rounds of a few steps: before each, what touches is told to the preconditioner, and the
// multiplier of the volume rises between them. It always begins at rest, so a frame is a function of its input alone.

import type { FrameEnergy, FrameProblem } from './frame-energy.js';
import type { FrameSolver } from './frame-solver.js';

/**
 * Steps in the first round, in which planes stay while vertices are deep in colliders, and in those after, in which they are found anew after
 * every step: a surface that slides over a ball creeps otherwise. With 3 or 4 in the first a large ball took 50 steps instead of 42, with planes
 * that move from the start 89. Later each round costs by what is told to the preconditioner: 60 frames (five scenes, four bodies, three
 * reaches) took 7140 steps in 848 rounds, with 6 steps each and two such first rounds 7161 in 1229, with 12 as many as that in 690.
 */
const FIRST_STEPS = 6;
const STEPS = 9;
/** Rounds at most. Of those 60 frames all arrived, the slowest in 46; bodies that may turn almost freely creep. */
const MOST_ROUNDS = 80;
/**
 * Contacts below this share of a helper vertex's own stiffness are not told to the preconditioner: 25 scenes of five bodies took 1809 steps
 * instead of 1808, with smaller dense matrices. With 0.5 in the first round and 0.3 later a hand inverted tetrahedra.
 */
const LEAST_STIFFNESS = 0.2;
/** Volume that the rounds may leave to the finish, as a share. */
const VOLUME_LEFT = 1e-3;

export interface Minimum {
  readonly rounds: number;
  readonly iterations: number;
  /** Whether the next step would have been below the tolerance. */
  readonly converged: boolean;
  /** Largest coordinate by which the last round moved the surface [half sizes]. */
  readonly lastChange: number;
  /** Helper mesh [half sizes]. */
  readonly x: Float64Array;
  /** Energies before and after each step, with the planes of its beginning. */
  readonly energies: readonly (readonly [number, number])[];
}

/** @param start positions to begin at, instead of rest. */
export function minimiseFrame(
  problem: FrameProblem,
  energy: FrameEnergy,
  solver: FrameSolver,
  tolerance: number,
  start: Float64Array = problem.rest,
): Minimum {
  const { contacts } = problem;
  const { response, volumeResponse, descent, x, stiffness, pushes } = solver;
  const { carried } = solver.carrier;
  const before = new Float64Array(carried.length);
  const energies: (readonly [number, number])[] = [];
  x.set(start);
  energy.carry(x, carried);
  solver.factorFor(problem.reach);
  let iterations = 0;
  let converged = false;
  let lastChange = 0;
  let round = 0;
  for (; round < MOST_ROUNDS && !converged; round++) {
    before.set(carried);
    contacts.list(carried);
    contacts.listed.lump(solver.carrier, stiffness, pushes);
    const isNew = response.press(stiffness, pushes, LEAST_STIFFNESS, round > 0);
    if (isNew) volumeResponse.press(energy.stiffness);
    const isFixed = round === 0;
    const way = descent.minimise(
      energy,
      (b, out) => volumeResponse.solve(b, out),
      x,
      tolerance,
      isFixed ? FIRST_STEPS : STEPS,
      {
        keep: round > 0,
        refresh: isFixed ? undefined : () => energy.renewPlanes(),
      },
    );
    iterations += way.steps;
    energies.push(...way.values);
    energy.carry(x, carried);
    const left = energy.press(carried);
    lastChange = greatestChange(before, carried);
    // Where planes were fixed, they are those of the round's beginning: a minimum is one where it began.
    converged = way.converged && left < VOLUME_LEFT && (!isFixed || way.steps === 0);
  }
  return { rounds: round, iterations, converged, lastChange, x: x.slice(), energies };
}

function greatestChange(a: Float64Array, b: Float64Array): number {
  let most = 0;
  for (let i = 0; i < a.length; i++) most = Math.max(most, Math.abs(a[i] - b[i]));
  return most;
}
