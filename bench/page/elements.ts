// Finite elements on the results page: scenes beside [ISF07]'s figures, speed, other engines.

import { group, leastAndMedian, show, table, times } from './markdown.js';
import type { RecordedRow, RecordedTables } from './recorded-table.js';

/** The paper's figures beside the scene, and the body of it, that shows the same. */
const FIGURES: readonly (readonly [words: string, paper: string, scene: string, body?: string])[] = [
  ['Fig. 2, a ball dropped, one-rings', '1 %', 'drop', 'one-ring'],
  ['the same at ν = 0.45', 'over 15 %', 'drop', 'poisson-0.45'],
  ['the same at ν = 0.499', '2 %, locks', 'drop', 'poisson-0.499'],
  ['Fig. 1, a creature on stairs', '0.1 %', 'creature-stairs'],
  ['Fig. 3, a ball on stairs', '–', 'sphere-stairs'],
  ['Fig. 4, a creature falls', '–', 'creature-drop'],
  ['Fig. 5, forty tori, the worst', '0.5 % of a torus', 'tori-pile'],
  ['Fig. 6, pressed to 1.1 % and let go', '1.7 % of the whole', 'press'],
  ['a muscle that lifts a weight', '–', 'muscle'],
];

/** Seconds for a frame of 104k elements [ISF07]. */
const PAPER_FRAME = 18;

const ENGINES: Readonly<Record<string, string>> = {
  ...{ 'one-ring': '**Isochore**', 'mujoco-flex': 'MuJoCo 3.14 flex', 'rapier-fem': 'Rapier 0.21 FEM' },
};

const worst = (rows: readonly RecordedRow[], column: string): number =>
  Math.max(...rows.map((row) => Number(row[column])));

/** The built-in scenes of finite elements beside the paper's; nothing before they have been measured. */
function byFigure({ scenes }: RecordedTables): string {
  if (scenes === undefined) return '';
  const rows = FIGURES.map(([words, paper, name, body]) => {
    const own = scenes.filter(body === undefined ? { name, method: 'tetrahedra' } : { name, body });
    if (own.length === 0) throw new RangeError(`scenes.csv: no body of finite elements in ${name}`);
    return [
      ...[words, paper, `\`${name}\``, group(own.reduce((sum, row) => sum + Number(row.tetrahedra), 0))],
      ...['maxOneRingErrorPercent', 'maxVolumeErrorPercent'].map((column) => show(worst(own, column))),
      String(own.reduce((sum, row) => sum + Number(row.invertedTetrahedra), 0)),
      show(worst(own, 'msPerStep')),
    ];
  });
  return `
Scenes from beginning to end on one thread (\`npm run bench -- scenes\`; ${scenes.machine}):

${table([
  [
    ...['paper', '', 'scene', 'elements', 'largest one-ring error [%]', 'largest volume error [%]'],
    ...['inverted at the end', 'a step of the scene, median [ms]'],
  ],
  ...rows,
])}
`;
}

export function elements(tables: RecordedTables): string {
  const { tetrahedra } = tables;
  const drops = tetrahedra.rows.filter(
    ({ method, settings }) => method === 'one-ring' && /neo-hookean$/.test(settings),
  );
  const sizes = drops.filter(
    (row, at) => row.backend === 'wasm' && drops.findIndex((other) => sameRow(other, row)) === at,
  );
  const speeds = sizes.map((row) => [
    ...[group(Number(row.tetrahedra)), row.threads],
    leastAndMedian(Number(row.minMsPerStep), Number(row.msPerStep)),
    ...[show(Number(row.nsPerTetrahedron)), show(Number(row.elasticIterations)), show(Number(row.pressureIterations))],
    ...[show(Number(row.maxOneRingErrorPercent)), show(Number(row.maxVolumeErrorPercent))],
  ]);
  const hundred = sizes.filter((row) => Math.abs(Number(row.tetrahedra) - 104_000) < 10_000);
  const frames = hundred.map(
    ({ threads, secondsPerFrame }) =>
      `${show(Number(secondsPerFrame))} s on ${threads === '1' ? 'one thread' : 'two'} (${times(PAPER_FRAME / Number(secondsPerFrame))} times faster)`,
  );
  const peerCount = tetrahedra.rows[0].tetrahedra;
  const peers = tetrahedra
    .filter({ tetrahedra: peerCount })
    .map((row) => [
      ...[row.backend === 'reference' ? 'Isochore, without kernels' : ENGINES[row.method], row.settings],
      ...[leastAndMedian(Number(row.minMsPerStep), Number(row.msPerStep))],
      ...[show(Number(row.maxVolumeErrorPercent)), show(Number(row.maxOneRingErrorPercent))],
    ]);
  return `## Finite elements, beside [ISF07]
The paper gives no sizes, speeds, moduli, steps or frame rate, so that figures compare in kind; ours are of the built-in scenes.
${byFigure(tables)}
A ball of a metre that meets a floor at 2 m/s, E = 5·10⁴ Pa, steps of 1/240 s (\`npm run bench -- tetrahedra\`; ${tetrahedra.machine}):

${table([
  [
    ...['elements', 'threads', 'ms a step (median)', 'ns per element', 'elastic iterations', 'pressure iterations'],
    ...['one-ring error [%]', 'volume error [%]'],
  ],
  ...speeds,
])}

The paper's 104k elements take ${PAPER_FRAME} s a frame; a frame of 1/24 s of ${group(Number(hundred[0].tetrahedra))} of ours takes ${frames.join(', ')}.

Beside other engines, the same ball of ${group(Number(peerCount))} tetrahedra:

${table([['engine', 'settings', 'ms a step (median)', 'volume error [%]', 'largest one-ring error [%]'], ...peers])}
`;
}

const sameRow = (a: RecordedRow, b: RecordedRow): boolean =>
  a.tetrahedra === b.tetrahedra && a.threads === b.threads && a.backend === b.backend;
