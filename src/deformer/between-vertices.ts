// How deep triangles reach into colliders between their vertices, which the finish has brought out.

import type { SurfacePoint } from '../contact/obstacles/surface-point.js';
import type { Contacts } from './contacts.js';
import type { FrameCollider } from './frame-collider.js';

/** Parts of an edge between points at which triangles are looked at. */
const SAMPLES = 4;
/** No point of a triangle is farther from its middle than its longest edge over √3. */
const MIDDLE_TO_CORNER = 0.58;

const seen: SurfacePoint = { distance: 0, nx: 0, ny: 0, nz: 0 };

/** Deepest that triangles are in colliders, at their corners and at points a quarter of their edges apart [half sizes]. */
export function deepestBetween(contacts: Contacts, positions: Float64Array, triangles: Uint32Array): number {
  const { colliders, takesPart } = contacts;
  let depth = 0;
  contacts.follow(positions);
  for (let t = 0; t < triangles.length; t += 3) {
    const i = triangles[t];
    const j = triangles[t + 1];
    const k = triangles[t + 2];
    const longest = longestEdge(positions, i, j, k);
    // All of a triangle is within its longest edge of a corner.
    if (!contacts.mayBeNear(i, longest)) continue;
    for (let c = 0; c < colliders.length; c++) {
      const takes = takesPart[c];
      if (takes[i] + takes[j] + takes[k] < 3) continue;
      measureAt(colliders[c], positions, i, j, k, 1 / 3, 1 / 3);
      if (seen.distance > MIDDLE_TO_CORNER * longest) continue;
      // A half-space is deepest at a corner.
      const parts = colliders[c].flatNormal ? 1 : SAMPLES;
      for (let u = 0; u <= parts; u++) {
        for (let v = 0; u + v <= parts; v++) {
          measureAt(colliders[c], positions, i, j, k, u / parts, v / parts);
          if (-seen.distance > depth) depth = -seen.distance;
        }
      }
    }
  }
  return depth;
}

/** Measures at a point of a triangle, u towards its first corner and v towards its second. */
function measureAt(
  collider: FrameCollider,
  p: Float64Array,
  i: number,
  j: number,
  k: number,
  u: number,
  v: number,
): void {
  const w = 1 - u - v;
  const x = u * p[3 * i] + v * p[3 * j] + w * p[3 * k];
  const y = u * p[3 * i + 1] + v * p[3 * j + 1] + w * p[3 * k + 1];
  collider.measure(x, y, u * p[3 * i + 2] + v * p[3 * j + 2] + w * p[3 * k + 2], seen);
}

function longestEdge(p: Float64Array, i: number, j: number, k: number): number {
  return Math.sqrt(Math.max(squaredEdge(p, 3 * i, 3 * j), squaredEdge(p, 3 * j, 3 * k), squaredEdge(p, 3 * k, 3 * i)));
}

function squaredEdge(p: Float64Array, a: number, b: number): number {
  const x = p[b] - p[a];
  const y = p[b + 1] - p[a + 1];
  const z = p[b + 2] - p[a + 2];
  return x * x + y * y + z * z;
}
