// The surface solver: settings, preparation and model as one value.

import { defineSolver, type KernelRest, type Prepared, type Solver, type SolverRest } from '../solver.js';
import { buildVolumeRest, type VolumeRest } from '../volume/rest.js';
import { buildPushField } from './push-field.js';
import { buildSurfaceRest, type SurfaceRest } from './rest.js';
import { SURFACE_FIELDS, type SurfaceOptions, type SurfaceSettings } from './settings.js';
import { surfaceStructure } from './structure.js';
import { SurfaceModel } from './surface-model.js';

/** What the surface solver knows of a mesh at rest. */
export interface SurfaceBody extends SolverRest {
  readonly surface: SurfaceRest;
  readonly kernels: KernelRest;
  readonly volume: VolumeRest & { readonly pushes: Float64Array };
}

/** The solver as a value that the user passes around: `surface({ regionRadius: 0.3 })`. */
export type SurfaceSolver = Solver<SurfaceSettings, SurfaceBody>;
/** A mesh prepared for `surface()`. */
export type PreparedSurface = Prepared<SurfaceSettings> & SurfaceBody;

/**
 * Elastic surface of overlapping shape-matched regions with exact volume. [DBB11]
 * @example
 * ```ts
 * const body = prepare(icosphere(), surface({ stiffness: 0.5, volume: { globalShare: 0.2 } }));
 * ```
 */
export const surface = /* @__PURE__ */ defineSolver<SurfaceOptions, SurfaceSettings, SurfaceBody>({
  type: 'surface',
  words: 'Shape matching on the surface.',
  fields: SURFACE_FIELDS,
  prepare(mesh, settings, maps) {
    const rest = buildSurfaceRest(mesh, settings, maps);
    const whole = buildVolumeRest(rest.mesh);
    const volume = { ...whole, pushes: buildPushField(rest, whole.pushAreas) };
    return { particles: rest, surface: rest, kernels: rest, volume, structure: surfaceStructure(rest) };
  },
  create: ({ surface: rest }, settings) => new SurfaceModel(rest, settings),
});
