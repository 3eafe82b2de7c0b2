// Follows a fast particle's way through an obstacle's frame by sphere tracing, so that it leaves on the side where it came in; see
// src/contact/obstacles/obstacle-contact.ts. Needs: collider, mesh-obstacle.

/** A particle that crosses more than this share of an obstacle's thickness in a step is swept along its way. */
const SWEEP_SHARE = 0.25;
/** Most steps along the way. */
const SWEEP_STEPS = 256;

struct Sweep { found: bool, hit: Hit }

/** From `origin` to `end`, both in the obstacle's frame; the normal becomes the world's. */
fn sweepObstacle(collider: Collider, origin: vec3f, end: vec3f) -> Sweep {
  let none = Sweep(false, Hit(FAR, vec3f(0.0, 1.0, 0.0)));
  let shortest = SWEEP_SHARE * collider.thinnest;
  let d = end - origin;
  let reach = length(d);
  if (!(reach > shortest)) { return none; }
  if (collider.kind == MESH) {
    let swept = sweepMesh(collider, origin, end);
    return Sweep(swept.found, Hit(swept.hit.distance, toWorldNormal(collider, swept.hit.normal)));
  }
  // Never less than a part of the thickness: a particle that grazes the surface gets along, and cannot step over it.
  let least = max(0.5 * shortest, reach / f32(SWEEP_STEPS));
  var travelled = 0.0;
  while (travelled < reach) {
    let x = origin + (travelled / reach) * d;
    let hit = measureLocal(collider, x);
    if (hit.distance < 1e-4 * reach) {
      // A particle that starts inside, or leaves, is none that came in from outside.
      if (hit.distance < -2.0 * least || dot(hit.normal, d) >= 0.0) { return none; }
      return Sweep(true, Hit(hit.distance + dot(end - x, hit.normal), toWorldNormal(collider, hit.normal)));
    }
    travelled += max(hit.distance, least);
  }
  return none;
}
