// The kinds of value a scene file is made of. Each carries, as its error text, the words that follow "expected" in an
// error line, so that what is checked and what is said stay in one place.

import { z } from 'zod';
import { describeKnown, suggestName } from '../math/known-fields.js';

const expected = (words: string) => ({ error: () => words });

export const number = () => z.number(expected('a number'));
export const positive = () => z.number(expected('a number above 0')).gt(0);
export const nonNegative = () => z.number(expected('a number of at least 0')).min(0);
export const numberFrom = (low: number, high: number) =>
  z
    .number(expected(`a number from ${low} to ${high}`))
    .min(low)
    .max(high);
export const integerFrom = (low: number, high: number) =>
  z
    .int(expected(`an integer from ${low} to ${high}`))
    .min(low)
    .max(high);

export const vector = () => z.tuple([number(), number(), number()], expected('three numbers [x, y, z]'));

export const size = () => z.tuple([positive(), positive(), positive()], expected('three numbers above 0 [x, y, z]'));

/** Where vertices are chosen. */
export const box = () =>
  z
    .tuple([vector(), vector()], expected('two corners [[x, y, z], [x, y, z]]'))
    .describe('Lowest and highest corner, both included, in the rest space of the scaled mesh [m].');

/** Long enough and short enough to be made a unit vector without loss. */
const hasDirection = (values: readonly number[]): boolean => {
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  return length > 1e-6 && length < 1e6;
};

/** Of any reasonable length; made a unit vector when the scene is built. */
export const direction = () => vector().refine(hasDirection, expected('a direction [x, y, z] with a length above 0'));

/** Of any reasonable length; made a unit quaternion when the scene is built. */
export const quaternion = () =>
  z
    .tuple([number(), number(), number(), number()], expected('a quaternion [x, y, z, w]'))
    .refine(hasDirection, expected('a quaternion [x, y, z, w] of length 1'));

export const name = () => z.string(expected('a name of 1 to 100 characters')).min(1).max(100);

export const listOf = <T extends z.ZodType>(item: T, what: string, limit: number) =>
  z.array(item, expected(`a list of at most ${limit} ${what}`)).max(limit);

export const oneOf = <const T extends readonly [string, ...string[]]>(names: T) =>
  z.enum(names, { error: ({ input }) => oneOfWords(names, input) });

/** "one of plane, box (did you mean plane?)" */
export function oneOfWords(names: readonly string[], written: unknown): string {
  const meant = typeof written === 'string' ? suggestName(written, names) : undefined;
  return `one of ${names.join(', ')}${meant === undefined ? '' : ` (did you mean ${meant}?)`}`;
}

/** An object with exactly these fields. */
export function fields<T extends z.core.$ZodShape>(shape: T) {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? `unknown field, ${describeKnown(issue.keys[0], known)}` : 'an object',
  });
}

/** The options of a choice by the field `shape`. */
export function shapes<const T extends readonly [z.ZodObject, ...z.ZodObject[]]>(options: T) {
  const names = options.map((option) => (option.shape.shape as z.ZodLiteral<string>).value);
  return z.discriminatedUnion('shape', options, {
    error: (issue) =>
      issue.code === 'invalid_union'
        ? oneOfWords(names, (issue.input as { shape?: unknown })?.shape)
        : 'an object with a shape',
  });
}
