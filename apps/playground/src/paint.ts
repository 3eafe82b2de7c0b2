// What is painted on the bodies, as link, scene file and program hold it: factors by vertex.

import { MAP_NAMES, type MapName, mapRange } from 'isochore';
import type { Scene } from 'isochore/scenes';

/** Digits of a factor: finer than anyone paints. */
const DIGITS = 1e4;
/** Most numbers that a link may hold: those of a scene of 100 000 vertices with three maps. */
const MOST = 300_000;
/** Least and largest factor of the maps that only posed bodies have. */
const POSED_RANGE = [0, 1000] as const;

/** Each vertex's factor, by the place of the body and the name of the map. */
export type Paint = Readonly<Record<number, Readonly<Record<string, Float64Array>>>>;

/** Whether every body has a map of this name; others are those of posed bodies. */
export const isOfAll = (map: string): map is MapName => (MAP_NAMES as readonly string[]).includes(map);

export const paintRange = (map: string): readonly [number, number] => (isOfAll(map) ? mapRange(map) : POSED_RANGE);

/** Factors as they are kept: of few digits, and within the range of their map. */
export function rounded(map: string, factors: Float64Array): Float64Array {
  const [least, most] = paintRange(map);
  return factors.map((factor) => Math.min(most, Math.max(least, Math.round(factor * DIGITS) / DIGITS)));
}

/** Maps of each body as a scene file has them; undefined where nothing is painted on it. */
export function paintedMaps(paint: Paint, body: number): Record<string, { values: number[] }[]> | undefined {
  const maps = Object.entries(paint[body] ?? {});
  if (maps.length === 0) return undefined;
  return Object.fromEntries(maps.map(([map, factors]) => [map, [{ values: Array.from(factors) }]]));
}

/** A scene with what is painted in it. */
export function applyPaint(scene: Scene, paint: Paint): Scene {
  const bodies = scene.bodies.map((body, index) => {
    const maps = paintedMaps(paint, index);
    return maps ? { ...body, maps: { ...body.maps, ...maps } } : body;
  });
  return { ...scene, bodies };
}

/** As text: runs of the same factor, as `1*340 0.5 0.25`. */
export function writePaint(paint: Paint): string {
  const lines = Object.entries(paint).flatMap(([body, maps]) =>
    Object.entries(maps).map(([map, factors]) => `${body} ${map} ${runs(factors)}`),
  );
  return lines.join('\n');
}

function runs(factors: Float64Array): string {
  const parts: string[] = [];
  for (let first = 0; first < factors.length; ) {
    let end = first + 1;
    while (end < factors.length && factors[end] === factors[first]) end++;
    parts.push(end - first > 1 ? `${factors[first]}*${end - first}` : `${factors[first]}`);
    first = end;
  }
  return parts.join(' ');
}

/** The paint of a text; what makes no sense in it is left out. */
export function readPaint(text: string): Paint {
  const paint: Record<number, Record<string, Float64Array>> = {};
  let room = MOST;
  for (const line of text.split('\n')) {
    const [body, map, ...parts] = line.split(' ');
    if (
      !/^[a-zA-Z]{1,40}$/.test(map ?? '') ||
      !/^\d{1,4}$/.test(body) ||
      !parts.every((part) => /^\d{1,4}(\.\d{1,4})?(\*\d{1,7})?$/.test(part))
    )
      continue;
    const pairs = parts.map((part) => part.split('*').map(Number));
    const count = pairs.reduce((sum, [, times = 1]) => sum + times, 0);
    room -= count;
    if (room < 0) break;
    const factors = new Float64Array(count);
    let at = 0;
    for (const [factor, times = 1] of pairs) {
      factors.fill(factor, at, at + times);
      at += times;
    }
    paint[Number(body)] = { ...paint[Number(body)], [map]: rounded(map, factors) };
  }
  return paint;
}
