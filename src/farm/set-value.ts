// A scene with one value changed, by the path that a sweep gives: list items by number or by name.

import { describeKnown } from '../math/known-fields.js';
import type { SweepValue } from './axis.js';

type Holder = Record<string, unknown>;

const isHolder = (value: unknown): value is Holder => typeof value === 'object' && value !== null;

/** Changes `scene`. Whether the last name and the value are right is what checking the scene afterwards says. @throws RangeError */
export function setValue(scene: object, path: string, value: SweepValue): void {
  const keys = path.split('.');
  const last = keys.pop() as string;
  let holder: unknown = scene;
  for (const [n, key] of keys.entries()) {
    const place = [...keys.slice(0, n), key].join('.');
    const next: unknown = isHolder(holder) ? holder[itemOf(holder, key, place)] : undefined;
    if (!isHolder(next)) throw new RangeError(`${path}: expected ${place} to hold something in the scene`);
    holder = next;
  }
  (holder as Holder)[itemOf(holder as Holder, last, path)] = value;
}

/** The key itself; of a list the number of an item, also where its name is given. */
function itemOf(holder: Holder | unknown[], key: string, place: string): string {
  if (!Array.isArray(holder)) {
    if (key === '__proto__') throw new RangeError(`${place}: expected the name of a field`);
    return key;
  }
  const names = holder.map((item, n) => (isHolder(item) && typeof item.name === 'string' ? item.name : String(n)));
  const index = /^\d+$/.test(key) ? Number(key) : names.indexOf(key);
  if (index >= 0 && index < holder.length) return String(index);
  throw new RangeError(
    `${place}: ${holder.length === 0 ? 'expected an item, got an empty list' : describeKnown(key, names)}`,
  );
}
