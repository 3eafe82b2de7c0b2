// Which bodies and obstacles may touch each other: each belongs to groups and touches groups, both given as bits.

import { showInput } from '../math/expect.js';

export interface Groups {
  /** Bits of the groups it belongs to. */
  group: number;
  /** Bits of the groups it touches. Two things touch where each touches a group of the other. */
  collidesWith: number;
}

/** Bits of all groups. */
export const ALL_GROUPS = 0xffffffff;
/** Groups of what is given none. */
export const GROUP_DEFAULTS: Readonly<Groups> = Object.freeze({ group: 1, collidesWith: ALL_GROUPS });

export const mayTouch = (a: Readonly<Groups>, b: Readonly<Groups>): boolean =>
  (a.collidesWith & b.group) !== 0 && (b.collidesWith & a.group) !== 0;

/** Throws where a value is not a set of up to 32 bits, as they are or as JavaScript's `~bits` gives them, with a sign. */
export function expectBits(name: string, value: number): void {
  if (Number.isInteger(value) && value >= -0x80000000 && value <= ALL_GROUPS) return;
  throw new RangeError(`${name}: expected bits, an integer from 0 to ${ALL_GROUPS}, got ${showInput(value)}`);
}
