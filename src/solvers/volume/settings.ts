// What a user can set about the volume constraint, and every default in one place.

export interface VolumeSettings {
  /** α, 0…1: 1 spreads a volume change over the whole surface, towards 0 only where the body deforms. */
  readonly globalShare: number;
  /** β, 0…1: how much the inner pairs (rather than the surface's deformation) decide where the body deforms. */
  readonly innerShare: number;
  /** [σ_min, σ_max]: stiffness of the longest and of the shortest inner pair. */
  readonly innerStiffness: readonly [number, number];
}

export const VOLUME_DEFAULTS: VolumeSettings = {
  globalShare: 0.2,
  innerShare: 0.1,
  innerStiffness: [0.01, 0.1],
};

/** Fills in the defaults; `false` turns the constraint off. */
export function volumeSettings(options: Partial<VolumeSettings> | boolean): VolumeSettings | false {
  if (options === false) return false;
  const settings = { ...VOLUME_DEFAULTS, ...(options === true ? {} : options) };
  for (const name of ['globalShare', 'innerShare'] as const) {
    if (!(settings[name] >= 0 && settings[name] <= 1)) {
      throw new RangeError(`volume.${name}: expected a number from 0 to 1, got ${settings[name]}`);
    }
  }
  if (!(settings.innerStiffness.length === 2 && settings.innerStiffness.every((s) => s >= 0 && s <= 1))) {
    throw new RangeError(`volume.innerStiffness: expected two numbers from 0 to 1, got ${settings.innerStiffness}`);
  }
  return settings;
}
