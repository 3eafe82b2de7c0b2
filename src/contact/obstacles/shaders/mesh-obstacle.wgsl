// A triangle mesh as an obstacle, solid or a sheet with two sides; see src/contact/obstacles/mesh-obstacle.ts. Its tree: two vectors per
// node (low and count, high and link), then four per triangle (corners, normal) in the tree's order.
// Numbers: 1 for a closed mesh, distance kept from a sheet, distance that is rounding, vectors from the nodes to the triangles.
// Needs: obstacles; collider.

/** Deepest tree that the stack holds. */
const STACK = 48u;
/** Squared distances that differ by less than this share are the same: two triangles at one edge. */
const SAME_DISTANCE = 1e-5;
/** Depth up to which a particle in a closed mesh is one that lies on it, as a share of the mesh's size. */
const SURFACE_DEPTH = 1e-3;
/** How far outside a triangle a crossing still counts, in weights: neighbours overlap, so that no edge lets pass. */
const EDGE_SLACK = 1e-6;

/** The triangle nearest to a point: squared distance, vector from it, height over its plane, its normal. */
struct Nearest { square: f32, vector: vec3f, height: f32, normal: vec3f }

fn squareToBox(node: u32, p: vec3f) -> f32 {
  let d = max(vec3f(0.0), max(obstacleVector(node).xyz - p, p - obstacleVector(node + 1u).xyz));
  return dot(d, d);
}

fn shareOf(a: f32, b: f32) -> f32 {
  return select(0.0, clamp(a / b, 0.0, 1.0), b > 0.0);
}

/** From the nearest point of the triangle (0, u, v) to p. */
fn fromTriangle(p: vec3f, u: vec3f, v: vec3f) -> vec3f {
  let uu = dot(u, u);
  let uv = dot(u, v);
  let vv = dot(v, v);
  let d1 = dot(u, p);
  let d2 = dot(v, p);
  let area = uu * vv - uv * uv;
  let nb = vv * d1 - uv * d2;
  let nc = uu * d2 - uv * d1;
  if (nb > 0.0 && nc > 0.0 && nb + nc < area) { return p - (nb / area) * u - (nc / area) * v; }
  let e = v - u;
  let q = p - u;
  var best = p - shareOf(d1, uu) * u;
  let second = p - shareOf(d2, vv) * v;
  if (dot(second, second) < dot(best, best)) { best = second; }
  let third = q - shareOf(dot(e, q), dot(e, e)) * e;
  if (dot(third, third) < dot(best, best)) { best = third; }
  return best;
}

fn findNearest(collider: Collider, p: vec3f) -> Nearest {
  let triangles = collider.solid + u32(collider.numbers.w);
  var found = Nearest(FAR, vec3f(0.0), 0.0, vec3f(0.0, 1.0, 0.0));
  var stack: array<u32, STACK>;
  stack[0] = 0u;
  var top = 1u;
  while (top > 0u) {
    top--;
    let node = collider.solid + 2u * stack[top];
    if (squareToBox(node, p) > found.square * (1.0 + SAME_DISTANCE)) { continue; }
    let count = obstacles[node].w;
    let link = obstacles[node + 1u].w;
    for (var n = link; n < link + count; n++) {
      let at = triangles + 4u * n;
      let a = obstacleVector(at).xyz;
      let r = fromTriangle(p - a, obstacleVector(at + 1u).xyz - a, obstacleVector(at + 2u).xyz - a);
      let square = dot(r, r);
      if (square > found.square * (1.0 + SAME_DISTANCE)) { continue; }
      let normal = obstacleVector(at + 3u).xyz;
      let height = dot(normal, r);
      // Of two triangles at one edge the one that the point faces more tells inside from outside.
      if (square >= found.square * (1.0 - SAME_DISTANCE) && abs(height) <= abs(found.height)) { continue; }
      found = Nearest(square, r, height, normal);
    }
    if (count > 0u || top + 2u > STACK) { continue; }
    let left = (node - collider.solid) / 2u + 1u;
    let leftFirst = squareToBox(collider.solid + 2u * left, p) <= squareToBox(collider.solid + 2u * link, p);
    stack[top] = select(left, link, leftFirst);
    stack[top + 1u] = select(link, left, leftFirst);
    top += 2u;
  }
  return found;
}

