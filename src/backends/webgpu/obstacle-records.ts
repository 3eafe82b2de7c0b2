// Obstacles as the shaders read them: 16 vectors each, then heights and trees of triangles, written once per obstacle.

import { Heightfield } from '../../contact/obstacles/heightfield.js';
import type { MeshObstacle } from '../../contact/obstacles/mesh-obstacle.js';
import type { Obstacle } from '../../contact/obstacles/obstacle.js';
import type { PrimitiveShape } from '../../contact/obstacles/shapes.js';
import { COLLIDER_VECTORS } from './layout.js';

/** Numbers of the shapes in `collider.wgsl`. */
const KINDS = { plane: 0, box: 1, sphere: 2, capsule: 3, cylinder: 4, glass: 5, heightfield: 6, mesh: 7 } as const;
/** Beyond any length: shaders know no infinity. */
const FAR = 1e30;
/** What the shaders' stack holds. */
const DEEPEST_TREE = 46;
/** Distances below this share of a mesh's size are single precision's rounding. */
const ROUNDING = 1e-6;

/** Numbers of a shape, and what lies behind the obstacles of it. */
interface SolidData {
  readonly numbers: readonly number[];
  readonly data?: Float32Array;
}

const solids = new WeakMap<object, SolidData>();

/** What is written of an obstacle. */
export type RecordedObstacle = Pick<
  Obstacle,
  'shape' | 'solid' | 'group' | 'collidesWith' | 'friction' | 'thinnest' | 'start' | 'end'
>;

/** All obstacles in one array; heights and trees do not move, so their places depend on the list alone. */
export class ObstacleRecords {
  private readonly floats: Float32Array;
  private readonly words: Uint32Array;
  /** Numbers at its begin that may change from step to step. */
  readonly changing: number;

  constructor(private readonly obstacles: readonly RecordedObstacle[]) {
    this.changing = 4 * COLLIDER_VECTORS * obstacles.length;
    const data = obstacles.map((obstacle) => solidOf(obstacle));
    const length = data.reduce((sum, { data: own }) => sum + (own?.length ?? 0), this.changing);
    this.floats = new Float32Array(length);
    this.words = new Uint32Array(this.floats.buffer);
    let at = this.changing;
    obstacles.forEach((obstacle, n) => {
      const row = 4 * COLLIDER_VECTORS * n;
      const { numbers, data: own } = data[n];
      this.words[row] = KINDS[obstacle.shape.shape];
      this.words[row + 1] = at / 4;
      this.floats.set(numbers, row + 8);
      if (!own) return;
      this.floats.set(own, at);
      at += own.length;
    });
  }

  get byteLength(): number {
    return this.floats.byteLength;
  }

  isOf(obstacles: readonly RecordedObstacle[]): boolean {
    return obstacles.length === this.obstacles.length && obstacles.every((one, n) => one === this.obstacles[n]);
  }

  /** Everything, or what may change alone; planes by their points nearest to where bodies are [m]. */
  write(changingOnly: boolean, near?: ArrayLike<number>): Float32Array {
    this.obstacles.forEach((obstacle, n) => {
      this.update(obstacle, 4 * COLLIDER_VECTORS * n, near);
    });
    return changingOnly ? this.floats.subarray(0, this.changing) : this.floats;
  }

  private update(obstacle: RecordedObstacle, row: number, near?: ArrayLike<number>): void {
    const { floats, words } = this;
    const { group, collidesWith, friction, thinnest, start, end } = obstacle;
    const base = near && obstacle.shape.shape === 'plane' ? pointOfPlane(obstacle.shape, end, near) : [0, 0, 0];
    if (near && obstacle.shape.shape === 'plane') floats[row + 11] = 0;
    words[row + 2] = group;
    words[row + 3] = collidesWith;
    floats[row + 4] = friction;
    floats[row + 5] = Math.min(FAR, thinnest);
    for (let c = 0; c < 3; c++) {
      const position = worldOf(end, base, c);
      const high = Math.fround(position);
      floats[row + 12 + c] = high;
      floats[row + 16 + c] = position - high;
      floats[row + 32 + c] = position - worldOf(start, base, c);
      for (let k = 0; k < 3; k++) {
        floats[row + 20 + 4 * c + k] = end.matrix[3 * c + k];
        floats[row + 36 + 4 * c + k] = start.matrix[3 * c + k];
      }
    }
  }
}

