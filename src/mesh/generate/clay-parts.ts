// The parts that blended shapes are made of: each knows its distance from a point (exact for limbs up to their taper,
// to first order near the surface for the others) and a sphere around itself.
// Based on: G. Taubin, "Distance approximations for rasterizing implicit curves", 1994.

import { distance, type Vec3 } from '../../math/vec3.js';

export interface ClayPart {
  /** Width over which the part melts into the parts before it [m]. */
  readonly blend: number;
  readonly centre: Vec3;
  /** Radius of a sphere around `centre` that holds the part [m]. */
  readonly reach: number;
  /** Signed distance [m], negative inside. */
  distanceTo(x: number, y: number, z: number): number;
}

/** `axes`: three unit vectors along which the radii count. */
export class Ellipsoid implements ClayPart {
  readonly reach: number;
  /** Rows of the matrix that maps the ellipsoid to the unit sphere. */
  private readonly rows: Float64Array;
  private readonly least: number;

  constructor(
    readonly centre: Vec3,
    axes: readonly Vec3[],
    radii: readonly number[],
    readonly blend: number,
  ) {
    this.rows = Float64Array.from(axes.flatMap((axis, i) => axis.map((x) => x / radii[i])));
    this.reach = Math.max(...radii);
    this.least = Math.min(...radii);
  }

  /** (|s| − 1)/|∇|s||, s being the point mapped to the unit sphere. */
  distanceTo(px: number, py: number, pz: number): number {
    const m = this.rows;
    const x = px - this.centre[0];
    const y = py - this.centre[1];
    const z = pz - this.centre[2];
    const sx = m[0] * x + m[1] * y + m[2] * z;
    const sy = m[3] * x + m[4] * y + m[5] * z;
    const sz = m[6] * x + m[7] * y + m[8] * z;
    const gx = m[0] * sx + m[3] * sy + m[6] * sz;
    const gy = m[1] * sx + m[4] * sy + m[7] * sz;
    const gz = m[2] * sx + m[5] * sy + m[8] * sz;
    const square = sx * sx + sy * sy + sz * sz;
    if (square < 1e-12) return -this.least;
    return (square - Math.sqrt(square)) / Math.sqrt(gx * gx + gy * gy + gz * gz);
  }
}

/** An elliptic sheet with the half-widths `widths` along the first two axes, thickened by `radius` all around. */
export class Sheet implements ClayPart {
  readonly reach: number;

  constructor(
    readonly centre: Vec3,
    private readonly axes: readonly Vec3[],
    private readonly widths: readonly [number, number],
    private readonly radius: number,
    readonly blend: number,
  ) {
    this.reach = Math.max(...widths) + radius;
  }

  distanceTo(px: number, py: number, pz: number): number {
    const [a, b, c] = this.axes;
    const x = px - this.centre[0];
    const y = py - this.centre[1];
    const z = pz - this.centre[2];
    const sx = (a[0] * x + a[1] * y + a[2] * z) / this.widths[0];
    const sy = (b[0] * x + b[1] * y + b[2] * z) / this.widths[1];
    const height = c[0] * x + c[1] * y + c[2] * z;
    const square = sx * sx + sy * sy;
    if (square <= 1) return Math.abs(height) - this.radius;
    const gx = sx / this.widths[0];
    const gy = sy / this.widths[1];
    const beside = (square - Math.sqrt(square)) / Math.sqrt(gx * gx + gy * gy);
    return Math.sqrt(beside * beside + height * height) - this.radius;
  }
}

/** A ball with changing radius drawn along a polyline: x, y, z, radius per point. */
export class Limb implements ClayPart {
  readonly centre: Vec3;
  readonly reach: number;

  constructor(
    private readonly points: Float64Array,
    readonly blend: number,
  ) {
    const count = points.length / 4;
    const pointAt = (i: number): Vec3 => [points[4 * i], points[4 * i + 1], points[4 * i + 2]];
    this.centre = pointAt(Math.floor(count / 2));
    let reach = 0;
    for (let i = 0; i < count; i++) reach = Math.max(reach, distance(this.centre, pointAt(i)) + points[4 * i + 3]);
    this.reach = reach;
  }

  distanceTo(px: number, py: number, pz: number): number {
    const p = this.points;
    let nearest = Number.POSITIVE_INFINITY;
    for (let i = 0; i + 4 < p.length; i += 4) {
      const ux = p[i + 4] - p[i];
      const uy = p[i + 5] - p[i + 1];
      const uz = p[i + 6] - p[i + 2];
      const x = px - p[i];
      const y = py - p[i + 1];
      const z = pz - p[i + 2];
      const along = (x * ux + y * uy + z * uz) / (ux * ux + uy * uy + uz * uz);
      const t = Math.min(1, Math.max(0, along));
      const dx = x - t * ux;
      const dy = y - t * uy;
      const dz = z - t * uz;
      const radius = p[i + 3] + t * (p[i + 7] - p[i + 3]);
      nearest = Math.min(nearest, Math.sqrt(dx * dx + dy * dy + dz * dz) - radius);
    }
    return nearest;
  }
}
