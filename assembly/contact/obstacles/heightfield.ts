// A landscape: heights over a grid, solid below. Mirrors src/contact/obstacles/heightfield.ts. Its numbers: extents along x and z,
// columns and rows.

import { COLLIDER_NODES, COLLIDER_NUMBERS } from '../../layout';
import { setResult } from '../narrow-phase/measured';

export function measureHeightfield(collider: usize, x: f32, y: f32, z: f32): void {
  const width = <f32>load<f64>(collider + COLLIDER_NUMBERS);
  const length = <f32>load<f64>(collider + COLLIDER_NUMBERS, 8);
  const columns = <i32>load<f64>(collider + COLLIDER_NUMBERS, 16);
  const rows = <i32>load<f64>(collider + COLLIDER_NUMBERS, 24);
  const heights: usize = load<u32>(collider + COLLIDER_NODES);
  const u = (x / width + <f32>0.5) * <f32>(columns - 1);
  const v = (z / length + <f32>0.5) * <f32>(rows - 1);
  if (!(u >= 0 && v >= 0 && u <= <f32>(columns - 1) && v <= <f32>(rows - 1))) {
    // Beyond the border there is nothing; but from there to it is as far as the plan says.
    const dx = max<f32>(0, abs(x) - <f32>0.5 * width);
    const dz = max<f32>(0, abs(z) - <f32>0.5 * length);
    setResult(sqrt(dx * dx + dz * dz) + <f32>1e-30, 0, 1, 0);
    return;
  }
  const i = min(columns - 2, <i32>floor(u));
  const j = min(rows - 2, <i32>floor(v));
  const at = heights + (<usize>(j * columns + i) << 2);
  const below = at + (<usize>columns << 2);
  const s = u - <f32>i;
  const t = v - <f32>j;
  let corner: f32;
  let alongX: f32;
  let alongZ: f32;
  if (s + t <= 1) {
    corner = load<f32>(at);
    alongX = load<f32>(at, 4) - corner;
    alongZ = load<f32>(below) - corner;
  } else {
    corner = load<f32>(at, 4) + load<f32>(below) - load<f32>(below, 4);
    alongX = load<f32>(below, 4) - load<f32>(below);
    alongZ = load<f32>(below, 4) - load<f32>(at, 4);
  }
  const slopeX = (alongX * <f32>(columns - 1)) / width;
  const slopeZ = (alongZ * <f32>(rows - 1)) / length;
  const scale = <f32>1 / sqrt(<f32>1 + slopeX * slopeX + slopeZ * slopeZ);
  setResult((y - corner - s * alongX - t * alongZ) * scale, -slopeX * scale, scale, -slopeZ * scale);
}
