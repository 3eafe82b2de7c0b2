// How deep a body lies in what it may touch.

import { mayTouch } from '../contact/groups.js';
import { deepestPenetration } from '../contact/obstacles/obstacle-contact.js';
import { depthInside } from '../contact/soft/body-depth.js';
import type { Body } from './body.js';
import type { WorldParts } from './world-parts.js';

/** Depth of a body's deepest vertex inside any obstacle or other body that it may touch now [m]. */
export function penetrationOf({ bodies, colliders }: WorldParts, body: Body): number {
  const obstacles = colliders.inner.filter((one) => !one.sensor && mayTouch(body, one));
  let deepest = deepestPenetration(obstacles, body.positions);
  for (const other of bodies.facades) {
    if (other === body || !mayTouch(body, other)) continue;
    deepest = Math.max(deepest, depthInside(body.positions, other.positions, other.mesh.triangles));
  }
  return deepest;
}
