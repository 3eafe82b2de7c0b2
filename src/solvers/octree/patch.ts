// A patch: the piece of a surface along which something is cut, as a height over a plane and a convex domain in it.

import { cross, dot, normalize, type Vec3 } from '../../math/vec3.js';

export interface CutPatch {
  /** Signed height of a point over the patch [m]; 0 counts as above. */
  height(x: number, y: number, z: number): number;
  /** Coordinates of a point in the plane [m]. */
  chart(x: number, y: number, z: number): readonly [number, number];
  /** The point of the patch over coordinates of the plane. */
  lift(u: number, v: number): Vec3;
  /** Corners of the convex domain, counter-clockwise seen from above: u, v, u, v, … */
  readonly domain: Float64Array;
  /** The most that `height` changes per metre. */
  readonly slope: number;
}

/** How far the patch stands over its plane at (u, v) [m]. */
export type Relief = (u: number, v: number) => number;

/**
 * A patch over the plane through `origin` with the given normal. `corners` are points of the plane's coordinates along `along`
 * and normal × along; with a `relief` (and the most it rises per metre) the patch is bent.
 */
export function createPatch(
  origin: Vec3,
  normal: Vec3,
  along: Vec3,
  corners: ArrayLike<number>,
  relief: Relief = () => 0,
  steepness = 0,
): CutPatch {
  const n = normalize(normal);
  const across = normalize(cross(n, along));
  const a = cross(across, n);
  const chart = (x: number, y: number, z: number): readonly [number, number] => {
    const r: Vec3 = [x - origin[0], y - origin[1], z - origin[2]];
    return [dot(r, a), dot(r, across)];
  };
  return {
    chart,
    height(x, y, z) {
      const [u, v] = chart(x, y, z);
      return n[0] * (x - origin[0]) + n[1] * (y - origin[1]) + n[2] * (z - origin[2]) - relief(u, v);
    },
    lift(u, v) {
      const h = relief(u, v);
      return [0, 1, 2].map((c) => origin[c] + u * a[c] + v * across[c] + h * n[c]) as unknown as Vec3;
    },
    domain: Float64Array.from(corners),
    slope: Math.sqrt(1 + steepness * steepness),
  };
}

/** How far a point of the plane is on the inner side of an edge of the domain, times the edge's length [m²]. */
export function innerSide(domain: Float64Array, edge: number, u: number, v: number): number {
  const k = 2 * edge;
  const next = (k + 2) % domain.length;
  return (domain[next] - domain[k]) * (v - domain[k + 1]) - (domain[next + 1] - domain[k + 1]) * (u - domain[k]);
}

/** Whether a point of the plane is strictly inside the domain. */
export function isInDomain({ domain }: CutPatch, u: number, v: number): boolean {
  for (let edge = 0; 2 * edge < domain.length; edge++) if (!(innerSide(domain, edge, u, v) > 0)) return false;
  return true;
}
