// Stage match ends: the momentum that matching took is given back, and pinned particles go as their pins do. Stage damp, 1 of 3: prefix sums of m̃·x, m̃·v, m̃·x×v, m̃·xxᵀ at the
// middle of the step, 15 numbers per particle.
// uses: chunk, terms, chunk-sums, body-sums, rigid-field, prefix-rows

@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read> topology: array<u32>; // body of each chunk first
@group(0) @binding(3) var<storage, read> rest: array<ParticleRest>;
@group(0) @binding(4) var<storage, read> starts: array<vec4f>; // xⁿ [m]; w = 1 where pinned
@group(0) @binding(5) var<storage, read> positions: array<vec4f>; // x* [m]
@group(0) @binding(6) var<storage, read> sums: array<f32>; // of the goals
@group(0) @binding(7) var<storage, read_write> velocities: array<vec4f>; // v [m/s]
@group(0) @binding(8) var<storage, read_write> prefix: array<vec4f>; // 4 per row

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let body = bodies[topology[group.x]];
  if ((body.flags & ASLEEP) != 0u) { return; }
  addRows(body, lane);
  let i = CHUNK * group.x + lane;
  let start = starts[i].xyz - starts[body.first].xyz;
  var v = velocities[i].xyz;
  if ((body.flags & ANCHORED) == 0u && i < body.first + body.count) {
    let centre = sumVector(6u);
    let linear = sumVector(0u);
    let field = rigidField(linear, sumVector(3u) - cross(centre, linear), centre, sumVector(9u), sumVector(12u));
    v -= fieldAt(field, start);
    velocities[i] = vec4f(v, velocities[i].w);
  }
  if (starts[i].w > 0.0) {
    v = (positions[i].xyz - starts[i].xyz) / step.timeStep;
    velocities[i] = vec4f(v, velocities[i].w);
  }
  let m = rest[i].position.w;
  let x = start + 0.5 * step.timeStep * v;
  workgroupBarrier();
  putRow(lane, 0u, vec4f(m * x, m * v.x));
  putRow(lane, 4u, vec4f(m * v.yz, m * cross(x, v).xy));
  putRow(lane, 8u, vec4f(m * cross(x, v).z, m * x.x * x));
  putRow(lane, 12u, vec4f(m * x.y * x.yz, m * x.z * x.z, 0.0));
  scanTerms(lane);
  let at = 4u * (CHUNK_ROWS * group.x + lane + 1u);
  for (var k = 0u; k < 4u; k++) {
    prefix[at + k] = takeRow(lane, 4u * k);
    if (lane == 0u) { prefix[at - 4u + k] = vec4f(0.0); }
  }
}
