// The settings of a solver as data: range, default and words of each in one place. Checks, scene files, their JSON Schema, help,
// links and the playground's controls are all made from these.

import { expectNumber, showInput } from '../math/expect.js';
import { describeKnown, expectKnownFields } from '../math/known-fields.js';

interface Described {
  /** What it means, in a sentence. */
  readonly words: string;
  /** A few words, for a control. */
  readonly label: string;
  /** Whether it may change while the world runs, or went into the rest data. */
  readonly change: 'live' | 'prepared';
  /** Which of several fields that exclude each other it is; at most one of them is set. */
  readonly instead?: string;
}

/** A setting that is a number. */
export interface NumberField extends Described {
  readonly kind: 'number' | 'integer';
  readonly low: number;
  readonly high: number;
  /** Whether `low` itself is out of the range. */
  readonly above?: boolean;
  /** Undefined where it may be left out. */
  readonly default?: number;
  /** Smallest sensible change of it, for a slider. */
  readonly step?: number;
  /** Words that may stand in the number's place, the first of them by default. */
  readonly named?: readonly string[];
  /** Whether scene files may say it by keyframes. Of what is live. */
  readonly keyed?: true;
}

export interface PairField extends Described {
  readonly kind: 'pair';
  readonly low: number;
  readonly high: number;
  readonly default: readonly [number, number];
  readonly step?: number;
  /** What the two numbers are. */
  readonly labels: readonly [string, string];
  /** Names by which each goes where it stands alone: in links. */
  readonly names: readonly [string, string];
}

/** A direction [x, y, z] of any length above 0. */
export interface DirectionField extends Described {
  readonly kind: 'direction';
  /** Of each number, for a slider: a direction needs no more. */
  readonly low: -1;
  readonly high: 1;
  readonly default: readonly [number, number, number];
  readonly step?: number;
  readonly labels: readonly [string, string, string];
  readonly names: readonly [string, string, string];
}

/** What of the caller's own may stand in a value's place: what it is, and whether a value is one. Not in files. */
interface OwnValue {
  readonly words: string;
  readonly check: (value: unknown) => boolean;
}

export interface ChoiceField extends Described {
  readonly kind: 'choice';
  readonly options: readonly string[];
  readonly default: string;
  readonly own?: OwnValue;
}

/** Several settings that can be turned off together. */
export interface GroupField extends Described {
  readonly kind: 'group';
  readonly fields: Fields;
  readonly default: boolean;
  readonly own?: OwnValue;
}

/** What a setting means: its kind, range, default and words. */
export type Field = NumberField | PairField | DirectionField | ChoiceField | GroupField;
/** The settings of a solver. */
export type Fields = Readonly<Record<string, Field>>;

/** Checked settings, the defaults in place of what is left out; `place` is before the names in errors. */
export function readFields(owner: string, fields: Fields, given: object, place = ''): Record<string, unknown> {
  expectKnownFields(owner, given, Object.keys(fields));
  const values = given as Record<string, unknown>;
  const settings: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const other = givenInstead(name, field, fields, values);
    if (other !== undefined && values[name] === undefined) continue;
    if (other !== undefined) {
      const pair = Object.keys(fields).filter((key) => key === name || key === other);
      throw new RangeError(`${place}${pair[1]}: expected either ${pair.join(' or ')}, got both`);
    }
    const value = readField(`${place}${name}`, field, values[name]);
    if (value !== undefined) settings[name] = value;
  }
  return Object.freeze(settings);
}

/** The field that is given in the place of this one. */
function givenInstead(
  name: string,
  { instead }: Field,
  fields: Fields,
  values: Record<string, unknown>,
): string | undefined {
  if (instead === undefined) return undefined;
  return Object.keys(fields).find(
    (other) => other !== name && fields[other].instead === instead && values[other] !== undefined,
  );
}

function readField(place: string, field: Field, value: unknown): unknown {
  if (field.kind === 'group') return readGroup(place, field, value ?? field.default);
  if (value === undefined) return field.kind === 'number' ? (field.named?.[0] ?? field.default) : field.default;
  if (field.kind === 'choice') {
    if (field.options.includes(value as string) || field.own?.check(value)) return value;
    const own = field.own ? ` or ${field.own.words}` : '';
    throw new RangeError(`${place}: ${describeKnown(String(value), field.options)}${own}, got ${showInput(value)}`);
  }
  if (field.kind === 'direction') {
    const items = Array.from((value as ArrayLike<number>) ?? []);
    if (items.length === 3 && items.every(Number.isFinite) && items.some((s) => s !== 0)) return Object.freeze(items);
    throw new RangeError(`${place}: expected a direction [x, y, z] with a length above 0, got ${showInput(value)}`);
  }
  if (field.kind === 'pair') {
    const { low, high } = field;
    const items = Array.from((value as ArrayLike<number>) ?? []);
    if (items.length === 2 && items.every((s) => s >= low && s <= high)) return Object.freeze(items);
    throw new RangeError(`${place}: expected two numbers from ${low} to ${high}, got ${showInput(value)}`);
  }
  expectInRange(place, field, value as number);
  return value;
}

function expectInRange(place: string, { kind, low, high, above, named }: NumberField, value: number): void {
  if (named) {
    if (named.includes(value as unknown as string) || (value >= low && value <= high)) return;
    const words = named.map((name) => `'${name}'`).join(', ');
    throw new RangeError(`${place}: expected ${words} or a number from ${low} to ${high}, got ${showInput(value)}`);
  }
  if (kind === 'integer') {
    if (Number.isInteger(value) && value >= low && value <= high) return;
    throw new RangeError(`${place}: expected an integer from ${low} to ${high}, got ${showInput(value)}`);
  }
  if (!above) expectNumber(place, value, low, high);
  else if (!(typeof value === 'number' && value > low && value <= high)) {
    throw new RangeError(`${place}: expected a number above ${low}, up to ${high}, got ${showInput(value)}`);
  }
}

/** `false` turns a group off, `true` is all of its defaults. */
function readGroup(place: string, field: GroupField, value: unknown): unknown {
  if (value === false || field.own?.check(value)) return value;
  if (typeof value !== 'object' && value !== true) {
    const own = field.own ? `, ${field.own.words}` : '';
    throw new RangeError(`${place}: expected an object${own} or false, got ${showInput(value)}`);
  }
  return readFields(place, field.fields, value === true ? {} : (value as object), `${place}.`);
}

/** Names of the settings that may change while the world runs. */
export const liveFields = (fields: Fields): readonly string[] =>
  Object.keys(fields).filter((name) => fields[name].change === 'live');
