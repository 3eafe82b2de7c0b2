// What was measured once, by a program of its own and not by a table (bench/results/single.csv), beside the section that it belongs to.

import { table } from './markdown.js';
import type { RecordedTables } from './recorded-table.js';

/** Lines of a section; nothing where it has none. */
export function measuredOnce({ single }: RecordedTables, section: string): string {
  const rows = single.filter({ section }).map(({ what, result, day, cpu }) => [what, result, `${cpu}, ${day}`]);
  return rows.length === 0 ? '' : `\n${table([['measured once', '', 'on'], ...rows])}\n`;
}
