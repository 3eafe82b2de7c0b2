// Contact of bodies: for each vertex the pair of an edge at it and an edge at one of the vertices near it that cross, seen along the normal of
// both, and come nearest to each other in the step: what vertices and triangles do not see of thin or sharp parts. Between bodies sharp
// edges, within one all that were not near at rest; see src/contact/narrow-phase/edge-detection.ts.
// uses: chunk, ring-normal, contact-masses, contact-parts

@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read> topology: array<u32>; // chunks, rings
@group(0) @binding(3) var<storage, read> frames: array<Frame>; // origins of the bodies
@group(0) @binding(4) var<storage, read> rest: array<ParticleRest>; // where edges are sharp, shares of the mass
@group(0) @binding(5) var<storage, read> positions: array<vec4f>; // xⁿ [m]; w = 1 where pinned
@group(0) @binding(6) var<storage, read> ends: array<vec4f>; // x [m]
@group(0) @binding(7) var<storage, read_write> bodyContacts: array<BodyContact>; // of vertices, then of edges
@group(0) @binding(8) var<storage, read_write> deltas: array<atomic<i32>>; // at 6 of 8 the loads of a particle

/** Gap between edges, in that between vertices and triangles. */
const EDGE_GAP = 0.5;
/** Cosine between the normal of two edges and the outward normals from which surfaces face each other. */
const FACING = 0.2;
/** Farthest that edges that touch are in each other, in mean edges of both bodies. */
const DEEPEST = 0.1;
/** Sine, squared, of the angle up to which edges run side by side: 1°. */
const PARALLEL = 3e-4;
/** Cosine of the angle between two triangles from which on the edge between them is sharp: 25°. */
const SHARP = 0.906;
/** Gap at the end, in thicknesses, up to which a vertex may come to press in the sweeps. */
const LOADED = 2.0;

struct Crossing { found: bool, s: f32, t: f32, normal: vec3f, gap: f32 }

/** Edge a from the origin, edge f from b. */
fn crossEdges(a: vec3f, b: vec3f, f: vec3f) -> Crossing {
  let n = cross(a, f);
  let square = dot(n, n);
  if (!(square > PARALLEL * dot(a, a) * dot(f, f))) { return Crossing(); }
  let s = dot(cross(b, f), n) / square;
  let t = dot(cross(b, a), n) / square;
  if (s < 0.0 || s > 1.0 || t < 0.0 || t > 1.0) { return Crossing(); }
  let normal = n * inverseSqrt(square);
  return Crossing(true, s, t, normal, -dot(b, normal));
}

/** Whether the e-th edge of a ring stands out at rest. */
fn isSharp(vertex: u32, begin: u32, end: u32, e: u32) -> bool {
  let p = rest[vertex].position.xyz;
  let before = topology[step.rings + select(e - 1u, end - 1u, e == begin)];
  let after = topology[step.rings + select(e + 1u, begin, e + 1u == end)];
  let r = rest[before].position.xyz - p;
  let q = rest[topology[step.rings + e]].position.xyz - p;
  let l = rest[after].position.xyz - p;
  let n = cross(q, l);
  let m = cross(r, q);
  return dot(n, m) <= SHARP * sqrt(dot(n, n) * dot(m, m)) && dot(n, r) <= 0.0;
}

fn unitNormal(vertex: u32) -> vec3f {
  let normal = ringNormal(vertex);
  return normal / max(length(normal), 1e-30);
}

/** Gap of a vertex to its triangle at the end of the step, before bodies have touched, in thicknesses. */
fn gapAtEnd(vertex: u32) -> f32 {
  let contact = bodyContacts[vertex];
  if (contact.corners.w == 0u) { return 1e30; }
  let c = contact.corners;
  let w = contact.weights;
  let origin = frames[topology[vertex / CHUNK]].origin.xyz - frames[topology[c.x / CHUNK]].origin.xyz;
  let apart = ends[vertex].xyz - w.x * ends[c.x].xyz - w.y * ends[c.y].xyz - w.z * ends[c.z].xyz;
  return dot(contact.normal.xyz, apart + origin) / contact.numbers.x;
}

