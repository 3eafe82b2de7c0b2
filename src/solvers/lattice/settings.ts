// What a user can set about the lattice solver, and every default in one place.

import { expectNumber, showInput } from '../../math/expect.js';
import { expectKnownFields } from '../../math/known-fields.js';
import { VOLUME_DEFAULTS, type VolumeSettings, volumeSettings } from '../volume/settings.js';

export interface LatticeSettings {
  /** w, half-width of a region in cells, 1…16: a region is at most (2w+1)³ lattice particles. Larger is stiffer. */
  readonly regionSize: number;
  /** Cells along the longest side of the body's bounding box, 1…100. */
  readonly resolution: number;
  /** s, 0…1: share of the way to the elastic goal per 5 ms. */
  readonly stiffness: number;
  /** k, 0…1: share of the non-rigid velocity taken away per 5 ms. */
  readonly damping: number;
  /** The volume constraint, or false for none. */
  readonly volume: VolumeSettings | false;
}

export type LatticeOptions = Partial<Omit<LatticeSettings, 'volume'>> & {
  readonly volume?: Partial<VolumeSettings> | boolean;
};

/** The solver as a value that the user passes around: `lattice({ resolution: 16 })`. */
export interface LatticeSolver {
  readonly type: 'lattice';
  readonly settings: LatticeSettings;
}

export const LATTICE_DEFAULTS: LatticeSettings = Object.freeze({
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

/** Elastic lattice of overlapping shape-matched regions that carries the surface, with exact volume. [RJ07] */
export function lattice(options: LatticeOptions = {}): LatticeSolver {
  expectKnownFields('lattice', options, Object.keys(LATTICE_DEFAULTS));
  const settings = {
    regionSize: options.regionSize ?? LATTICE_DEFAULTS.regionSize,
    resolution: options.resolution ?? LATTICE_DEFAULTS.resolution,
    stiffness: options.stiffness ?? LATTICE_DEFAULTS.stiffness,
    damping: options.damping ?? LATTICE_DEFAULTS.damping,
    volume: volumeSettings(options.volume ?? true),
  };
  expectInteger('regionSize', settings.regionSize, MAX_REGION_CELLS);
  expectInteger('resolution', settings.resolution, MAX_RESOLUTION);
  expectNumber('stiffness', settings.stiffness, 0, 1);
  expectNumber('damping', settings.damping, 0, 1);
  return Object.freeze({ type: 'lattice', settings: Object.freeze(settings) });
}

function expectInteger(name: string, value: number, high: number): void {
  if (!Number.isInteger(value) || value < 1 || value > high) {
    throw new RangeError(`${name}: expected an integer from 1 to ${high}, got ${showInput(value)}`);
  }
}
