// Sorting by small whole keys in linear time, for the compressed lists of a mesh.

/** Turns counts (stored one place to the right) into offsets, in place. */
export function accumulate(offsets: Uint32Array): void {
  for (let i = 1; i < offsets.length; i++) offsets[i] += offsets[i - 1];
}

/** `items` in ascending order of `key[item]`, which is below `keyCount`; equal keys keep their order. */
export function sortByKey(items: Uint32Array, key: Uint32Array, keyCount: number): Uint32Array {
  const next = new Uint32Array(keyCount + 1);
  for (let i = 0; i < items.length; i++) next[key[items[i]] + 1]++;
  accumulate(next);
  const sorted = new Uint32Array(items.length);
  for (let i = 0; i < items.length; i++) sorted[next[key[items[i]]]++] = items[i];
  return sorted;
}
