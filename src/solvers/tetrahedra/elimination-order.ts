// In which order nodes are eliminated from the pressure matrix.

export interface EliminationOrder {
  readonly order: Uint32Array;
  /** Ends of its chains, 0 first: see `FactorPattern`. */
  readonly chains: Uint32Array;
}

/**
 * From one end of the body to the other. As nodes are numbered, those of the boundary first, 6 % is too small a shift in one of ten factorings of
 * a ball on a floor, here in one of fifty. Of a large body from both ends to its middle: two threads can eliminate, and sweep, side by side, and
 * meet where rows need both. Several sweeps at once within one order save no time and take a fifth more iterations. The matrix is given by
 * the rows of its lower triangle.
 */
export function orderElimination(
  x: Float64Array,
  starts: Uint32Array,
  columns: Uint32Array,
  isLarge: boolean,
): EliminationOrder {
  const along = sortAlong(x);
  const count = along.length;
  if (!isLarge) return { order: along, chains: Uint32Array.of(0, count) };
  const places = new Uint32Array(count);
  along.forEach((node, place) => {
    places[node] = place;
  });
  // As many at either side of those that the first ones reach.
  const half = Math.floor((count - reachedFrom(places, starts, columns, count >> 1).length) / 2);
  const middle = reachedFrom(places, starts, columns, half);
  const isMiddle = new Uint8Array(count);
  for (const place of middle) isMiddle[place] = 1;
  const back: number[] = [];
  for (let place = count - 1; place >= half; place--) if (!isMiddle[place]) back.push(along[place]);
  const order = new Uint32Array(count);
  order.set(along.subarray(0, half));
  order.set(back, half);
  order.set(
    middle.map((place) => along[place]),
    half + back.length,
  );
  return { order, chains: Uint32Array.of(0, half, half + back.length, count) };
}

/** Places from `half` on that share an entry with one before it, ascending. */
function reachedFrom(places: Uint32Array, starts: Uint32Array, columns: Uint32Array, half: number): number[] {
  const isReached = new Uint8Array(places.length);
  for (let row = 0; row < places.length; row++) {
    for (let s = starts[row]; s < starts[row + 1]; s++) {
      const [a, b] = [places[row], places[columns[s]]];
      if (a < half !== b < half) isReached[Math.max(a, b)] = 1;
    }
  }
  const reached: number[] = [];
  isReached.forEach((is, place) => {
    if (is) reached.push(place);
  });
  return reached;
}

/** Nodes from one end of the longest side to the other. */
function sortAlong(x: Float64Array): Uint32Array {
  const [low, high] = [
    [Infinity, Infinity, Infinity],
    [-Infinity, -Infinity, -Infinity],
  ];
  for (let k = 0; k < x.length; k++) {
    low[k % 3] = Math.min(low[k % 3], x[k]);
    high[k % 3] = Math.max(high[k % 3], x[k]);
  }
  const sizes = high.map((top, c) => top - low[c]);
  const a = sizes.indexOf(Math.max(...sizes));
  const [b, c] = [(a + 1) % 3, (a + 2) % 3];
  const order = Uint32Array.from({ length: x.length / 3 }, (_, n) => n);
  return order.sort(
    (m, n) => x[3 * m + a] - x[3 * n + a] || x[3 * m + b] - x[3 * n + b] || x[3 * m + c] - x[3 * n + c] || m - n,
  );
}
