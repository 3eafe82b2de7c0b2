// The page of a simulation, of its report and its curves.

import type { BodyReport, Report } from '../scenes/report.js';
import { showNumber } from './page.js';
import type { ReportPage, ReportPicture } from './report-page.js';
import type { Curves } from './run-curves.js';

const percent = (value: number): string => `${showNumber(value)} %`;
const metres = (value: number): string => `${showNumber(value)} m`;

const COLUMNS: readonly [string, (body: BodyReport) => string][] = [
  ['body', ({ name }) => name],
  ['solver', ({ solver }) => solver],
  ['particles', ({ particles }) => String(particles)],
  ['volume error, max', ({ maxVolumeErrorPercent }) => percent(maxVolumeErrorPercent)],
  ['volume error, end', ({ finalVolumeErrorPercent }) => percent(finalVolumeErrorPercent)],
  ['height', ({ bounds }) => metres(bounds[1][1] - bounds[0][1])],
  ['edge strain, rms', ({ edgeStrainRms }) => percent(100 * edgeStrainRms)],
  ['penetration', ({ maxPenetration }) => metres(maxPenetration)],
  ['contacts', ({ contacts }) => String(contacts)],
  ['self-intersections', ({ selfIntersections }) => String(selfIntersections)],
  ['parts', ({ parts }) => String(parts.length)],
  ['recoveries', ({ recoveries }) => String(recoveries)],
];

export interface RunPageOptions {
  /** What was done: `simulate`, `bake`. */
  readonly verb: string;
  readonly settings: unknown;
  readonly pictures?: readonly ReportPicture[];
  /** Further facts of the run. */
  readonly facts?: readonly (readonly [string, string])[];
}

export function runPage(report: Report, curves: Curves, options: RunPageOptions): ReportPage {
  const { verb, settings, facts = [], pictures } = options;
  const { scene, bodies, msPerStep, particles, steps, timeStep, backend, threads, hash, isochore } = report;
  const worst = Math.max(0, ...bodies.map(({ maxVolumeErrorPercent }) => maxVolumeErrorPercent));
  const seconds = steps * timeStep;
  const cuts = (report.cuts ?? []).map(({ body, time, ms, partsAfter }) => [
    body,
    `${showNumber(time)} s`,
    `${showNumber(ms)} ms`,
    String(partsAfter),
  ]);
  return {
    title: scene,
    lead: `${steps} steps of ${showNumber(1000 * timeStep)} ms: ${showNumber(seconds)} s of ${bodies.length} ${bodies.length === 1 ? 'body' : 'bodies'} with ${particles} particles.`,
    facts: [
      ['largest volume error', percent(worst)],
      ['time per step, median', `${showNumber(msPerStep.total)} ms`],
      ['backend', `${backend}, ${threads} thread${threads === 1 ? '' : 's'}`],
      ['not finite', String(report.nonFinite)],
      ...facts,
      ['state hash', hash],
      ['Isochore', `${isochore}, ${verb}`],
    ],
    curves,
    tables: [
      {
        title: 'Bodies',
        head: COLUMNS.map(([name]) => name),
        rows: bodies.map((body) => COLUMNS.map(([, show]) => show(body))),
      },
      ...(cuts.length > 0 ? [{ title: 'Cuts', head: ['body', 'time', 'took', 'parts after'], rows: cuts }] : []),
    ],
    settings,
    pictures,
  };
}
