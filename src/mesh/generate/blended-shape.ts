// Shapes modelled like clay: ellipsoids, sheets and limbs that melt into each other, as a field (negative inside) that is
// close to the distance from the surface.
// Based on: the quadratic smooth minimum, I. Quílez, "Smooth minimum", 2013; limbs follow a spline by E. Catmull,
// R. Rom, "A class of local interpolating splines", 1974.

import { fromAxisAngle, IDENTITY, rotate } from '../../math/quaternion.js';
import type { Vec3 } from '../../math/vec3.js';
import type { Field } from '../remesh/polygonise.js';
import { type ClayPart, Ellipsoid, Limb, Sheet } from './clay-parts.js';

export interface PartOptions {
  /** Width over which the part melts into what was added before it [m]. */
  readonly blend: number;
  /** Also add the part's mirror image at −x. */
  readonly mirrored?: boolean;
  /** Turns ellipsoids and sheets: axis and angle [rad]. */
  readonly turn?: readonly [axis: Vec3, angle: number];
}

export type LimbPoint = readonly [x: number, y: number, z: number, radius: number];

/** Straight pieces per span of a limb's spline. */
const PIECES = 4;

export class BlendedShape {
  private readonly parts: ClayPart[] = [];
  private floor = Number.NEGATIVE_INFINITY;
  private floorBlend = 1;

  /** `thinnest`: no part has a radius and no crease a width below this [m], so a coarse mesh can carry them. */
  constructor(private readonly thinnest = 0) {}

  ellipsoid(centre: Vec3, radii: Vec3, options: PartOptions): this {
    const thick = radii.map((radius) => Math.max(radius, this.thinnest));
    for (const side of sides(options)) {
      this.parts.push(new Ellipsoid(mirror(centre, side), axesOf(options, side), thick, this.blendOf(options)));
    }
    return this;
  }

  /** An elliptic sheet in its x-y plane before turning, thickened by `radius`. */
  sheet(centre: Vec3, widths: readonly [number, number], radius: number, options: PartOptions): this {
    const thick = Math.max(radius, this.thinnest);
    for (const side of sides(options)) {
      this.parts.push(new Sheet(mirror(centre, side), axesOf(options, side), widths, thick, this.blendOf(options)));
    }
    return this;
  }

  /** A ball of changing radius drawn along a smooth curve through the points. */
  limb(points: readonly LimbPoint[], options: PartOptions): this {
    const curve = followSpline(points);
    for (let i = 3; i < curve.length; i += 4) curve[i] = Math.max(curve[i], this.thinnest);
    for (const side of sides(options)) {
      this.parts.push(
        new Limb(
          curve.map((value, i) => (i % 4 === 0 ? side * value : value)),
          options.blend,
        ),
      );
    }
    return this;
  }

  /** Cuts off everything below y, rounding the edge over `blend` [m]. */
  standOn(y: number, blend: number): this {
    this.floor = y;
    this.floorBlend = Math.max(blend, this.thinnest);
    return this;
  }

  /** Creases narrower than the thinnest part are filled too: a coarse mesh would cut through itself there. */
  private blendOf({ blend }: PartOptions): number {
    return Math.max(blend, this.thinnest);
  }

  toField(): Field {
    const { parts, floor, floorBlend } = this;
    return (x, y, z) => {
      let value = 1e9;
      for (let i = 0; i < parts.length; i++) {
        const part = parts[i];
        // A part too far away to matter is passed over without asking for its distance.
        const radius = value + part.blend + part.reach;
        const dx = x - part.centre[0];
        const dy = y - part.centre[1];
        const dz = z - part.centre[2];
        if (radius > 0 && dx * dx + dy * dy + dz * dz > radius * radius) continue;
        value = smoothMinimum(value, part.distanceTo(x, y, z), part.blend);
      }
      return -smoothMinimum(-value, y - floor, floorBlend);
    };
  }
}

const sides = ({ mirrored }: PartOptions): number[] => (mirrored ? [1, -1] : [1]);
const mirror = (v: Vec3, side: number): Vec3 => [side * v[0], v[1], v[2]];

function axesOf({ turn }: PartOptions, side: number): Vec3[] {
  const q = turn ? fromAxisAngle(turn[0], turn[1]) : IDENTITY;
  const axes: Vec3[] = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  return axes.map((axis) => mirror(rotate(q, axis), side));
}

function smoothMinimum(a: number, b: number, width: number): number {
  const overlap = width - Math.abs(a - b);
  return Math.min(a, b) - (overlap > 0 ? (overlap * overlap) / (4 * width) : 0);
}

/** x, y, z, radius of points along the curve through `points`; the ends are prolonged straight. */
function followSpline(points: readonly LimbPoint[]): Float64Array {
  const last = points.length - 1;
  if (last === 1) return Float64Array.from(points.flat());
  const out: number[] = [];
  for (let i = 0; i < last; i++) {
    for (let piece = 0; piece < PIECES; piece++) {
      const t = piece / PIECES;
      for (let k = 0; k < 4; k++) {
        const b = points[i][k];
        const c = points[i + 1][k];
        const a = i > 0 ? points[i - 1][k] : 2 * b - c;
        const d = i + 1 < last ? points[i + 2][k] : 2 * c - b;
        const bend = 2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a);
        out.push(b + 0.5 * t * (c - a + t * bend));
      }
    }
  }
  out.push(...points[last]);
  return Float64Array.from(out);
}
