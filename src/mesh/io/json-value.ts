// A value in parsed JSON together with its path, so that every fault names its place: "nodes[3].mesh: expected …".

import { MeshReadError } from './mesh-read-error.js';

function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value));
  const short = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return short.replace(/[^\x20-\x7e…]/g, '?');
}

export class JsonValue {
  constructor(
    readonly value: unknown,
    readonly path: string,
  ) {}

  get exists(): boolean {
    return this.value !== undefined;
  }

  fail(expected: string): never {
    throw new MeshReadError(`${this.path || 'glTF'}: expected ${expected}, got ${show(this.value)}`);
  }

  /** A field of an object; of an absent object every field is absent. */
  field(name: string): JsonValue {
    const path = this.path === '' ? name : `${this.path}.${name}`;
    if (this.value === undefined) return new JsonValue(undefined, path);
    if (typeof this.value !== 'object' || this.value === null || Array.isArray(this.value)) this.fail('an object');
    const own = Object.hasOwn(this.value, name) ? (this.value as Record<string, unknown>)[name] : undefined;
    return new JsonValue(own, path);
  }

  /** Length of a list; 0 where it is absent. */
  get length(): number {
    if (this.value === undefined) return 0;
    if (!Array.isArray(this.value)) this.fail('a list');
    return this.value.length;
  }

  item(index: number): JsonValue {
    if (index >= this.length) this.fail(`an entry ${index}`);
    return new JsonValue((this.value as unknown[])[index], `${this.path}[${index}]`);
  }

  items(): JsonValue[] {
    return Array.from({ length: this.length }, (_, i) => this.item(i));
  }

  integer(low: number, high: number, absent?: number): number {
    if (this.value === undefined && absent !== undefined) return absent;
    const { value } = this;
    if (typeof value !== 'number' || !Number.isInteger(value) || value < low || value > high) {
      this.fail(`a whole number from ${low} to ${high}`);
    }
    return value;
  }

  /** The place of an entry in a list of this length. */
  index(list: JsonValue): number {
    if (list.length === 0) this.fail(`no reference, as ${list.path} is empty`);
    return this.integer(0, list.length - 1);
  }

  /** A list of finite numbers, or a copy of `absent`. */
  numbers(absent: readonly number[]): number[] {
    if (this.value === undefined) return [...absent];
    const { value } = this;
    if (!Array.isArray(value) || value.length !== absent.length || !value.every((x) => Number.isFinite(x))) {
      this.fail(`${absent.length} finite numbers`);
    }
    return [...(value as number[])];
  }

  /** Names are free text, so that anything else counts as none. */
  name(): string {
    return typeof this.value === 'string' ? this.value : '';
  }
}
