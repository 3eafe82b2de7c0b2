// What is painted on a body, as a scene file has it: by regions, by a vertex attribute of the mesh file, or vertex by vertex.

import { z } from 'zod';
import { BUILT_IN_POSERS } from '../solvers/built-in.js';
import { MAP_NAMES, MAP_WORDS, type MapName, mapRange } from '../solvers/maps.js';
import { box, fields, listOf, name, numberFrom, oneOf, positive, vector } from './scene-fields.js';

/** What one map may hold: more regions than anyone writes, as many values as the largest shape has vertices. */
export const MAP_LIMITS = { regions: 1000, values: 4_000_000 };

const ball = fields({
  centre: vector().describe('Its middle, in the rest space of the scaled mesh [m].'),
  radius: positive().describe('Its radius, the surface included [m].'),
});

const region = z.union([fields({ box: box() }), fields({ ball: ball.describe('All within a ball.') })], {
  error: () => 'an object with a box or a ball',
});

/** Maps of posers, beside those of all bodies. */
const POSED_MAPS: Readonly<Record<string, string>> = Object.assign({}, ...BUILT_IN_POSERS.map(({ maps }) => maps));

/** Least and largest factor in them. */
const POSED_RANGE = [0, 1000] as const;

function mapSchema([low, high]: readonly [number, number]) {
  const factor = () => numberFrom(low, high);
  const painted = fields({
    region: region.describe('Which vertices.'),
    factor: factor().describe('Their factor.'),
  });
  const attribute = fields({
    attribute: name().describe('Name of a vertex attribute: COLOR_0 or a scalar _NAME of glTF, a property of PLY.'),
    channel: oneOf(['r', 'g', 'b', 'a']).optional().describe('Which part of a colour.'),
    from: factor().describe('Factor where the attribute is 0 or less.'),
    to: factor().describe('Factor where it is 1 or more; between them in proportion.'),
  });
  const values = fields({
    values: listOf(factor(), 'factors', MAP_LIMITS.values).describe('A factor for each vertex of the mesh.'),
  });
  return z.union([listOf(painted, 'regions', MAP_LIMITS.regions), attribute, values], {
    error: () => 'a list of regions, or an object with an attribute or with values',
  });
}

type MapSchema = ReturnType<typeof mapSchema>;

const describeMap = (range: readonly [number, number], words: string) =>
  mapSchema(range)
    .optional()
    .describe(`${words} Regions, of which later ones win, 1 elsewhere; a vertex attribute; or values by vertex.`);

export const mapsSchema = fields(
  Object.fromEntries([
    ...MAP_NAMES.map((map) => [map, describeMap(mapRange(map), MAP_WORDS[map])]),
    ...Object.entries(POSED_MAPS).map(([map, words]) => [map, describeMap(POSED_RANGE, words)]),
  ]) as Record<MapName, z.ZodOptional<MapSchema>>,
);

export type SceneMaps = z.output<typeof mapsSchema>;
export type SceneMap = z.output<MapSchema>;
