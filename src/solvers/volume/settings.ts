// What a user can set about the volume constraint, and every default in one place.

import { type GroupField, readFields } from '../fields.js';

/** How the volume of a body is kept. */
export interface VolumeSettings {
  /** α, 0…1: 1 spreads a volume change over the whole surface, towards 0 only where the body deforms. */
  readonly globalShare: number;
  /** β, 0…1: how much the inner pairs (rather than the surface's deformation) decide where the body deforms. */
  readonly innerShare: number;
  /** [σ_min, σ_max]: stiffness of the longest and of the shortest inner pair. */
  readonly innerStiffness: readonly [number, number];
  /** Volume to be kept, in volumes at rest, 0.2…5: a body that gets another one goes there at a bounded rate. */
  readonly target: number;
}

/** What solvers list among their fields. */
export const VOLUME_FIELD = {
  kind: 'group',
  change: 'live',
  label: 'Keeps its volume',
  words: 'The volume constraint; false turns it off.',
  default: true,
  fields: {
    globalShare: {
      kind: 'number',
      change: 'live',
      label: 'Spread over the surface',
      words: 'α, 1 spreads a volume change over the whole surface, towards 0 only where the body deforms.',
      low: 0,
      high: 1,
      default: 0.2,
      step: 0.01,
    },
    innerShare: {
      kind: 'number',
      change: 'live',
      label: 'Inner pairs',
      words: 'β, how much the inner pairs rather than the surface decide where the body deforms.',
      low: 0,
      high: 1,
      default: 0.1,
      step: 0.01,
    },
    innerStiffness: {
      kind: 'pair',
      change: 'live',
      label: 'Inner stiffness',
      labels: ['long', 'short'],
      names: ['innerLow', 'innerHigh'],
      words: '[σ_min, σ_max], stiffness of the longest and of the shortest inner pair.',
      low: 0,
      high: 1,
      default: Object.freeze([0.01, 0.1] as const),
      step: 0.005,
    },
    target: {
      kind: 'number',
      change: 'live',
      label: 'Inflated to',
      words: 'Volume to be kept, in volumes at rest; a body that gets another one goes there at a bounded rate.',
      low: 0.2,
      high: 5,
      default: 1,
      step: 0.05,
      keyed: true,
    },
  },
} as const satisfies GroupField;

/** Settings of the volume constraint where none are given. */
export const VOLUME_DEFAULTS = readFields('volume', VOLUME_FIELD.fields, {}) as unknown as VolumeSettings;
