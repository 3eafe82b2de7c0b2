// The fingerprint: its low half is FNV-1a of 32 bits, whose published test values are known; the rest is sensitivity.

import { describe, expect, it } from 'vitest';
import { StateHash } from '../../src/math/hash.js';
import { seededRandom } from '../../src/math/random.js';

const words = (text: string): Uint32Array => new Uint32Array(new TextEncoder().encode(text).buffer);

describe('StateHash', () => {
  it('has FNV-1a in its low 32 bits', () => {
    expect(new StateHash().digest().slice(8)).toBe('811c9dc5');
    expect(new StateHash().update(words('foob')).digest().slice(8)).toBe('3f5076ef');
  });

  it('has sixteen hexadecimal digits', () => {
    for (let n = 0; n < 50; n++) expect(new StateHash().update(Uint32Array.of(n)).digest()).toMatch(/^[0-9a-f]{16}$/);
  });

  it('is the same for the same bytes, however they are cut', () => {
    const values = Float64Array.of(1, 2, 3, 4);
    const whole = new StateHash().update(values).digest();
    expect(new StateHash().update(values.subarray(0, 1)).update(values.subarray(1)).digest()).toBe(whole);
    expect(new StateHash().update(values.slice()).digest()).toBe(whole);
  });

  it('sees every bit, the sign of zero and the order', () => {
    const hash = (...values: number[]) => new StateHash().update(Float64Array.from(values)).digest();
    const seen = new Set([
      hash(1, 2),
      hash(2, 1),
      hash(1, 2, 0),
      hash(0),
      hash(-0),
      hash(),
      hash(1),
      hash(1 + 2 ** -52),
    ]);
    expect(seen.size).toBe(8);
    const random = seededRandom(4);
    const values = Float64Array.from({ length: 20 }, () => random());
    const bytes = new Uint8Array(values.buffer);
    const digests = new Set([new StateHash().update(values).digest()]);
    for (let bit = 0; bit < 8 * bytes.length; bit++) {
      bytes[bit >> 3] ^= 1 << (bit & 7);
      digests.add(new StateHash().update(values).digest());
      bytes[bit >> 3] ^= 1 << (bit & 7);
    }
    expect(digests.size).toBe(8 * bytes.length + 1);
  });
});
