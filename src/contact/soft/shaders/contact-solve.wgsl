// Contact of bodies, a sweep over all contacts at once: approach ends, slip is braked by Coulomb's law, what overlaps is pushed apart; see
// src/contact/response/response.ts. All contacts at once would overshoot, so each counts the particles that it shares with others as heavier,
// by their load Σ|w|: A ≤ diag(Σ |w|·load/m) for the matrix A = Σ w wᵀ/m of all contacts, so the sweeps cannot diverge, and a pressure that is even
// over a surface is found in the first. What a contact gives goes both ways, so that momentum stays. Changes are added as whole numbers: their sum does not depend on the order.
// Of a particle's 8 numbers: change of velocity (0…2), of position (3…5), its load before the first sweep (6).
// uses: chunk, contact-parts

@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<uniform> turn: u32; // number of the sweep
@group(0) @binding(2) var<storage, read> topology: array<u32>; // body of each chunk first
@group(0) @binding(3) var<storage, read> frames: array<Frame>; // origins of the bodies
@group(0) @binding(4) var<storage, read> positions: array<vec4f>; // x [m]
@group(0) @binding(5) var<storage, read> velocities: array<vec4f>; // v [m/s]
@group(0) @binding(6) var<storage, read_write> bodyContacts: array<BodyContact>; // of vertices, then of edges
@group(0) @binding(7) var<storage, read_write> deltas: array<atomic<i32>>;

/** How fast bodies that overlap are pushed apart, in thicknesses per step. */
const PUSH = 2.0;
/** Sweep from which on. */
const PUSH_FROM = 4u;
/** Approach below which what is near rests, in thicknesses per step, and how near. */
const SLOW = 1.0;
const NEAR = 1.1;
/** Bounds how far a contact moves a corner of little weight. */
const LEAST_WEIGHT = 0.25;

fn give(particle: u32, speed: vec3f, way: vec3f) {
  let v = vec3i(round(speed * (step.timeStep / step.quantum)));
  let x = vec3i(round(way / step.quantum));
  for (var k = 0u; k < 3u; k++) {
    if (v[k] != 0) { atomicAdd(&deltas[8u * particle + k], v[k]); }
    if (x[k] != 0) { atomicAdd(&deltas[8u * particle + 3u + k], x[k]); }
  }
}

/** Sum of the weights of a particle in all contacts that may press. */
fn loadOf(particle: u32) -> f32 {
  return f32(atomicLoad(&deltas[8u * particle + 6u])) / LOAD;
}

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (step.touching == 0u) { return; }
  solve(id.x, id.x);
  solve(id.x, CHUNK * step.chunkCount + id.x);
}

/** The contact of particle i in a slot. */
fn solve(i: u32, slot: u32) {
  var contact = bodyContacts[slot];
  if (contact.corners.w == 0u) { return; }
  let c = contact.corners;
  let n = contact.normal.xyz;
  let parts = partsOf(contact);
  let w = parts.corners;
  let origin = frames[topology[i / CHUNK]].origin.xyz - frames[topology[parts.other / CHUNK]].origin.xyz;
  let apart = parts.own * positions[i].xyz + w.x * positions[c.x].xyz + w.y * positions[c.y].xyz + w.z * positions[c.z].xyz;
  let gap = dot(n, apart + origin);
  let u = parts.own * velocities[i].xyz + w.x * velocities[c.x].xyz + w.y * velocities[c.y].xyz + w.z * velocities[c.z].xyz;
  let inverses = contact.inverses;
  let thickness = contact.numbers.x;
  let begin = contact.normal.w;
  let inverse = parts.own * parts.own * inverses.x + dot(w * w, inverses.yzw);
  if (!(inverse > 0.0)) { return; }
  if (turn == 0u) {
    // When it touches: from the start on, or where the gap closes.
    let closing = begin - gap;
    let rests = begin <= NEAR * thickness && closing <= SLOW * thickness;
    var touching = 0.0;
    if (begin > thickness && closing > 0.0 && !rests) { touching = min(1.0, (begin - thickness) / closing); }
    contact.numbers.z = (1.0 - touching) * step.timeStep;
    let sizes = vec4f(parts.own, abs(w));
    let loads = max(vec4f(loadOf(i), loadOf(c.x), loadOf(c.y), loadOf(c.z)), sizes);
    let moved = sizes * inverses;
    let largest = max(max(moved.x, moved.y), max(moved.z, moved.w));
    contact.numbers.w = 1.0 / max(dot(moved, loads), LEAST_WEIGHT * largest);
  }
  let mass = contact.numbers.w;
  var impulse = vec3f(0.0);
  if (contact.impulse.w > 0.0 || gap < thickness) {
    let speed = dot(u, n);
    let pressure = max(0.0, contact.impulse.w - mass * speed);
    var slip = contact.impulse.xyz - mass * (u - speed * n);
    let limit = contact.numbers.y * pressure;
    let size = length(slip);
    if (size > limit) { slip *= limit / size; }
    impulse = (pressure - contact.impulse.w) * n + slip - contact.impulse.xyz;
    contact.impulse = vec4f(slip, pressure);
  }
  let goal = min(thickness, begin + PUSH * thickness);
  let left = contact.numbers.z;
  let after = gap + left * dot(impulse, n) * inverse;
  var push = vec3f(0.0);
  if (turn >= PUSH_FROM) { push = max(0.0, goal - after) * mass * n; }
  bodyContacts[slot] = contact;
  let first = parts.own * inverses.x;
  give(i, first * impulse, first * (left * impulse + push));
  for (var k = 0; k < 3; k++) {
    let share = w[k] * inverses[k + 1];
    if (share != 0.0) { give(c[k], share * impulse, share * (left * impulse + push)); }
  }
}
