// What a scene file says of posed bodies: their input, which moves; how colliders press into them; colliders that follow it.

import { z } from 'zod';
import { direction, fields, integerFrom, listOf, name, nonNegative, vector } from './scene-fields.js';

/** What one file may ask for. */
export const MOST_BONES = 256;

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

export const pressSchema = fields({
  enabled: boolean().default(true).describe('Whether posed bodies give way to it.'),
  margin: nonNegative().default(0).describe('Distance that they keep from it [m].'),
  direction: z
    .union([z.literal('auto'), direction()], { error: () => '"auto" or a direction [x, y, z]' })
    .default('auto')
    .describe('The way it pushes; auto: against the mean normal of what it covers.'),
  sweep: boolean().default(false).describe('Whether what it passed on its way counts as inside.'),
  inside: boolean().default(false).describe('Whether it lies under the skin.'),
})
  .optional()
  .describe('How posed bodies give way to it.');

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
