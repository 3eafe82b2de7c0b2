// The state of objects as a tree of numbers, texts, lists and typed arrays, and such a tree as bytes: for snapshots.

export type StateTree =
  | number
  | string
  | boolean
  | null
  | undefined
  | TypedArray
  | readonly StateTree[]
  | { readonly [key: string]: StateTree };

const ARRAYS = { Float64Array, Float32Array, Uint32Array, Int32Array, Uint8Array };
type TypedArray = Float64Array | Float32Array | Uint32Array | Int32Array | Uint8Array;

export const isTypedArray = (value: unknown): value is TypedArray => ArrayBuffer.isView(value);
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Which of an object's fields are its state: those named, all of which it has; all of its fields unless said. */
export interface StateLimits {
  readonly only?: readonly string[];
}

/** A copy of an object's fields and of what is in them. */
export function captureFields(object: object, { only }: StateLimits = {}): { [key: string]: StateTree } {
  const fields = object as { [key: string]: unknown };
  const state: { [key: string]: StateTree } = {};
  for (const key of only ?? Object.keys(fields)) {
    // A field that was renamed would be lost in silence.
    if (!Object.hasOwn(fields, key)) throw new Error(`state: expected a field ${key} of ${object.constructor.name}`);
    if (typeof fields[key] !== 'function') state[key] = captureValue(fields[key]);
  }
  return state;
}

function captureValue(value: unknown): StateTree {
  if (isTypedArray(value)) return value.slice() as TypedArray;
  if (Array.isArray(value)) return value.map(captureValue);
  if (isObject(value)) return captureFields(value);
  return value as StateTree;
}

const holdsArrays = (state: StateTree): boolean =>
  isTypedArray(state) || (isObject(state) && Object.values(state).some(holdsArrays));

const equalArrays = (a: TypedArray, b: TypedArray): boolean =>
  a.length === b.length && a.every((value: number, k: number) => Object.is(value, b[k]));

/** Whether two trees hold the same. */
export function equalStates(a: StateTree, b: StateTree): boolean {
  if (isTypedArray(a) && isTypedArray(b)) return equalArrays(a, b);
  if (!isObject(a) || !isObject(b)) return Object.is(a, b);
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && equalStates(a[key] as StateTree, b[key] as StateTree))
  );
}

/** Puts captured fields back, those that the object has; arrays of the same length and objects that hold any stay the same ones. */
export function restoreFields(object: object, state: { readonly [key: string]: StateTree }): void {
  const fields = object as Record<string, unknown>;
  for (const [key, saved] of Object.entries(state)) {
    // Never what an object only inherits: that would be all objects'.
    if (!Object.hasOwn(fields, key)) continue;
    const held = fields[key];
    if (isTypedArray(saved)) {
      if (isTypedArray(held) && held.length === saved.length) (held as Float64Array).set(saved as Float64Array);
      else fields[key] = saved.slice();
    } else if (isObject(saved) && !Array.isArray(saved) && isObject(held) && mayFill(held, saved)) {
      restoreFields(held, saved as { readonly [key: string]: StateTree });
    } else fields[key] = saved;
  }
}

/** Whether a held object is filled rather than replaced: instances, and what holds arrays that others may know. */
const mayFill = (held: object, saved: StateTree): boolean =>
  Object.getPrototypeOf(held) !== Object.prototype || holdsArrays(saved);

/** Texts that stand for what JSON has no word for. */
const MARKS = new Map<unknown, string>([
  [Number.POSITIVE_INFINITY, '+'],
  [Number.NEGATIVE_INFINITY, '-'],
]);

/** A tree as bytes: the length of a text, the text with the places of arrays in it, the arrays. */
export function packState(tree: StateTree): Uint8Array {
  const arrays: TypedArray[] = [];
  let size = 0;
  const text = new TextEncoder().encode(
    JSON.stringify(
      encode(tree, (array) => {
        const place = [array.constructor.name, size, array.length];
        arrays.push(array);
        size += 8 * Math.ceil(array.byteLength / 8);
        return place;
      }),
    ),
  );
  const begin = 8 * Math.ceil((4 + text.length) / 8);
  const bytes = new Uint8Array(begin + size);
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  bytes.set(text, 4);
  let at = begin;
  for (const array of arrays) {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
    at += 8 * Math.ceil(array.byteLength / 8);
  }
  return bytes;
}

function encode(tree: StateTree, put: (array: TypedArray) => unknown): unknown {
  if (isTypedArray(tree)) return { a: put(tree) };
  if (Array.isArray(tree)) return { l: tree.map((item) => encode(item, put)) };
  if (isObject(tree)) return { o: Object.entries(tree).map(([key, value]) => [key, encode(value as StateTree, put)]) };
  if (tree === undefined) return { u: 0 };
  if (typeof tree !== 'number') return tree;
  if (Number.isNaN(tree)) return { n: '?' };
  if (Object.is(tree, -0)) return { n: '0' };
  return MARKS.has(tree) ? { n: MARKS.get(tree) } : tree;
}

const broken = (what: string) => new RangeError(`snapshot: expected state that it can hold, got ${what}`);

/** Names that mean something to every object. */
const FORBIDDEN = ['__proto__', 'constructor', 'prototype'];

/** The tree of `packState`'s bytes; throws RangeError where they are none. */
export function unpackState(bytes: Uint8Array): StateTree {
  const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true);
  const begin = 8 * Math.ceil((4 + length) / 8);
  if (begin > bytes.length) throw broken('a text that is longer than the bytes');
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  } catch {
    throw broken('a text that is no JSON');
  }
  const rest = { bytes: bytes.subarray(begin), at: 0 };
  const tree = decode(value, rest);
  if (rest.at !== rest.bytes.length) throw broken('bytes that belong to nothing');
  return tree;
}

/** Arrays lie in the order in which the text names them: none is taken twice, none is larger than what is there. */
function decodeArray(place: unknown, rest: { readonly bytes: Uint8Array; at: number }): TypedArray {
  const [name, at, length] = Array.isArray(place) ? place : [];
  if (!Object.hasOwn(ARRAYS, name)) throw broken('an array of unknown kind');
  const kind = ARRAYS[name as keyof typeof ARRAYS];
  const size = kind.BYTES_PER_ELEMENT * length;
  if (at !== rest.at || !Number.isInteger(length) || !(length >= 0) || at + size > rest.bytes.length) {
    throw broken('an array elsewhere or of another length');
  }
  rest.at += 8 * Math.ceil(size / 8);
  const array = new kind(length);
  new Uint8Array(array.buffer).set(rest.bytes.subarray(at, at + size));
  return array;
}

function decode(value: unknown, rest: { readonly bytes: Uint8Array; at: number }): StateTree {
  if (!isObject(value)) return value as StateTree;
  const [[kind, held] = []] = Object.entries(value);
  if (kind === 'a') return decodeArray(held, rest);
  if (kind === 'l' && Array.isArray(held)) return held.map((item) => decode(item, rest));
  if (kind === 'o' && Array.isArray(held)) {
    const fields = held.map((field): [string, StateTree] => {
      if (!Array.isArray(field) || typeof field[0] !== 'string') throw broken('a field without a name');
      if (FORBIDDEN.includes(field[0])) throw broken(`a field of the name ${field[0]}`);
      return [field[0], decode(field[1], rest)];
    });
    return Object.fromEntries(fields);
  }
  if (kind === 'n') {
    if (held === '?') return Number.NaN;
    if (held === '0') return -0;
    for (const [number, mark] of MARKS) if (mark === held) return number as number;
  }
  if (kind === 'u') return undefined;
  throw broken('something of unknown kind');
}
