// The results page is what is made from the recorded tables, and these are read as they were written.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { group, show, table } from '../../bench/page/markdown.js';
import { parseTable, readTables } from '../../bench/page/recorded-table.js';
import { PAGE, RESULTS, resultsPage } from '../../bench/page/results-page.js';

it('docs/results.md has no figure that is not of the tables (npm run bench -- page makes it)', () => {
  expect(readFileSync(PAGE, 'utf8')).toBe(resultsPage(readTables(RESULTS)));
});

describe('a recorded table', () => {
  const recorded = parseTable('try', 'name,threads,minMsPerStep,msPerStep\ncube,1,5,\ncube,2,3,4\n');

  it('gives the one row that is asked for', () => {
    expect(recorded.least({ name: 'cube', threads: 2 })).toBe(3);
    expect(() => recorded.row({ name: 'cube' })).toThrow('try.csv: 2 rows with {"name":"cube"}, expected one');
    expect(() => recorded.row({ name: 'ball' })).toThrow('try.csv: 0 rows');
  });

  it('does not take an empty field for a figure', () => {
    expect(() => recorded.median({ threads: 1 })).toThrow('try.csv: no msPerStep in the row');
  });
});

it('figures have three digits, thousands apart, powers of ten', () => {
  expect([5.4009, 0.00001212, 99848, 1946.6, 0, -0.0004, 1216.6, 12.04].map((value) => show(value))).toEqual([
    ...['5.4', '1.2·10⁻⁵', '99 848', '1947', '0', '−4·10⁻⁴', '1217', '12'],
  ]);
  expect(group(1_000_000)).toBe('1 000 000');
});

it('a table of Markdown has a head and its rows', () => {
  expect(
    table([
      ['a', 'b'],
      [1, 2],
    ]),
  ).toBe('| a | b |\n|---|---|\n| 1 | 2 |');
});
