// The solvers of scene files, made from the fields that each solver has: their checks, defaults and words.

import { z } from 'zod';
import { type AnySolverMaker, BUILT_IN_POSERS, BUILT_IN_SOLVERS, defaultSolver } from '../solvers/built-in.js';
import type { Field, Fields } from '../solvers/fields.js';
import type { SolverSettings } from '../solvers/solver-settings.js';
import { keysSchema } from './key-schema.js';
import { direction, fields, integerFrom, numberFrom, oneOf, oneOfWords } from './scene-fields.js';

/** A solver as a scene file has it: its name, and its settings; which these are, its fields say. */
export interface SceneSolver extends SolverSettings {
  readonly type: string;
  readonly [setting: string]: unknown;
}

/** The same as it may be written: what is left out has its default. */
export type SceneSolverInput = { readonly type?: string; readonly [setting: string]: unknown };

/** A field that may be left out, and then is. */
export const optionalField = (field: Field): z.ZodType =>
  schemaOf({ ...field, default: undefined } as unknown as Field).optional();

const schemaOf = (field: Field): z.ZodType => describe(field).describe(field.words);

function describe(field: Field): z.ZodType {
  // What has another in its place is left to the solver where neither is given.
  const filled = <T extends z.ZodType>(schema: T, value: unknown) =>
    field.instead !== undefined || value === undefined ? schema.optional() : schema.default(value as never);
  switch (field.kind) {
    case 'integer':
      return filled(integerFrom(field.low, field.high), field.default);
    case 'number':
      if (field.named) {
        const words = field.named as readonly string[] as [string, ...string[]];
        const error = () => `${words.join(', ')} or a number from ${field.low} to ${field.high}`;
        return filled(z.union([oneOf(words), numberFrom(field.low, field.high)], { error }), words[0]);
      }
      if (field.keyed) {
        const error = () => `a number from ${field.low} to ${field.high}, or keyframes`;
        const one = numberFrom(field.low, field.high);
        return filled(z.union([one, keysSchema(one)], { error }), field.default);
      }
      return filled(
        field.above
          ? z
              .number({ error: () => `a number above ${field.low}, up to ${field.high}` })
              .gt(field.low)
              .max(field.high)
          : numberFrom(field.low, field.high),
        field.default,
      );
    case 'pair': {
      const one = () => numberFrom(field.low, field.high);
      const error = () => `two numbers from ${field.low} to ${field.high} [lowest, highest]`;
      return filled(z.tuple([one(), one()], { error }), [...field.default]);
    }
    case 'direction':
      return filled(direction(), [...field.default]);
    case 'choice':
      return filled(oneOf(field.options as [string, ...string[]]), field.default);
    case 'group': {
      const group = z.union([z.literal(false), fields(shapeOf(field.fields))], { error: () => 'an object or false' });
      return field.default ? group.prefault({}) : group.default(false);
    }
  }
}

const shapeOf = (all: Fields): Record<string, z.ZodType> =>
  Object.fromEntries(Object.entries(all).map(([name, field]) => [name, schemaOf(field)]));

/** Names of fields of which at most one may be set, in lists. */
function alternatives(all: Fields): string[][] {
  const groups = new Map<string, string[]>();
  for (const [name, { instead }] of Object.entries(all)) {
    if (instead !== undefined) groups.set(instead, [...(groups.get(instead) ?? []), name]);
  }
  return [...groups.values()];
}

/** What a schema needs to know of a solver or a poser. */
type Named = Pick<AnySolverMaker, 'type' | 'words' | 'fields'>;

function solverSchema({ type, words, fields: all }: Named) {
  const literal = z.literal(type);
  const named = type === defaultSolver.type ? literal.default(type) : literal;
  const schema = fields({ type: named.describe(words), ...shapeOf(all) });
  return alternatives(all).reduce(
    (checked, names) =>
      checked
        .refine((solver) => names.filter((name) => (solver as SceneSolver)[name] !== undefined).length < 2, {
          path: [names[names.length - 1]],
          params: { got: 'both' },
          error: () => `either ${names.join(' or ')}`,
        })
        .meta({ not: { required: names } }),
    schema,
  );
}

/** The solvers and posers that a scene may name: those that come with the library, and the caller's own. */
export function solverField(own: readonly AnySolverMaker[]) {
  const makers: readonly Named[] = [...BUILT_IN_SOLVERS, ...BUILT_IN_POSERS, ...own];
  const [first, ...others] = makers.map(solverSchema);
  const union = z.discriminatedUnion('type', [first, ...others], {
    error: (issue) =>
      issue.code === 'invalid_union'
        ? oneOfWords(
            makers.map(({ type }) => type),
            (issue.input as { type?: unknown })?.type,
          )
        : 'an object',
  });
  return (union as unknown as z.ZodType<SceneSolver, SceneSolverInput>)
    .prefault({})
    .describe('How the body is simulated.');
}
