// What a user can set about the surface solver, and every default in one place.

import { elasticFields } from '../elastic-fields.js';
import type { NumberField } from '../fields.js';
import type { ElasticSettings } from '../solver-settings.js';
import { VOLUME_DEFAULTS, type VolumeSettings } from '../volume/settings.js';

/** All settings of the surface solver. */
export interface SurfaceSettings extends ElasticSettings {
  /**
   * Region radius as a fraction of the body's bounding-sphere diameter, above 0, up to 1. Larger is stiffer, and the same on
   * coarse and on fine meshes. Either this or `regionSize` is set.
   */
  readonly regionRadius?: number;
  /** ω, in its place: region size in rings of edges, 1…16, as in the paper. A finer mesh is softer then. */
  readonly regionSize?: number;
}

/** What `surface()` takes. */
export type SurfaceOptions = Partial<Omit<SurfaceSettings, 'volume'>> & {
  readonly volume?: Partial<VolumeSettings> | boolean;
};

/**
 * With this radius a ball of 1 m rests 0.954, 0.943, 0.953 and 0.944 m high with 162, 642, 2562 and 10 242 vertices: within
 * ±0.6 %. With three rings, as the paper has them, it is 0.967, 0.909, 0.851 and 0.629 m. Radii of 0.25 and 0.4 are as even; the
 * wider is stiffer, and at 10 242 vertices already bounded by the most rings there are.
 */
export const SURFACE_DEFAULTS = Object.freeze({
  regionRadius: 0.3,
  stiffness: 0.9,
  damping: 0.3,
  volume: VOLUME_DEFAULTS,
}) satisfies SurfaceSettings;

/** The largest region in rings: beyond it a region spans most bodies and one global region would do. */
export const MAX_REGION_SIZE = 16;

export const SURFACE_FIELDS = {
  regionSize: {
    kind: 'integer',
    change: 'prepared',
    instead: 'region',
    label: 'Region size',
    words: 'ω, instead of regionRadius: region size in rings of edges; larger is stiffer, a finer mesh is softer.',
    low: 1,
    high: MAX_REGION_SIZE,
  } as const satisfies NumberField,
  regionRadius: {
    kind: 'number',
    change: 'prepared',
    instead: 'region',
    label: 'Region radius',
    words: `Region radius as a fraction of the body's bounding-sphere diameter; ${SURFACE_DEFAULTS.regionRadius} where neither it nor regionSize is set.`,
    low: 0,
    above: true,
    high: 1,
    default: SURFACE_DEFAULTS.regionRadius,
    step: 0.01,
  } as const satisfies NumberField,
  ...elasticFields(SURFACE_DEFAULTS),
};
