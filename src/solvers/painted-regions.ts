// What is painted on stiffness or damping, for models that match regions. A factor acts on what a region does as a whole: a region
// keeps the momentum of its particles, so any factors do. (Factors on single particles' ways to their goals do not, and what the
// rest of the body then had to give back turned a bar that hung on pins.)

/** Factors of regions, the largest of them as 1. */
export interface PaintedRegions {
  /** Of each region, 0…1. */
  readonly factors: Float64Array;
  /** Mean of the factors of the regions that hold each particle. */
  readonly means: Float64Array;
  /** What the largest factor was. */
  readonly largest: number;
}

/** `meanOver` writes the mean over the regions that hold each particle. */
export function paintRegions(
  map: Float64Array | undefined,
  meanOver: (values: Float64Array) => Float64Array,
): PaintedRegions | undefined {
  if (!map) return undefined;
  const largest = map.reduce((most, factor) => Math.max(most, factor), 0);
  const factors = largest > 0 ? map.map((factor) => factor / largest) : map.slice();
  return { factors, means: meanOver(factors), largest };
}