type Placed = Pick<RecordedObstacle['end'], 'position' | 'matrix'>;

/** A coordinate of a point of the obstacle's frame [m]. */
const worldOf = ({ position, matrix }: Placed, point: ArrayLike<number>, c: number): number =>
  position[c] + (matrix[3 * c] * point[0] + matrix[3 * c + 1] * point[1] + matrix[3 * c + 2] * point[2]);

/** The point of a plane, in its frame, that is nearest to a place: far from the origin single precision has no digits left for its offset. */
function pointOfPlane(shape: PrimitiveShape, { position, matrix }: Placed, near: ArrayLike<number>): number[] {
  const [x, y, z, offset] = primitiveNumbers(shape);
  const p = [0, 1, 2].map((k) => [0, 1, 2].reduce((sum, c) => sum + matrix[3 * c + k] * (near[c] - position[c]), 0));
  const height = x * p[0] + y * p[1] + z * p[2] - offset;
  return [p[0] - height * x, p[1] - height * y, p[2] - height * z];
}

function solidOf({ solid, shape }: RecordedObstacle): SolidData {
  if (!solid) return { numbers: primitiveNumbers(shape as PrimitiveShape) };
  const known = solids.get(solid);
  if (known) return known;
  const made = solid instanceof Heightfield ? heights(solid) : triangles(solid);
  solids.set(solid, made);
  return made;
}

function primitiveNumbers(shape: PrimitiveShape): readonly number[] {
  switch (shape.shape) {
    case 'plane': {
      const [x, y, z] = shape.normal;
      const length = Math.sqrt(x * x + y * y + z * z);
      return [x / length, y / length, z / length, shape.offset ?? 0];
    }
    case 'box':
      return shape.size.map((extent) => 0.5 * extent);
    case 'sphere':
      return [shape.radius];
    case 'glass':
      return [shape.radius, shape.height, shape.wall];
    default:
      return [shape.radius, shape.height];
  }
}

/** Padded to whole vectors. */
function heights({ columns, rows, width, length, heights: source }: Heightfield): SolidData {
  const data = new Float32Array(4 * Math.ceil(source.length / 4));
  data.set(source);
  return { numbers: [columns, rows, width, length], data };
}

/** Two vectors per node, four per triangle. */
function triangles(mesh: MeshObstacle): SolidData {
  const { tree, normals, isClosed, thickness, size } = mesh;
  const { nodeCount: nodes, nodeBounds, nodeCounts, nodeLinks, order, positions, triangles: corners, depth } = tree;
  if (depth > DEEPEST_TREE) {
    throw new RangeError(
      `mesh: the webgpu backend takes obstacles whose tree is at most ${DEEPEST_TREE} deep, got ${depth}`,
    );
  }
  const slack = ROUNDING * size;
  const data = new Float32Array(8 * nodes + 16 * order.length);
  const words = new Uint32Array(data.buffer);
  for (let n = 0; n < nodes; n++) {
    for (let c = 0; c < 3; c++) {
      data[8 * n + c] = nodeBounds[6 * n + c] - slack;
      data[8 * n + 4 + c] = nodeBounds[6 * n + 3 + c] + slack;
    }
    words[8 * n + 3] = nodeCounts[n];
    words[8 * n + 7] = nodeLinks[n];
  }
  order.forEach((triangle, n) => {
    const at = 8 * nodes + 16 * n;
    for (let corner = 0; corner < 3; corner++) {
      const k = 3 * corners[3 * triangle + corner];
      for (let c = 0; c < 3; c++) data[at + 4 * corner + c] = positions[k + c];
    }
    data.set(normals.subarray(3 * triangle, 3 * triangle + 3), at + 12);
  });
  return { numbers: [isClosed ? 1 : 0, thickness, ROUNDING * size, 2 * nodes], data };
}
