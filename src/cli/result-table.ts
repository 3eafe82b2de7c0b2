// A report as a table for people: bodies side by side where they fit, one below the other where they do not.

import type { BodyReport, Report } from '../scenes/index.js';
import { toLine } from './cli-error.js';
import { formatTable, transpose, widthOf } from './table.js';

/** Powers of ten where fixed digits would show nothing or far too much. */
const isOdd = (value: number): boolean => (value > 0 && value < 1e-3) || value > 1e6;
const percent = (value: number): string => `${isOdd(value) ? value.toExponential(1) : value.toFixed(3)} %`;
const metres = (value: number): string => `${isOdd(value) ? value.toExponential(1) : Number(value.toFixed(4))} m`;

const ROWS: readonly [string, (body: BodyReport) => string][] = [
  ['', (body) => toLine(body.name)],
  ['particles', (body) => String(body.particles)],
  ['volume error, max', (body) => percent(body.maxVolumeErrorPercent)],
  ['volume error, end', (body) => percent(body.finalVolumeErrorPercent)],
  ['height', (body) => metres(body.bounds[1][1] - body.bounds[0][1])],
  ['edge strain, rms', (body) => percent(100 * body.edgeStrainRms)],
  ['penetration', (body) => metres(body.maxPenetration)],
  ['contacts', (body) => String(body.contacts)],
  ['self-intersections', (body) => String(body.selfIntersections)],
];

/** `width` [characters] decides which way round the table goes. */
export function formatResult(report: Report, width: number): string {
  const { total, ...stages } = report.msPerStep;
  const time = (ms: number): string => ms.toFixed(ms < 10 ? 2 : 1);
  const parts = Object.entries(stages).map(([stage, ms]) => `${stage} ${time(ms)}`);
  const threads = `${report.threads} thread${report.threads === 1 ? '' : 's'}`;
  const head = [
    `${toLine(report.scene)}: ${report.particles} particles, ${report.steps} steps of ${Number((1000 * report.timeStep).toPrecision(6))} ms, ${report.backend}, ${threads}`,
    `${time(total)} ms per step (${parts.join(', ')}), state ${report.hash}`,
  ];
  const columns = ROWS.map(([label, show]) => [label, ...report.bodies.map(show)]);
  const beside = formatTable(columns);
  const fits = Math.max(...beside.split('\n').map(widthOf)) <= width;
  return [...head, '', fits ? beside : formatTable(transpose(columns))].join('\n');
}
