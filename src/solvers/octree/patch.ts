// A patch: the piece of a surface along which something is cut, as a height over a plane and a convex domain in it.

import { cross, dot, normalize, type Vec3 } from '../../math/vec3.js';
import type { TriangleMesh } from '../../mesh/triangle-mesh.js';

export interface CutPatch {
  /** Signed height of a point over the patch [m]; 0 counts as above. */
  height(x: number, y: number, z: number): number;
  /** Coordinates of a point in the plane [m]. */
  chart(x: number, y: number, z: number): readonly [number, number];
  /** The point of the patch over coordinates of the plane. */
  lift(u: number, v: number): Vec3;
  /** Corners of the convex domain, counter-clockwise seen from above: u, v, u, v, … */
  readonly domain: Float64Array;
  /** Whether a point may be within a distance of the patch [m]: no where it is surely farther. */
  isNear(x: number, y: number, z: number, reach: number): boolean;
  /** The patch moved a little along its normal, and in its plane by as much [m]. */
  moved(shift: number): CutPatch;
  /** Triangles of it, seen from above. */
  surface(): TriangleMesh;
  /** Whether lines of the plane's coordinates may be bent: what is between two points of the patch is not on the line between them. */
  readonly isBent: boolean;
}

/** A domain moved with its patch, along both coordinates by different amounts. */
export const moveDomain = (domain: Float64Array, shift: number): Float64Array =>
  domain.map((x, k) => x + (k % 2 === 0 ? 0.7 : -0.3) * shift);

/** How far the patch stands over its plane at (u, v) [m]. */
export type Relief = (u: number, v: number) => number;

/**
 * A patch over the plane through `origin` with the given normal. `corners` are points of the plane's coordinates along `along`
 * and normal × along; with a `relief` (and the most it rises per metre, above 0) the patch is bent.
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
  const domain = Float64Array.from(corners);
  const slope = Math.sqrt(1 + steepness * steepness);
  const [low, high] = [
    [Infinity, Infinity],
    [-Infinity, -Infinity],
  ];
  domain.forEach((x, k) => {
    low[k % 2] = Math.min(low[k % 2], x);
    high[k % 2] = Math.max(high[k % 2], x);
  });
  const height = (x: number, y: number, z: number): number => {
    const above = n[0] * (x - origin[0]) + n[1] * (y - origin[1]) + n[2] * (z - origin[2]);
    return steepness === 0 ? above : above - relief(...chart(x, y, z));
  };
  const lift = (u: number, v: number): Vec3 => {
    const h = relief(u, v);
    return [0, 1, 2].map((c) => origin[c] + u * a[c] + v * across[c] + h * n[c]) as unknown as Vec3;
  };
  return {
    chart,
    height,
    isNear(x, y, z, reach) {
      if (Math.abs(height(x, y, z)) > slope * reach) return false;
      const [u, v] = chart(x, y, z);
      return u > low[0] - reach && u < high[0] + reach && v > low[1] - reach && v < high[1] + reach;
    },
    moved(shift) {
      const to: Vec3 = [origin[0] + shift * n[0], origin[1] + shift * n[1], origin[2] + shift * n[2]];
      return createPatch(to, n, a, moveDomain(domain, shift), relief, steepness);
    },
    isBent: steepness !== 0,
    surface() {
      const corners = domain.length / 2;
      const triangles = Array.from({ length: corners - 2 }, (_, k) => [0, k + 1, k + 2]).flat();
      const points = Array.from({ length: corners }, (_, k) => lift(domain[2 * k], domain[2 * k + 1])).flat();
      return { positions: Float64Array.from(points), triangles: Uint32Array.from(triangles) };
    },
    lift,
    domain,
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

/** How far inside the domain a point of the plane is [m]; 0 or less outside. */
export function depthInDomain({ domain }: CutPatch, u: number, v: number): number {
  let least = Infinity;
  for (let k = 0; k < domain.length; k += 2) {
    const next = (k + 2) % domain.length;
    const [du, dv] = [domain[next] - domain[k], domain[next + 1] - domain[k + 1]];
    const inner = innerSide(domain, k / 2, u, v);
    // Only what is strictly inside counts as such.
    if (!(inner > 0)) return 0;
    least = Math.min(least, inner / Math.sqrt(du * du + dv * dv));
  }
  return least;
}
