// The tetrahedra solver: settings, preparation and model as one value.

import { defineSolver, type Prepared, type Solver } from '../solver.js';
import { TETRAHEDRA_FIELDS, type TetrahedraOptions, type TetrahedraSettings } from './settings.js';
import { fillSurface, takeSolid } from './solid.js';
import { buildBody, type TetrahedraBody } from './tetrahedra-body.js';
import { TetrahedraCoupling } from './tetrahedra-coupling.js';
import { TetrahedraModel } from './tetrahedra-model.js';

/** The solver as a value that the user passes around: `tetrahedra({ youngsModulus: 2e4 })`. */
export type TetrahedraSolver = Solver<TetrahedraSettings, TetrahedraBody>;
/** A mesh prepared for `tetrahedra()`. */
export type PreparedTetrahedra = Prepared<TetrahedraSettings> & TetrahedraBody;

/**
 * Finite elements that keep the volume of every one-ring of nodes, with constants in pascals and muscles. [ISF07]
 * @example
 * ```ts
 * const body = prepare(icosphere({ detail: 2 }), tetrahedra({ cells: 4, youngsModulus: 5e4 }));
 * ```
 */
export const tetrahedra = /* @__PURE__ */ defineSolver<TetrahedraOptions, TetrahedraSettings, TetrahedraBody>({
  type: 'tetrahedra',
  words: 'Finite elements that keep the volume of every one-ring of nodes.',
  fields: TETRAHEDRA_FIELDS,
  recovers: true,
  keepsVolume: ({ poissonRatio }) => poissonRatio === 'incompressible',
  prepare: (mesh, settings, maps) => ({
    ...buildBody(fillSurface(mesh, settings.cells, maps), settings),
    visible: mesh,
  }),
  prepareSolid: (mesh, settings, maps) => buildBody(takeSolid(mesh, maps), settings),
  create: (body, settings, { mass, kernels, threads }) => new TetrahedraModel(body, settings, mass, kernels, threads),
  couple: () => new TetrahedraCoupling(),
});
