// Contact of bodies, what came of it: particles of contacts that touch get normal, velocity of the other side and friction, each by its
// weight, which contact-touch makes means of; vertices also what they were given. Needs the 8 numbers of each particle to be 0.
// uses: chunk, contact-parts, given

@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<storage, read> topology: array<u32>; // body of each chunk first
@group(0) @binding(2) var<storage, read> frames: array<Frame>; // origins of the bodies
@group(0) @binding(3) var<storage, read> bodyContacts: array<BodyContact>; // of vertices, then of edges
@group(0) @binding(4) var<storage, read> positions: array<vec4f>; // x [m]
@group(0) @binding(5) var<storage, read> velocities: array<vec4f>; // v [m/s]
@group(0) @binding(6) var<storage, read_write> contacts: array<vec4f>; // 4 per particle, see given
@group(0) @binding(7) var<storage, read_write> deltas: array<atomic<i32>>; // normal (0…2), velocity (3…5), friction (6), weight (7)

/** Gap at which bodies touch, in thicknesses: contacts that were resolved lie at 1 but for rounding. */
const TOUCHING = 1.001;
/** A corner with less weight than this is not held by a contact: the others are. */
const HELD_WEIGHT = 0.1;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (step.touching == 0u) { return; }
  record(id.x, id.x);
  record(id.x, CHUNK * step.chunkCount + id.x);
}

fn mark(particle: u32, weight: f32, n: vec3f, velocity: vec3f, friction: f32) {
  let size = abs(weight);
  if (size < HELD_WEIGHT) { return; }
  let normal = vec3i(round(TOUCH * weight * n));
  let way = vec3i(round(size * velocity * (step.timeStep / step.quantum)));
  for (var k = 0u; k < 3u; k++) {
    atomicAdd(&deltas[8u * particle + k], normal[k]);
    atomicAdd(&deltas[8u * particle + 3u + k], way[k]);
  }
  atomicAdd(&deltas[8u * particle + 6u], i32(round(TOUCH * size * friction)));
  atomicAdd(&deltas[8u * particle + 7u], i32(round(TOUCH * size)));
}

/** The contact of particle i in a slot. */
fn record(i: u32, slot: u32) {
  let contact = bodyContacts[slot];
  if (contact.corners.w == 0u) { return; }
  let c = contact.corners;
  let n = contact.normal.xyz;
  let parts = partsOf(contact);
  let w = parts.corners;
  let other = topology[parts.other / CHUNK];
  let origin = frames[topology[i / CHUNK]].origin.xyz - frames[other].origin.xyz;
  let apart = parts.own * positions[i].xyz + w.x * positions[c.x].xyz + w.y * positions[c.y].xyz + w.z * positions[c.z].xyz;
  let gap = dot(n, apart + origin);
  if (!(contact.impulse.w > 0.0 || gap <= TOUCHING * contact.numbers.x)) { return; }
  // All of the impulse, with what the other end of an edge got.
  addGiven(i, -f32(other + 1u), contact.inverses.x * (contact.impulse.w * n + contact.impulse.xyz));
  // The ends of an edge are on one side.
  var own = parts.own * velocities[i].xyz;
  var others = vec3f(0.0);
  for (var k = 0; k < 3; k++) {
    let v = abs(w[k]) * velocities[c[k]].xyz;
    if (w[k] > 0.0) { own += v; } else { others += v; }
  }
  mark(i, parts.own, n, others, contact.numbers.y);
  for (var k = 0; k < 3; k++) { mark(c[k], w[k], n, select(own, others, w[k] > 0.0), contact.numbers.y); }
}
