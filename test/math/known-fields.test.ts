// Misspelt names: what is suggested, and what is refused.

import { describe, expect, it } from 'vitest';
import { describeKnown, expectKnownFields, suggestName } from '../../src/math/known-fields.js';

const NAMES = ['regionRadius', 'regionSize', 'stiffness', 'damping', 'volume'];

describe('a suggestion', () => {
  it.each([
    ['stifness', 'stiffness'],
    ['stffiness', 'stiffness'],
    ['Stiffness', 'stiffness'],
    ['regionsize', 'regionSize'],
    ['regionRadus', 'regionRadius'],
    ['dampning', 'damping'],
    ['vol', undefined],
    ['w', undefined],
    ['colour', undefined],
    ['', undefined],
  ])('for %j is %j', (written, meant) => {
    expect(suggestName(written, NAMES)).toBe(meant);
  });

  it('is the nearest of several', () => {
    expect(suggestName('regionSze', ['regionSide', 'regionSize'])).toBe('regionSize');
  });

  it('stands before all that is known', () => {
    expect(describeKnown('dampin', NAMES)).toBe(`did you mean damping? expected one of ${NAMES.join(', ')}`);
    expect(describeKnown('colour', ['radius'])).toBe('expected radius');
  });
});

describe('options', () => {
  it('with known names pass, and so do names without a value', () => {
    expectKnownFields('surface', { stiffness: 1, colour: undefined }, NAMES);
    expectKnownFields('surface', {}, NAMES);
  });

  it('with others are refused in one line', () => {
    expect(() => expectKnownFields('surface', { stifness: 1 }, NAMES)).toThrow(
      new RangeError(`surface: unknown option stifness, did you mean stiffness? expected one of ${NAMES.join(', ')}`),
    );
  });

  it.each([
    [null, 'null'],
    [3, '3'],
    [[1], 'a list'],
  ])('that are %j are none', (options, got) => {
    expect(() => expectKnownFields('surface', options as object, NAMES)).toThrow(
      new RangeError(`surface: expected an object of options, got ${got}`),
    );
  });
});
