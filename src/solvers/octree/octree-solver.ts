// The octree solver: settings, preparation and model as one value.

import { defineSolver, type Prepared, type Solver, type SolverRest } from '../solver.js';
import { CuttableOctree } from './cuttable-octree.js';
import { buildOctreeRest, type OctreeRest } from './rest.js';
import { reviveRest } from './revival.js';
import { checkCells, OCTREE_FIELDS, type OctreeOptions, type OctreeSettings } from './settings.js';

/** What an octree knows of a mesh at rest. */
export interface OctreeBody extends SolverRest {
  readonly octree: OctreeRest;
}

/** The solver as a value that the user passes around: `octree({ levels: 4 })`. */
export type OctreeSolver = Solver<OctreeSettings, OctreeBody>;
/** A mesh prepared for `octree()`. */
export type PreparedOctree = Prepared<OctreeSettings> & OctreeBody;

/**
 * Elastic or plastic regions over an octree of the solid, finest where it is thin, with exact volume. [SOG08]
 * @example
 * ```ts
 * const body = prepare(icosphere(), octree({ cells: 4, levels: 2, plasticity: { yield: 0.05 } }));
 * ```
 */
export const octree = /* @__PURE__ */ defineSolver<OctreeOptions, OctreeSettings, OctreeBody>({
  type: 'octree',
  words: 'Shape matching on an octree of the solid that carries the surface.',
  fields: OCTREE_FIELDS,
  parts: true,
  check: checkCells,
  prepare(mesh, settings, maps) {
    const rest = buildOctreeRest(mesh, settings, maps);
    return { particles: rest, octree: rest, innerCount: rest.regions.leaves.length };
  },
  revive(mesh, _, made, structure) {
    const rest = reviveRest(mesh, made.octree, structure);
    return { particles: rest, octree: rest, innerCount: rest.regions.leaves.length };
  },
  create: ({ octree: rest }, settings, { kernels }) => new CuttableOctree(rest, settings, undefined, kernels),
});
