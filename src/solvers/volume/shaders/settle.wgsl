// The position correction ends: positions are the corrected ones. The sums tell what that did to the body's angular momentum.
// uses: chunk, progress, terms, chunk-sums

@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read> topology: array<u32>; // body of each chunk first
@group(0) @binding(3) var<storage, read> progress: array<Progress>; // after the last round
@group(0) @binding(4) var<storage, read> moved: array<vec4f>; // corrected x [m]
@group(0) @binding(5) var<storage, read> direction: array<vec4f>; // d [m²]; w = share of the mass
@group(0) @binding(6) var<storage, read> velocities: array<vec4f>; // v [m/s]
@group(0) @binding(7) var<storage, read_write> positions: array<vec4f>; // x [m]
@group(0) @binding(8) var<storage, read_write> sums: array<f32>; // m·δ, m·δ×v, m·v, m·x, m·xxᵀ

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let number = topology[group.x];
  let body = bodies[number];
  if ((body.flags & ASLEEP) != 0u || (body.flags & VOLUME) == 0u) { return; }
  let i = CHUNK * group.x + lane;
  let state = progress[number];
  // Where the rounds ran out, the last one is what there is.
  let open = state.apply != 0u || (state.attempt != DONE && state.rounds > 0u);
  let m = direction[i].w;
  let x = moved[i].xyz + select(0.0, state.support.w, open) * direction[i].xyz;
  let shift = x - positions[i].xyz;
  let v = velocities[i].xyz;
  if (i < body.first + body.count) { positions[i] = vec4f(x, positions[i].w); }
  putVector(lane, 0u, m * shift);
  putVector(lane, 3u, m * cross(shift, v));
  putVector(lane, 6u, m * v);
  putVector(lane, 9u, m * x);
  putMoments(lane, 12u, m, x);
  addTerms(lane, 18u);
  if (lane < SUM_STRIDE) { sums[SUM_STRIDE * group.x + lane] = wgSums[lane]; }
}
