// An obstacle in the buffer `obstacles`: 16 vectors each, then what takes more than a formula (heights, trees of triangles). Distances
// and normals of the shapes in their own frames; see src/contact/obstacles/shapes.ts, glass.ts and heightfield.ts.
// Needs: step, obstacles.

const COLLIDER_VECTORS = 16u;
const PLANE = 0u;
const BOX = 1u;
const SPHERE = 2u;
const CAPSULE = 3u;
const CYLINDER = 4u;
const GLASS = 5u;
const HEIGHTFIELD = 6u;
const MESH = 7u;
const FAR = 1e30;

struct Collider {
  kind: u32,
  /** Where its heights or triangles begin. */
  solid: u32,
  group: u32,
  collidesWith: u32,
  friction: f32,
  /** A particle that moves further than a part of this is followed along its way [m]. */
  thinnest: f32,
  numbers: vec4f,
  /** Where it is at the end of the step, from the body's origin [m]; rows of its rotation as columns. */
  position: vec3f,
  turn: mat3x3f,
  /** How far it moved in the step [m], and its rotation at the start. */
  moved: vec3f,
  turnBefore: mat3x3f,
}

struct Hit { distance: f32, normal: vec3f }

fn obstacleVector(at: u32) -> vec4f {
  return bitcast<vec4f>(obstacles[at]);
}

fn loadCollider(n: u32, origin: vec3f) -> Collider {
  let at = COLLIDER_VECTORS * n;
  let head = obstacles[at];
  let more = obstacleVector(at + 1u);
  return Collider(
    head.x, head.y, head.z, head.w, more.x, more.y, obstacleVector(at + 2u),
    // Both are large far from the world's origin; their difference is exact.
    (obstacleVector(at + 3u).xyz - origin) + obstacleVector(at + 4u).xyz,
    mat3x3f(obstacleVector(at + 5u).xyz, obstacleVector(at + 6u).xyz, obstacleVector(at + 7u).xyz),
    obstacleVector(at + 8u).xyz,
    mat3x3f(obstacleVector(at + 9u).xyz, obstacleVector(at + 10u).xyz, obstacleVector(at + 11u).xyz),
  );
}

fn toLocal(collider: Collider, x: vec3f) -> vec3f {
  return collider.turn * (x - collider.position);
}

fn toLocalBefore(collider: Collider, x: vec3f) -> vec3f {
  return collider.turnBefore * (x - collider.position + collider.moved);
}

fn toWorldNormal(collider: Collider, n: vec3f) -> vec3f {
  return n * collider.turn;
}

/** How far the obstacle's point that is now at x moved in the step [m]. */
fn displacementAt(collider: Collider, x: vec3f) -> vec3f {
  let p = toLocal(collider, x);
  return collider.moved + p * collider.turn - p * collider.turnBefore;
}

fn signOf(x: f32) -> f32 {
  return select(1.0, -1.0, x < 0.0);
}

fn radial(p: vec3f, radius: f32) -> Hit {
  let r = length(p);
  if (r > 0.0) { return Hit(r - radius, p / r); }
  return Hit(-radius, vec3f(0.0, 1.0, 0.0));
}

fn measureBox(half: vec3f, p: vec3f) -> Hit {
  let d = abs(p) - half;
  let s = vec3f(signOf(p.x), signOf(p.y), signOf(p.z));
  if (all(d <= vec3f(0.0))) {
    if (d.x >= d.y && d.x >= d.z) { return Hit(d.x, vec3f(s.x, 0.0, 0.0)); }
    if (d.y >= d.z) { return Hit(d.y, vec3f(0.0, s.y, 0.0)); }
    return Hit(d.z, vec3f(0.0, 0.0, s.z));
  }
  let e = max(d, vec3f(0.0));
  let distance = length(e);
  return Hit(distance, s * e / distance);
}

fn measureCylinder(radius: f32, height: f32, p: vec3f) -> Hit {
  let r = length(p.xz);
  let u = select(vec2f(1.0, 0.0), p.xz / max(r, 1e-30), r > 0.0);
  let side = r - radius;
  let cap = abs(p.y) - 0.5 * height;
  let up = signOf(p.y);
  if (side > 0.0 && cap > 0.0) {
    let d = length(vec2f(side, cap));
    return Hit(d, vec3f(u.x * side, up * cap, u.y * side) / d);
  }
  if (side > cap) { return Hit(side, vec3f(u.x, 0.0, u.y)); }
  return Hit(cap, vec3f(0.0, up, 0.0));
}

