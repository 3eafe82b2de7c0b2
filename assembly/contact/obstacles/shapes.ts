// Signed distance and outward normal of the obstacle shapes in their own frame. Mirrors src/contact/obstacles/shapes.ts.

import {
  COLLIDER_NUMBERS, SHAPE_BOX, SHAPE_CAPSULE, SHAPE_CYLINDER, SHAPE_GLASS, SHAPE_HEIGHTFIELD, SHAPE_MESH, SHAPE_PLANE,
} from '../../layout';
import { measureGlass } from './glass';
import { measureHeightfield } from './heightfield';
import { setResult as set } from '../narrow-phase/measured';
import { measureMesh } from './mesh-obstacle';

export function measureDistance(shape: i32, collider: usize, x: f32, y: f32, z: f32): void {
  const a = <f32>load<f64>(collider + COLLIDER_NUMBERS);
  const b = <f32>load<f64>(collider + COLLIDER_NUMBERS, 8);
  const c = <f32>load<f64>(collider + COLLIDER_NUMBERS, 16);
  if (shape == SHAPE_PLANE) {
    // A plane's frame begins on it, see collider.ts.
    set(a * x + b * y + c * z, a, b, c);
  } else if (shape == SHAPE_BOX) {
    boxDistance(a, b, c, x, y, z);
  } else if (shape == SHAPE_CYLINDER) {
    cylinderDistance(a, b, x, y, z);
  } else if (shape == SHAPE_GLASS) {
    measureGlass(a, b, c, x, y, z);
  } else if (shape == SHAPE_MESH) {
    measureMesh(collider, x, y, z);
  } else if (shape == SHAPE_HEIGHTFIELD) {
    measureHeightfield(collider, x, y, z);
  } else {
    const half: f32 = shape == SHAPE_CAPSULE ? max<f32>(0, b - a) : 0;
    radial(x, y - max(-half, min(half, y)), z, a);
  }
}

function boxDistance(hx: f32, hy: f32, hz: f32, x: f32, y: f32, z: f32): void {
  const dx = abs(x) - hx;
  const dy = abs(y) - hy;
  const dz = abs(z) - hz;
  const sx: f32 = x < 0 ? -1 : 1;
  const sy: f32 = y < 0 ? -1 : 1;
  const sz: f32 = z < 0 ? -1 : 1;
  if (dx <= 0 && dy <= 0 && dz <= 0) {
    if (dx >= dy && dx >= dz) set(dx, sx, 0, 0);
    else if (dy >= dz) set(dy, 0, sy, 0);
    else set(dz, 0, 0, sz);
    return;
  }
  const ex = max<f32>(dx, 0);
  const ey = max<f32>(dy, 0);
  const ez = max<f32>(dz, 0);
  const d = sqrt(ex * ex + ey * ey + ez * ez);
  set(d, (sx * ex) / d, (sy * ey) / d, (sz * ez) / d);
}

function cylinderDistance(radius: f32, half: f32, x: f32, y: f32, z: f32): void {
  const r = sqrt(x * x + z * z);
  const ux: f32 = r > 0 ? x / r : 1;
  const uz: f32 = r > 0 ? z / r : 0;
  const side = r - radius;
  const cap = abs(y) - half;
  const up: f32 = y < 0 ? -1 : 1;
  if (side > 0 && cap > 0) {
    const d = sqrt(side * side + cap * cap);
    set(d, (ux * side) / d, (up * cap) / d, (uz * side) / d);
  } else if (side > cap) set(side, ux, 0, uz);
  else set(cap, 0, up, 0);
}

function radial(x: f32, y: f32, z: f32, radius: f32): void {
  const r = sqrt(x * x + y * y + z * z);
  if (r > 0) set(r - radius, x / r, y / r, z / r);
  else set(-radius, 0, 1, 0);
}
