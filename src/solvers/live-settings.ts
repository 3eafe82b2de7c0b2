// Settings of a body that change while the world runs, checked by the fields of its solver.

import { expectKnownFields } from '../math/known-fields.js';
import { liveFields } from './fields.js';
import type { Solver } from './solver.js';
import type { SolverSettings } from './solver-settings.js';
import type { VolumeSettings } from './volume/settings.js';

/** Settings of a body that may change while the world runs; solvers may have more of them. */
export interface LiveSettings {
  /** s, 0…1: share of the way to the elastic goal per 5 ms. */
  readonly stiffness?: number;
  /** k, 0…1: share of the non-rigid velocity taken away per 5 ms; or what of its solver's own damping is to change. */
  readonly damping?: number | boolean | Readonly<Record<string, number>>;
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
    if (change === undefined) continue;
    settings[name] = solver.fields[name].kind === 'group' ? changeGroup(settings[name], change) : change;
  }
  return solver.with(settings).settings;
}

/** A change of a group: some of its settings, `true` for its defaults where it was off, `false` to turn it off. */
function changeGroup(now: unknown, change: unknown): unknown {
  if (change === true) return now === false ? true : now;
  const merges = typeof change === 'object' && change !== null && typeof now === 'object';
  return merges ? { ...now, ...change } : change;
}

/** The settings that can be written down: without what is of the caller's own, which the prepared body has. */
export const storedSettings = ({ fields }: Solver, settings: SolverSettings): object =>
  Object.fromEntries(
    Object.entries(settings).filter(([name, value]) => {
      const field = fields[name];
      return !(field && 'own' in field && field.own?.check(value));
    }),
  );

/** The settings that were written down, with what the prepared body has of the caller's own. */
export const recalledSettings = ({ settings }: Solver, stored: object): SolverSettings =>
  ({ ...settings, ...stored }) as SolverSettings;

/** Whether two settings are: groups that come from a file are other objects. */
const isSame = (a: unknown, b: unknown): boolean =>
  a === b || (isPlain(a) && isPlain(b) && JSON.stringify(a) === JSON.stringify(b));

const isPlain = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Throws where a setting that went into the rest data is to be another. */
function expectPreparedSettings(place: string, solver: Solver, given: object): void {
  for (const [name, { change, label }] of Object.entries(solver.fields)) {
    const [own, wanted] = [solver.settings, given].map((settings) => settings[name as never]);
    if (change === 'live' || wanted === undefined || isSame(own, wanted)) continue;
    throw new RangeError(
      `${place}: the ${label.toLowerCase()} belongs to the prepared body; prepare it anew to change it`,
    );
  }
}
