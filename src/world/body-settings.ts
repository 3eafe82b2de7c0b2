// Changes to a body's settings while it lives: those of its solver and those of contact.

import type { BackendBody } from '../backends/backend.js';
import { type ContactSettings, expectContactSettings } from '../contact/contact-settings.js';
import { expectKnownFields } from '../math/known-fields.js';
import { liveFields } from '../solvers/fields.js';
import { changeSettings, type LiveSettings } from '../solvers/live-settings.js';
import type { SolverSettings } from '../solvers/solver-settings.js';
import { CONTACT_SETTINGS } from './body-options.js';

/** What `Body.set` changes; what is left out stays as it is. */
export type BodyChanges = LiveSettings & Partial<ContactSettings>;

/** What a body's solver was set to, as users see it. */
export type ShownSettings = SolverSettings & Readonly<Record<string, unknown>>;

/** Changes some settings; all are checked before any is changed. */
export function changeBody(state: BackendBody, changes: BodyChanges): void {
  const { solver } = state.prepared;
  expectKnownFields('set', changes, [...Object.keys(solver.fields), ...CONTACT_SETTINGS]);
  const settings = changeSettings(solver, state.settings as ShownSettings, changes);
  expectContactSettings(changes);
  const given = changes as Record<string, unknown>;
  if (liveFields(solver.fields).some((name) => given[name] !== undefined)) state.settings = settings;
  for (const name of CONTACT_SETTINGS) {
    if (changes[name] !== undefined) Object.assign(state.contactSettings, { [name]: changes[name] });
  }
  state.wake();
}
