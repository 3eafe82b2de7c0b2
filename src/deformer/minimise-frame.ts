// One frame as the minimum of its energy: rounds of fixed contact planes, each minimised, between which the multipliers of contact and
// volume rise. It always begins at rest, so a frame is a function of its input alone.

import type { FrameEnergy, FrameProblem } from './frame-energy.js';
import type { QuasiNewton } from './quasi-newton.js';
import type { SparseFactor } from './sparse-factor.js';
import { volumeOf } from './surface-volume.js';

/** Rounds at most: with more contacts than the helper mesh has freedom the multipliers would grow for ever. */
const MOST_ROUNDS = 7;
/** Rounds at least; those before are minimised to three times the tolerance. */
const LEAST_ROUNDS = 4;
const EARLY = 3;
/** Steps in a round at most. */
const MOST_STEPS = 80;
/** Volume that the rounds may leave to the finish, as a share. */
const VOLUME_LEFT = 1e-3;
/**
 * Change of the surface in the last round that counts as rest [half sizes]: where more vertices touch than the helper mesh has freedom,
 * multipliers and surface creep on for as long as one lets them, by 1e-3 to 3e-3 after seven rounds of a ball in a sphere.
 */
const SETTLED = 5e-3;

/** What a body's frames share: a solver of their matrices and room to work in. */
export interface FrameSolver {
  readonly factor: SparseFactor;
  /** Where in the matrix the ten pairs of each tetrahedron are, and each vertex itself. */
  readonly pairs: Uint32Array;
  readonly diagonal: Uint32Array;
  readonly descent: QuasiNewton;
}

export interface Minimum {
  readonly rounds: number;
  readonly iterations: number;
  /** Whether the last round reached its minimum and left the surface where it was. */
  readonly converged: boolean;
  /** Largest coordinate by which the last round moved the surface [half sizes]. */
  readonly lastChange: number;
  /** Helper mesh [half sizes]. */
  readonly x: Float64Array;
  /** Energies of each round, from its start. */
  readonly energies: readonly (readonly number[])[];
}

/** @param start positions to begin at, instead of rest. */
export function minimiseFrame(
  problem: FrameProblem,
  energy: FrameEnergy,
  solver: FrameSolver,
  tolerance: number,
  start: Float64Array = problem.rest,
): Minimum {
  const { contacts, triangles, volume, targetVolume } = problem;
  const { factor, pairs, diagonal, descent } = solver;
  const x = start.slice();
  const carried = new Float64Array(problem.surface.length);
  const before = new Float64Array(carried.length);
  const energies: (readonly number[])[] = [];
  energy.carry(x, carried);
  let iterations = 0;
  let settled = false;
  let reached = false;
  let lastChange = 0;
  let round = 0;
  for (; round < MOST_ROUNDS && !settled; round++) {
    before.set(carried);
    contacts.list(carried);
    if (round === 0) {
      energy.writeMatrix(factor, pairs, diagonal, carried);
      if (!factor.factor()) throw new RangeError('deformer: expected a helper mesh of positive volumes');
    }
    const isEarly = round < LEAST_ROUNDS - 1;
    const wanted = isEarly ? EARLY * tolerance : tolerance;
    const way = descent.minimise(energy, (b, out) => factor.solve(b, out), x, wanted, MOST_STEPS);
    iterations += way.steps;
    energies.push(way.values);
    reached = way.converged;
    energy.carry(x, carried);
    energy.press(carried);
    const left = Math.abs(volumeOf(carried, triangles) - targetVolume) / volume;
    lastChange = greatestChange(before, carried);
    settled = !isEarly && lastChange < 2 * tolerance && left < VOLUME_LEFT;
  }
  const converged = reached && (settled || lastChange < SETTLED);
  return { rounds: round, iterations, converged, lastChange, x, energies };
}

function greatestChange(a: Float64Array, b: Float64Array): number {
  let most = 0;
  for (let i = 0; i < a.length; i++) most = Math.max(most, Math.abs(a[i] - b[i]));
  return most;
}