/** The nearer of two sides of a glass: vector from it to the point, its normal. */
fn nearerSide(best: vec4f, d: vec2f, n: vec2f) -> vec4f {
  return select(best, vec4f(d, n), dot(d, d) < dot(best.xy, best.xy));
}

fn measureGlass(radius: f32, height: f32, wall: f32, p: vec3f) -> Hit {
  let r = length(p.xz);
  let u = select(vec2f(1.0, 0.0), p.xz / max(r, 1e-30), r > 0.0);
  let inner = radius - wall;
  let y = p.y;
  var side = vec4f(r - radius, y - clamp(y, 0.0, height), 1.0, 0.0);
  side = nearerSide(side, vec2f(r - clamp(r, inner, radius), y - height), vec2f(0.0, 1.0));
  side = nearerSide(side, vec2f(r - inner, y - clamp(y, wall, height)), vec2f(-1.0, 0.0));
  side = nearerSide(side, vec2f(r - clamp(r, 0.0, inner), y - wall), vec2f(0.0, 1.0));
  side = nearerSide(side, vec2f(r - clamp(r, 0.0, radius), y), vec2f(0.0, -1.0));
  let inside = r < radius && y > 0.0 && y < height && (r > inner || y < wall);
  let distance = select(1.0, -1.0, inside) * length(side.xy);
  // On the surface itself the side's own normal.
  var n = side.zw;
  if (abs(distance) > 1e-6 * radius) { n = side.xy / distance; }
  return Hit(distance, vec3f(n.x * u.x, n.y, n.x * u.y));
}

/** One of the heights behind the obstacles. */
fn heightAt(solid: u32, n: u32) -> f32 {
  return obstacleVector(solid + n / 4u)[n % 4u];
}

fn measureHeights(collider: Collider, p: vec3f) -> Hit {
  let columns = u32(collider.numbers.x);
  let rows = u32(collider.numbers.y);
  let cells = vec2f(f32(columns - 1u), f32(rows - 1u));
  let extent = collider.numbers.zw;
  let at = (p.xz / extent + vec2f(0.5)) * cells;
  if (!(all(at >= vec2f(0.0)) && all(at <= cells))) { return Hit(FAR, vec3f(0.0, 1.0, 0.0)); }
  let i = min(columns - 2u, u32(at.x));
  let j = min(rows - 2u, u32(at.y));
  let s = at.x - f32(i);
  let t = at.y - f32(j);
  let n = j * columns + i;
  let h00 = heightAt(collider.solid, n);
  let h10 = heightAt(collider.solid, n + 1u);
  let h01 = heightAt(collider.solid, n + columns);
  let h11 = heightAt(collider.solid, n + columns + 1u);
  let low = s + t <= 1.0;
  let corner = select(h10 + h01 - h11, h00, low);
  let along = select(vec2f(h11 - h01, h11 - h10), vec2f(h10 - h00, h01 - h00), low);
  let slope = along * cells / extent;
  let scale = inverseSqrt(1.0 + dot(slope, slope));
  return Hit((p.y - corner - s * along.x - t * along.y) * scale, vec3f(-slope.x, 1.0, -slope.y) * scale);
}

/** Signed distance [m] and outward normal at a point of the obstacle's own frame. */
fn measureLocal(collider: Collider, p: vec3f) -> Hit {
  let n = collider.numbers;
  switch (collider.kind) {
    case PLANE: { return Hit(dot(n.xyz, p) - n.w, n.xyz); }
    case BOX: { return measureBox(n.xyz, p); }
    case SPHERE: { return radial(p, n.x); }
    case CAPSULE: {
      let half = max(0.0, 0.5 * n.y - n.x);
      return radial(vec3f(p.x, p.y - clamp(p.y, -half, half), p.z), n.x);
    }
    case CYLINDER: { return measureCylinder(n.x, n.y, p); }
    case GLASS: { return measureGlass(n.x, n.y, n.z, p); }
    case HEIGHTFIELD: { return measureHeights(collider, p); }
    default: { return measureMesh(collider, p); }
  }
}

/** The same at a point relative to the body's origin. */
fn measureObstacle(collider: Collider, x: vec3f) -> Hit {
  let hit = measureLocal(collider, toLocal(collider, x));
  return Hit(hit.distance, toWorldNormal(collider, hit.normal));
}
