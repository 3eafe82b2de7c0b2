// What is painted on a body, as a scene file has it: by regions, by a vertex attribute of the mesh file, or vertex by vertex.

import { z } from 'zod';
import { BUILT_IN_POSERS } from '../solvers/built-in.js';
import { MAP_NAMES, MAP_WORDS, type MapName, mapRange } from '../solvers/maps.js';
import { box, fields, listOf, name, numberFrom, positive, vector } from './scene-fields.js';

/** What one map may hold: more layers than anyone writes, as many values as the largest shape has vertices. */
export const MAP_LIMITS = { layers: 1000, values: 4_000_000 };

const ball = fields({
  centre: vector().describe('Its middle, in the rest space of the scaled mesh [m].'),
  radius: positive().describe('Its radius, the surface included [m].'),
});

/** Maps of posers, beside those of all bodies. */
const POSED_MAPS: Readonly<Record<string, string>> = Object.assign({}, ...BUILT_IN_POSERS.map(({ maps }) => maps));

/** Least and largest factor in them. */
const POSED_RANGE = [0, 1000] as const;

function mapSchema([low, high]: readonly [number, number]) {
  const factor = () => numberFrom(low, high);
  const value = factor().describe('Their factor.');
  const inBox = fields({ box: box().describe('The vertices in a box.'), value });
  const inBall = fields({ ball: ball.describe('The vertices in a ball.'), value });
  const attribute = fields({
    attribute: name().describe(
      'Name of a vertex attribute: COLOR_0.r (or .g, .b, .a) or a scalar _NAME of glTF, a property of PLY.',
    ),
    from: factor().optional().describe('Factor where the attribute is 0 or less.'),
    to: factor()
      .optional()
      .describe(
        'Factor where it is 1 or more; between them in proportion. One that is left out is 0 or 1; where both are, the values are the factors.',
      ),
  });
  const values = fields({
    values: listOf(factor(), 'factors', MAP_LIMITS.values).describe(
      'A factor for each vertex of the mesh, or of the body that it becomes.',
    ),
  });
  return listOf(
    z.union([inBox, inBall, attribute, values], {
      error: () => 'an object with a box, a ball, an attribute or values',
    }),
    'layers',
    MAP_LIMITS.layers,
  );
}

type MapSchema = ReturnType<typeof mapSchema>;

const describeMap = (range: readonly [number, number], words: string) =>
  mapSchema(range)
    .optional()
    .describe(
      `${words} Layers, of which later ones win, 1 elsewhere: boxes, balls, vertex attributes, values by vertex.`,
    );

export const mapsSchema = fields(
  Object.fromEntries([
    ...MAP_NAMES.map((map) => [map, describeMap(mapRange(map), MAP_WORDS[map])]),
    ...Object.entries(POSED_MAPS).map(([map, words]) => [map, describeMap(POSED_RANGE, words)]),
  ]) as Record<MapName, z.ZodOptional<MapSchema>>,
);

export type SceneMaps = z.output<typeof mapsSchema>;
export type SceneMap = z.output<MapSchema>;
export type MapLayer = SceneMap[number];
