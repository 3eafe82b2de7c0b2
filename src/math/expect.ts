// Checks of what users pass in: a RangeError that names the place and what was expected.

/** A finite number from `low` to `high`. */
export function expectNumber(name: string, value: number, low = -Infinity, high = Infinity): void {
  if (typeof value === 'number' && Number.isFinite(value) && value >= low && value <= high) return;
  const range = high < Infinity ? ` from ${low} to ${high}` : low > -Infinity ? ` from ${low}` : '';
  throw new RangeError(`${name}: expected a number${range}, got ${showInput(value)}`);
}

/** A finite number above 0. */
export function expectPositive(name: string, value: number): void {
  if (typeof value === 'number' && value > 0 && Number.isFinite(value)) return;
  throw new RangeError(`${name}: expected a positive number, got ${showInput(value)}`);
}

/** Either of true and false. */
export function expectBoolean(name: string, value: boolean): void {
  if (typeof value === 'boolean') return;
  throw new RangeError(`${name}: expected true or false, got ${showInput(value)}`);
}

/** A vector (or, with `length` 4, a quaternion) of finite numbers. */
export function expectVector(name: string, value: ArrayLike<number>, length = 3): void {
  if (value?.length === length && Array.from(value).every((x) => Number.isFinite(x))) return;
  throw new RangeError(`${name}: expected ${length} finite numbers, got ${showInput(value)}`);
}

/** The finite numbers of each of many vertices. */
export function expectFinite(name: string, values: ArrayLike<number>, perVertex = 3): void {
  for (let k = 0; k < values.length; k++) {
    if (Number.isFinite(values[k])) continue;
    throw new RangeError(
      `${name}: expected finite numbers, got ${showInput(values[k])} at vertex ${Math.floor(k / perVertex)}`,
    );
  }
}

const LONGEST_TEXT = 40;
const MOST_ITEMS = 6;

/** A value in a few words, whatever it is: a message is one short line. */
export function showInput(value: unknown): string {
  if (typeof value === 'string') {
    return JSON.stringify(value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value);
  }
  if (Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView))) {
    const items = Array.from(value as ArrayLike<unknown>);
    if (items.length <= MOST_ITEMS) return `[${items.map(showItem).join(', ')}]`;
    return `[${items.slice(0, MOST_ITEMS).map(showItem).join(', ')}, …] of ${items.length}`;
  }
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value);
  const names = Object.keys(value);
  return names.length === 0
    ? 'an object'
    : `an object of ${names.slice(0, MOST_ITEMS).join(', ')}${names.length > MOST_ITEMS ? ', …' : ''}`;
}

const showItem = (item: unknown): string =>
  Array.isArray(item)
    ? `a list of ${item.length}`
    : typeof item === 'object' && item !== null
      ? 'an object'
      : showInput(item);
