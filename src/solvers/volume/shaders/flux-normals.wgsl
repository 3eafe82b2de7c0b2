// Angular momentum is given back after the position correction; n̄ of the corrected surface, for the flux of the velocities.
// uses: chunk, terms, chunk-sums, body-sums, rigid-field, ring-normal

@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read> topology: array<u32>; // chunks, rings
@group(0) @binding(3) var<storage, read> rest: array<ParticleRest>;
@group(0) @binding(4) var<storage, read> positions: array<vec4f>; // x [m]
@group(0) @binding(5) var<storage, read> sums: array<f32>; // of the settling
@group(0) @binding(6) var<storage, read_write> velocities: array<vec4f>; // v [m/s]
@group(0) @binding(7) var<storage, read_write> normals: array<vec4f>; // n̄ [m²]; w = share of the mass

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let body = bodies[topology[group.x]];
  if ((body.flags & ASLEEP) != 0u || (body.flags & VOLUME) == 0u) { return; }
  addRows(body, lane);
  let i = CHUNK * group.x + lane;
  if (i >= body.first + body.count) {
    normals[i] = vec4f(0.0);
    return;
  }
  normals[i] = vec4f(ringNormal(i), rest[i].areas.w);
  if ((body.flags & ANCHORED) != 0u) { return; }
  let gained = sumVector(3u) - cross(sumVector(0u), sumVector(6u));
  let field = rigidField(vec3f(0.0), -gained, sumVector(9u), sumVector(12u), sumVector(15u));
  velocities[i] = vec4f(velocities[i].xyz + fieldAt(field, positions[i].xyz), velocities[i].w);
}
