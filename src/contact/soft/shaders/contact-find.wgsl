// Contact of bodies: for each vertex the nearest triangle of another body at the start of the step, or of its own where that was not near
// at rest, among those round the nearest vertices, which it leaves to contact-edges. Normal and gap as
// src/contact/narrow-phase/vertex-contacts.ts has them.
// uses: chunk, cells, ring-normal, nearest-of-triangle, contact-masses

@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read> topology: array<u32>; // chunks, rings
@group(0) @binding(3) var<storage, read> frames: array<Frame>; // origins of the bodies
@group(0) @binding(4) var<storage, read> rest: array<ParticleRest>; // shares of the mass
@group(0) @binding(5) var<storage, read> positions: array<vec4f>; // xⁿ [m]; w = 1 where pinned
@group(0) @binding(6) var<storage, read> grid: array<u32>;
@group(0) @binding(7) var<storage, read_write> bodyContacts: array<BodyContact>; // of vertices, then of edges

/** Vertices of others whose triangles are looked at. */
const NEAREST = 4;
/** Cosine from which on a surface has a crease. */
const CREASE = 0.866;
const NO_DISTANCE = 1e-3;
/** Share of their square by which distances to triangles at one edge differ, and of the edges by which points on them do. */
const SAME_DISTANCE = 1e-5;
const ROUNDING = 1e-6;
/** The other side of a vertex: its normal where the surface is smooth, else that of the triangle. */
fn sideAt(vertex: u32, flat: vec3f) -> vec3f {
  let normal = ringNormal(vertex);
  let size = length(normal);
  if (size > 0.0 && dot(normal, flat) > CREASE * size) { return normal / size; }
  return flat;
}

/** Whether a vertex is on the far side of the triangle that it was kept from in the step before. */
fn hasPassed(vertex: u32, before: BodyContact) -> bool {
  let c = before.corners;
  let w = before.weights;
  let point = w.x * positions[c.x].xyz + w.y * positions[c.y].xyz + w.z * positions[c.z].xyz;
  return dot(before.normal.xyz, positions[vertex].xyz - point) < 0.0;
}

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  if (step.touching == 0u) { return; }
  let number = topology[group.x];
  let body = bodies[number];
  let i = CHUNK * group.x + lane;
  let before = bodyContacts[i];
  let wasOwn = before.corners.w == 1u && topology[before.corners.x / CHUNK] == number;
  bodyContacts[i].corners = vec4u(0u);
  let edges = CHUNK * step.chunkCount + i;
  bodyContacts[edges].corners = vec4u(0u);
  if (i >= body.first + body.count) { return; }
  let shift = frames[number].origin.xyz - frames[0].origin.xyz;
  let x = positions[i].xyz + shift;
  var squares = vec4f(1e30);
  var vertices = vec4u(0u);
  let cell = cellOf(x);
  for (var n = 0; n < 27; n++) {
    let near = cell + vec3i(n % 3 - 1, (n / 3) % 3 - 1, n / 9 - 1);
    for (var at = grid[tableAt(near)]; at > 0u; at = grid[step.cellCount + at - 1u]) {
      let j = at - 1u;
      let other = topology[j / CHUNK];
      if (other == number && !mayTouchOwn(body, i, j)) { continue; }
      let its = bodies[other];
      if ((body.group & its.collidesWith) == 0u || (its.group & body.collidesWith) == 0u) { continue; }
      if ((body.flags & its.flags & ASLEEP) != 0u) { continue; }
      let y = positions[j].xyz + (frames[other].origin.xyz - frames[0].origin.xyz);
      // Two cells may share a list: what is not in this cell comes again.
      if (any(cellOf(y) != near)) { continue; }
      let d = positions[i].xyz - positions[j].xyz + (frames[number].origin.xyz - frames[other].origin.xyz);
      let square = dot(d, d);
      var at4 = 4;
      for (var k = 3; k >= 0; k--) {
        if (square < squares[k] || (square == squares[k] && j < vertices[k])) { at4 = k; }
      }
      for (var k = 3; k > at4; k--) {
        squares[k] = squares[k - 1];
        vertices[k] = vertices[k - 1];
      }
      if (at4 < 4) {
        squares[at4] = square;
        vertices[at4] = j;
      }
    }
  }
  // As many as were found, from 1.
  bodyContacts[edges].corners = select(vec4u(0u), vertices + vec4u(1u), squares < vec4f(1e30));
  var best = 1e30;
  var height = 0.0;
  var contact = BodyContact();
  var away = vec3f(0.0);
  var flat = vec3f(0.0);
  for (var n = 0; n < NEAREST; n++) {
    if (squares[n] >= 1e30) { break; }
    let a = vertices[n];
    let other = topology[a / CHUNK];
    let p = positions[i].xyz - positions[a].xyz + (frames[number].origin.xyz - frames[other].origin.xyz);
    let begin = topology[step.ringOffsets + a];
    let end = topology[step.ringOffsets + a + 1u];
    var b = topology[step.rings + end - 1u];
    for (var e = begin; e < end; e++) {
      let c = topology[step.rings + e];
      let u = positions[b].xyz - positions[a].xyz;
      let v = positions[c].xyz - positions[a].xyz;
      let weights = nearestWeights(p, u, v);
      let r = p - weights.x * u - weights.y * v;
      let square = dot(r, r);
      let normal = cross(u, v);
      let area = length(normal);
      let up = select(0.0, dot(normal, r) / area, area > 0.0);
      // Of two triangles at one edge the one that the vertex faces more. A point is known to a share of the edges.
      let same = SAME_DISTANCE * best + 2.0 * ROUNDING * sqrt(best * max(dot(u, u), dot(v, v)));
      if (square < best - same || (square <= best + same && abs(up) > abs(height))) {
        best = square;
        height = up;
        away = r;
        flat = normal / max(area, 1e-30);
        contact.corners = vec4u(a, b, c, 1u);
        contact.weights = vec4f(1.0 - weights.x - weights.y, weights, 0.0);
      }
      b = c;
    }
  }
  if (contact.corners.w == 0u) { return; }
  let its = bodies[topology[contact.corners.x / CHUNK]];
  let thickness = THICKNESS * min(body.edge, its.edge);
  let distance = sqrt(best);
  if (distance > step.cellSize) { return; }
  // Of another body the outside is where a vertex belongs; of its own the side on which it is, unless it got there through the contact before.
  let isOwn = topology[contact.corners.x / CHUNK] == number;
  if (isOwn && distance <= NO_DISTANCE * thickness) { return; }
  let own = select(1.0, -1.0, isOwn && ((height < 0.0) != (wasOwn && hasPassed(i, before))));
  let side = select(1.0, -1.0, own * height < 0.0);
  let w = contact.weights.xyz;
  let corners = contact.corners;
  let smoothed = own * normalize(w.x * sideAt(corners.x, flat) + w.y * sideAt(corners.y, flat) + w.z * sideAt(corners.z, flat));
  let along = dot(smoothed, away);
  if (distance <= NO_DISTANCE * thickness || along * side > CREASE * distance) {
    contact.normal = vec4f(smoothed, along);
  } else {
    contact.normal = vec4f((side / distance) * away, side * distance);
  }
  contact.inverses = vec4f(inverseMass(i), inverseMass(corners.x), inverseMass(corners.y), inverseMass(corners.z));
  contact.numbers = vec4f(thickness, sqrt(body.friction * its.friction), 0.0, 0.0);
  contact.impulse = vec4f(0.0);
  bodyContacts[i] = contact;
}
