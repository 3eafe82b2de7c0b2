// Points of bodies' surfaces that a ray or the nearest distance finds.

import { expectBits } from '../contact/groups.js';
import { expectVector } from '../math/expect.js';
import { expectKnownFields } from '../math/known-fields.js';
import { cross, dot, normalize, pointAt, subtract, type Vec3 } from '../math/vec3.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { castRay, closestPoint, type RayHit, type TriangleTree } from '../mesh/triangle-tree.js';

/** How far a query looks, and at which bodies. */
export interface SurfaceQueryOptions {
  /** Looks no farther than this [m]. */
  readonly maxDistance?: number;
  /** Bits of the groups to look at; all unless set. */
  readonly groups?: number;
}

/** What has a surface: a body. */
interface Surfaced {
  readonly group: number;
  readonly mesh: TriangleMesh;
  readonly positions: ArrayLike<number>;
  readonly surface: TriangleTree;
}

/** A point of a body's surface as it is now. */
export interface SurfaceHit<B> {
  readonly body: B;
  readonly triangle: number;
  /** Weights of the triangle's corners; they sum to 1. */
  readonly barycentrics: Vec3;
  /** [m] */
  readonly point: Vec3;
  /** Outward unit normal of the triangle. */
  readonly normal: Vec3;
  /** From the origin of the ray, or from the point that was asked about [m]. */
  readonly distance: number;
}

/** The first point of the bodies' surfaces along a ray, from either side; null where there is none. */
export function castRayAt<B extends Surfaced>(
  bodies: readonly B[],
  origin: Vec3,
  direction: Vec3,
  options: SurfaceQueryOptions,
): SurfaceHit<B> | null {
  expectVector('origin', origin);
  expectVector('direction', direction);
  if (!(dot(direction, direction) > 0)) throw new RangeError('direction: expected a length above 0, got 0');
  return nearestOf(bodies, options, (tree, maxDistance) => castRay(tree, origin, direction, { maxDistance }));
}

/** The point of the bodies' surfaces nearest to a point; null where there is none. */
export function closestPointOf<B extends Surfaced>(
  bodies: readonly B[],
  point: Vec3,
  options: SurfaceQueryOptions,
): SurfaceHit<B> | null {
  expectVector('point', point);
  return nearestOf(bodies, options, (tree, maxDistance) => closestPoint(tree, point, { maxDistance }));
}

/** Of equally near bodies the first. */
function nearestOf<B extends Surfaced>(
  bodies: readonly B[],
  options: SurfaceQueryOptions,
  ask: (tree: TriangleTree, maxDistance: number) => RayHit | null,
): SurfaceHit<B> | null {
  expectKnownFields('options', options, ['maxDistance', 'groups']);
  const { maxDistance = Infinity, groups } = options;
  if (!(maxDistance >= 0)) throw new RangeError(`maxDistance: expected a number from 0, got ${maxDistance}`);
  if (groups !== undefined) expectBits('groups', groups);
  let best: SurfaceHit<B> | null = null;
  for (const body of bodies) {
    if (groups !== undefined && (body.group & groups) === 0) continue;
    const hit = ask(body.surface, best?.distance ?? maxDistance);
    if (hit && (best === null || hit.distance < best.distance)) best = describeHit(body, hit);
  }
  return best;
}

function describeHit<B extends Surfaced>(body: B, { triangle, barycentrics, distance }: RayHit): SurfaceHit<B> {
  const { triangles } = body.mesh;
  const [a, b, c] = [0, 1, 2].map((corner) => pointAt(body.positions, triangles[3 * triangle + corner]));
  const [u, v, w] = barycentrics;
  const point: Vec3 = [u * a[0] + v * b[0] + w * c[0], u * a[1] + v * b[1] + w * c[1], u * a[2] + v * b[2] + w * c[2]];
  return { body, triangle, barycentrics, point, normal: normalize(cross(subtract(b, a), subtract(c, a))), distance };
}
