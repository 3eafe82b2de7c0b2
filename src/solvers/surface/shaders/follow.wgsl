// Stage damp, 3 of 3: v ← v + k·(v̂ − v), v̂ the mean of the fields of the regions that hold the particle. The sums are what this did
// to the body's momentum, which the next kernel takes out again.
// uses: chunk, terms, chunk-sums, region-sums

@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read> topology: array<u32>; // chunks, intervals
@group(0) @binding(3) var<storage, read> rest: array<ParticleRest>;
@group(0) @binding(4) var<storage, read> prefix: array<vec4f>; // of the fields
@group(0) @binding(5) var<storage, read> starts: array<vec4f>; // xⁿ [m]; w = 1 where pinned
@group(0) @binding(6) var<storage, read_write> velocities: array<vec4f>; // v [m/s]
@group(0) @binding(7) var<storage, read_write> sums: array<f32>; // m·Δv, m·x×Δv, m·x, m·xxᵀ of each chunk

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let body = bodies[topology[group.x]];
  if ((body.flags & ASLEEP) != 0u) { return; }
  let i = CHUNK * group.x + lane;
  let own = rest[i];
  let start = starts[i].xyz - starts[body.first].xyz;
  var given = vec3f(0.0);
  if (i < body.first + body.count && starts[i].w == 0.0 && body.damping > 0.0) {
    let sum = sumRegion(i);
    let v = velocities[i].xyz;
    let x = start + 0.5 * step.timeStep * v;
    let mean = own.areas.z * (vec3f(sum.a.w, sum.b.xy) + cross(sum.a.xyz, x));
    given = body.damping * (mean - own.painted.w * v);
    velocities[i] = vec4f(v + given, velocities[i].w);
  }
  let m = own.areas.w;
  putVector(lane, 0u, m * given);
  putVector(lane, 3u, m * cross(start, given));
  putVector(lane, 6u, m * start);
  putMoments(lane, 9u, m, start);
  addTerms(lane, 15u);
  if (lane < SUM_STRIDE) { sums[SUM_STRIDE * group.x + lane] = wgSums[lane]; }
}
