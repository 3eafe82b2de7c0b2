// Checks of what users pass in: a RangeError that names the place and what was expected.

/** A finite number from `low` to `high`. */
export function expectNumber(name: string, value: number, low = -Infinity, high = Infinity): void {
  if (typeof value === 'number' && Number.isFinite(value) && value >= low && value <= high) return;
  const range = high < Infinity ? ` from ${low} to ${high}` : low > -Infinity ? ` from ${low}` : '';
  throw new RangeError(`${name}: expected a number${range}, got ${value}`);
}

/** A finite number above 0. */
export function expectPositive(name: string, value: number): void {
  if (value > 0 && Number.isFinite(value)) return;
  throw new RangeError(`${name}: expected a positive number, got ${value}`);
}

/** A vector (or, with `length` 4, a quaternion) of finite numbers. */
export function expectVector(name: string, value: ArrayLike<number>, length = 3): void {
  if (value?.length === length && Array.from(value).every((x) => Number.isFinite(x))) return;
  throw new RangeError(`${name}: expected ${length} finite numbers, got ${JSON.stringify(value && Array.from(value))}`);
}
