// What a user can set about the lattice solver, and every default in one place.

import { elasticFields } from '../elastic-fields.js';
import type { NumberField } from '../fields.js';
import type { ElasticSettings } from '../solver-settings.js';
import { VOLUME_DEFAULTS, type VolumeSettings } from '../volume/settings.js';

/** All settings of a lattice. */
export interface LatticeSettings extends ElasticSettings {
  /** w, half-width of a region in cells, 1…16: a region is at most (2w+1)³ lattice particles. Larger is stiffer. */
  readonly regionSize: number;
  /** Cells along the longest side of the body's bounding box, 1…100. */
  readonly resolution: number;
}

/** What `lattice()` takes. */
export type LatticeOptions = Partial<Omit<LatticeSettings, 'volume'>> & {
  readonly volume?: Partial<VolumeSettings> | boolean;
};

/** Settings of `lattice()` where none are given. */
export const LATTICE_DEFAULTS: LatticeSettings = /* @__PURE__ */ Object.freeze({
  regionSize: 2,
  resolution: 12,
  stiffness: 0.9,
  damping: 0.3,
  volume: VOLUME_DEFAULTS,
});

/** The widest region, as wide as the surface solver's. */
export const MAX_REGION_CELLS = 16;
/** A full lattice of this resolution has a million particles, about a gigabyte. */
export const MAX_RESOLUTION = 100;

const allFields = () => ({
  regionSize: {
    kind: 'integer',
    change: 'prepared',
    label: 'Region size',
    words: 'w, half-width of a region in cells; larger is stiffer.',
    low: 1,
    high: MAX_REGION_CELLS,
    default: LATTICE_DEFAULTS.regionSize,
  } as const satisfies NumberField,
  resolution: {
    kind: 'integer',
    change: 'prepared',
    label: 'Resolution',
    words: "Cells along the longest side of the body's bounding box.",
    low: 1,
    high: MAX_RESOLUTION,
    default: LATTICE_DEFAULTS.resolution,
  } as const satisfies NumberField,
  ...elasticFields(LATTICE_DEFAULTS),
});

export const LATTICE_FIELDS = /* @__PURE__ */ allFields();
