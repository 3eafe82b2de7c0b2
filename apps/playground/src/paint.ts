// What is painted on the bodies, as link, scene file and program hold it: factors by vertex, in steps that are finer than anyone paints.

import { MAP_NAMES, type MapName, mapRange } from 'isochore';
import type { Scene } from 'isochore/scenes';

/** Steps from a factor to its tenfold: one is 5 %. */
const STEPS = 50;
/** Digits of a factor in a scene file. */
const DIGITS = 1e4;
/** Most numbers that a link may hold: those of a scene of 100 000 vertices with three maps. */
const MOST = 300_000;

/** Least and largest factor of the maps that only posed bodies have. */
const POSED_RANGE = [0, 1000] as const;
/** Where a factor may be 0, the lowest step is that. */
const LOWEST = -128;

/** Steps above 1 of each vertex's factor, by the place of the body and the name of the map. */
export type Paint = Readonly<Record<number, Readonly<Record<string, Int8Array>>>>;

/** Whether every body has a map of this name; others are those of posed bodies. */
export const isOfAll = (map: string): map is MapName => (MAP_NAMES as readonly string[]).includes(map);

export const paintRange = (map: string): readonly [number, number] => (isOfAll(map) ? mapRange(map) : POSED_RANGE);

const stepOf = (factor: number): number => Math.max(LOWEST, Math.min(127, Math.round(STEPS * Math.log10(factor))));

const factorAt = (step: number, [least, most]: readonly [number, number]): number =>
  step === LOWEST && least === 0
    ? 0
    : Math.min(most, Math.max(least, Math.round(10 ** (step / STEPS) * DIGITS) / DIGITS));

export const stepsOf = (factors: Float64Array): Int8Array => Int8Array.from(factors, stepOf);

/** The factors of a map's vertices. */
export const factorsOf = (map: string, steps: Int8Array): number[] => {
  const range = paintRange(map);
  return Array.from(steps, (step) => factorAt(step, range));
};

/** Maps of each body as a scene file has them; undefined where nothing is painted on it. */
export function paintedMaps(paint: Paint, body: number): Record<string, { values: number[] }[]> | undefined {
  const maps = Object.entries(paint[body] ?? {});
  if (maps.length === 0) return undefined;
  return Object.fromEntries(maps.map(([map, steps]) => [map, [{ values: factorsOf(map, steps) }]]));
}

/** A scene with what is painted in it. */
export function applyPaint(scene: Scene, paint: Paint): Scene {
  const bodies = scene.bodies.map((body, index) => {
    const maps = paintedMaps(paint, index);
    return maps ? { ...body, maps: { ...body.maps, ...maps } } : body;
  });
  return { ...scene, bodies };
}

/** As text: runs of the same step, as `12*340 13 14`. */
export function writePaint(paint: Paint): string {
  const lines = Object.entries(paint).flatMap(([body, maps]) =>
    Object.entries(maps).map(([map, steps]) => `${body} ${map} ${runs(steps)}`),
  );
  return lines.join('\n');
}

function runs(steps: Int8Array): string {
  const parts: string[] = [];
  for (let first = 0; first < steps.length; ) {
    let end = first + 1;
    while (end < steps.length && steps[end] === steps[first]) end++;
    parts.push(end - first > 1 ? `${steps[first]}*${end - first}` : `${steps[first]}`);
    first = end;
  }
  return parts.join(' ');
}

/** The paint of a text; what makes no sense in it is left out. */
export function readPaint(text: string): Paint {
  const paint: Record<number, Record<string, Int8Array>> = {};
  let room = MOST;
  for (const line of text.split('\n')) {
    const [body, map, ...parts] = line.split(' ');
    if (
      !/^[a-zA-Z]{1,40}$/.test(map ?? '') ||
      !/^\d{1,4}$/.test(body) ||
      !parts.every((part) => /^-?\d{1,3}(\*\d{1,7})?$/.test(part))
    )
      continue;
    const pairs = parts.map((part) => part.split('*').map(Number));
    const count = pairs.reduce((sum, [, times = 1]) => sum + times, 0);
    room -= count;
    if (room < 0) break;
    const steps = new Int8Array(count);
    let at = 0;
    for (const [step, times = 1] of pairs) {
      steps.fill(Math.max(-128, Math.min(127, step)), at, at + times);
      at += times;
    }
    paint[Number(body)] = { ...paint[Number(body)], [map]: steps };
  }
  return paint;
}
