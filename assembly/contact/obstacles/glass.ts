// A drinking glass, see src/contact/obstacles/glass.ts: in the half-plane of radius and height it is a figure L of five sides.

import { setResult } from '../narrow-phase/measured';

// The nearest side so far: squared distance, vector from it to the point, its normal.
let square: f32 = 0;
let sideR: f32 = 0;
let sideY: f32 = 0;
let normalR: f32 = 0;
let normalY: f32 = 0;

export function measureGlass(radius: f32, height: f32, wall: f32, x: f32, y: f32, z: f32): void {
  const r = sqrt(x * x + z * z);
  const ux: f32 = r > 0 ? x / r : 1;
  const uz: f32 = r > 0 ? z / r : 0;
  const inner = radius - wall;
  // In the glass only its inside and its floor can be nearest.
  if (r < inner && y > wall && y <= height) {
    const side = inner - r;
    const above = y - wall;
    if (side < above) setResult(side, -ux, 0, -uz);
    else setResult(above, 0, 1, 0);
    return;
  }
  square = Infinity;
  trySide(r - radius, y - clamp(y, 0, height), 1, 0);
  trySide(r - clamp(r, inner, radius), y - height, 0, 1);
  trySide(r - inner, y - clamp(y, wall, height), -1, 0);
  trySide(r - clamp(r, 0, inner), y - wall, 0, 1);
  trySide(r - clamp(r, 0, radius), y, 0, -1);
  const inside = r < radius && y > 0 && y < height && (r > inner || y < wall);
  const distance = (inside ? <f32>-1 : <f32>1) * sqrt(square);
  // On the surface itself the side's own normal.
  const far = abs(distance) > <f32>1e-6 * radius;
  const nr = far ? sideR / distance : normalR;
  const ny = far ? sideY / distance : normalY;
  setResult(distance, nr * ux, ny, nr * uz);
}

function trySide(dr: f32, dy: f32, nr: f32, ny: f32): void {
  const candidate = dr * dr + dy * dy;
  if (candidate >= square) return;
  square = candidate;
  sideR = dr;
  sideY = dy;
  normalR = nr;
  normalY = ny;
}

// @ts-ignore: decorator
@inline function clamp(value: f32, low: f32, high: f32): f32 {
  return max(low, min(high, value));
}
