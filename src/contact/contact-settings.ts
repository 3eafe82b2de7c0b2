// How bodies and obstacles behave in contact: what can be set, the defaults, and the checks.

import { expectBoolean, expectNumber } from '../math/expect.js';
import { expectBits, GROUP_DEFAULTS, type Groups } from './groups.js';

/** How a body behaves in contact; may change at any time. */
export interface ContactSettings extends Groups {
  /** Coulomb coefficient against other bodies, ≥ 0: of two the geometric mean. Against an obstacle its own counts. */
  friction: number;
  /** Share of the speed of an impact that contact gives back, 0…1, on top of what elasticity does; of two the larger. */
  restitution: number;
  /** Whether the surface is kept from passing through itself. */
  selfContact: boolean;
}

/** Contact with itself costs about half as much again as the rest of a step, and round bodies do not need it. */
export const CONTACT_DEFAULTS: Readonly<ContactSettings> = Object.freeze({
  friction: 0.5,
  restitution: 0,
  selfContact: false,
  ...GROUP_DEFAULTS,
});

/** Throws where one of the settings that are given makes no sense. */
export function expectContactSettings(given: Partial<ContactSettings>): void {
  if (given.friction !== undefined) expectNumber('friction', given.friction, 0);
  if (given.restitution !== undefined) expectNumber('restitution', given.restitution, 0, 1);
  if (given.selfContact !== undefined) expectBoolean('selfContact', given.selfContact);
  if (given.group !== undefined) expectBits('group', given.group);
  if (given.collidesWith !== undefined) expectBits('collidesWith', given.collidesWith);
}
