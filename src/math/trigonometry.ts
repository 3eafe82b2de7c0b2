// Sine, cosine, arc cosine and arc tangent that give the same bits in every engine: additions, multiplications, divisions and square roots
// alone. JavaScript leaves the last bit of its own to the engine, and one bit in a mesh can change the order of its paths
// and with it every bit of a simulation. Accurate to about an ulp for the angles that occur (below 10⁵).

/** π/2 in three parts, the first two of 33 bits: their products with whole numbers up to 2²⁰ are exact. */
const QUARTER_1 = 1.5707963267341256;
const QUARTER_2 = 6.077100506303966e-11;
const QUARTER_3 = 2.0222662487959506e-21;

/** ∓1/n! of Taylor's series, the highest power first; up to π/4 the next term is below 10⁻¹⁷. */
const series = (powers: readonly number[]): readonly number[] =>
  powers.map((n) => {
    let factorial = 1;
    for (let k = 2; k <= n; k++) factorial *= k;
    return (n % 4 < 2 ? 1 : -1) / factorial;
  });
const SINE = series([17, 15, 13, 11, 9, 7, 5, 3]);
const COSINE = series([18, 16, 14, 12, 10, 8, 6, 4]);

function sumSeries(coefficients: readonly number[], square: number): number {
  let sum = 0;
  for (const coefficient of coefficients) sum = sum * square + coefficient;
  return sum;
}

/** Sine of an angle up to π/4. */
function sineNear(x: number): number {
  const square = x * x;
  return x + x * square * sumSeries(SINE, square);
}

/** Cosine of an angle up to π/4. */
function cosineNear(x: number): number {
  const square = x * x;
  return 1 - (0.5 * square - square * square * sumSeries(COSINE, square));
}

/** Sine of x + n·π/2. */
function turned(x: number, n: number): number {
  const quarters = Math.round(x / (QUARTER_1 + QUARTER_2));
  const rest = x - quarters * QUARTER_1 - quarters * QUARTER_2 - quarters * QUARTER_3;
  const quadrant = (((quarters + n) % 4) + 4) % 4;
  const value = quadrant % 2 === 0 ? sineNear(rest) : cosineNear(rest);
  return quadrant < 2 ? value : -value;
}

/** Sine of an angle [rad]. */
export const sine = (x: number): number => turned(x, 0);

/** Cosine of an angle [rad]. */
export const cosine = (x: number): number => turned(x, 1);

/** Arc sine of 0 … √½, by Newton's method on the sine. */
function arcSineNear(x: number): number {
  const square = x * x;
  let angle = x * (1 + square * (1 / 6 + square * (3 / 40 + (square * 15) / 336)));
  // The series is off by 3e-3 at most; each round squares that.
  for (let round = 0; round < 3; round++) angle += (x - sineNear(angle)) / cosineNear(angle);
  return angle;
}

/** Angle [rad], 0 … π, of a cosine; what lies beyond ±1 by rounding counts as ±1. */
export function arcCosine(x: number): number {
  const half = Math.sqrt(Math.max(0, 0.5 * (1 - Math.abs(x))));
  const angle = 2 * arcSineNear(half);
  return x < 0 ? 2 * (QUARTER_1 + QUARTER_2) - angle : angle;
}

/** ∓1/(2n + 1) of Taylor's series for n from 12 down to 1; up to tan(π/16) the next term is below 10⁻¹⁷. */
const ARC_TANGENT = Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? 1 : -1) / (25 - 2 * i));
const EIGHTH = (QUARTER_1 + QUARTER_2) / 4;
/** tan(π/8); between tan(π/16) and tan(3π/16) an angle is nearest to π/8. */
const TAN_EIGHTH = 0.41421356237309503;

/** Arc tangent of 0 … 1, measured from the nearest of 0, π/8 and π/4. */
function arcTangentNear(t: number): number {
  const eighths = t < 0.198912367379658 ? 0 : t < 0.6681786379192989 ? 1 : 2;
  const from = eighths === 0 ? 0 : eighths === 1 ? TAN_EIGHTH : 1;
  const rest = (t - from) / (1 + t * from);
  const square = rest * rest;
  return eighths * EIGHTH + (rest + rest * square * sumSeries(ARC_TANGENT, square));
}

/** Angle [rad], −π … π, of the direction (x, y), as `Math.atan2`; 0 where there is no direction. */
export function arcTangent(y: number, x: number): number {
  const [across, along] = [Math.abs(y), Math.abs(x)];
  if (across === 0 && along === 0) return 0;
  let angle = across <= along ? arcTangentNear(across / along) : 4 * EIGHTH - arcTangentNear(along / across);
  if (x < 0) angle = 8 * EIGHTH - angle;
  return y < 0 ? -angle : angle;
}
