// The surface solver on the results page: Tables 1 and 2 of [DBB11], scaling, beside a busy process.

import { group, show, table, times } from './markdown.js';
import type { RecordedTables } from './recorded-table.js';

const REGION_SIZES = [1, 2, 3, 4, 5];

/** [DBB11, Table 2], milliseconds at ω = 1 to 5. */
const PAPER_TABLE_2 = {
  naive: [37.3, 53.8, 82.9, 121.5, 169.8],
  fast: [42.5, 46.7, 51.6, 56.2, 62.1],
  gpu: [3.2, 3.6, 3.9, 4.1, 4.2],
  lsm: [65.1, 240, 618, 1436, 2616],
  'fast-lsm': [46.7, 47.9, 51.6, 57.2, 65.2],
} as const;

export function table2({ table2: measured }: RecordedTables): string {
  const ours = (method: string): number[] =>
    REGION_SIZES.map((regionSize) => measured.least({ name: 'cube', method, regionSize }));
  const [naive, fast, lsm, fastLsm] = ['naive', 'fast', 'lsm', 'fast-lsm'].map(ours);
  const row = (name: string, figures: readonly number[], digits = 3): string[] => [
    name,
    ...figures.map((value) => show(value, digits)),
  ];
  const gains = REGION_SIZES.map(
    (_, n) => `${times(naive[n] / fast[n])} (${times(PAPER_TABLE_2.naive[n] / PAPER_TABLE_2.fast[n])})`,
  );
  return `## Table 2 of [DBB11]: the cost of larger regions
A cube of ${group(measured.figure({ method: 'fast', regionSize: 3 }, 'particles'))} particles in free fall, damping and volume included, one thread
(${measured.machine}). The paper's machine was a Core i7 950 with a GeForce GTX 470.

${table([
  ['', ...REGION_SIZES.map((size) => `ω = ${size}`)],
  row('paper: naive surface, CPU', PAPER_TABLE_2.naive, 4),
  row('paper: fast surface, CPU', PAPER_TABLE_2.fast, 4),
  row('paper: fast surface, GPU', PAPER_TABLE_2.gpu, 4),
  row('**ours: naive**', naive),
  row('**ours: fast**', fast),
  ['ours: naive / fast (paper)', ...gains],
  row('paper: lattice, naive', PAPER_TABLE_2.lsm, 4),
  row('paper: lattice, fast', PAPER_TABLE_2['fast-lsm'], 4),
  row('**ours: lattice, naive** (double precision)', lsm),
  row('**ours: lattice, fast** (double precision)', fastLsm),
])}

- From ω = 1 to 5 the fast sums make a step ${times(fast[4] / fast[0])} times as long.
- *Naive* sums over the members of each region from the particles' own data, in SIMD, and is otherwise the same program. Half of a fast
  step is not sums at all.
- Our lattice ran on the reference backend, in double precision and plain TypeScript; its cost does not grow with the region because
  windows are cut at the boundary beforehand, not in the sums.
`;
}

export function scaling({ scaling: measured }: RecordedTables): string {
  const rows = measured.rows.map(
    ({ name, particles, minMsPerStep, nsPerParticle, bytesPerParticle, prepareSeconds }) => {
      const one = name.startsWith('one-');
      return [
        group(Number(particles)),
        one ? 'one body' : `${name.split('-')[0]} bodies`,
        show(Number(minMsPerStep)),
        show(Number(nsPerParticle)),
        show(Number(bytesPerParticle)),
        one ? show(Number(prepareSeconds), 2) : '',
      ];
    },
  );
  return `## Scaling
ω = 3, free fall, one thread (${measured.machine}).

${table([['particles', 'in', 'ms', 'ns per particle', 'bytes per particle', 'preparing [s]'], ...rows])}
`;
}

/** [DBB11, Table 1], milliseconds per step. */
const PAPER_TABLE_1: Readonly<Record<string, readonly [naive: number, fast: number]>> = {
  creatures: [114.75, 69.92],
  'ducks-and-tori': [44.88, 30.2],
  'balls-in-glass': [15.86, 10.58],
};

const STAGES = ['predictMs', 'matchMs', 'dampMs', 'contactMs', 'conserveMs', 'commitMs'];

export function table1({ table1: measured }: RecordedTables): string {
  const median = (name: string, method: string, threads: number) => measured.median({ name, method, threads });
  const papers = Object.entries(PAPER_TABLE_1).map(([name, [naive, fast]]) => {
    const row = measured.row({ name, method: 'fast', threads: 2 });
    const whole = STAGES.reduce((sum, stage) => sum + Number(row[stage]), 0);
    return [
      ...[name, group(Number(row.particles)), row.regionSize, show(naive, 5), show(fast, 4)],
      ...[show(median(name, 'naive', 1)), show(median(name, 'fast', 1))],
      `${show(Number(row.msPerStep))} (${show(Number(row.minMsPerStep))})`,
      `${times(fast / Number(row.msPerStep))} ×`,
      `${Math.round((100 * Number(row.contactMs)) / whole)} %`,
    ];
  });
  const others = [...new Set(measured.rows.map(({ name }) => name))].filter((name) => !(name in PAPER_TABLE_1));
  const errors = measured.rows.map(({ maxVolumeErrorPercent }) => Number(maxVolumeErrorPercent));
  return `## Scenes
Whole steps of the paper's scenes, contact included, medians over the first 300 steps [ms], in brackets the least; all worlds take turns of
ten steps (${measured.machine}). The first steps of a process are slower, until the engine has compiled the kernels for good. Stages and hashes are in [\`table1.csv\`](../bench/results/table1.csv).

${table([
  [
    ...['scene', 'particles', 'ω', 'paper, naive', 'paper, fast', 'naive, 1 thread', 'fast, 1 thread'],
    ...['fast, 2 threads', "faster than the paper's fast", 'of it contact'],
  ],
  ...papers,
])}

${table([
  ['scene', 'particles', 'ω', 'naive, 1 thread', 'fast, 1 thread', 'fast, 2 threads'],
  ...others.map((name) => {
    const { particles, regionSize } = measured.row({ name, method: 'fast', threads: 2 });
    const figures = [median(name, 'naive', 1), median(name, 'fast', 1), median(name, 'fast', 2)];
    return [name, group(Number(particles)), regionSize, ...figures.map((value) => show(value))];
  }),
])}

Volume errors are at most ${show(Math.max(...errors))} % in every step of every one of them (paper: 0.1 to 0.5 %).
`;
}

export function contended({ contended: measured }: RecordedTables): string {
  const names = [...new Set(measured.rows.map(({ name }) => name))];
  const median = (name: string, neighbour: string, threads: number) => measured.median({ name, neighbour, threads });
  const rows = names.map((name) => {
    const [one, two, busyOne, busyTwo] = ['none', 'busy'].flatMap((neighbour) =>
      [1, 2].map((threads) => median(name, neighbour, threads)),
    );
    const figures = [one, two, busyOne, busyTwo].map((value) => show(value));
    return [name, ...figures, show(one / two), show(busyTwo / busyOne)];
  });
  return `## Beside a busy process
Median of a step [ms], with nothing else on the machine and while another process keeps one of its two processors busy, as a page's
renderer does (${measured.machine}). A world that may use two threads uses one where that is faster; the bits are the same.

${table([
  [
    ...['scene', 'alone, 1 thread', 'alone, 2 threads', 'busy, 1 thread', 'busy, 2 threads'],
    ...['alone: gain of two', 'busy: two against one'],
  ],
  ...rows,
])}
`;
}
