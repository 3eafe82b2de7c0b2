// The first point of an obstacle along a ray.

import { dot, normalize, type Vec3 } from '../../math/vec3.js';
import { castRay, type TriangleTree } from '../../mesh/triangle-tree.js';
import type { Heightfield } from './heightfield.js';
import { MeshObstacle } from './mesh-obstacle.js';
import type { Obstacle } from './obstacle.js';
import type { SurfacePoint } from './surface-point.js';

export interface ObstacleHit {
  /** From the origin [m]. */
  readonly distance: number;
  /** Unit vector out of the obstacle. */
  readonly normal: Vec3;
}

/** Nearer than this to a surface, in units of the way so far (or 1 m), a ray has met it. */
const MET = 1e-9;
/** Steps after which a ray that grazes a surface is given up. */
const MOST_STEPS = 512;

const point: SurfacePoint = { distance: 0, nx: 0, ny: 0, nz: 0 };
const local = new Float64Array(3);

/** Where the obstacle is at the end of the last step; null where there is nothing within `maxDistance`, or the ray begins inside. */
export function castRayAtObstacle(
  obstacle: Obstacle,
  origin: Vec3,
  direction: Vec3,
  maxDistance: number,
): ObstacleHit | null {
  const unit = normalize(direction);
  const { solid } = obstacle;
  return solid
    ? castAtTriangles(obstacle, solid, origin, unit, maxDistance)
    : traceSphere(obstacle, origin, unit, maxDistance);
}

/** By sphere tracing: nothing is nearer than the distance says. */
function traceSphere(obstacle: Obstacle, origin: Vec3, unit: Vec3, maxDistance: number): ObstacleHit | null {
  let along = 0;
  for (let step = 0; step < MOST_STEPS && along <= maxDistance; step++) {
    obstacle.measure(origin[0] + along * unit[0], origin[1] + along * unit[1], origin[2] + along * unit[2], point);
    if (point.distance < 0 && step === 0) return null;
    if (point.distance <= MET * Math.max(1, along)) return hitAt(along, unit);
    along += point.distance;
  }
  return null;
}

function hitAt(distance: number, unit: Vec3): ObstacleHit | null {
  const normal: Vec3 = [point.nx, point.ny, point.nz];
  // One that leaves the surface that it begins on has not met it.
  return dot(normal, unit) < 0 ? { distance, normal } : null;
}

/** Of what is solid only from outside; on a sheet the normal is that of the side the ray comes from. */
function castAtTriangles(
  { end }: Obstacle,
  solid: MeshObstacle | Heightfield,
  origin: Vec3,
  unit: Vec3,
  maxDistance: number,
): ObstacleHit | null {
  const { tree, normals, isClosed } = solid instanceof MeshObstacle ? solid : landscapeOf(solid);
  const toLocal = (x: number, y: number, z: number): Vec3 => {
    end.toLocal(x, y, z, local);
    return [local[0], local[1], local[2]];
  };
  const from = toLocal(...origin);
  const ahead = toLocal(origin[0] + unit[0], origin[1] + unit[1], origin[2] + unit[2]);
  const direction: Vec3 = [ahead[0] - from[0], ahead[1] - from[1], ahead[2] - from[2]];
  const found = castRay(tree, from, direction, { maxDistance });
  if (!found) return null;
  const [x, y, z] = normals.subarray(3 * found.triangle, 3 * found.triangle + 3);
  const side = dot([x, y, z], direction) < 0 ? 1 : -1;
  if (side < 0 && isClosed) return null;
  const r = end.matrix;
  const normal: Vec3 = [r[0] * x + r[1] * y + r[2] * z, r[3] * x + r[4] * y + r[5] * z, r[6] * x + r[7] * y + r[8] * z];
  return { distance: found.distance, normal: [side * normal[0], side * normal[1], side * normal[2]] };
}

interface Landscape {
  readonly tree: TriangleTree;
  readonly normals: Float64Array;
  readonly isClosed: boolean;
}

const landscapes = new WeakMap<Heightfield, Landscape>();

/** The triangles of a landscape, solid below; built when the first ray asks. */
function landscapeOf(field: Heightfield): Landscape {
  const known = landscapes.get(field);
  if (known) return known;
  const { columns, rows, heights, width, length } = field;
  const positions = new Float64Array(3 * columns * rows);
  const triangles: number[] = [];
  for (let at = 0; at < columns * rows; at++) {
    const [i, j] = [at % columns, Math.floor(at / columns)];
    positions.set([width * (i / (columns - 1) - 0.5), heights[at], length * (j / (rows - 1) - 0.5)], 3 * at);
    if (i === columns - 1 || j === rows - 1) continue;
    // Cut as `Heightfield.measure` cuts, counter-clockwise from above.
    triangles.push(at, at + columns, at + 1, at + 1, at + columns, at + columns + 1);
  }
  const { tree, normals } = new MeshObstacle({ positions, triangles: Uint32Array.from(triangles) });
  const landscape = { tree, normals, isClosed: true };
  landscapes.set(field, landscape);
  return landscape;
}
