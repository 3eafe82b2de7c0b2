// Settings by keyframes: each field has those keyframes that give it a value. Numbers, and lists of them that are as long, are linear
// between two; everything else holds until the next. Before the first and after the last they stay.

export interface ValueKey {
  /** [s] */
  readonly time: number;
}

/** What the keyframes give at a time [s], by field; fields that none of them names are left out. Keyframes ascend in time. */
export function keyedAt<Key extends ValueKey>(keys: readonly Key[], time: number): Partial<Omit<Key, 'time'>> {
  const values: Record<string, unknown> = {};
  for (const name of new Set(keys.flatMap((key) => Object.keys(key)))) {
    const own = keys.filter((key) => (key as Record<string, unknown>)[name] !== undefined);
    if (name !== 'time' && own.length > 0) values[name] = valueAt(own, name, time);
  }
  return values as Partial<Omit<Key, 'time'>>;
}

function valueAt(keys: readonly ValueKey[], name: string, time: number): unknown {
  const given = (key: ValueKey): unknown => (key as unknown as Record<string, unknown>)[name];
  const next = keys.findIndex((key) => key.time > time);
  if (next === 0) return given(keys[0]);
  if (next < 0) return given(keys[keys.length - 1]);
  const [before, after] = [keys[next - 1], keys[next]];
  return mixValues(given(before), given(after), (time - before.time) / (after.time - before.time));
}

function mixValues(from: unknown, to: unknown, share: number): unknown {
  // As at a keyframe to the bit.
  if (share === 0) return from;
  if (typeof from === 'number' && typeof to === 'number') return from + share * (to - from);
  if (!Array.isArray(from) || !Array.isArray(to) || from.length !== to.length) return from;
  return from.map((value, k) => mixValues(value, to[k], share));
}
