// The fields that elastic solvers have in common.

import type { NumberField } from './fields.js';
import { VOLUME_FIELD } from './volume/settings.js';

/** Stiffness, damping and volume, with a solver's own defaults. */
export const elasticFields = (defaults: { stiffness: number; damping: number }) => ({
  stiffness: {
    kind: 'number',
    change: 'live',
    label: 'Stiffness',
    words: 's, share of the way to the elastic goal per 5 ms.',
    low: 0,
    high: 1,
    default: defaults.stiffness,
    step: 0.01,
  } as const satisfies NumberField,
  damping: {
    kind: 'number',
    change: 'live',
    label: 'Damping',
    words: 'k, share of the non-rigid velocity taken away per 5 ms.',
    low: 0,
    high: 1,
    default: defaults.damping,
    step: 0.01,
  } as const satisfies NumberField,
  volume: VOLUME_FIELD,
});
