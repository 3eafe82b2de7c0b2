// What a user can set about the octree solver, and every default in one place.

import { elasticFields } from '../elastic-fields.js';
import type { ChoiceField, GroupField, NumberField } from '../fields.js';
import type { ElasticSettings } from '../solver-settings.js';
import { VOLUME_DEFAULTS, type VolumeSettings } from '../volume/settings.js';
import type { Plasticity } from './plasticity.js';
import { REFINEMENTS, type Refinement } from './refinement.js';

/** All settings of an octree. */
export interface OctreeSettings extends ElasticSettings {
  /** Base cells along the longest side of the body's bounding box, 1…64. */
  readonly cells: number;
  /** How often a cell may be halved, 0…6. */
  readonly levels: number;
  /** What is halved: 'thin' parts, only what 'topology' asks for, or all of the 'surface'. */
  readonly refine: Refinement;
  /** Half-width of a region in base cells, 0…8. Larger is stiffer. At least what reaches the next cells. */
  readonly width: number;
  /** Plastic flow, or false for none. */
  readonly plasticity: Plasticity | false;
}

/** What `octree()` takes. */
export type OctreeOptions = Partial<Omit<OctreeSettings, 'volume' | 'plasticity'>> & {
  readonly plasticity?: Partial<Plasticity> | boolean;
  readonly volume?: Partial<VolumeSettings> | boolean;
};

declare module '../live-settings.js' {
  interface LiveSettings {
    /** Plastic flow of an octree: what is to change of it, true to turn it on, false to turn it off. */
    readonly plasticity?: Partial<Plasticity> | boolean;
  }
}

/** Clay: gives way beyond 5 % of strain, within a tenth of a second. */
export const PLASTICITY_DEFAULTS: Plasticity = /* @__PURE__ */ Object.freeze({ yield: 0.05, creep: 10, max: 1 });

/** Settings of `octree()` where none are given. */
export const OCTREE_DEFAULTS: OctreeSettings = /* @__PURE__ */ Object.freeze({
  cells: 4,
  levels: 3,
  refine: 'thin',
  width: 0.5,
  stiffness: 0.9,
  damping: 0.3,
  plasticity: false,
  volume: VOLUME_DEFAULTS,
});

export const MAX_CELLS = 64;
export const MAX_LEVELS = 6;
/** Finest cells along the longest side: a cube of them has 17 million voxels, some 150 MB. */
export const MAX_FINEST_CELLS = 128;
const MAX_WIDTH = 8;
/** Strains beyond 10 and flow within a millisecond mean nothing else than these. */
const MAX_STRAIN = 10;
const MAX_CREEP = 1000;

const plastic = { kind: 'number', change: 'live', low: 0 } as const;

const PLASTICITY_FIELD = {
  kind: 'group',
  change: 'live',
  label: 'Plastic',
  words: 'Plastic flow: what is strained further becomes the shape that the body goes back to; false turns it off.',
  default: false,
  fields: {
    yield: {
      ...plastic,
      high: MAX_STRAIN,
      default: PLASTICITY_DEFAULTS.yield,
      step: 0.01,
      label: 'Yields at',
      words: 'Strain up to which it springs back.',
    },
    creep: {
      ...plastic,
      high: MAX_CREEP,
      default: PLASTICITY_DEFAULTS.creep,
      step: 1,
      label: 'Creep',
      words: 'Share of the strain beyond that becomes plastic in a second [1/s].',
    },
    max: {
      ...plastic,
      high: MAX_STRAIN,
      default: PLASTICITY_DEFAULTS.max,
      step: 0.1,
      label: 'Most',
      words: 'Most plastic strain.',
    },
  },
} as const satisfies GroupField;

const allFields = () => ({
  cells: {
    kind: 'integer',
    change: 'prepared',
    label: 'Base cells',
    words: "Base cells along the longest side of the body's bounding box.",
    low: 1,
    high: MAX_CELLS,
    default: OCTREE_DEFAULTS.cells,
  } as const satisfies NumberField,
  levels: {
    kind: 'integer',
    change: 'prepared',
    label: 'Levels',
    words: `How often a cell may be halved; cells·2^levels is at most ${MAX_FINEST_CELLS}.`,
    low: 0,
    high: MAX_LEVELS,
    default: OCTREE_DEFAULTS.levels,
  } as const satisfies NumberField,
  refine: {
    kind: 'choice',
    change: 'prepared',
    label: 'Refined',
    words: "What is halved: 'thin' parts, only what 'topology' asks for, or all of the 'surface'.",
    options: REFINEMENTS,
    default: OCTREE_DEFAULTS.refine,
  } as const satisfies ChoiceField,
  width: {
    kind: 'number',
    change: 'prepared',
    label: 'Region width',
    words: 'Half-width of a region in base cells; larger is stiffer. At least what reaches the next cells.',
    low: 0,
    high: MAX_WIDTH,
    default: OCTREE_DEFAULTS.width,
    step: 0.1,
  } as const satisfies NumberField,
  ...elasticFields(OCTREE_DEFAULTS),
  plasticity: PLASTICITY_FIELD,
});

export const OCTREE_FIELDS = /* @__PURE__ */ allFields();

/** Throws RangeError where there would be more cells than memory. */
export function checkCells({ cells, levels }: OctreeSettings): void {
  const finest = cells * (1 << levels);
  if (finest > MAX_FINEST_CELLS) {
    throw new RangeError(`levels: expected cells·2^levels up to ${MAX_FINEST_CELLS}, got ${finest}`);
  }
}
