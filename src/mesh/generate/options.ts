// Checks of the generators' options: a wrong value is named together with what is expected.

/** Throws unless `value` is a positive finite number. */
export function requirePositive(name: string, value: number): void {
  if (!(typeof value === 'number' && value > 0 && Number.isFinite(value))) {
    throw new RangeError(`${name} must be a positive number, got ${value}`);
  }
}

/** Throws unless `value` is a whole number from `least` to `most`. */
export function requireCount(name: string, value: number, least: number, most: number): void {
  if (!(Number.isInteger(value) && value >= least && value <= most)) {
    throw new RangeError(`${name} must be a whole number from ${least} to ${most}, got ${value}`);
  }
}
