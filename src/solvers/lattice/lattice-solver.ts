// The lattice solver: settings, preparation and model as one value.

import { defineSolver, type Prepared, type Solver, type SolverRest } from '../solver.js';
import { buildVolumeRest, type VolumeRest } from '../volume/rest.js';
import { LatticeModel } from './lattice-model.js';
import { buildLatticeRest, type LatticeRest } from './rest.js';
import { LATTICE_FIELDS, type LatticeOptions, type LatticeSettings } from './settings.js';

/** What a lattice knows of a mesh at rest. */
export interface LatticeBody extends SolverRest {
  readonly lattice: LatticeRest;
}

/** The solver as a value that the user passes around: `lattice({ resolution: 16 })`. */
export type LatticeSolver = Solver<LatticeSettings, LatticeBody>;
/** A mesh prepared for `lattice()`. */
export type PreparedLattice = Prepared<LatticeSettings> & LatticeBody;

/**
 * Elastic lattice of overlapping shape-matched regions that carries the surface, with exact volume. [RJ07]
 * @example
 * ```ts
 * const body = prepare(icosphere(), lattice({ resolution: 10 }));
 * ```
 */
export const lattice = /* @__PURE__ */ defineSolver<LatticeOptions, LatticeSettings, LatticeBody>({
  type: 'lattice',
  words: 'Shape matching on a lattice that carries the surface.',
  fields: LATTICE_FIELDS,
  prepare(mesh, settings, maps) {
    const rest = buildLatticeRest(mesh, settings, maps);
    const volume = evenAreas(buildVolumeRest(rest.mesh));
    return { particles: rest, lattice: rest, volume, innerCount: rest.lattice.count };
  },
  create: ({ lattice: rest }, settings) => new LatticeModel(rest, settings),
});

/**
 * The volume constraint moves vertices in proportion to their area. Where they hang on a lattice instead of on each
 * other, vertices of unequal area side by side would be pulled apart into spikes, step by step: each counts alike.
 */
function evenAreas(rest: VolumeRest): VolumeRest {
  const mean = rest.areas.reduce((sum, area) => sum + area, 0) / rest.areas.length;
  const areas = rest.areas.map(() => mean);
  return { ...rest, areas, pushAreas: areas };
}
