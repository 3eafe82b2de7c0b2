// Obstacles as the kernels read them.

import type { Collider } from '../../contact/collider.js';
import type { PrimitiveShape } from '../../contact/shapes.js';
import * as layout from './layout.js';
import type { WasmMemory } from './memory.js';

const SHAPES = {
  plane: layout.SHAPE_PLANE,
  box: layout.SHAPE_BOX,
  sphere: layout.SHAPE_SPHERE,
  capsule: layout.SHAPE_CAPSULE,
  cylinder: layout.SHAPE_CYLINDER,
};

/** Writes a collider with its frames of the current step. */
export function writeCollider(memory: WasmMemory, address: number, collider: Collider): void {
  const { shape } = collider.shape;
  const kind = SHAPES[shape as keyof typeof SHAPES];
  if (kind === undefined)
    throw new RangeError(`shape: ${shape} is not available on the wasm backend, expected backend: 'reference'`);
  memory.integers(address + layout.COLLIDER_SHAPE, 1)[0] = kind;
  const at = (field: number, values: ArrayLike<number>) => memory.doubles(address + field, values.length).set(values);
  if (collider.restitution !== 0)
    throw new RangeError("restitution: is not available on the wasm backend, expected backend: 'reference'");
  at(layout.COLLIDER_FRICTION, [collider.friction]);
  at(layout.COLLIDER_NUMBERS, numbersOf(collider.shape as PrimitiveShape));
  at(layout.COLLIDER_THINNEST, [collider.thinnest]);
  for (const [field, frame] of [
    [layout.COLLIDER_START, collider.start],
    [layout.COLLIDER_END, collider.end],
  ] as const) {
    at(field, frame.position);
    at(field + 24, frame.matrix);
  }
}

function numbersOf(shape: PrimitiveShape): number[] {
  switch (shape.shape) {
    case 'plane': {
      const length = Math.sqrt(shape.normal.reduce((sum, n) => sum + n * n, 0));
      return [...shape.normal.map((n) => n / length), shape.offset ?? 0];
    }
    case 'box':
      return shape.size.map((edge) => edge / 2);
    case 'sphere':
      return [shape.radius];
    default:
      return [shape.radius, shape.height / 2];
  }
}
