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
  let depth = 0;
  contacts.follow(positions);
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = triangles.subarray(t, t + 3);
    const longest = longestEdge(positions, corners);
    // All of a triangle is within its longest edge of a corner.
    if (!contacts.mayBeNear(corners[0], longest)) continue;
    contacts.colliders.forEach((collider, c) => {
      const takes = contacts.takesPart[c];
      if (takes[corners[0]] + takes[corners[1]] + takes[corners[2]] < 3) return;
      if (distanceAt(collider, positions, corners, 1 / 3, 1 / 3) > MIDDLE_TO_CORNER * longest) return;
      for (let i = 0; i <= SAMPLES; i++) {
        for (let j = 0; i + j <= SAMPLES; j++) {
          depth = Math.max(depth, -distanceAt(collider, positions, corners, i / SAMPLES, j / SAMPLES));
        }
      }
    });
  }
  return depth;
}

/** Distance of a point of a triangle, u towards its first corner and v towards its second. */
function distanceAt(collider: FrameCollider, p: Float64Array, corners: Uint32Array, u: number, v: number): number {
  const [a, b, c] = [3 * corners[0], 3 * corners[1], 3 * corners[2]];
  const w = 1 - u - v;
  const x = u * p[a] + v * p[b] + w * p[c];
  const y = u * p[a + 1] + v * p[b + 1] + w * p[c + 1];
  collider.measure(x, y, u * p[a + 2] + v * p[b + 2] + w * p[c + 2], seen);
  return seen.distance;
}

function longestEdge(p: Float64Array, [i, j, k]: Uint32Array): number {
  return Math.sqrt(Math.max(squaredEdge(p, 3 * i, 3 * j), squaredEdge(p, 3 * j, 3 * k), squaredEdge(p, 3 * k, 3 * i)));
}

function squaredEdge(p: Float64Array, a: number, b: number): number {
  const x = p[b] - p[a];
  const y = p[b + 1] - p[a + 1];
  const z = p[b + 2] - p[a + 2];
  return x * x + y * y + z * z;
}
