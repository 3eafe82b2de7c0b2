// A collider of one frame as the user gives it: a shape, where it is, and how the body gives way to it.

import { type ColliderShape, checkPrimitive, copyShape, SHAPE_FIELDS } from '../contact/obstacles/collider-shape.js';
import { expectBoolean, expectNumber, expectPositive, expectVector, showInput } from '../math/expect.js';
import { expectKnownFields } from '../math/known-fields.js';
import type { Quaternion } from '../math/quaternion.js';
import { length, type Vec3 } from '../math/vec3.js';

/** What presses on a body in a frame. */
export type DeformerCollider = ColliderShape & {
  readonly name?: string;
  /** [m] */
  readonly position?: Vec3;
  readonly rotation?: Quaternion;
  /** Whether it takes part in this frame. */
  readonly enabled?: boolean;
  /** Distance that the surface keeps from it [m]. */
  readonly margin?: number;
  /**
   * The way it pushes: a vector, or `auto`, against the mean normal of the surface that it covers. Vertices inside leave it along
   * this way. A collider that vanishes inside the body needs a vector.
   */
  readonly direction?: 'auto' | Vec3;
  /** Whether vertices that it passed on its way count as inside: for small colliders that go deep, with a direction. */
  readonly sweep?: boolean;
  /** Whether it lies under the skin: vertices inside then leave it outwards, along their own normals. */
  readonly inside?: boolean;
  /** Vertices of the body that pass through it, by number. */
  readonly ignores?: readonly number[];
};

/** Options of a deformer's colliders where none are given. */
export const DEFORMER_COLLIDER_DEFAULTS = Object.freeze({
  enabled: true,
  margin: 0,
  direction: 'auto' as const,
  sweep: false,
  inside: false,
  ignores: Object.freeze([]) as readonly number[],
});

const FIELDS = [
  'shape',
  'name',
  'position',
  'rotation',
  'enabled',
  'margin',
  'direction',
  'sweep',
  'inside',
  'ignores',
];

/** Throws where the shape's numbers make none, in the words of its own check. Meshes and landscapes are checked when they are made. */
function expectShape(place: string, collider: DeformerCollider): void {
  try {
    if (!Object.hasOwn(SHAPE_FIELDS, String(collider.shape))) copyShape(collider);
    if (collider.shape !== 'mesh' && collider.shape !== 'heightfield') checkPrimitive(collider);
  } catch (error) {
    throw error instanceof RangeError ? new RangeError(`${place} ${error.message}`) : error;
  }
}

/** Throws where a collider cannot be used; `place` is what the user calls it, `vertexCount` the body's. */
export function expectCollider(place: string, collider: DeformerCollider, vertexCount: number): void {
  if (typeof collider !== 'object' || collider === null) {
    throw new RangeError(`${place}: expected a collider, got ${showInput(collider)}`);
  }
  expectShape(place, collider);
  expectKnownFields(`${place} ${collider.shape}`, collider, [...SHAPE_FIELDS[collider.shape], ...FIELDS]);
  const { position = [0, 0, 0], rotation = [0, 0, 0, 1], direction = 'auto' } = collider;
  expectVector(`${place}.position`, position);
  expectVector(`${place}.rotation`, rotation, 4);
  expectNumber(`${place}.margin`, collider.margin ?? 0, 0);
  for (const field of ['enabled', 'sweep', 'inside'] as const)
    expectBoolean(`${place}.${field}`, collider[field] ?? false);
  expectVertices(`${place}.ignores`, collider.ignores ?? [], vertexCount);
  if (direction === 'auto') return;
  expectVector(`${place}.direction`, direction);
  expectPositive(`${place}.direction length`, length(direction));
}

/** Throws where something is not a list of vertices of a mesh. */
export function expectVertices(place: string, vertices: readonly number[], vertexCount: number): void {
  if (!Array.isArray(vertices))
    throw new RangeError(`${place}: expected a list of vertices, got ${showInput(vertices)}`);
  const wrong = vertices.find((v) => !(Number.isInteger(v) && v >= 0 && v < vertexCount));
  if (wrong !== undefined) {
    throw new RangeError(`${place}: expected integers from 0 to ${vertexCount - 1}, got ${showInput(wrong)}`);
  }
}
