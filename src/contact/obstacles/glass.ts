// A drinking glass: a cylinder along Y with a bottom, open at the top. Its foot stands on its origin.

import type { SurfacePoint } from './surface-point.js';

/** Lengths in metres. */
export interface Glass {
  readonly shape: 'glass';
  /** Outer radius. */
  readonly radius: number;
  /** From the foot to the rim. */
  readonly height: number;
  /** Thickness of wall and bottom. */
  readonly wall: number;
}

/**
 * Signed distance and normal. In the half-plane of radius and height the glass is a figure L, and what is nearest is one
 * of its sides: outside, rim, inside, floor, underside.
 */
export function measureGlass(
  { radius, height, wall }: Glass,
  x: number,
  y: number,
  z: number,
  out: SurfacePoint,
): void {
  const r = Math.sqrt(x * x + z * z);
  const ux = r > 0 ? x / r : 1;
  const uz = r > 0 ? z / r : 0;
  const inner = radius - wall;
  side.square = Infinity;
  trySide(r - radius, y - clamp(y, 0, height), 1, 0);
  trySide(r - clamp(r, inner, radius), y - height, 0, 1);
  trySide(r - inner, y - clamp(y, wall, height), -1, 0);
  trySide(r - clamp(r, 0, inner), y - wall, 0, 1);
  trySide(r - clamp(r, 0, radius), y, 0, -1);
  const inside = r < radius && y > 0 && y < height && (r > inner || y < wall);
  const distance = (inside ? -1 : 1) * Math.sqrt(side.square);
  // On the surface itself the side's own normal.
  const far = Math.abs(distance) > 1e-9 * radius;
  const nr = far ? side.dr / distance : side.nr;
  const ny = far ? side.dy / distance : side.ny;
  out.distance = distance;
  out.nx = nr * ux;
  out.ny = ny;
  out.nz = nr * uz;
}

/** The nearest side so far: squared distance, vector from it to the point, its normal. */
const side = { square: 0, dr: 0, dy: 0, nr: 0, ny: 0 };

function trySide(dr: number, dy: number, nr: number, ny: number): void {
  const square = dr * dr + dy * dy;
  if (square >= side.square) return;
  side.square = square;
  side.dr = dr;
  side.dy = dy;
  side.nr = nr;
  side.ny = ny;
}

const clamp = (value: number, low: number, high: number): number => Math.max(low, Math.min(high, value));
