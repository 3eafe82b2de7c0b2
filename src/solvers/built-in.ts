// The solvers that come with the library: the one place, beside its public face, that knows them by name. Scene files choose
// among them, and what is prepared without naming a solver gets the default.

import { deformerPoser } from './deformer/deformer-poser.js';
import { lattice } from './lattice/lattice-solver.js';
import { octree } from './octree/octree-solver.js';
import type { Poser } from './poser.js';
import type { Solver, SolverMaker, SolverRest } from './solver.js';
import type { SolverSettings } from './solver-settings.js';
import { surface } from './surface/surface.js';
import { tetrahedra } from './tetrahedra/tetrahedra-solver.js';

/** The default comes first. */
export const BUILT_IN_SOLVERS = [surface, lattice, octree, tetrahedra] as const;

/** Bodies that are posed instead. */
export const BUILT_IN_POSERS: readonly Poser[] = [deformerPoser];

/**
 * The poser that a scene names; undefined for bodies that are simulated.
 * @example
 * ```ts
 * console.log(poserFor({ type: 'deformer' })?.type);
 * ```
 */
export const poserFor = ({ type }: { readonly type: string }): Poser | undefined =>
  BUILT_IN_POSERS.find((one) => one.type === type);

export const defaultSolver = surface;

/** Any solver's function. */
export type AnySolverMaker = Pick<SolverMaker<object, SolverSettings, SolverRest>, 'type' | 'words' | 'fields'> &
  ((options?: object) => unknown);

/** The solver that a scene names, with the settings that it gives; `own` are the caller's beside those of the library. */
export function solverFor(
  { type, ...settings }: { readonly type: string },
  own: readonly AnySolverMaker[] = [],
): Solver {
  const makers: readonly AnySolverMaker[] = [...BUILT_IN_SOLVERS, ...own];
  const make = makers.find((one) => one.type === type);
  if (!make)
    throw new RangeError(`solver.type: expected one of ${makers.map((one) => one.type).join(', ')}, got ${type}`);
  return make(settings) as Solver;
}
