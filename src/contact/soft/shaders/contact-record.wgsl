// Contact of bodies, ends: vertices that touch another body are marked, with the normal, the friction and how fast the other side moves. A
// particle that also touches an obstacle keeps that normal.
// uses: chunk, contact-parts

@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<storage, read> topology: array<u32>; // body of each chunk first
@group(0) @binding(2) var<storage, read> frames: array<Frame>; // origins of the bodies
@group(0) @binding(3) var<storage, read> bodyContacts: array<BodyContact>; // of vertices, then of edges
@group(0) @binding(4) var<storage, read> positions: array<vec4f>; // x [m]
@group(0) @binding(5) var<storage, read> velocities: array<vec4f>; // v [m/s]
@group(0) @binding(6) var<storage, read_write> contacts: array<vec4f>; // 3 per particle

/** Gap at which bodies touch, in thicknesses: contacts that were resolved lie at 1 but for rounding. */
const TOUCHING = 1.001;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (step.touching == 0u) { return; }
  record(id.x, id.x);
  record(id.x, CHUNK * step.chunkCount + id.x);
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
  let touch = contacts[3u * i + 2u];
  let given = parts.own * contact.inverses.x * (contact.impulse.w * n + contact.impulse.xyz);
  contacts[3u * i + 2u] = vec4f(touch.xyz + given, touch.w + 2.0);
  if (touch.w > 0.0) { return; }
  let u = parts.own * velocities[i].xyz + w.x * velocities[c.x].xyz + w.y * velocities[c.y].xyz + w.z * velocities[c.z].xyz;
  contacts[3u * i] = vec4f(n, contact.numbers.y);
  contacts[3u * i + 1u] = vec4f(velocities[i].xyz - u, -f32(other + 1u));
}
