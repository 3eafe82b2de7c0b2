// The built-in shapes, as functions and by the names used in scene files.

import type { TriangleMesh } from '../triangle-mesh.js';
import { type BoxOptions, box } from './box.js';
import { type CapsuleOptions, capsule } from './capsule.js';
import { type CreatureOptions, creature } from './creature.js';
import { type CylinderOptions, cylinder } from './cylinder.js';
import { type DuckOptions, duck } from './duck.js';
import { type IcosphereOptions, icosphere } from './icosphere.js';
import { type TorusOptions, torus } from './torus.js';
import { type UvSphereOptions, uvSphere } from './uv-sphere.js';

export type {
  BoxOptions,
  CapsuleOptions,
  CreatureOptions,
  CylinderOptions,
  DuckOptions,
  IcosphereOptions,
  TorusOptions,
  UvSphereOptions,
};
export { box, capsule, creature, cylinder, duck, icosphere, torus, uvSphere };

/** A shape as scene files describe it: its name and its options. */
export type ShapeSpec =
  | ({ readonly shape: 'uv-sphere' } & UvSphereOptions)
  | ({ readonly shape: 'icosphere' } & IcosphereOptions)
  | ({ readonly shape: 'box' } & BoxOptions)
  | ({ readonly shape: 'torus' } & TorusOptions)
  | ({ readonly shape: 'capsule' } & CapsuleOptions)
  | ({ readonly shape: 'cylinder' } & CylinderOptions)
  | ({ readonly shape: 'duck' } & DuckOptions)
  | ({ readonly shape: 'creature' } & CreatureOptions);

export type ShapeName = ShapeSpec['shape'];

export const SHAPE_NAMES: readonly ShapeName[] = [
  'uv-sphere',
  'icosphere',
  'box',
  'torus',
  'capsule',
  'cylinder',
  'duck',
  'creature',
];

/** Generates the mesh of a shape given by name. */
export function generateShape(spec: ShapeSpec): TriangleMesh {
  switch (spec.shape) {
    case 'uv-sphere':
      return uvSphere(spec);
    case 'icosphere':
      return icosphere(spec);
    case 'box':
      return box(spec);
    case 'torus':
      return torus(spec);
    case 'capsule':
      return capsule(spec);
    case 'cylinder':
      return cylinder(spec);
    case 'duck':
      return duck(spec);
    case 'creature':
      return creature(spec);
    default: {
      const { shape } = spec as { shape: unknown };
      throw new RangeError(`shape must be one of ${SHAPE_NAMES.join(', ')}, got ${String(shape)}`);
    }
  }
}
