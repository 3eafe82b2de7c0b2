// docs/results.md, made from the recorded tables: no figure of ours is typed by hand.

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { deformer } from './deformer.js';
import { elements } from './elements.js';
import { octree } from './octree.js';
import { peers } from './peers.js';
import { type RecordedTables, readTables } from './recorded-table.js';
import { measuredOnce } from './single.js';
import { skins } from './skins.js';
import { closedForms, recovery, smoothness } from './soaks.js';
import { startup } from './startup.js';
import { contended, scaling, table1, table2 } from './surface.js';

export const RESULTS = fileURLToPath(new URL('../results', import.meta.url));
export const PAGE = fileURLToPath(new URL('../../docs/results.md', import.meta.url));

const HEAD = `# Results
What Isochore measures, beside the papers' figures and beside today's engines. All times are milliseconds per step of 5 ms, the least of many
steps unless said, on shared virtual machines with two processors, which each table names. This page is made from the rows in
[\`bench/results\`](../bench/results), which have machine, command, settings, medians and state hashes beside them; the contenders of a table
take turns within one run, so ratios hold better than times. \`npm run bench -- all\` measures every table anew, keeps what was measured before
in \`history.csv\` and makes this page; \`npm run bench -- NAME\` measures one table, \`npm run soak -- NAME\` what is called a soak below, and
\`npm run bench -- page\` only makes the page. What no table measures is in [\`single.csv\`](../bench/results/single.csv).
`;

/** In the order of the page. */
const SECTIONS: Readonly<Record<string, (tables: RecordedTables) => string>> = {
  ...{ table2, scaling, table1, contended, startup, recovery, smoothness, skins },
  ...{ octree, elements, closedForms, deformer, peers },
};

export const resultsPage = (tables: RecordedTables): string =>
  [HEAD, ...Object.entries(SECTIONS).map(([name, section]) => section(tables) + measuredOnce(tables, name))].join('\n');

export const writeResultsPage = (): void => writeFileSync(PAGE, resultsPage(readTables(RESULTS)));
