// Seeded damage to files: bytes, words and numbers changed, cut, repeated and inserted, and values of glTF's JSON replaced.

const WORDS = [
  ' ',
  '\n',
  '-1',
  '1e999',
  'nan',
  '4294967295',
  '\\\n',
  '#',
  '/',
  'solid',
  'end_header\n',
  '\0',
  '9'.repeat(30),
];
const VALUES: unknown[] = [
  0,
  -1,
  1,
  2,
  3,
  7,
  255,
  65535,
  4294967295,
  1e9,
  5e6,
  1.5,
  1e308,
  1e-308,
  '',
  'x',
  null,
  true,
  [],
  {},
  [0],
  [[]],
  '../a.bin',
];

const FLOATS = [0, 1, -1, 0.5, 1e-30, 1e10, -1e30, Number.NaN];

type Random = () => number;
const pick = (random: Random, count: number): number => Math.floor(random() * count);

/** Changes, removes, repeats or inserts a few bytes. */
export function mutateBytes(seed: Uint8Array, random: Random): Uint8Array {
  let bytes = [...seed];
  for (let change = 0; change <= pick(random, 3); change++) {
    const at = pick(random, bytes.length + 1);
    const length = pick(random, 16);
    switch (pick(random, 7)) {
      case 0:
        bytes[at] = pick(random, 256);
        break;
      case 1:
        bytes.splice(at, length);
        break;
      case 2:
        bytes.splice(at, 0, ...bytes.slice(at, at + 5 * length));
        break;
      case 3:
        bytes.splice(at, 0, ...new TextEncoder().encode(WORDS[pick(random, WORDS.length)]));
        break;
      case 4:
        if (pick(random, 4) === 0) bytes = bytes.slice(0, at);
        else bytes[at] = 48 + pick(random, 10);
        break;
      case 5: {
        // A number of four bytes, as counts, offsets and coordinates have in binary files.
        const view = new DataView(new ArrayBuffer(4));
        if (pick(random, 2) === 0) view.setUint32(0, [0, 1, 2 ** 31, 2 ** 32 - 1, 1000, 65535][pick(random, 6)], true);
        else view.setFloat32(0, [Number.NaN, Infinity, -1e30, 1e-40, 0, 1][pick(random, 6)], true);
        const aligned = at - (at % 4);
        new Uint8Array(view.buffer).forEach((byte, i) => {
          bytes[aligned + i] = byte;
        });
        break;
      }
      default: {
        // Two pieces change places.
        const other = pick(random, bytes.length + 1);
        const [first, second] = [bytes.slice(at, at + length), bytes.slice(other, other + length)];
        bytes.splice(at, first.length, ...second);
        bytes.splice(other, second.length, ...first);
      }
    }
  }
  return Uint8Array.from(bytes, (byte) => byte ?? 0);
}

/** Other numbers in the places of some: files that can be read, but hold nonsense. */
function mutateNumbers(seed: Uint8Array, random: Random): Uint8Array {
  const changes = 1 + pick(random, 4);
  const text = new TextDecoder('latin1').decode(seed);
  const numbers = [...text.matchAll(/(?<=\s)-?\d+(\.\d+)?(e-?\d+)?(?=\s)/g)];
  // Binary files have a few digits at most, in their heads.
  if (numbers.length < 20) {
    const bytes = seed.slice();
    const view = new DataView(bytes.buffer);
    // Counts are in the first half, coordinates and corners in the second.
    const word = () => 4 * Math.floor((seed.length * (0.5 + 0.5 * random()) - 4) / 4);
    for (let change = 0; change < changes; change++) {
      const kind = pick(random, 3);
      if (kind === 0) view.setUint32(word(), view.getUint32(word()));
      else if (kind === 1) view.setFloat32(word(), FLOATS[pick(random, FLOATS.length)], true);
      else view.setFloat32(word(), 4 * random() - 2, true);
    }
    return bytes;
  }
  let result = text;
  for (let change = 0; change < changes; change++) {
    const { index, 0: old } = numbers[pick(random, numbers.length)];
    const kind = pick(random, 3);
    const other = kind === 0 ? numbers[pick(random, numbers.length)][0] : `${kind === 1 ? random() : pick(random, 8)}`;
    // As long as the old one, so that all others stay in their places.
    result = result.slice(0, index) + other.slice(0, old.length).padEnd(old.length) + result.slice(index + old.length);
  }
  return Uint8Array.from(result, (letter) => letter.charCodeAt(0));
}

/** Replaces, removes or copies a value somewhere in a JSON tree. */
function mutateJson(root: unknown, random: Random): void {
  const places: [Record<string, unknown>, string][] = [];
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const key of Object.keys(value)) {
      places.push([value as Record<string, unknown>, key]);
      walk((value as Record<string, unknown>)[key]);
    }
  };
  walk(root);
  for (let change = 0; change <= pick(random, 2); change++) {
    const [holder, key] = places[pick(random, places.length)];
    const kind = pick(random, 4);
    if (kind === 0) delete holder[key];
    else if (kind === 1) {
      const [other, name] = places[pick(random, places.length)];
      // A copy, as a circle would be no JSON.
      holder[key] = structuredClone(other[name]);
    } else holder[key] = structuredClone(VALUES[pick(random, VALUES.length)]);
  }
}

/** Splits GLB, changes its JSON and puts it together again. */
function mutateGlb(seed: Uint8Array, random: Random): Uint8Array {
  const view = new DataView(seed.buffer, seed.byteOffset, seed.byteLength);
  const length = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(seed.subarray(20, 20 + length)));
  mutateJson(json, random);
  let text = JSON.stringify(json);
  while (text.length % 4 !== 0) text += ' ';
  const encoded = new TextEncoder().encode(text);
  const rest = seed.subarray(20 + length);
  const bytes = new Uint8Array(20 + encoded.length + rest.length);
  bytes.set(seed.subarray(0, 20));
  bytes.set(encoded, 20);
  bytes.set(rest, 20 + encoded.length);
  const head = new DataView(bytes.buffer);
  head.setUint32(8, bytes.length, true);
  head.setUint32(12, encoded.length, true);
  return bytes;
}

/** A damaged copy of a file. */
export function mutate(name: string, seed: Uint8Array, random: Random): Uint8Array {
  if (pick(random, 2) === 0) return mutateNumbers(seed, random);
  const isStructured = pick(random, 3) > 0;
  if (isStructured && name.endsWith('.glb')) return mutateGlb(seed, random);
  if (isStructured && name.endsWith('.gltf')) {
    const json = JSON.parse(new TextDecoder().decode(seed));
    mutateJson(json, random);
    return new TextEncoder().encode(JSON.stringify(json));
  }
  return mutateBytes(seed, random);
}
