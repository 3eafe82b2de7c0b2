// What a user can set about the surface solver, and every default in one place.

import { expectNumber } from '../../math/expect.js';
import { type VolumeSettings, volumeSettings } from '../volume/settings.js';

export interface SurfaceSettings {
  /** ω, region size in rings of edges, 1…16. Larger is stiffer. Used unless `regionRadius` is set. */
  readonly regionSize: number;
  /**
   * Region radius as a fraction of the body's bounding-sphere diameter; replaces `regionSize` and makes the behaviour
   * independent of the mesh's resolution.
   */
  readonly regionRadius?: number;
  /** s, 0…1: share of the way to the elastic goal per 5 ms. */
  readonly stiffness: number;
  /** k, 0…1: share of the non-rigid velocity taken away per 5 ms. */
  readonly damping: number;
  /** The volume constraint, or false for none. */
  readonly volume: VolumeSettings | false;
}

export type SurfaceOptions = Partial<Omit<SurfaceSettings, 'volume'>> & {
  readonly volume?: Partial<VolumeSettings> | boolean;
};

/** The solver as a value that the user passes around: `surface({ regionSize: 3 })`. */
export interface SurfaceSolver {
  readonly type: 'surface';
  readonly settings: SurfaceSettings;
}

export const SURFACE_DEFAULTS: SurfaceSettings = {
  regionSize: 3,
  stiffness: 0.9,
  damping: 0.3,
  volume: volumeSettings(true) as VolumeSettings,
};

/** The largest region in rings: beyond it a region spans most bodies and one global region would do. */
export const MAX_REGION_SIZE = 16;

/** Elastic surface of overlapping shape-matched regions with exact volume. [DBB11] */
export function surface(options: SurfaceOptions = {}): SurfaceSolver {
  const settings = {
    regionSize: options.regionSize ?? SURFACE_DEFAULTS.regionSize,
    regionRadius: options.regionRadius,
    stiffness: options.stiffness ?? SURFACE_DEFAULTS.stiffness,
    damping: options.damping ?? SURFACE_DEFAULTS.damping,
    volume: volumeSettings(options.volume ?? true),
  };
  if (!Number.isInteger(settings.regionSize) || settings.regionSize < 1 || settings.regionSize > MAX_REGION_SIZE) {
    throw new RangeError(`regionSize: expected an integer from 1 to ${MAX_REGION_SIZE}, got ${settings.regionSize}`);
  }
  if (settings.regionRadius !== undefined) {
    if (options.regionSize !== undefined)
      throw new RangeError('regionRadius: expected either regionSize or regionRadius, got both');
    if (!(settings.regionRadius > 0 && settings.regionRadius <= 1)) {
      throw new RangeError(`regionRadius: expected a number above 0, up to 1, got ${settings.regionRadius}`);
    }
  }
  expectNumber('stiffness', settings.stiffness, 0, 1);
  expectNumber('damping', settings.damping, 0, 1);
  return { type: 'surface', settings };
}
