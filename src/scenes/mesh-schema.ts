// The meshes a scene file can name: a file or a generated shape. The limits keep every shape below about four million
// vertices; the defaults are those of the generators.

import { z } from 'zod';
import { fields, integerFrom, positive, shapes, size } from './scene-fields.js';

const MAX_VERTICES = 4_000_000;

const length = (value: number, meaning: string) => positive().default(value).describe(`${meaning} [m].`);
const count = (low: number, high: number, value: number, meaning: string) =>
  integerFrom(low, high).default(value).describe(`${meaning}.`);

const divisions = integerFrom(1, 800);
const divisionsWords = { error: () => 'an integer from 1 to 800 or three of them [x, y, z]' };

interface Round {
  radius: number;
  height: number;
  segments: number;
}

/** Rings of a revolved shape lie about √3/2 of the spacing in a ring apart; thin long ones have very many. */
const fitsInMemory = ({ radius, height, segments }: Round): boolean =>
  (segments * segments * (height + 2 * radius)) / (Math.sqrt(3) * Math.PI * radius) <= MAX_VERTICES;

const tooFine = { path: ['height'], error: () => `a height that needs at most ${MAX_VERTICES} vertices` };

const shape = shapes([
  fields({
    shape: z.literal('uv-sphere').describe('A ball of meridians and parallels, segments·(segments − 1) + 2 vertices.'),
    segments: count(3, 2000, 40, 'Vertices around the equator, and bands from pole to pole'),
    radius: length(1, 'Radius'),
  }),
  fields({
    shape: z.literal('icosphere').describe('A ball of nearly equal triangles, 10·4^detail + 2 vertices.'),
    detail: count(0, 8, 3, 'How often every triangle is cut into four'),
    radius: length(1, 'Radius'),
  }),
  fields({
    shape: z.literal('box').describe('A box; a cube with n divisions has 6n² + 2 vertices.'),
    size: z
      .union([positive(), size()], { error: () => 'a number above 0 or three of them [x, y, z]' })
      .default(1)
      .describe('Edge length, or lengths along x, y and z [m].'),
    divisions: z
      .union([divisions, z.tuple([divisions, divisions, divisions], divisionsWords)], divisionsWords)
      .default(8)
      .describe('Rectangles along every edge, or along x, y and z.'),
  }),
  fields({
    shape: z.literal('torus').describe('A ring lying flat, majorSegments·minorSegments vertices.'),
    majorRadius: length(1, 'From the middle of the ring to the middle of the tube'),
    minorRadius: length(0.4, 'Radius of the tube, smaller than majorRadius'),
    majorSegments: count(3, 2000, 48, 'Vertices around the ring'),
    minorSegments: count(3, 2000, 20, 'Vertices around the tube'),
  }).refine((torus) => torus.minorRadius < torus.majorRadius, {
    path: ['minorRadius'],
    error: () => 'a number below majorRadius',
  }),
  fields({
    shape: z.literal('capsule').describe('A cylinder along Y with round ends.'),
    radius: length(0.5, 'Radius'),
    height: length(2, 'From tip to tip, at least 2·radius'),
    segments: count(8, 2000, 24, 'Vertices around'),
  })
    .refine((capsule) => capsule.height >= 2 * capsule.radius, {
      path: ['height'],
      error: () => 'a number of at least 2·radius',
    })
    .refine(fitsInMemory, tooFine),
  fields({
    shape: z.literal('cylinder').describe('A cylinder along Y with flat ends.'),
    radius: length(0.5, 'Radius'),
    height: length(2, 'Height'),
    segments: count(6, 2000, 32, 'Vertices around'),
  }).refine(fitsInMemory, tooFine),
  fields({
    shape: z.literal('duck').describe('A rubber duck standing on y = 0, looking along +Z.'),
    vertices: count(300, 20_000, 2500, 'Number of vertices'),
    size: length(1, 'Height'),
  }),
  fields({
    shape: z.literal('creature').describe('A creature with ears, fingers and a tail, on y = 0, looking along +Z.'),
    vertices: count(300, 20_000, 5407, 'Number of vertices'),
    size: length(1, 'Height'),
  }),
  fields({
    shape: z.literal('hand').describe('A right hand standing on its wrist at y = 0, the palm towards +Z.'),
    vertices: count(700, 20_000, 2500, 'Number of vertices'),
    size: length(1, 'Height'),
  }),
  fields({
    shape: z.literal('liver').describe('A liver on y = 0, its front towards +Z, its thin lobe at +X.'),
    vertices: count(300, 20_000, 1600, 'Number of vertices'),
    size: length(1, 'Height'),
  }),
  fields({
    shape: z.literal('flower').describe('A flower with two leaves on y = 0, its five petals towards +Z.'),
    vertices: count(700, 20_000, 1200, 'Number of vertices'),
    size: length(1, 'Height'),
  }),
]);

export const meshSchema = z.union(
  [
    z
      .string({ error: () => 'a file path' })
      .min(1)
      .max(4096),
    shape,
  ],
  {
    error: () => 'a file path or an object with a shape',
  },
);
