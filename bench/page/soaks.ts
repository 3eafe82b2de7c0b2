// What soaks found, on the results page: recovery, smooth surfaces, closed forms.

import { group, show, table } from './markdown.js';
import type { RecordedRow, RecordedTable, RecordedTables } from './recorded-table.js';

const sum = (rows: readonly RecordedRow[]): number => rows.reduce((total, { value }) => total + Number(value), 0);
const most = (rows: readonly RecordedRow[]): number => Math.max(...rows.map(({ value }) => Number(value)));

/** One figure of all items of a check whose name begins so. */
function figures(findings: RecordedTable, check: string, beginning: string, figure: string): readonly RecordedRow[] {
  const rows = findings.filter({ check, figure }).filter(({ item }) => item.startsWith(beginning));
  if (rows.length === 0) throw new RangeError(`findings.csv: no ${figure} of ${check}, ${beginning}`);
  return rows;
}

/** Whether a soak of this name has been kept. */
const isFound = ({ findings }: RecordedTables, check: string): boolean =>
  findings !== undefined && findings.filter({ check }).length > 0;

const RECOVERY = `## Recovery
![Five figures in a row: mirrored, flattened, collapsed to a line and to a point, scattered; below them after four steps, and whole again](pictures/broken.png)

After [DBB11] Fig. 3: a figure from every broken state (a line and a point cannot be seen), after 4 and after 60 steps; what was mirrored is turned
around. \`npm run soak -- recovery\` asks for edges within 2 % of what they were and volumes within 0.01 %, within 400 steps, in a crowd 800.
`;

export function recovery(tables: RecordedTables): string {
  if (!isFound(tables, 'recovery')) return RECOVERY;
  const { findings } = tables;
  const line = (words: string, beginning: string): string[] => {
    const [starts, notBack, longest] = ['starts', 'not back', 'longest'].map((figure) =>
      figures(findings, 'recovery', beginning, figure),
    );
    return [words, group(sum(starts)), group(sum(notBack)), group(most(longest))];
  };
  const lost = findings
    .filter({ check: 'recovery', figure: 'not back' })
    .filter(({ value }) => Number(value) > 0)
    .map(({ item, value }) => (value === '1' ? item : `${item} (${value} times)`));
  const ordinary = (figure: string): number =>
    sum(['wasm', 'reference'].flatMap((backend) => figures(findings, 'recovery', backend, figure)));
  return `${RECOVERY}
${table([
  ['', 'broken starts', 'not back', 'longest [steps]'],
  line('meshes × states × settings × seeds, free and on a floor, WebAssembly', 'wasm'),
  line('… reference', 'reference'),
  line('built-in scenes × states, all bodies at once, after 300 steps', 'scene'),
])}

${lost.length === 0 ? 'Everything came back.' : `Not back: ${lost.join('; ')}. In a scene that means one body or more; \`press\` takes its ball to a hundredth of its height, in \`flowers\` a ball is led through.`}

Of ${group(ordinary('motions'))} ordinary motions of the same meshes (dropped at 5 and 20 m/s, pressed to 30 %, drawn out to three times the length), a body counted as broken in
${group(ordinary('broken'))}.
`;
}

const SHAPES = ['cube', 'bar', 'sphere', 'torus', 'duck', 'creature'];
const MOTIONS = ['half a turn', 'bent by half a turn', 'drawn out to twice the length', 'pressed to a half'];

const SMOOTHNESS = `## Smooth surfaces
Rms of the angles between neighbouring triangles above that of the smooth ideal [°] (\`test/roughness.ts\`), the largest over region sizes 3, 5 and 8, of real
meshes 3 and 8; 3 is asked (\`npm run soak -- smoothness\`). One below zero is smoother than its ideal. A body as thick as it is long does not hold half a turn:
it is not asked.
`;

export function smoothness(tables: RecordedTables): string {
  if (!isFound(tables, 'smoothness')) return SMOOTHNESS;
  const { findings } = tables;
  const rows = findings.filter({ check: 'smoothness' });
  const roughest = (item: string): string => {
    const own = rows.filter((row) => row.item === item && Number(row.figure.replace(/\D/g, '')) > 2);
    return own.length === 0 ? '–' : show(most(own));
  };
  const real = [...new Set(rows.map(({ item }) => item))].filter((item) => /\.(obj|off), /.test(item));
  return `${SMOOTHNESS}
${table([['', ...MOTIONS], ...SHAPES.map((shape) => [shape, ...MOTIONS.map((motion) => roughest(`${shape}, ${motion}`))])])}

A whole turn of the bar, at region sizes 5 and 8: ${roughest('bar, a whole turn')}. Real meshes: ${real.map((item) => `${item.replace(/\.\w+,/, ',')} ${roughest(item)}`).join('; ')}.
`;
}

const CLOSED_FORMS = `### Closed forms and another code
Of an incompressible neo-Hookean body (\`npm run soak -- tetrahedra-closed-forms\`), and a bar (\`npm run soak -- tetrahedra-bar\`).
`;

export function closedForms(tables: RecordedTables): string {
  if (!isFound(tables, 'closed forms') || !isFound(tables, 'bar')) return CLOSED_FORMS;
  const { findings } = tables;
  const value = (check: string, item: string, figure: string): string =>
    show(Number(findings.row({ check, item, figure }).value), 4);
  const two = (item: string): string =>
    `${value('closed forms', item, 'coarse')} of it, ${value('closed forms', item, 'fine')} with smaller elements; limit ${value('closed forms', item, 'limit')}`;
  const bar = ['2 across', '4 across', '6 across'].map((figure) => value('bar', 'one-rings', figure)).join(', ');
  return `${CLOSED_FORMS}
${table([
  ['', 'wanted', 'ours'],
  [
    'a cube pressed from four sides to 0.8, force on each',
    'μ (λ₃² − λ₁²) λ₁ λ₃ L²',
    `${value('closed forms', 'stretch', 'of the force')} of it`,
  ],
  ['a cylinder twisted by its ends, torque', 'μ ψ J', two('twist')],
  ['a thick sphere inflated to λ = 1.3, pressure', '2μ (1/λb + 1/4λb⁴ − 1/λa − 1/4λa⁴)', two('inflation')],
  [
    "a bar that bends by its weight, in sags of the beam's theory",
    '0.942, 0.961, 0.970, 0.979: CalculiX 2.20, C3D20R, ν = 0.4999, NLGEOM, 2, 3, 4, 6 elements across',
    `${bar} with 2, 4, 6 cubes of six across; limit ${value('bar', 'one-rings', 'limit')}`,
  ],
  [
    'the same bar at ν = 0.499, linear elements, 4 cubes across',
    'locks',
    `bends ${value('bar', 'one-rings against ν = 0.499', '4 across')} times less than one-rings`,
  ],
])}
`;
}
