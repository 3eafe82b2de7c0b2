// Powers of two, by doubling and halving: logarithms of the engine may differ in the last bit.

/** The largest power of two that is not above a positive number. */
export function powerOfTwoBelow(value: number): number {
  let power = 1;
  while (power > value) power /= 2;
  while (2 * power <= value) power *= 2;
  return power;
}

/** The smallest power of two that is not below a positive number. */
export function powerOfTwoAbove(value: number): number {
  const below = powerOfTwoBelow(value);
  return below === value ? below : 2 * below;
}
