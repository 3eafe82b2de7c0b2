// What is set about any body's solver.

import type { VolumeSettings } from './volume/settings.js';

/** What every solver's settings have; what more there is, its `fields` say. */
export interface SolverSettings {
  /** The volume constraint, or false for none; solvers that keep volumes by themselves have no such setting. */
  readonly volume?: VolumeSettings | false;
}

/** What solvers that pull a body towards goals have. */
export interface ElasticSettings extends SolverSettings {
  /** s, 0…1: share of the way to the elastic goal per 5 ms. */
  readonly stiffness: number;
  /** k, 0…1: share of the non-rigid velocity taken away per 5 ms. */
  readonly damping: number;
  readonly volume: VolumeSettings | false;
}
