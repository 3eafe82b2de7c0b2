// States as trees and as bytes: what goes in comes out, bit by bit; fields come in by themselves.

import { expect, it } from 'vitest';
import { captureFields, packState, restoreFields, unpackState } from '../../src/math/state-tree.js';

it('bytes give back every kind of value', () => {
  const tree = {
    numbers: [1, -0, 0.1, Number.NaN, Infinity, -Infinity, 5e-324, Number.MAX_VALUE],
    words: ['', 'a "b" ☃', null, true, undefined],
    arrays: [
      Float64Array.of(Math.PI, -0),
      Float32Array.of(0.1),
      Uint8Array.of(1, 2, 3),
      new Uint32Array(0),
      Int32Array.of(-7),
    ],
    nested: { empty: {}, list: [], a: { l: 1, o: 2, n: 3, u: 4 } },
  };
  const again = unpackState(packState(tree));
  expect(again).toEqual(tree);
  expect(Object.is((again as typeof tree).numbers[1], -0)).toBe(true);
  expect(Object.is((again as typeof tree).arrays[0][1], -0)).toBe(true);
});

class Counter {
  count = 0;
  readonly history = new Float64Array(3);
  list: number[] = [];
  settings = { step: 1 };
  scratch = 5;

  constructor(readonly rest: { readonly table: Float64Array }) {}
}

it('the named fields are captured; arrays stay the same ones', () => {
  const rest = { table: Float64Array.of(1, 2), settings: { step: 1 } };
  const limits = { only: ['count', 'history', 'list', 'settings'] };
  const counter = new Counter(rest);
  counter.settings = rest.settings;
  counter.history.set([1, 2, 3]);
  counter.list.push(4);
  const state = captureFields(counter, limits);
  expect(state).toEqual({ count: 0, history: Float64Array.of(1, 2, 3), list: [4], settings: { step: 1 } });
  const { history } = counter;
  counter.count = 9;
  counter.scratch = 6;
  counter.history.fill(0);
  counter.settings = { step: 2 };
  counter.list.push(5);
  restoreFields(counter, state);
  expect(counter.history).toBe(history);
  expect([counter.count, counter.scratch, counter.list, counter.settings]).toEqual([0, 6, [4], { step: 1 }]);
  expect([...history]).toEqual([1, 2, 3]);
  // What was captured is a copy.
  history.fill(7);
  expect(state.history).toEqual(Float64Array.of(1, 2, 3));
  expect(rest).toEqual({ table: Float64Array.of(1, 2), settings: { step: 1 } });
});
