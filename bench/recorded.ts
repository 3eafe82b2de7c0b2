// A table that was measured and kept (bench/results), read back: every field a text, empty where it has none.

import { readCsv } from './csv.js';

export interface RecordedTable {
  readonly name: string;
  readonly rows: readonly Readonly<Record<string, string>>[];
}

export function parseTable(name: string, text: string): RecordedTable {
  const [columns, ...lines] = readCsv(text);
  return { name, rows: lines.map((line) => Object.fromEntries(columns.map((column, c) => [column, line[c] ?? '']))) };
}
