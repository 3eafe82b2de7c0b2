// Settings of a body that change while the world runs, checked by the fields of its solver.

import { expectKnownFields } from '../math/known-fields.js';
import { liveFields } from './fields.js';
import type { Solver } from './solver.js';
import type { SolverSettings } from './solver-settings.js';
import { changeVolume, type VolumeSettings } from './volume/settings.js';

/** Settings of a body that may change while the world runs; solvers may have more of them. */
export interface LiveSettings {
  /** s, 0…1: share of the way to the elastic goal per 5 ms. */
  readonly stiffness?: number;
  /** k, 0…1: share of the non-rigid velocity taken away per 5 ms. */
  readonly damping?: number;
  /** The volume constraint: what is to change of it, true to turn it on, false to turn it off. */
  readonly volume?: Partial<VolumeSettings> | boolean;
}

/**
 * New settings in place of all that a body has, checked like those of a new solver.
 * @throws RangeError where some are missing, differ in what went into the rest data, or are those of another solver.
 */
export function replaceSettings(solver: Solver, given: SolverSettings): SolverSettings {
  const own = Object.keys(solver.settings);
  expectKnownFields('settings', given, Object.keys(solver.fields));
  expectPreparedSettings('settings', solver, given);
  const missing = own.find((name) => (given as object)[name as never] === undefined);
  if (missing === undefined) return solver.with(given).settings;
  const live = liveFields(solver.fields)
    .filter((name) => name in given)
    .join(', ');
  throw new RangeError(
    `settings: expected all of them, ${missing} is missing; body.set({ ${live || '…'} }) changes what it is given and leaves the rest`,
  );
}

/**
 * A body's settings with some of them changed.
 * @throws RangeError where one is out of its range or belongs to the rest data.
 */
export function changeSettings(solver: Solver, now: SolverSettings, changes: LiveSettings): SolverSettings {
  expectPreparedSettings('set', solver, { ...solver.settings, ...changes });
  const settings: Record<string, unknown> = { ...now };
  for (const name of liveFields(solver.fields)) {
    const change = changes[name as keyof LiveSettings];
    if (change !== undefined) settings[name] = change;
  }
  return solver.with({ ...settings, volume: changeVolume(now.volume, changes.volume) }).settings;
}

/** Throws where a setting that went into the rest data is to be another. */
function expectPreparedSettings(place: string, solver: Solver, given: object): void {
  for (const [name, { change, label }] of Object.entries(solver.fields)) {
    const [own, wanted] = [solver.settings, given].map((settings) => settings[name as never]);
    if (change === 'live' || wanted === undefined || wanted === own) continue;
    throw new RangeError(
      `${place}: the ${label.toLowerCase()} belongs to the prepared body; prepare it anew to change it`,
    );
  }
}
