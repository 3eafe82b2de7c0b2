// The settings of a body's solver as lines of one number, switch or choice each, made from the solver's fields: what controls,
// links and copied programs know of it.

import type { Field, Fields } from 'isochore';
import { BUILT_IN_POSERS, BUILT_IN_SOLVERS } from 'isochore/scenes';

export type SettingValue = number | boolean | string;

/** What is set of a body's solver, by the keys of its lines. */
export type BodySettings = Readonly<Record<string, SettingValue>>;

export interface SettingLine {
  /** Its name in links. */
  readonly key: string;
  readonly label: string;
  /** What it means, in a sentence. */
  readonly hint: string;
  readonly kind: 'number' | 'integer' | 'switch' | 'choice';
  /** Where it stands in the solver's settings. */
  readonly path: readonly (string | number)[];
  /** How many steps of the path lead to the group that it belongs to. */
  readonly depth: number;
  /** Of numbers. */
  readonly low: number;
  readonly high: number;
  readonly step: number;
  /** Of a choice. */
  readonly options: readonly string[];
  /** Whether the body is prepared anew where it changes. */
  readonly prepared: boolean;
  /** Fields beside it that are out where it is set. */
  readonly excludes: readonly string[];
  /** Whether nothing stands for it where it is not set. */
  readonly optional: boolean;
  /** What is shown where it is not set. */
  readonly unset: SettingValue;
  /** What a switch turns on. */
  readonly on: object;
}

/** Slider positions of a number whose field names no step. */
const SLIDER_STEPS = 100;

/** The lines of some fields, groups before what is in them. */
export function linesOf(fields: Fields, before: readonly string[] = [], taken = new Set<string>()): SettingLine[] {
  return Object.entries(fields).flatMap(([name, field]): SettingLine[] => {
    // A slider cannot say a word.
    if (field.kind === 'number' && field.named) return [];
    const path = [...before, name];
    const excludes = Object.keys(fields).filter(
      (other) => other !== name && field.instead !== undefined && fields[other].instead === field.instead,
    );
    const shared = {
      label: field.label,
      hint: field.words,
      depth: before.length,
      prepared: field.change === 'prepared',
      excludes,
      ...rangeOf(field),
      optional: field.default === undefined,
      options: field.kind === 'choice' ? field.options : [],
      on: {},
    };
    /** A name that two groups have is told apart by its group. */
    const keyOf = (wanted: string): string => {
      const key = taken.has(wanted) ? [...before, wanted].join('-') : wanted;
      taken.add(key);
      return key;
    };
    switch (field.kind) {
      case 'group': {
        const on = defaultsOf(field.fields);
        const own = { ...shared, key: keyOf(name), kind: 'switch' as const, path, unset: field.default, on };
        return [own, ...linesOf(field.fields, path, taken)];
      }
      case 'pair':
      case 'direction':
        return field.names.map((one, index) => ({
          ...shared,
          key: keyOf(one),
          label: `${field.label}, ${field.labels[index]}`,
          kind: 'number' as const,
          path: [...path, index],
          unset: field.default[index],
        }));
      default:
        return [{ ...shared, key: keyOf(name), kind: field.kind, path, unset: field.default ?? shared.low }];
    }
  });
}

function rangeOf(field: Field): Pick<SettingLine, 'low' | 'high' | 'step'> {
  if (field.kind === 'group' || field.kind === 'choice') return { low: 0, high: 1, step: 1 };
  const { kind, low, high } = field;
  const step = field.step ?? (kind === 'integer' ? 1 : (high - low) / SLIDER_STEPS);
  return { low: 'above' in field && field.above ? low + step : low, high, step };
}

