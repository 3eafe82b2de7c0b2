// Contact of bodies, ends: particles that touch another body are marked, with the means over their contacts, and the others know how far they
// may go towards their neighbour, which the volume correction asks. A particle that also touches an obstacle keeps that normal.
// See src/contact/response/neighbour-gaps.ts.
// uses: chunk, contact-parts, given

@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<storage, read> topology: array<u32>; // body of each chunk first
@group(0) @binding(2) var<storage, read> frames: array<Frame>; // origins of the bodies
@group(0) @binding(3) var<storage, read> bodyContacts: array<BodyContact>; // of vertices
@group(0) @binding(4) var<storage, read> positions: array<vec4f>; // x [m]
@group(0) @binding(5) var<storage, read> deltas: array<i32>; // see contact-record
@group(0) @binding(6) var<storage, read_write> contacts: array<vec4f>; // 4 per particle, see given
@group(0) @binding(7) var<storage, read_write> direction: array<vec4f>; // behind those of all: normal, and how far towards it [m]
@group(0) @binding(8) var<storage, read> bodies: array<Body>;

/** Of particles that others press from all sides, what is left of the mean normal is no direction. */
const NO_DIRECTION = 0.2;
/** From how far inside another body at the start of the step on a vertex is marked as deep: in mean edges and thicknesses of that body, whichever is less. */
const DEEP_EDGES = 0.5;
const DEEP_THICKNESS = 0.25;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (step.touching == 0u) { return; }
  let i = id.x;
  let at = 8u * i;
  let weight = f32(deltas[at + 7u]) / TOUCH;
  direction[CHUNK * step.chunkCount + i] = select(gapOf(i), vec4f(0.0), weight > 0.0);
  if (!(weight > 0.0)) { return; }
  let place = contactOf(i);
  let surface = contacts[place + 1u];
  if (surface.w > 0.0) {
    contacts[place + 1u].w = 3.0 + deepMark(i);
    return;
  }
  let normal = vec3f(vec3i(deltas[at], deltas[at + 1u], deltas[at + 2u])) / TOUCH;
  let size = length(normal);
  let velocity = vec3f(vec3i(deltas[at + 3u], deltas[at + 4u], deltas[at + 5u])) * (step.quantum / step.timeStep);
  let unit = select(vec3f(0.0), normal / size, size > NO_DIRECTION * weight);
  contacts[place] = vec4f(unit, f32(deltas[at + 6u]) / (TOUCH * weight));
  contacts[place + 1u] = vec4f(velocity / weight, 2.0 + deepMark(i));
}

/** 4 for a vertex that lies deep in another body, which the host is told. */
fn deepMark(i: u32) -> f32 {
  let contact = bodyContacts[i];
  let other = topology[contact.corners.x / CHUNK];
  if (contact.corners.w == 0u || other == topology[i / CHUNK]) { return 0.0; }
  return select(0.0, 4.0, -contact.normal.w > min(DEEP_EDGES * bodies[other].edge, DEEP_THICKNESS * bodies[other].thickness));
}

/** Bodies move on their own from here: each may take half of what is left of a gap. */
fn gapOf(i: u32) -> vec4f {
  let contact = bodyContacts[i];
  if (contact.corners.w == 0u) { return vec4f(0.0); }
  let c = contact.corners;
  let w = contact.weights;
  let origin = frames[topology[i / CHUNK]].origin.xyz - frames[topology[c.x / CHUNK]].origin.xyz;
  let apart = positions[i].xyz - w.x * positions[c.x].xyz - w.y * positions[c.y].xyz - w.z * positions[c.z].xyz;
  let gap = dot(contact.normal.xyz, apart + origin);
  return vec4f(contact.normal.xyz, 0.5 * max(0.0, gap - contact.numbers.x));
}