/**
 * Whether a vertex will press on a triangle: there edges have nothing to add. With theirs as well, of which each vertex has one of several that are
 * alike, ten bricks on each other leaned by 8 % of their width in 3 s, without by 0.5 %.
 */
fn isKept(vertex: u32) -> bool {
  return gapAtEnd(vertex) < 1.0;
}

fn addLoad(particle: u32, weight: f32) {
  atomicAdd(&deltas[8u * particle + 6u], i32(round(LOAD * abs(weight))));
}

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  if (step.touching == 0u) { return; }
  let number = topology[group.x];
  let body = bodies[number];
  let i = CHUNK * group.x + lane;
  let slot = CHUNK * step.chunkCount + i;
  let near = bodyContacts[slot].corners;
  bodyContacts[slot].corners = vec4u(0u);
  if (i >= body.first + body.count) { return; }
  if (gapAtEnd(i) < LOADED) {
    let own = bodyContacts[i];
    addLoad(i, 1.0);
    for (var k = 0; k < 3; k++) { addLoad(own.corners[k], own.weights[k]); }
  }
  let begin = topology[step.ringOffsets + i];
  let end = topology[step.ringOffsets + i + 1u];
  var best = 1e30;
  var contact = BodyContact();
  for (var n = 0; n < 4; n++) {
    if (near[n] == 0u) { break; }
    let c = near[n] - 1u;
    let other = topology[c / CHUNK];
    let its = bodies[other];
    let isOwn = other == number;
    let shift = frames[other].origin.xyz - frames[number].origin.xyz;
    let kept = EDGE_GAP * THICKNESS * min(body.edge, its.edge);
    let way = positions[c].xyz + shift - positions[i].xyz;
    let otherBegin = topology[step.ringOffsets + c];
    let otherEnd = topology[step.ringOffsets + c + 1u];
    for (var f = otherBegin; f < otherEnd; f++) {
      if (!isOwn && !isSharp(c, otherBegin, otherEnd, f)) { continue; }
      let d = topology[step.rings + f];
      let along = positions[d].xyz - positions[c].xyz;
      for (var e = begin; e < end; e++) {
        let j = topology[step.rings + e];
        let found = crossEdges(positions[j].xyz - positions[i].xyz, way, along);
        // What crosses the other half belongs to the other end.
        if (!found.found || found.s > 0.5) { continue; }
        if (!isOwn && !isSharp(i, begin, end, e)) { continue; }
        if (isOwn && !(mayTouchOwn(body, j, c) && mayTouchOwn(body, i, d) && mayTouchOwn(body, j, d))) { continue; }
        let own = dot(found.normal, mix(unitNormal(i), unitNormal(j), found.s));
        let others = dot(found.normal, mix(unitNormal(c), unitNormal(d), found.t));
        // Out of the second, against the first; of one body the side on which they are.
        let side = select(sign(others), sign(found.gap), isOwn);
        if (!(min(side * others, -side * own) > FACING)) { continue; }
        // Farther in than that, they are edges of opposite sides.
        let gap = side * found.gap;
        if (gap < -DEEPEST * (body.edge + its.edge) || gap > step.cellSize) { continue; }
        let normal = side * found.normal;
        let apart = mix(ends[i].xyz, ends[j].xyz, found.s) - mix(ends[c].xyz, ends[d].xyz, found.t) - shift;
        let after = dot(normal, apart);
        if (after >= min(best, kept)) { continue; }
        best = after;
        contact.corners = vec4u(j, c, d, 2u);
        contact.weights = vec4f(found.s, found.t - 1.0, -found.t, 0.0);
        contact.normal = vec4f(normal, gap);
        contact.numbers = vec4f(kept, sqrt(body.friction * its.friction), 0.0, 0.0);
      }
    }
  }
  if (contact.corners.w == 0u) { return; }
  let corners = contact.corners;
  if (isKept(i) || isKept(corners.x) || isKept(corners.y) || isKept(corners.z)) { return; }
  contact.inverses = vec4f(inverseMass(i), inverseMass(corners.x), inverseMass(corners.y), inverseMass(corners.z));
  bodyContacts[slot] = contact;
  addLoad(i, 1.0 - contact.weights.x);
  for (var k = 0; k < 3; k++) { addLoad(corners[k], contact.weights[k]); }
}
