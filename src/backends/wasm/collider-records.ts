// Obstacles as the kernels read them.

import { Heightfield } from '../../contact/obstacles/heightfield.js';
import type { Obstacle } from '../../contact/obstacles/obstacle.js';
import type { PrimitiveShape } from '../../contact/obstacles/shapes.js';
import type { Pose } from '../../math/motion.js';
import * as layout from './layout.js';
import type { WasmMemory } from './memory.js';
import { boxRecords, nodeRecords, putArray } from './tree-records.js';

const SHAPES = {
  plane: layout.SHAPE_PLANE,
  box: layout.SHAPE_BOX,
  sphere: layout.SHAPE_SPHERE,
  capsule: layout.SHAPE_CAPSULE,
  cylinder: layout.SHAPE_CYLINDER,
  glass: layout.SHAPE_GLASS,
  mesh: layout.SHAPE_MESH,
  heightfield: layout.SHAPE_HEIGHTFIELD,
};

/** Arrays of obstacles that take more than a formula, in the kernels' memory. */
export interface ObstacleData {
  readonly nodes: number;
  readonly boxes: number;
  readonly triangles: number;
}

/** Writes the arrays of a mesh or a landscape; none for other shapes. */
export function writeObstacle(memory: WasmMemory, { solid }: Obstacle): ObstacleData | undefined {
  if (solid instanceof Heightfield) {
    return { nodes: putArray(memory, Float32Array.from(solid.heights)), boxes: 0, triangles: 0 };
  }
  if (!solid) return undefined;
  const { tree, normals } = solid;
  const words = layout.OBSTACLE_TRIANGLE_BYTES / 4;
  const triangles = new Float32Array(words * tree.order.length);
  tree.order.forEach((triangle, n) => {
    for (let corner = 0; corner < 3; corner++) {
      const vertex = tree.triangles[3 * triangle + corner];
      for (let c = 0; c < 3; c++) triangles[words * n + 4 * corner + c] = tree.positions[3 * vertex + c];
    }
    for (let c = 0; c < 3; c++) triangles[words * n + 12 + c] = normals[3 * triangle + c];
  });
  return {
    nodes: putArray(memory, nodeRecords(tree)),
    boxes: putArray(memory, boxRecords(tree.nodeBounds, tree.nodeCount)),
    triangles: putArray(memory, triangles),
  };
}

export function releaseObstacle(memory: WasmMemory, data: ObstacleData): void {
  for (const address of [data.nodes, data.boxes, data.triangles]) memory.release(address);
}

/** Writes what a collider is, once. */
export function writeCollider(memory: WasmMemory, address: number, collider: Obstacle, data?: ObstacleData): void {
  memory.setInteger(address + layout.COLLIDER_SHAPE, SHAPES[collider.shape.shape]);
  numbersOf(collider).forEach((value, n) => {
    memory.setNumber(address + layout.COLLIDER_NUMBERS + 8 * n, value);
  });
  memory.setNumber(address + layout.COLLIDER_THINNEST, collider.thinnest);
  memory.integers(address + layout.COLLIDER_NODES, 3).set([data?.nodes ?? 0, data?.boxes ?? 0, data?.triangles ?? 0]);
  // Of a landscape the highest point stands where others have boxes.
  if (collider.solid instanceof Heightfield) {
    memory.floats(address + layout.COLLIDER_BOXES, 1)[0] = collider.solid.highest;
  }
}

/** The frames of an obstacle that its record holds. */
export interface WrittenFrames {
  start?: Pick<Pose, 'position' | 'rotation'>;
  end?: Pick<Pose, 'position' | 'rotation'>;
}

/** Writes what may change from step to step: how it behaves in contact, and its frames of the current step where they are others. */
export function updateCollider(memory: WasmMemory, address: number, collider: Obstacle, written: WrittenFrames): void {
  memory.setInteger(address + layout.COLLIDER_GROUPS, collider.group);
  memory.setInteger(address + layout.COLLIDER_GROUPS + 4, collider.collidesWith);
  memory.setNumber(address + layout.COLLIDER_FRICTION, collider.friction);
  const { start, end } = collider;
  if (written.start && written.end && start.isAt(written.start) && end.isAt(written.end)) return;
  writeFrame(memory, address + layout.COLLIDER_START, start);
  writeFrame(memory, address + layout.COLLIDER_END, end);
  written.start = { position: start.position, rotation: start.rotation };
  written.end = { position: end.position, rotation: end.rotation };
}

function writeFrame(memory: WasmMemory, address: number, { position, matrix }: Obstacle['start']): void {
  for (let k = 0; k < 3; k++) memory.setNumber(address + 8 * k, position[k]);
  for (let k = 0; k < 9; k++) memory.setNumber(address + 24 + 8 * k, matrix[k]);
}

/** Single precision's rounding of points on a mesh, as a share of its size. */
const MESH_ROUNDING = 1e-6;

function numbersOf({ shape, solid }: Obstacle): number[] {
  if (solid instanceof Heightfield) return [solid.width, solid.length, solid.columns, solid.rows];
  if (solid) return [solid.isClosed ? 1 : 0, solid.thickness, MESH_ROUNDING * solid.size];
  return primitiveNumbers(shape as PrimitiveShape);
}

function primitiveNumbers(shape: PrimitiveShape): number[] {
  switch (shape.shape) {
    case 'plane': {
      const length = Math.sqrt(shape.normal.reduce((sum, n) => sum + n * n, 0));
      return [...shape.normal.map((n) => n / length), shape.offset ?? 0];
    }
    case 'box':
      return shape.size.map((edge) => edge / 2);
    case 'sphere':
      return [shape.radius];
    case 'glass':
      return [shape.radius, shape.height, shape.wall];
    default:
      return [shape.radius, shape.height / 2];
  }
}
