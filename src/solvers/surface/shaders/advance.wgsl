// Stage damp ends: the momentum that damping took is given back; x = xⁿ + Δt·v.
// uses: chunk, terms, chunk-sums, body-sums, rigid-field

@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read> topology: array<u32>; // body of each chunk first
@group(0) @binding(3) var<storage, read> starts: array<vec4f>; // xⁿ [m]; w = 1 where pinned
@group(0) @binding(4) var<storage, read> sums: array<f32>; // of the damping
@group(0) @binding(5) var<storage, read_write> velocities: array<vec4f>; // v [m/s]
@group(0) @binding(6) var<storage, read_write> positions: array<vec4f>; // x [m]

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let body = bodies[topology[group.x]];
  if ((body.flags & ASLEEP) != 0u) { return; }
  addRows(body, lane);
  let i = CHUNK * group.x + lane;
  let start = starts[i];
  if (i >= body.first + body.count || start.w > 0.0) { return; }
  var v = velocities[i].xyz;
  if ((body.flags & ANCHORED) == 0u) {
    let centre = sumVector(6u);
    let linear = sumVector(0u);
    let field = rigidField(linear, sumVector(3u) - cross(centre, linear), centre, sumVector(9u), sumVector(12u));
    v -= fieldAt(field, start.xyz - starts[body.first].xyz);
    velocities[i] = vec4f(v, velocities[i].w);
  }
  positions[i] = vec4f(start.xyz + step.timeStep * v, positions[i].w);
}
