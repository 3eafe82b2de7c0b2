// Today's engines on the results page.

import { leastAndMedian, show, table, times } from './markdown.js';
import type { RecordedTables } from './recorded-table.js';

const ENGINES: Readonly<Record<string, string>> = {
  ...{ isochore: '**Isochore**', jolt: 'Jolt', rapier: 'Rapier', ammo: 'Bullet' },
};

/** Volume errors that nobody sees [%]. */
const UNSEEN = 0.3;

/** Four seconds are looked at; who moved in the last half second was not at rest. */
const seconds = (rest: number): string =>
  Number.isFinite(rest) ? `${show(rest)} s` : 'more than 3.5 s in one of them';
const isPile = (name: string): boolean => name.startsWith('pile');

/** How many times as long the quickest of another engine's settings are to take at least. */
const AIMS: readonly (readonly [scene: string, method: string, aim: number])[] = [
  ['cube', 'jolt', 4],
  ['squeeze', 'jolt', 3],
  ['cube', 'rapier', 40],
  ['squeeze', 'rapier', 40],
];

export function peers({ peers: measured }: RecordedTables): string {
  const timed = measured.rows.filter(({ name }) => !isPile(name));
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
  const piles = measured.rows.filter(({ name }) => isPile(name));
  const pileRows = piles.map((row) => [
    row.name,
    ENGINES[row.method],
    row.settings,
    row.msPerStep === '' ? row.note : row.restSeconds === '' ? 'not at rest' : show(Number(row.restSeconds)),
    ...[row.msPerStep, row.maxVolumeErrorPercent, row.overlapPercent].map((figure) =>
      figure === '' ? '–' : show(Number(figure)),
    ),
  ]);
  /** Mean over the piles; none where one of them did not come to rest. */
  const restOf = (method: string, settings: string): number => {
    const rests = piles.filter((row) => row.method === method && row.settings === settings);
    const sum = rests.reduce((all, { restSeconds }) => all + (restSeconds === '' ? Infinity : Number(restSeconds)), 0);
    return sum / rests.length;
  };
  const meansOf = (method: string): number =>
    Math.min(...new Set(piles.filter((row) => row.method === method).map(({ settings }) => restOf(method, settings))));
  const [ownRest, rapierRest] = [meansOf('isochore'), meansOf('rapier')];
  return `## Today's engines
The same meshes, the same Δt, one thread unless said, volume measured by us from each engine's vertices (${measured.machine}); what each
engine was given, and why, is in [\`bench/peers\`](../bench/peers/README.md). Rapier 0.21, Jolt 1.1, Bullet by ammojs3 0.0.11. The least step [ms], in brackets the median.

${table([['scene', 'engine', 'settings', 'ms (median)', 'largest volume error [%]'], ...rows])}

How many times as long as ours (ω = 3) the quickest settings of another engine take: those with volume errors that nobody sees (below
${UNSEEN} %), and of all. Ours are below ${show(Math.max(...measured.filter({ method: 'isochore' }).map(({ maxVolumeErrorPercent }) => Number(maxVolumeErrorPercent))))} %.

${table([['scene', 'Jolt, volume kept', 'Jolt, any', 'Rapier, volume kept', 'Rapier, any'], ...ratios])}

Aims for any settings: ${aims.join('; ')}. Bullet's JavaScript build runs out of memory on the cube; on the spheres it is fast, with a third of the volume gone.

Piles of ${piles[0].bodies} balls, boxes and rings that fall into a room from seeded places: when the last of them moved at more than
5 cm/s (root mean square over its vertices) [s], the median step, bodies that sleep included, and how deep vertices of one lay in another at the end, in percent of its size.
In the mean ours are at rest after ${seconds(ownRest)}, Rapier's after ${seconds(rapierRest)} (as soon as Rapier's is the aim: ${ownRest <= rapierRest ? 'reached' : 'not reached'}); its bodies bounce a tenth as high or less.

${table([['pile', 'engine', 'settings', 'at rest [s]', 'ms (median)', 'largest volume error [%]', 'overlap [%]'], ...pileRows])}
`;
}
