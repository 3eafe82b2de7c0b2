// Colliders as meshes, to be seen where they are: what is round gets enough sides to look it.

import type { ColliderShape } from '../contact/obstacles/collider-shape.js';
import type { Keyframe, Pose } from '../math/motion.js';
import { add, cross, normalize, scale, type Vec3 } from '../math/vec3.js';
import { box } from '../mesh/generate/box.js';
import { capsule } from '../mesh/generate/capsule.js';
import { cylinder } from '../mesh/generate/cylinder.js';
import { type Ring, revolve } from '../mesh/generate/revolve.js';
import { uvSphere } from '../mesh/generate/uv-sphere.js';
import { boundsOf, diagonalOf } from '../mesh/measure.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { distinctNames, type ObstacleTrack } from './baked-scene.js';

const SIDES = 48;
/** A plane is shown as large as this, in sizes of all that there is. */
const PLANE_EXTENT = 3;

export interface PlacedCollider {
  readonly name: string;
  readonly shape: ColliderShape;
  readonly rest: Pose;
  readonly motion: readonly Keyframe[];
}

/**
 * How large planes are shown [m].
 * @param points of what obstacles stand around, x, y, z each [m].
 */
export function planeExtent(colliders: readonly PlacedCollider[], points: readonly number[]): number {
  const placed = colliders.flatMap(({ rest, motion }) => [rest, ...motion].flatMap(({ position }) => position ?? []));
  return PLANE_EXTENT * Math.max(1e-6, diagonalOf(boundsOf([...points, ...placed])));
}

export function obstacleTracks(colliders: readonly PlacedCollider[], extent: number): ObstacleTrack[] {
  const names = distinctNames(colliders.map(({ name }) => name));
  return colliders.map(({ shape, rest, motion }, n) => ({
    ...{ name: names[n], mesh: colliderMesh(shape, extent), rest, motion },
  }));
}

/** In the collider's own frame. A plane has no end: a square of `extent` [m] about the point nearest to the origin stands for it. */
export function colliderMesh(shape: ColliderShape, extent: number): TriangleMesh {
  switch (shape.shape) {
    case 'plane':
      return square(shape.normal, shape.offset ?? 0, extent);
    case 'box':
      return box({ size: shape.size, divisions: 1 });
    case 'sphere':
      return uvSphere({ radius: shape.radius, segments: SIDES });
    case 'capsule':
      return capsule({ radius: shape.radius, height: shape.height });
    case 'cylinder':
      return cylinder({ radius: shape.radius, height: shape.height });
    case 'glass':
      return glass(shape.radius, shape.height, shape.wall);
    case 'mesh':
      return shape.mesh;
    case 'heightfield':
      return landscape(shape.heights, shape.size);
  }
}

function square(normal: Vec3, offset: number, extent: number): TriangleMesh {
  const n = normalize(normal);
  const u = normalize(cross(n, Math.abs(n[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0]));
  const v = cross(n, u);
  const corner = (a: number, b: number) =>
    add(scale(n, offset), add(scale(u, (a * extent) / 2), scale(v, (b * extent) / 2)));
  const positions = Float64Array.from([corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)].flat());
  return { positions, triangles: Uint32Array.of(0, 1, 2, 0, 2, 3) };
}

/** Round its axis from the middle of the floor over the rim to the middle of the underside. */
function glass(radius: number, height: number, wall: number): TriangleMesh {
  const ring = (r: number, y: number): Ring => ({ radius: r, y, count: r > 0 ? SIDES : 1 });
  const inner = radius - wall;
  return revolve([
    ring(0, wall),
    ring(inner, wall),
    ring(inner, height),
    ring(radius, height),
    ring(radius, 0),
    ring(0, 0),
  ]);
}

function landscape(heights: readonly (readonly number[])[], [width, length]: readonly [number, number]): TriangleMesh {
  const [rows, columns] = [heights.length, heights[0].length];
  const positions = new Float64Array(3 * rows * columns);
  const triangles: number[] = [];
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < columns; c++) {
      const i = r * columns + c;
      positions.set([(c / (columns - 1) - 0.5) * width, heights[r][c], (r / (rows - 1) - 0.5) * length], 3 * i);
      if (r + 1 < rows && c + 1 < columns) triangles.push(i, i + columns, i + 1, i + 1, i + columns, i + columns + 1);
    }
  }
  return { positions, triangles: Uint32Array.from(triangles) };
}
