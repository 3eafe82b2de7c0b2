// What `isochore deform` tells of its frames: as an object, and in a few lines.

import { StateHash } from '../math/hash.js';
import { showNumber } from '../report/page.js';
import type { ReportPage } from '../report/report-page.js';
import { type PosedBody, type PosedFrame, VERSION } from '../scenes/index.js';
import { toLine } from './cli-error.js';
import { showFrames } from './frame-list.js';

export interface DeformReport {
  readonly isochore: string;
  readonly scene: string;
  readonly fps: number;
  readonly workers: number;
  /** Frames whose files were there already and were kept. */
  readonly kept: readonly number[];
  /** Of all position bits of the frames told of here, frame by frame, in body order and the file's own vertex order. */
  readonly hash: string;
  readonly bodies: readonly { name: string; vertices: number; maxVolumeErrorPercent: number; maxPenetration: number }[];
  readonly frames: readonly object[];
}

/** |V/V* − 1|·100, V* being the volume that was asked for. */
const volumeError = ({ volumeAfter, volumeTarget }: PosedFrame['bodies'][number]['report']): number =>
  volumeTarget === 0 ? 0 : Math.abs(volumeAfter / volumeTarget - 1) * 100;

/** @param frames ascending. */
export function describeFrames(
  scene: string,
  settings: { fps: number; workers: number; kept: readonly number[] },
  bodies: readonly PosedBody[],
  frames: readonly PosedFrame[],
): DeformReport {
  const hash = new StateHash();
  for (const frame of frames) for (const { positions } of frame.bodies) hash.update(positions);
  return {
    isochore: VERSION,
    scene,
    ...settings,
    hash: hash.digest(),
    bodies: bodies.map(({ name, shown }, n) => {
      const reports = frames.map((frame) => frame.bodies[n].report);
      const most = (values: number[]): number => values.reduce((sum, value) => Math.max(sum, value), 0);
      return {
        name,
        vertices: shown.positions.length / 3,
        maxVolumeErrorPercent: most(reports.map(volumeError)),
        maxPenetration: most(reports.map(({ depthAfter }) => depthAfter)),
      };
    }),
    frames: frames.map(({ frame, time, bodies: posed }) => ({
      frame,
      time,
      bodies: posed.map(({ name, report }) => ({ name, ...report })),
    })),
  };
}

type FrameReport = PosedFrame['bodies'][number]['report'];

/** What is plotted of every frame. */
const PLOTS: readonly [string, string, (report: FrameReport) => number][] = [
  ['volume error', '%', volumeError],
  ['penetration before', 'm', ({ depthBefore }) => depthBefore],
  ['penetration after', 'm', ({ depthBetween }) => depthBetween],
  ['strain', '%', ({ strain }) => 100 * strain],
  ['iterations', '', ({ iterations }) => iterations],
  ['inverted tetrahedra', '', ({ invertedTetrahedra }) => invertedTetrahedra],
];

/** The report as a page. @param frames ascending. */
export function framesPage(report: DeformReport, frames: readonly PosedFrame[], settings: unknown): ReportPage {
  const { bodies, scene, fps, workers, hash, isochore } = report;
  const flagged = bodies.map((_, n) => new Set(frames.flatMap((frame) => frame.bodies[n].report.flags)));
  return {
    title: scene,
    lead: `${frames.length} frames at ${fps} a second of ${bodies.length} posed ${bodies.length === 1 ? 'body' : 'bodies'}.`,
    facts: [
      ['largest volume error', `${showNumber(Math.max(0, ...bodies.map((body) => body.maxVolumeErrorPercent)))} %`],
      ['deepest vertex', `${showNumber(Math.max(0, ...bodies.map((body) => body.maxPenetration)))} m`],
      ['workers', String(workers)],
      ...(report.kept.length > 0 ? [['kept as they were', showFrames(report.kept)] as const] : []),
      ['state hash', hash],
      ['Isochore', `${isochore}, deform`],
    ],
    curves: {
      axis: 'frame',
      at: frames.map(({ frame }) => frame),
      plots: PLOTS.map(([title, unit, measure]) => ({
        ...{ title, unit },
        series: bodies.map(({ name }, n) => ({ name, values: frames.map((frame) => measure(frame.bodies[n].report)) })),
      })),
    },
    tables: [
      {
        title: 'Bodies',
        head: ['body', 'vertices', 'volume error, max', 'penetration, max', 'notes'],
        rows: bodies.map(({ name, vertices, maxVolumeErrorPercent, maxPenetration }, n) => [
          ...[name, String(vertices), `${showNumber(maxVolumeErrorPercent)} %`, `${showNumber(maxPenetration)} m`],
          [...flagged[n]].join(', '),
        ]),
      },
    ],
    settings,
  };
}

/** A line for each body, and one for each thing that did not go as it should. */
export function formatFrames(output: string, report: DeformReport, frames: readonly PosedFrame[]): string {
  const lines = [`${output}: ${frames.length} frame${frames.length === 1 ? '' : 's'} of ${report.scene}`];
  if (report.kept.length > 0) lines.push(`kept as they were: ${showFrames(report.kept)} (--force replaces them)`);
  report.bodies.forEach(({ name, vertices, maxVolumeErrorPercent, maxPenetration }, n) => {
    const volume = `volume within ${Number(maxVolumeErrorPercent.toPrecision(2))} %`;
    const depth = `no vertex deeper than ${Number(maxPenetration.toPrecision(2))} m`;
    if (frames.length > 0) lines.push(`${name}: ${vertices} vertices, ${volume}, ${depth}`);
    const flagged = new Map<string, { readonly where: number[]; readonly by: Set<string> }>();
    for (const { frame, bodies } of frames) {
      const { flags, colliders } = bodies[n].report;
      for (const flag of flags) {
        const { where, by } = flagged.get(flag) ?? { where: [], by: new Set() };
        where.push(frame);
        for (const collider of colliders) if (collider.flags.includes(flag)) by.add(collider.name);
        flagged.set(flag, { where, by });
      }
    }
    for (const [flag, { where, by }] of flagged) {
      const names = by.size > 0 ? ` (${[...by].join(', ')})` : '';
      lines.push(`${name}: ${flag} in frame ${showFrames(where)}${names}`);
    }
  });
  return lines.map(toLine).join('\n');
}
