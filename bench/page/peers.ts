// Today's engines on the results page.

import { leastAndMedian, show, table, times } from './markdown.js';
import type { RecordedTables } from './recorded-table.js';

const ENGINES: Readonly<Record<string, string>> = {
  ...{ isochore: '**Isochore**', jolt: 'Jolt', rapier: 'Rapier', ammo: 'Bullet' },
};

/** Volume errors that nobody sees [%]. */
const UNSEEN = 0.3;

/** How many times as long the quickest of another engine's settings are to take at least. */
const AIMS: readonly (readonly [scene: string, method: string, aim: number])[] = [
  ['cube', 'jolt', 4],
  ['squeeze', 'jolt', 3],
  ['cube', 'rapier', 40],
  ['squeeze', 'rapier', 40],
];

export function peers({ peers: measured }: RecordedTables): string {
  const timed = measured.rows.filter(({ name }) => name !== 'pile');
  const rows = timed.map((row) => [
    row.name,
    ENGINES[row.method],
    row.settings + (row.threads === '1' ? '' : `, ${row.threads} threads`),
    row.msPerStep === '' ? row.note : leastAndMedian(Number(row.minMsPerStep), Number(row.msPerStep)),
    row.maxVolumeErrorPercent === '' ? '–' : show(Number(row.maxVolumeErrorPercent)),
  ]);
  const scenes = [...new Set(timed.map(({ name }) => name))];
  /** The quickest settings of an engine, of all or of those that keep the volume. */
  const quickest = (name: string, method: string, bound: number): number =>
    Math.min(
      ...measured
        .filter({ name, method })
        .filter(
          ({ minMsPerStep, maxVolumeErrorPercent }) => minMsPerStep !== '' && Number(maxVolumeErrorPercent) < bound,
        )
        .map(({ minMsPerStep }) => Number(minMsPerStep)),
    );
  const ratio = (name: string, method: string, bound = Number.POSITIVE_INFINITY): number =>
    quickest(name, method, bound) / measured.least({ name, method: 'isochore', threads: 1, regionSize: 3 });
  const aims = AIMS.map(
    ([name, method, aim]) =>
      `${ENGINES[method]}, ${name}, ${aim} times: ${ratio(name, method) >= aim ? 'reached' : 'not reached'}`,
  );
  const ratios = scenes.map((name) => {
    const against = (method: string, bound: number) => times(ratio(name, method, bound));
    return [
      ...[name, against('jolt', UNSEEN), against('jolt', Number.POSITIVE_INFINITY)],
      ...[against('rapier', UNSEEN), against('rapier', Number.POSITIVE_INFINITY)],
    ];
  });
  const piles = measured.filter({ name: 'pile' });
  const pileRows = piles.map((row) => [
    ENGINES[row.method],
    row.settings,
    row.msPerStep === '' ? row.note : row.restSeconds === '' ? 'not at rest' : show(Number(row.restSeconds)),
    ...[row.msPerStep, row.maxVolumeErrorPercent, row.overlapPercent].map((figure) =>
      figure === '' ? '–' : show(Number(figure)),
    ),
  ]);
  const restOf = (method: string) =>
    Math.min(
      ...piles.filter((row) => row.method === method && row.restSeconds !== '').map((row) => Number(row.restSeconds)),
    );
  return `## Today's engines
The same meshes, the same Δt, one thread unless said, volume measured by us from each engine's vertices (${measured.machine}); what each
engine was given, and why, is in [\`bench/peers\`](../bench/peers/README.md). Rapier 0.21, Jolt 1.1, Bullet by ammojs3 0.0.11. The least step [ms], in brackets the median.

${table([['scene', 'engine', 'settings', 'ms (median)', 'largest volume error [%]'], ...rows])}

How many times as long as ours (ω = 3) the quickest settings of another engine take: those with volume errors that nobody sees (below
${UNSEEN} %), and of all. Ours are below ${show(Math.max(...measured.filter({ method: 'isochore' }).map(({ maxVolumeErrorPercent }) => Number(maxVolumeErrorPercent))))} %.

${table([['scene', 'Jolt, volume kept', 'Jolt, any', 'Rapier, volume kept', 'Rapier, any'], ...ratios])}

Aims for any settings: ${aims.join('; ')}. Bullet's JavaScript build runs out of memory on the cube; on the spheres it is fast, with a third of the volume gone.

A pile of ${piles[0].bodies} balls, boxes and rings that fall into a room: when the last of them moved at more than
5 cm/s (root mean square over its vertices) [s], the median step, bodies that sleep included, and how deep vertices of one lay in another at the end, in percent of its size.
Aim, at rest as soon as Rapier's: ${Number.isFinite(restOf('isochore')) && restOf('isochore') <= restOf('rapier') ? 'reached' : 'not reached'}; Rapier's bodies bounce a tenth as high or less.

${table([['engine', 'settings', 'at rest [s]', 'ms (median)', 'largest volume error [%]', 'overlap [%]'], ...pileRows])}
`;
}
