// The scanner and JSON.parse agree on what is JSON: texts are cut, doubled and altered at every place.

import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/math/random.js';
import { findJsonFault } from '../../../src/mesh/io/json-fault.js';

const SAMPLE = '{"a": [1, -2.5e+3, true, null, {"b\\u00e9\\n": "x", "c": []}], "d": {}, "e": false}';
const CHARACTERS = '{}[]:,"\\ \n\t0123456789.-+eEtfnul\u0001é';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('findJsonFault', () => {
  it('finds nothing in JSON', () => {
    for (const text of [SAMPLE, JSON.stringify(JSON.parse(SAMPLE), null, 2), ' 1 ', '"x"', '[]', 'null', '-0']) {
      expect(findJsonFault(text)).toBeUndefined();
    }
  });

  it('agrees with JSON.parse on every beginning of a text', () => {
    for (let end = 0; end < SAMPLE.length; end++) {
      const text = SAMPLE.slice(0, end);
      expect(findJsonFault(text), text).toBeDefined();
    }
  });

  it('agrees with JSON.parse on altered texts', () => {
    const random = seededRandom(7);
    let valid = 0;
    for (let trial = 0; trial < 20_000; trial++) {
      const at = Math.floor(random() * SAMPLE.length);
      const removed = Math.floor(random() * 3);
      const added = CHARACTERS[Math.floor(random() * CHARACTERS.length)];
      const text = SAMPLE.slice(0, at) + added + SAMPLE.slice(at + removed);
      const expected = isJson(text);
      if (expected) valid++;
      expect(findJsonFault(text) === undefined, text).toBe(expected);
    }
    // Both outcomes must occur often for the comparison to mean something.
    expect(valid).toBeGreaterThan(500);
    expect(valid).toBeLessThan(19_500);
  });
});
