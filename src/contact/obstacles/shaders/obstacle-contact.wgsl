// Stage contact with obstacles: penetrating particles to the surface, no approach, Coulomb friction; see
// src/contact/obstacles/obstacle-contact.ts. Writes the contact of each particle, and adds what obstacles gave it to that of the step.
// uses: chunk, given, collider, sweep, mesh-obstacle, stop-approach

@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read> topology: array<u32>; // body of each chunk first
@group(0) @binding(3) var<storage, read> frames: array<Frame>; // origins of the bodies
@group(0) @binding(4) var<storage, read> obstacles: array<vec4u>;
@group(0) @binding(5) var<storage, read> starts: array<vec4f>; // xⁿ [m]; w = 1 where pinned
@group(0) @binding(6) var<storage, read_write> positions: array<vec4f>; // x [m]
@group(0) @binding(7) var<storage, read_write> velocities: array<vec4f>; // v [m/s]; w = factor on friction
@group(0) @binding(8) var<storage, read_write> contacts: array<vec4f>; // 4 per particle, see given
@group(0) @binding(9) var<uniform> turn: u32; // 1 after contact with bodies: what is known stays

/** Most passes over all obstacles; they end when a pass finds nothing inside, in a corner after a few. */
const PASSES = 12;

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let number = topology[group.x];
  let body = bodies[number];
  let i = CHUNK * group.x + lane;
  if ((body.flags & ASLEEP) != 0u || i >= body.first + body.count) { return; }
  let start = starts[i];
  var x = positions[i].xyz;
  let before = velocities[i];
  var v = before.xyz;
  var touch = vec4f(0.0);
  var surface = vec4f(0.0);
  let at = contactOf(i);
  if (turn > 0u) {
    if (step.touching == 0u) { return; }
    touch = contacts[at];
    surface = contacts[at + 1u];
  } else if (step.substep == 0u) {
    contacts[at + 2u] = vec4f(0.0);
    contacts[at + 3u] = vec4f(0.0);
  }
  var found = start.w == 0.0;
  for (var round = 0; round < PASSES && found; round++) {
    found = false;
    for (var n = 0u; n < step.colliderCount; n++) {
      let collider = loadCollider(n, frames[number].origin.xyz);
      if ((body.group & collider.collidesWith) == 0u || (collider.group & body.collidesWith) == 0u) { continue; }
      var swept = Sweep(false, Hit(FAR, vec3f(0.0)));
      if (round == 0) { swept = sweepObstacle(collider, toLocalBefore(collider, start.xyz), toLocal(collider, x)); }
      var hit = swept.hit;
      if (!swept.found) { hit = measureObstacle(collider, x); }
      if (!(hit.distance < 0.0)) { continue; }
      found = true;
      x -= hit.distance * hit.normal;
      let drag = displacementAt(collider, x) / step.timeStep;
      touch = vec4f(hit.normal, collider.friction * before.w);
      surface = vec4f(drag, 1.0);
      let stopped = stopApproach(v, hit.normal, touch.w, drag);
      let change = stopped - v;
      // Friction moves the position back as well.
      x += step.timeStep * (change - dot(change, hit.normal) * hit.normal);
      v = stopped;
      addGiven(i, f32(n + 1u), change);
    }
  }
  positions[i] = vec4f(x, positions[i].w);
  velocities[i] = vec4f(v, before.w);
  contacts[at] = touch;
  contacts[at + 1u] = surface;
}
