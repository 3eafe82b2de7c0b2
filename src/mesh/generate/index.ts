// The built-in shapes, as functions and by the names used in scene files.

import { showInput } from '../../math/expect.js';
import { describeKnown } from '../../math/known-fields.js';
import type { TriangleMesh } from '../triangle-mesh.js';
import { type BoxOptions, box } from './box.js';
import { type CapsuleOptions, capsule } from './capsule.js';
import { type CreatureOptions, creature } from './creature.js';
import { type CylinderOptions, cylinder } from './cylinder.js';
import { type DuckOptions, duck } from './duck.js';
import { type FlowerOptions, flower } from './flower.js';
import { type HandOptions, hand } from './hand.js';
import { type IcosphereOptions, icosphere } from './icosphere.js';
import { type LiverOptions, liver } from './liver.js';
import { type TorusOptions, torus } from './torus.js';
import { type UvSphereOptions, uvSphere } from './uv-sphere.js';

export type {
  BoxOptions,
  CapsuleOptions,
  CreatureOptions,
  CylinderOptions,
  DuckOptions,
  FlowerOptions,
  HandOptions,
  IcosphereOptions,
  LiverOptions,
  TorusOptions,
  UvSphereOptions,
};
export { box, capsule, creature, cylinder, duck, flower, hand, icosphere, liver, torus, uvSphere };

/** A shape as scene files describe it: its name and its options. */
export type ShapeSpec =
  | ({ readonly shape: 'uv-sphere' } & UvSphereOptions)
  | ({ readonly shape: 'icosphere' } & IcosphereOptions)
  | ({ readonly shape: 'box' } & BoxOptions)
  | ({ readonly shape: 'torus' } & TorusOptions)
  | ({ readonly shape: 'capsule' } & CapsuleOptions)
  | ({ readonly shape: 'cylinder' } & CylinderOptions)
  | ({ readonly shape: 'duck' } & DuckOptions)
  | ({ readonly shape: 'creature' } & CreatureOptions)
  | ({ readonly shape: 'hand' } & HandOptions)
  | ({ readonly shape: 'liver' } & LiverOptions)
  | ({ readonly shape: 'flower' } & FlowerOptions);

/** Name of a shape that scene files and `generateShape` know. */
export type ShapeName = ShapeSpec['shape'];

const GENERATORS: Readonly<Record<ShapeName, (options: object) => TriangleMesh>> = {
  'uv-sphere': uvSphere,
  icosphere,
  box,
  torus,
  capsule,
  cylinder,
  duck,
  creature,
  hand,
  liver,
  flower,
};

/** Written out: a call here would keep bundlers from leaving out shapes that nobody asks for. */
export const SHAPE_NAMES: readonly ShapeName[] = [
  'uv-sphere',
  'icosphere',
  'box',
  'torus',
  'capsule',
  'cylinder',
  'duck',
  'creature',
  'hand',
  'liver',
  'flower',
];

/**
 * Generates the mesh of a shape given by name.
 * @example
 * ```ts
 * const mesh = generateShape({ shape: 'box', size: 2 }); // as scene files name them
 * ```
 */
export function generateShape({ shape, ...options }: ShapeSpec): TriangleMesh {
  if (Object.hasOwn(GENERATORS, shape)) return GENERATORS[shape](options);
  throw new RangeError(`shape: ${describeKnown(String(shape), SHAPE_NAMES)}, got ${showInput(shape)}`);
}
