// How soon something moves, on the results page.

import { leastAndMedian, table } from './markdown.js';
import type { RecordedTables } from './recorded-table.js';

const WORDS: Readonly<Record<string, string>> = {
  import: 'loading the package in Node',
  'create-world': '`createWorld()` to the end of the first step of a ball of 642 vertices',
  'prepare-10088': 'preparing a cube of 10 088 vertices',
  'prepare-99848': 'preparing a cube of 99 848 vertices',
  'soup-mend': 'mending 50 000 loose triangles',
  'soup-cage': 'a cage of 1000 vertices around 50 000 triangles with holes, every tenth turned around',
  'cage-3000': 'a cage of 3000 vertices around the same',
  'page-to-motion': 'the playground, from the request to the first frame that moved',
};

export function startup({ startup: measured }: RecordedTables): string {
  const rows = Object.entries(WORDS).map(([name, words]) => [
    words,
    leastAndMedian(measured.least({ name }), measured.median({ name })),
  ]);
  return `## Startup
Each in processes of its own, as nothing is compiled yet when a program starts [ms]: the least of a few, in brackets the median
(\`npm run bench -- startup\`; ${measured.machine}).

${table([['', 'ms'], ...rows])}
`;
}
