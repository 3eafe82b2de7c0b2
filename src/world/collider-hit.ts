// Points of obstacles that a ray finds.

import type { Obstacle } from '../contact/obstacles/obstacle.js';
import { castRayAtObstacle } from '../contact/obstacles/obstacle-ray.js';
import { add, normalize, scale, type Vec3 } from '../math/vec3.js';
import type { Collider } from './collider.js';
import type { Roster } from './roster.js';
import type { SurfaceQueryOptions } from './surface-hit.js';

/** What a ray may meet. */
export interface RayOptions extends SurfaceQueryOptions {
  /** Whether obstacles stop it too. */
  readonly colliders?: boolean;
}

/** A point of an obstacle as it was at the end of the last step. */
export interface ColliderHit {
  readonly collider: Collider;
  /** [m] */
  readonly point: Vec3;
  /** Unit vector out of the obstacle. */
  readonly normal: Vec3;
  /** From the origin of the ray [m]. */
  readonly distance: number;
}

/** The first obstacle along a ray, nearer than `nearest`; of equally near ones the first. */
export function castRayAtColliders(
  { facades, inner }: Roster<Collider, Obstacle>,
  origin: Vec3,
  direction: Vec3,
  { maxDistance = Infinity, groups }: SurfaceQueryOptions,
  nearest = Infinity,
): ColliderHit | undefined {
  let best: ColliderHit | undefined;
  inner.forEach((obstacle, n) => {
    if (obstacle.sensor || (groups !== undefined && (obstacle.group & groups) === 0)) return;
    const hit = castRayAtObstacle(obstacle, origin, direction, Math.min(maxDistance, nearest));
    if (!hit || hit.distance >= Math.min(best?.distance ?? Infinity, nearest)) return;
    const point = add(origin, scale(normalize(direction), hit.distance));
    best = { collider: facades[n], point, ...hit };
  });
  return best;
}
