// The shape of an obstacle: what each kind is given by, checked and copied, so that nobody changes it from outside.

import { expectNumber, expectPositive, expectVector, showInput } from '../../math/expect.js';
import { describeKnown } from '../../math/known-fields.js';
import { copyMesh } from '../../mesh/triangle-mesh.js';
import type { HeightfieldShape } from './heightfield.js';
import type { MeshShape } from './mesh-obstacle.js';
import type { PrimitiveShape } from './shapes.js';

/** What an obstacle can be; lengths in metres. */
export type ColliderShape = PrimitiveShape | MeshShape | HeightfieldShape;

/** The fields of each kind, beside `shape`. */
export const SHAPE_FIELDS: Readonly<Record<ColliderShape['shape'], readonly string[]>> = {
  plane: ['normal', 'offset'],
  box: ['size'],
  sphere: ['radius'],
  capsule: ['radius', 'height'],
  cylinder: ['radius', 'height'],
  glass: ['radius', 'height', 'wall'],
  mesh: ['mesh'],
  heightfield: ['heights', 'size'],
};

/** A copy of a shape, without whatever else the options of a collider hold. */
export function copyShape(given: ColliderShape): ColliderShape {
  expectShape(given);
  if (given.shape === 'mesh') return Object.freeze({ shape: 'mesh', mesh: copyMesh('mesh', given.mesh) });
  const copy: Record<string, unknown> = { shape: given.shape };
  for (const field of SHAPE_FIELDS[given.shape]) {
    const value = (given as unknown as Record<string, unknown>)[field];
    if (value !== undefined) copy[field] = copyValue(value);
  }
  return Object.freeze(copy) as unknown as ColliderShape;
}

function expectShape(given: ColliderShape): void {
  const kind: unknown = given?.shape;
  if (typeof kind === 'string' && Object.hasOwn(SHAPE_FIELDS, kind)) return;
  const known = Object.keys(SHAPE_FIELDS);
  const words = typeof kind === 'string' ? describeKnown(kind, known) : `expected one of ${known.join(', ')}`;
  throw new RangeError(`shape: ${words}, got ${showInput(kind)}`);
}

/** Numbers, vectors, and rows of numbers, which may be typed arrays. */
const copyValue = (value: unknown): unknown =>
  Array.isArray(value) || ArrayBuffer.isView(value)
    ? Object.freeze(Array.from(value as ArrayLike<unknown>, copyValue))
    : value;

/** Throws where the numbers of a shape that is a formula make none. */
export function checkPrimitive(shape: PrimitiveShape): void {
  switch (shape.shape) {
    case 'plane':
      expectVector('plane.normal', shape.normal);
      expectPositive('plane.normal length', Math.sqrt(shape.normal.reduce((sum, n) => sum + n * n, 0)));
      expectNumber('plane.offset', shape.offset ?? 0);
      return;
    case 'box':
      expectVector('box.size', shape.size);
      shape.size.forEach((edge, axis) => {
        expectPositive(`box.size[${axis}]`, edge);
      });
      return;
    case 'sphere':
      expectPositive('sphere.radius', shape.radius);
      return;
    case 'capsule':
      expectPositive('capsule.radius', shape.radius);
      expectNumber('capsule.height', shape.height, 2 * shape.radius);
      return;
    case 'cylinder':
      expectPositive('cylinder.radius', shape.radius);
      expectPositive('cylinder.height', shape.height);
      return;
    case 'glass':
      expectPositive('glass.wall', shape.wall);
      expectNumber('glass.radius', shape.radius, 2 * shape.wall);
      expectNumber('glass.height', shape.height, 2 * shape.wall);
  }
}
