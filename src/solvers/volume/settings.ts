// What a user can set about the volume constraint, and every default in one place.

import { expectNumber, showInput } from '../../math/expect.js';
import { expectKnownFields } from '../../math/known-fields.js';

export interface VolumeSettings {
  /** α, 0…1: 1 spreads a volume change over the whole surface, towards 0 only where the body deforms. */
  readonly globalShare: number;
  /** β, 0…1: how much the inner pairs (rather than the surface's deformation) decide where the body deforms. */
  readonly innerShare: number;
  /** [σ_min, σ_max]: stiffness of the longest and of the shortest inner pair. */
  readonly innerStiffness: readonly [number, number];
}

export const VOLUME_DEFAULTS: VolumeSettings = Object.freeze({
  globalShare: 0.2,
  innerShare: 0.1,
  innerStiffness: Object.freeze([0.01, 0.1] as const),
});

/** Fills in the defaults; `false` turns the constraint off. */
export function volumeSettings(options: Partial<VolumeSettings> | boolean): VolumeSettings | false {
  if (options === false) return false;
  const given = options === true ? {} : options;
  expectKnownFields('volume', given, Object.keys(VOLUME_DEFAULTS));
  const settings = {
    globalShare: given.globalShare ?? VOLUME_DEFAULTS.globalShare,
    innerShare: given.innerShare ?? VOLUME_DEFAULTS.innerShare,
    innerStiffness: given.innerStiffness ?? VOLUME_DEFAULTS.innerStiffness,
  };
  for (const name of ['globalShare', 'innerShare'] as const) expectNumber(`volume.${name}`, settings[name], 0, 1);
  const { innerStiffness } = settings;
  if (!(innerStiffness?.length === 2 && Array.from(innerStiffness).every((s) => s >= 0 && s <= 1))) {
    throw new RangeError(`volume.innerStiffness: expected two numbers from 0 to 1, got ${showInput(innerStiffness)}`);
  }
  return Object.freeze({ ...settings, innerStiffness: Object.freeze([innerStiffness[0], innerStiffness[1]] as const) });
}
