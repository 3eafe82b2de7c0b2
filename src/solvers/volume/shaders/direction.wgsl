// A round of the position correction, 3 of 5: the direction of each particle; in later attempts that of particles in contact leaves or
// slides along what they touch.
// uses: chunk, progress, terms, chunk-sums, body-sums, rigid-part

@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read> topology: array<u32>; // body of each chunk first
@group(0) @binding(3) var<storage, read> progress: array<Progress>;
@group(0) @binding(4) var<storage, read> outward: array<vec4f>; // [m²]; w = share of the mass
@group(0) @binding(5) var<storage, read> moved: array<vec4f>; // corrected x [m]; w = weight
@group(0) @binding(6) var<storage, read> contacts: array<vec4f>; // 4 per particle, see given
@group(0) @binding(7) var<storage, read> sums: array<f32>; // of the direction
@group(0) @binding(8) var<storage, read_write> direction: array<vec4f>; // d [m²]; w = share of the mass

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let number = topology[group.x];
  let body = bodies[number];
  let state = progress[number];
  if ((body.flags & ASLEEP) != 0u || state.attempt == DONE) { return; }
  addRows(body, lane);
  let part = rigidPart(body, state.support.xyz);
  let i = CHUNK * group.x + lane;
  let out = outward[i];
  let own = moved[i];
  // In units of the mean weight: λ is of the size of what it moves.
  var d = directionAt(part, own.w * f32(body.count), out.xyz, own.xyz);
  // What touches other bodies only gives way in the last attempt.
  let touch = u32(contacts[4u * i + 1u].w);
  let firm = (touch & 1u) != 0u || (touch != 0u && state.attempt == 1u);
  if (state.attempt > 0u && firm) {
    let normal = contacts[4u * i].xyz;
    d -= min(0.0, dot(d, normal)) * normal;
  }
  direction[i] = vec4f(d, out.w);
}
