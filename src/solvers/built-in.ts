// The solvers that come with the library: the one place, beside its public face, that knows them by name. Scene files choose
// among them, and what is prepared without naming a solver gets the default.

import { lattice } from './lattice/lattice-solver.js';
import type { Solver } from './solver.js';
import { surface } from './surface/surface.js';

/** The default comes first. */
export const BUILT_IN_SOLVERS = [surface, lattice] as const;

export const defaultSolver = surface;

export type BuiltInType = (typeof BUILT_IN_SOLVERS)[number]['type'];

/** The solver that a scene file names, with the settings that it gives. */
export function solverFor({ type, ...settings }: { readonly type: string }): Solver {
  const make = BUILT_IN_SOLVERS.find((one) => one.type === type);
  if (!make) throw new RangeError(`solver.type: expected one of ${BUILT_IN_SOLVERS.map((one) => one.type).join(', ')}`);
  return make(settings) as unknown as Solver;
}
