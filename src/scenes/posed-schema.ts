// What a scene file says of posed bodies: their input, which moves; how colliders press into them; colliders that follow it.

import { z } from 'zod';
import { BUILT_IN_POSERS } from '../solvers/built-in.js';
import { box, direction, fields, integerFrom, listOf, name, nonNegative, numberFrom, vector } from './scene-fields.js';
import { optionalField } from './solver-schema.js';

/** What one file may ask for. */
export const MOST_BONES = 256;
const MOST_KEYS = 10_000;
const MOST_PARTS = 64;

const boolean = () => z.boolean({ error: () => 'true or false' });

const path = () =>
  z
    .string({ error: () => 'a file path' })
    .min(1)
    .max(4096);

const animation = () =>
  z
    .union([name(), integerFrom(0, 9999)], { error: () => 'the name of an animation or its number' })
    .optional()
    .describe('Animation of a glTF file, by name or number; the first where it is left out.');

/** @param motion the schema of keyframes. */
export const inputSchema = <Motion extends z.ZodType>(motion: () => Motion) =>
  z
    .union(
      [
        path(),
        fields({
          file: path().describe('A moving mesh file (glb, gltf, pc2), with the vertices of the mesh.'),
          animation: animation(),
        }),
        fields({
          bones: listOf(
            fields({
              name: name().describe('Its name.'),
              head: vector().describe('The end that it turns about, in the rest space of the mesh [m].'),
              tail: vector().describe('Its other end [m].'),
              parent: name().optional().describe('Name of a bone before it, which carries it.'),
              motion: motion().describe('Displacements from rest, and rotations about the head.'),
            }),
            'bones',
            MOST_BONES,
          )
            .min(1)
            .describe('Bones that carry the mesh.'),
        }),
      ],
      { error: () => 'a file path, or an object with a file or with bones' },
    )
    .optional()
    .describe(
      'Of a posed body: how its mesh moves before contact, by a file (glb, gltf, pc2; relative to the scene file) or by bones.',
    );

/** Keyframes of settings. */
const keysOf = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  listOf(
    fields({ time: nonNegative().describe('Time since the start [s]; later than the keyframe before.'), ...shape }),
    'keyframes',
    MOST_KEYS,
  )
    .superRefine(expectAscending)
    .default([])
    .describe(
      'Keyframes of these settings; each setting has those that name it. Numbers are linear between them, others hold until the next.',
    );

/** Adds an issue where a keyframe is not later than the one before. */
export function expectAscending(keys: readonly unknown[], context: z.RefinementCtx): void {
  for (let i = 1; i < keys.length; i++) {
    const [before, { time }] = [(keys[i - 1] as { time: number }).time, keys[i] as { time: number }];
    if (!(time > before)) context.addIssue({ code: 'custom', path: [i, 'time'], message: `a time after ${before}` });
  }
}

const pressing = {
  enabled: boolean().describe('Whether posed bodies give way to it.'),
  margin: nonNegative().describe('Distance that they keep from it [m].'),
  direction: z
    .union([z.literal('auto'), direction()], { error: () => '"auto" or a direction [x, y, z]' })
    .describe('The way it pushes; auto: against the mean normal of what it covers.'),
  sweep: boolean().describe('Whether what it passed on its way counts as inside.'),
  inside: boolean().describe('Whether it lies under the skin.'),
};

export const pressSchema = fields({
  enabled: pressing.enabled.default(true),
  margin: pressing.margin.default(0),
  direction: pressing.direction.default('auto'),
  sweep: pressing.sweep.default(false),
  inside: pressing.inside.default(false),
  keys: keysOf({
    enabled: pressing.enabled.optional(),
    margin: pressing.margin.optional(),
    direction: pressing.direction.optional(),
    sweep: pressing.sweep.optional(),
    inside: pressing.inside.optional(),
  }),
})
  .optional()
  .describe('How posed bodies give way to it.');

const falloff = () =>
  listOf(
    z.tuple([nonNegative(), numberFrom(0, 1)], {
      error: () => 'a distance of at least 0 [m] and a share from 0 to 1',
    }),
    'pairs',
    64,
  )
    .superRefine((pairs, context) => {
      for (let i = 1; i < pairs.length; i++)
        if (!(pairs[i][0] > pairs[i - 1][0]))
          context.addIssue({ code: 'custom', path: [i, 0], message: `a distance above ${pairs[i - 1][0]}` });
    })
    .describe('Share of the deformation by distance from the colliders: pairs [distance [m], share], linear between.');

/** Fields of all posers that may have keyframes. */
const keyed = (): Record<string, z.ZodType> =>
  Object.fromEntries(
    BUILT_IN_POSERS.flatMap(({ keyed: names, fields: all }) => names.map((one) => [one, optionalField(all[one])])),
  );

export const posingSchema = fields({
  falloff: falloff().optional(),
  keys: keysOf({ falloff: falloff().optional(), ...keyed() }),
  yieldsTo: listOf(name(), 'names', MOST_PARTS)
    .default([])
    .describe('Names of posed bodies before it that it gives way to, as they came out; they do not give way to it.'),
  self: fields({
    parts: listOf(fields({ box: box() }), 'parts', MOST_PARTS)
      .min(1)
      .describe(
        'Vertices of each part, at rest; earlier parts push later ones and the rest, as they lie in the input.',
      ),
    margin: nonNegative().default(0).describe('Distance that others keep from the parts [m].'),
    seam: integerFrom(1, 100).default(2).describe('Edges from a part within which vertices pass through it.'),
  })
    .optional()
    .describe('The body against itself, by parts that push the rest of it.'),
})
  .optional()
  .describe('Of a posed body: what changes over time, which bodies it gives way to, and its own parts.');

export const followSchema = fields({
  body: name().optional().describe('Name of a posed body whose input has the node or bone.'),
  file: path().optional().describe('Or a glTF file that has it.'),
  node: name().describe('Name of the node or bone.'),
  animation: animation(),
})
  .refine((follow) => (follow.body === undefined) !== (follow.file === undefined), {
    error: () => 'either a body or a file',
  })
  .optional()
  .describe('A node that carries it: its own position and rotation, or motion, are then in the space of the node.');