fn measureMesh(collider: Collider, p: vec3f) -> Hit {
  let thickness = collider.numbers.y;
  let outside = sqrt(squareToBox(collider.solid, p));
  if (outside > thickness) { return Hit(outside - thickness, vec3f(0.0, 1.0, 0.0)); }
  let near = findNearest(collider, p);
  let distance = sqrt(near.square);
  let inside = collider.numbers.x > 0.0 && near.height < 0.0;
  var result = select(distance, -distance, inside) - thickness;
  // A particle that was put on the surface is there but for rounding.
  if (abs(result) < collider.numbers.z) { result = 0.0; }
  if (!(distance > 0.0)) { return Hit(result, near.normal); }
  return Hit(result, select(1.0, -1.0, inside) * near.vector / distance);
}

/** Share of the way at which it crosses a triangle; 2 for none. */
fn crossing(at: u32, origin: vec3f, displacement: vec3f) -> f32 {
  let a = obstacleVector(at).xyz;
  let u = obstacleVector(at + 1u).xyz - a;
  let v = obstacleVector(at + 2u).xyz - a;
  let p = cross(displacement, v);
  let determinant = dot(u, p);
  if (determinant == 0.0) { return 2.0; }
  let s = origin - a;
  let wb = dot(s, p) / determinant;
  let q = cross(s, u);
  let wc = dot(displacement, q) / determinant;
  if (wb < -EDGE_SLACK || wc < -EDGE_SLACK || wb + wc > 1.0 + EDGE_SLACK) { return 2.0; }
  let t = dot(v, q) / determinant;
  return select(2.0, t, t >= 0.0 && t <= 1.0);
}

/** For a way that begins on the surface or just below it and goes in: against the plane above its begin. */
fn leaveFrom(collider: Collider, origin: vec3f, displacement: vec3f) -> Sweep {
  let none = Sweep(false, Hit(FAR, vec3f(0.0, 1.0, 0.0)));
  let rounding = collider.numbers.z;
  if (squareToBox(collider.solid, origin) > rounding * rounding) { return none; }
  let near = findNearest(collider, origin);
  let diagonal = obstacleVector(collider.solid + 1u).xyz - obstacleVector(collider.solid).xyz;
  if (near.height > rounding || near.square > SURFACE_DEPTH * SURFACE_DEPTH * dot(diagonal, diagonal)) { return none; }
  let along = dot(near.normal, displacement);
  if (along >= 0.0) { return none; }
  return Sweep(true, Hit(near.height + along, near.normal));
}

/** The first triangle on the way between two points of the mesh's frame; of a closed mesh only from outside, or from its surface. */
fn sweepMesh(collider: Collider, origin: vec3f, end: vec3f) -> Sweep {
  let triangles = collider.solid + u32(collider.numbers.w);
  let displacement = end - origin;
  let low = min(origin, end);
  let high = max(origin, end);
  var first = 2.0;
  var hit = 0u;
  var stack: array<u32, STACK>;
  stack[0] = 0u;
  var top = 1u;
  while (top > 0u) {
    top--;
    let node = collider.solid + 2u * stack[top];
    if (any(high < obstacleVector(node).xyz) || any(low > obstacleVector(node + 1u).xyz)) { continue; }
    let count = obstacles[node].w;
    let link = obstacles[node + 1u].w;
    for (var n = link; n < link + count; n++) {
      let t = crossing(triangles + 4u * n, origin, displacement);
      if (t < first) {
        first = t;
        hit = triangles + 4u * n;
      }
    }
    if (count > 0u || top + 2u > STACK) { continue; }
    stack[top] = link;
    stack[top + 1u] = (node - collider.solid) / 2u + 1u;
    top += 2u;
  }
  let closed = collider.numbers.x > 0.0;
  if (hit == 0u) {
    if (closed) { return leaveFrom(collider, origin, displacement); }
    return Sweep(false, Hit(FAR, vec3f(0.0, 1.0, 0.0)));
  }
  let normal = obstacleVector(hit + 3u).xyz;
  let along = dot(normal, displacement);
  if (closed && along >= 0.0) { return leaveFrom(collider, origin, displacement); }
  let side = select(-1.0, 1.0, along < 0.0);
  return Sweep(true, Hit(-abs(along) * (1.0 - first) - collider.numbers.y, side * normal));
}
