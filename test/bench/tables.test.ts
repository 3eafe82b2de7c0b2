// Tables as they are written, kept and read back; rows of built-in scenes.

import { expect, it } from 'vitest';
import { EXPECTED_MINUTES, historyRows } from '../../bench/all.js';
import { BENCHMARKS } from '../../bench/benchmark.js';
import { builtInSceneRows } from '../../bench/built-in-scenes.js';
import { readCsv, writeCsv } from '../../bench/csv.js';
import { parseTable } from '../../bench/page/recorded-table.js';
import { COLUMNS, formatCsv } from '../../bench/rows.js';

it('a table is read as it was written', () => {
  const lines = [
    ['name', 'settings', 'ms'],
    ['cube', 'tets 0, edges 1e-7, "5" iterations', '20.2'],
    ['two\nlines', '', '3'],
  ];
  expect(readCsv(writeCsv(lines))).toEqual(lines);
});

it('a built-in scene gives a row for each body, which the history keeps', async () => {
  const rows = await builtInSceneRows({ names: ['stairs', 'imprint'], steps: 3 });
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({ name: 'stairs', method: 'surface', particles: 960, parts: 1 });
  expect(rows[0].hash).toMatch(/^[0-9a-f]{16}$/);
  // The bound that single precision is held to in every scene.
  expect(rows[0].maxVolumeErrorPercent).toBeLessThan(0.002);
  const machine = { cpu: 'one, and another', cores: 2, node: 'v20' };
  const table = parseTable('scenes', formatCsv({ bench: 'scenes', command: 'try', machine, rows }));
  expect(table.rows[0]).toMatchObject({ name: 'stairs', regionSize: '', cpu: 'one, and another' });
  const [kept] = historyRows(table, new Date('2026-11-17T12:00:00Z'));
  expect(kept.slice(1, 4)).toEqual(['2026-11-17', 'scenes', 'stairs']);
  expect(kept).toHaveLength(3 + COLUMNS.length + 3);
});

it('what a table takes is known of every one', () => {
  expect(Object.keys(EXPECTED_MINUTES).sort()).toEqual(Object.keys(BENCHMARKS).sort());
});
