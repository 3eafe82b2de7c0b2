// One thing that a sweep changes, as it is written on the command line: `bodies.0.solver.stiffness=0.2:0.9:8`, `seed=1..20`,
// `backend=reference,wasm`.

import { showInput } from '../math/expect.js';

/** A value of a setting. */
export type SweepValue = number | boolean | string;

/** A setting of a sweep and the values that it takes. */
export interface Axis {
  /** Where in the scene: names and numbers of list items, with dots between them. */
  readonly path: string;
  readonly values: readonly SweepValue[];
}

/** More than anyone waits for; a mistyped range would otherwise fill the memory. */
export const MOST_TASKS = 100_000;

const NUMBER = String.raw`[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?`;
const LINEAR = new RegExp(`^(${NUMBER}):(${NUMBER}):(\\d+)$`);
const INTEGERS = /^([-+]?\d+)\.\.([-+]?\d+)$/;
const FORMS = 'from:to:count, first..last or a list a,b,c';

/**
 * @throws RangeError
 * @example
 * ```ts
 * const { values } = parseAxis('bodies.0.solver.stiffness=0.2:0.8:4'); // 0.2, 0.4, 0.6, 0.8
 * ```
 */
export function parseAxis(text: string): Axis {
  const [, path, written] = /^\s*([^=\s]+)\s*=\s*(.+?)\s*$/.exec(text) ?? [];
  if (path === undefined) throw new RangeError(`expected PATH=VALUES, got ${showInput(text)}`);
  const values = parseValues(written);
  if (values === undefined) throw new RangeError(`${path}: expected ${FORMS}, got ${showInput(written)}`);
  if (values.length > MOST_TASKS) throw new RangeError(`${path}: expected at most ${MOST_TASKS} values`);
  if (new Set(values).size < values.length)
    throw new RangeError(`${path}: expected values that differ, got ${showInput(written)}`);
  return { path, values };
}

function parseValues(text: string): SweepValue[] | undefined {
  const linear = LINEAR.exec(text);
  if (linear) return spread(Number(linear[1]), Number(linear[2]), Number(linear[3]));
  const integers = INTEGERS.exec(text);
  if (integers) {
    const [first, last] = [Number(integers[1]), Number(integers[2])];
    return last < first
      ? undefined
      : Array.from({ length: Math.min(last - first, MOST_TASKS) + 1 }, (_, n) => first + n);
  }
  if (/[:]|\.\./.test(text)) return undefined;
  const items = text.split(',').map((item) => item.trim());
  return items.some((item) => item === '') ? undefined : items.map(parseValue);
}

/** Both ends are among them. Rounded to 12 digits, so that 0.3 is 0.3: the same text gives the same scene as written by hand. */
function spread(from: number, to: number, count: number): number[] | undefined {
  if (count < 1 || (count === 1 && from !== to)) return undefined;
  const length = Math.min(count, MOST_TASKS + 1);
  return Array.from({ length }, (_, n) => Number((from + ((to - from) * n) / Math.max(1, count - 1)).toPrecision(12)));
}

function parseValue(text: string): SweepValue {
  if (text === 'true' || text === 'false') return text === 'true';
  return new RegExp(`^${NUMBER}$`).test(text) ? Number(text) : text;
}
