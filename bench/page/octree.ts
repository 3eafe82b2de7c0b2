// Octree shape matching on the results page, beside [SOG08].

import { group, leastAndMedian, show, table, times } from './markdown.js';
import type { RecordedTables } from './recorded-table.js';

type Fields = Readonly<Record<string, string | number>>;

export function octree({ octree: measured }: RecordedTables): string {
  const both = (fields: Fields): string => leastAndMedian(measured.least(fields), measured.median(fields));
  const nodes = (fields: Fields): string => group(measured.figure(fields, 'nodes'));
  const line = (words: string, fields: Fields, paperNodes = '', paperMs = ''): string[] => [
    ...[words, nodes(fields), paperNodes, both(fields), paperMs],
  ];
  const [kernels, loops, lattice, naive] = ['octree', 'octree-loops', 'fast-lsm', 'lsm'].map((method) => ({
    ...{ name: 'hand-nodes', method },
  }));
  const gain = (over: Fields, of: Fields): string =>
    `${times(measured.least(over) / measured.least(of))} times as fast by the least, ${times(measured.median(over) / measured.median(of))} by the median`;
  const errors = measured.rows
    .filter(({ name, maxVolumeErrorPercent }) => name !== 'hand-nodes' && maxVolumeErrorPercent !== '')
    .map(({ maxVolumeErrorPercent }) => Number(maxVolumeErrorPercent));
  const flowers = (threads: number): Fields => ({ name: 'flowers', threads });
  return `## Octree shape matching, beside [SOG08]
\`npm run bench -- octree\` in one run ([\`octree.csv\`](../bench/results/octree.csv)): the least [ms], in brackets the median, on
${measured.machine}. The paper's machine was a Pentium 4 of 3.4 GHz.

The paper's factor of 88 is that of the *simulation* alone (sums, rotations, damping; no surface, volume or contact), between fast lattice
shape matching on 35 000 nodes (2.5 fps) and 661 nodes of an octree (222 fps), both without low-level optimisation; against its own
method on a uniform grid (4.6 fps) it is 48. So nodes alone are here in loops of TypeScript on both sides, and in kernels, as they are used: the lattice has none.

${table([
  ['a hand of 8000 vertices', 'nodes', 'paper: nodes', 'ms', 'paper: ms'],
  line('nodes alone, octree, kernels', kernels),
  line('nodes alone, octree, loops', loops, '661', '4.5'),
  line('nodes alone, lattice of the same finest cell, fast sums, loops', lattice, '35 000', '400'),
  line('nodes alone, the same lattice, naive sums, loops', naive),
  line('whole step, shell of 2500, skin of 8000, floor', { name: 'hand-with-skin' }),
  line('whole step, shell of 8000, floor', { name: 'hand', method: 'octree' }),
  line('whole step, the same lattice, fast sums', { name: 'hand', method: 'fast-lsm' }),
  line('whole step, the same lattice, naive sums', { name: 'hand', method: 'lsm' }),
])}

- Against the fast lattice's, the octree's nodes as they are used are ${gain(lattice, kernels)}; loops against
  loops ${gain(lattice, loops)}; loops against naive sums ${gain(naive, loops)}. Ours has
  ${times(measured.figure(lattice, 'nodes') / measured.figure(kernels, 'nodes'))} times fewer nodes than the lattice where the paper's has 53 times fewer.
- With a shell of 8000 vertices the volume takes a large part of the step: the shell that touches and keeps its volume may be coarser than its skin.
- Two threads help flowers little, as nodes and surfaces are moved on one.

${table([
  ['', 'paper', 'ours'],
  ['40 flowers in the wind: nodes of one', '142', group(measured.figure(flowers(1), 'nodes') / 40)],
  [
    'a step of all [ms]',
    '50 (20 fps, without surfaces)',
    `${both(flowers(1))} on one thread, ${both(flowers(2))} on two, with surfaces and volume`,
  ],
  [
    'three levels near a petal: new nodes, share of all',
    '352, 6 %',
    `${measured.figure({ name: 'refine-petal' }, 'newNodes')}, ${show((100 * measured.figure({ name: 'refine-petal' }, 'newNodes')) / (40 * measured.figure({ name: 'refine-petal' }, 'nodes')), 2)} %`,
  ],
  ['… time [ms]', '121', both({ name: 'refine-petal' })],
  [
    'a frame of a stroke through a liver: nodes at its end',
    '500 to 1550',
    group(measured.figure({ name: 'stroke-liver' }, 'nodes')),
  ],
  [
    '… time, with the step of the world [ms]',
    '62 to 124',
    `${show(measured.median({ name: 'stroke-liver' }))} in the median`,
  ],
  [
    'a step that cuts a liver of 2000 vertices through, surface and all [ms]',
    '',
    `${both({ name: 'cut-liver', method: 'octree' })}; Rapier's of ${group(measured.figure({ name: 'cut-liver', method: 'rapier' }, 'particles'))} particles ${both({ name: 'cut-liver', method: 'rapier' })}`,
  ],
])}

Volume errors are at most ${show(Math.max(...errors))} % in every row of a world of ours.
`;
}
