// Names that users may have misspelt: which of the known ones was meant, and the one line that says so.

/** "did you mean stiffness?", where a known name is near enough to what was written. */
export function suggestName(written: string, known: readonly string[]): string | undefined {
  // A third of the letters may be wrong: beyond that the guess would be another word.
  let nearest = Math.floor(written.length / 3) + 1;
  let best: string | undefined;
  for (const name of known) {
    const distance = editDistance(written.toLowerCase(), name.toLowerCase(), nearest);
    if (distance >= nearest) continue;
    nearest = distance;
    best = name;
  }
  return best;
}

/** The words that follow an unknown name in an error: what may have been meant, if anything is near, and all that is known. */
export function describeKnown(written: string, known: readonly string[]): string {
  const meant = suggestName(written, known);
  const all = known.length === 1 ? known[0] : `one of ${known.join(', ')}`;
  return `${meant === undefined ? '' : `did you mean ${meant}? `}expected ${all}`;
}

/**
 * Throws where an object of options has a field that nobody reads, as a misspelt one is.
 * @param place what the options are for, as the user wrote it: `surface`, `createWorld`.
 */
export function expectKnownFields(place: string, options: object, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new RangeError(`${place}: expected an object of options, got ${Array.isArray(options) ? 'a list' : options}`);
  }
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || known.includes(name)) continue;
    throw new RangeError(`${place}: unknown option ${name}, ${describeKnown(name, known)}`);
  }
}

/**
 * Changes of a letter, insertions, deletions and swaps of neighbours that lead from one word to the other; at least `limit`
 * where it is not less than that.
 */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(changed, last[j] + 1, row[j - 1] + 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length];
}
