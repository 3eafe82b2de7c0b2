// Pairs of points that are near each other, each with a reach of its own: by a grid, and the few that reach much further than others one by one. Of
// some thousands of bodies that fall, looking at all pairs took five times as long as the rest of a step.

/** Reaches, in the middle one, beyond which a point is held against all others. */
const WIDE = 4;
/** Bits of a cell's place along an axis. Those of cells that are further apart repeat, which only costs time. */
const BITS = 10;

/**
 * Calls back once with every pair of points that are no further apart along any axis than their reaches together, in no particular order. Point n
 * stands at points[stride·n …]; what is not finite is near nothing.
 */
export function forEachNear(
  points: Float64Array,
  stride: number,
  reaches: Float64Array,
  count: number,
  visit: (i: number, j: number) => void,
): void {
  const visitNear = (i: number, list: readonly number[]): void => {
    const p = stride * i;
    for (const j of list) {
      const reach = reaches[i] + reaches[j];
      const q = stride * j;
      if (!(Math.abs(points[p] - points[q]) <= reach)) continue;
      if (Math.abs(points[p + 1] - points[q + 1]) <= reach && Math.abs(points[p + 2] - points[q + 2]) <= reach)
        visit(i, j);
    }
  };
  const sorted = reaches.slice(0, count).sort();
  const widest = Math.min(sorted[count - 1], WIDE * sorted[count >> 1]);
  const cells = new Map<number, number[]>();
  const wide: number[] = [];
  for (let i = 0; i < count; i++) {
    if (!(reaches[i] <= widest)) {
      wide.push(i);
      continue;
    }
    const [x, y, z] = [0, 1, 2].map((c) => Math.floor(points[stride * i + c] / (2 * widest)));
    for (let n = 0; n < 27; n++) {
      const list = cells.get(keyOf(x + (n % 3) - 1, y + (Math.trunc(n / 3) % 3) - 1, z + Math.trunc(n / 9) - 1));
      if (list) visitNear(i, list);
    }
    const key = keyOf(x, y, z);
    const own = cells.get(key);
    if (own) own.push(i);
    else cells.set(key, [i]);
  }
  wide.forEach((i, n) => {
    visitNear(i, wide.slice(0, n));
    for (const list of cells.values()) visitNear(i, list);
  });
}

function keyOf(x: number, y: number, z: number): number {
  const mask = (1 << BITS) - 1;
  return ((x & mask) << (2 * BITS)) | ((y & mask) << BITS) | (z & mask);
}
