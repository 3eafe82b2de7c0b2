// What a user can set about the octree solver, and every default in one place.

import { expectNumber, showInput } from '../../math/expect.js';
import { describeKnown, expectKnownFields } from '../../math/known-fields.js';
import { VOLUME_DEFAULTS, type VolumeSettings, volumeSettings } from '../volume/settings.js';
import type { Plasticity } from './plasticity.js';
import { REFINEMENTS, type Refinement } from './refinement.js';

export interface OctreeSettings {
  /** Base cells along the longest side of the body's bounding box, 1…64. */
  readonly cells: number;
  /** How often a cell may be halved, 0…6. */
  readonly levels: number;
  /** What is halved: 'thin' parts, only what 'topology' asks for, or all of the 'surface'. */
  readonly refine: Refinement;
  /** Half-width of a region in base cells, 0…8. Larger is stiffer. At least what reaches the next cells. */
  readonly width: number;
  /** s, 0…1: share of the way to the elastic goal per 5 ms. */
  readonly stiffness: number;
  /** k, 0…1: share of the non-rigid velocity taken away per 5 ms. */
  readonly damping: number;
  /** Plastic flow, or false for none. */
  readonly plasticity: Plasticity | false;
  /** The volume constraint, or false for none. */
  readonly volume: VolumeSettings | false;
}

export type OctreeOptions = Partial<Omit<OctreeSettings, 'volume' | 'plasticity'>> & {
  readonly plasticity?: Partial<Plasticity> | boolean;
  readonly volume?: Partial<VolumeSettings> | boolean;
};

/** The solver as a value that the user passes around: `octree({ levels: 4 })`. */
export interface OctreeSolver {
  readonly type: 'octree';
  readonly settings: OctreeSettings;
}

/** Clay: gives way beyond 5 % of strain, within a tenth of a second. */
export const PLASTICITY_DEFAULTS: Plasticity = Object.freeze({ yield: 0.05, creep: 10, max: 1 });

export const OCTREE_DEFAULTS: OctreeSettings = Object.freeze({
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

/** Elastic or plastic regions over an octree of the solid, finest where it is thin, with exact volume. [SOG08] */
export function octree(options: OctreeOptions = {}): OctreeSolver {
  expectKnownFields('octree', options, Object.keys(OCTREE_DEFAULTS));
  const settings = {
    cells: options.cells ?? OCTREE_DEFAULTS.cells,
    levels: options.levels ?? OCTREE_DEFAULTS.levels,
    refine: options.refine ?? OCTREE_DEFAULTS.refine,
    width: options.width ?? OCTREE_DEFAULTS.width,
    stiffness: options.stiffness ?? OCTREE_DEFAULTS.stiffness,
    damping: options.damping ?? OCTREE_DEFAULTS.damping,
    plasticity: plasticitySettings(options.plasticity ?? false),
    volume: volumeSettings(options.volume ?? true),
  };
  expectInteger('cells', settings.cells, 1, MAX_CELLS);
  expectInteger('levels', settings.levels, 0, MAX_LEVELS);
  const finest = settings.cells * (1 << settings.levels);
  if (finest > MAX_FINEST_CELLS) {
    throw new RangeError(`levels: expected cells·2^levels up to ${MAX_FINEST_CELLS}, got ${finest}`);
  }
  if (!REFINEMENTS.includes(settings.refine)) {
    throw new RangeError(
      `refine: ${describeKnown(String(settings.refine), REFINEMENTS)}, got ${showInput(settings.refine)}`,
    );
  }
  expectNumber('width', settings.width, 0, MAX_WIDTH);
  expectNumber('stiffness', settings.stiffness, 0, 1);
  expectNumber('damping', settings.damping, 0, 1);
  return Object.freeze({ type: 'octree', settings: Object.freeze(settings) });
}

/** Fills in the defaults; `false` turns plasticity off. */
function plasticitySettings(options: Partial<Plasticity> | boolean): Plasticity | false {
  if (options === false) return false;
  const given = options === true ? {} : options;
  expectKnownFields('plasticity', given, Object.keys(PLASTICITY_DEFAULTS));
  const settings = { ...PLASTICITY_DEFAULTS, ...given };
  expectNumber('plasticity.yield', settings.yield, 0, MAX_STRAIN);
  expectNumber('plasticity.creep', settings.creep, 0, MAX_CREEP);
  expectNumber('plasticity.max', settings.max, 0, MAX_STRAIN);
  return Object.freeze(settings);
}

function expectInteger(name: string, value: number, low: number, high: number): void {
  if (!Number.isInteger(value) || value < low || value > high) {
    throw new RangeError(`${name}: expected an integer from ${low} to ${high}, got ${showInput(value)}`);
  }
}