/** What a group holds when it is turned on. */
function defaultsOf(fields: Fields): object {
  const entries = Object.entries(fields).map(([name, field]) => [
    name,
    field.kind === 'group' ? field.default && defaultsOf(field.fields) : field.default,
  ]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

const LINES: ReadonlyMap<string, readonly SettingLine[]> = new Map(
  [...BUILT_IN_SOLVERS, ...BUILT_IN_POSERS].map(({ type, fields }) => [type as string, linesOf(fields)]),
);

/** The lines of a solver. */
export const linesFor = ({ type }: { readonly type: string }): readonly SettingLine[] => LINES.get(type) ?? [];

/** The lines of all solvers that have one by this key. */
export const linesBy = (key: string): SettingLine[] => [...LINES.values()].flat().filter((line) => line.key === key);

/** A value within a line's range. */
export function limit({ kind, low, high }: SettingLine, value: SettingValue): SettingValue {
  if (typeof value !== 'number') return value;
  const within = Math.min(high, Math.max(low, value));
  return kind === 'integer' ? Math.round(within) : within;
}

type Holder = Record<string | number, unknown>;

/** What holds a line's value, or undefined where a group on the way is off. */
function holderOf(solver: object, { path }: SettingLine): Holder | undefined {
  let holder: unknown = solver;
  for (const name of path.slice(0, -1)) holder = (holder as Holder | undefined)?.[name] || undefined;
  return holder as Holder | undefined;
}

const nameOf = ({ path }: SettingLine): string | number => path[path.length - 1];

/** Whether a setting goes by keyframes. */
export const isKeyed = (value: unknown): value is readonly { readonly value: SettingValue }[] =>
  Array.isArray(value) && typeof value[0] === 'object';

/** Whether some setting of a solver, or of a group in it, does. */
export const hasKeys = (settings: object): boolean =>
  Object.values(settings).some((value) => isKeyed(value) || (value?.constructor === Object && hasKeys(value)));

/** What a solver says of a line; undefined where it says nothing. */
export function readLine(solver: object, line: SettingLine): SettingValue | undefined {
  const found = holderOf(solver, line)?.[nameOf(line)];
  // What goes by keyframes is shown as it begins, until a slider takes their place.
  const value = isKeyed(found) ? found[0].value : found;
  return line.kind === 'switch' && value !== undefined ? value !== false : (value as SettingValue | undefined);
}

/** The solver with some settings changed; what it has no line for is left out, as is what belongs to a group that is off. */
export function writeLines<S extends object>(solver: S, lines: readonly SettingLine[], given: BodySettings): S {
  const changed = structuredClone(solver);
  for (const line of lines) {
    if (!Object.hasOwn(given, line.key)) continue;
    const holder = holderOf(changed, line);
    if (!holder) continue;
    const [name, value] = [nameOf(line), given[line.key]];
    if (line.kind === 'switch') holder[name] = value === true && (holder[name] || structuredClone(line.on));
    else holder[name] = limit(line, value);
    for (const other of line.excludes) delete holder[other];
  }
  return changed;
}

/** Of settings for any solver those that lines stand for; a key means what the first solver that has it means by it. */
export function usable(lines: readonly SettingLine[], settings: BodySettings): BodySettings {
  const isMeant = (line: SettingLine): boolean => {
    const [first] = linesBy(line.key);
    return line.kind === first.kind && line.path.join() === first.path.join();
  };
  return Object.fromEntries(
    Object.entries(settings).filter(([key]) => lines.some((line) => line.key === key && isMeant(line))),
  );
}

/** Settings with others on top of them: what one of the others takes the place of is out. */
export function mergeSettings(lines: readonly SettingLine[], ...layers: (BodySettings | undefined)[]): BodySettings {
  const merged: Record<string, SettingValue> = {};
  for (const [key, value] of layers.flatMap((layer) => Object.entries(layer ?? {}))) {
    for (const other of excludedBy(lines, key)) delete merged[other];
    merged[key] = value;
  }
  return merged;
}

/** Keys of the lines that are out where this one is set. */
export function excludedBy(lines: readonly SettingLine[], key: string): string[] {
  const line = lines.find((one) => one.key === key);
  if (!line || line.excludes.length === 0) return [];
  const beside = (other: SettingLine) =>
    other.depth === line.depth && other.path.slice(0, line.depth).join() === line.path.slice(0, line.depth).join();
  return lines
    .filter((other) => beside(other) && line.excludes.includes(String(other.path[line.depth])))
    .map((other) => other.key);
}
