// A round of the position correction, 2 of 5: applies the last round's where an attempt ended; the second pass of the umbrella filter
// where one begins; the sums that the direction's rigid part is solved from.
// uses: chunk, progress, weight, terms, chunk-sums

@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read> topology: array<u32>; // chunks, rings
@group(0) @binding(3) var<storage, read> progress: array<Progress>;
@group(0) @binding(4) var<storage, read> weights: array<vec2f>; // after the first pass; 1 where held
@group(0) @binding(5) var<storage, read> outward: array<vec4f>; // [m²]; w = share of the mass
@group(0) @binding(6) var<storage, read> direction: array<vec4f>; // of the last round
@group(0) @binding(7) var<storage, read_write> moved: array<vec4f>; // corrected x [m]; w = weight
@group(0) @binding(8) var<storage, read_write> sums: array<f32>; // mw, mw·x, mw·o, mw·x×o, mw·xxᵀ

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let number = topology[group.x];
  let body = bodies[number];
  let state = progress[number];
  if ((body.flags & ASLEEP) != 0u || (state.attempt == DONE && state.apply == 0u)) { return; }
  let i = CHUNK * group.x + lane;
  var own = moved[i];
  if (state.apply != 0u) {
    own = vec4f(own.xyz + state.support.w * direction[i].xyz, own.w);
    moved[i] = own;
  }
  if (state.attempt == DONE) { return; }
  if (state.rounds == 0u && i < body.first + body.count) {
    let begin = topology[step.ringOffsets + i];
    let end = topology[step.ringOffsets + i + 1u];
    var sum = 0.0;
    for (var n = begin; n < end; n++) { sum += weights[topology[step.rings + n]].x; }
    let weight = (1.0 - SMOOTHING) * weights[i].x + SMOOTHING * sum / f32(end - begin);
    own = vec4f(own.xyz, select(weight, 0.0, weights[i].y > 0.0));
    moved[i] = own;
  }
  let out = outward[i];
  // Weights are about 1/n: of their products with masses sums would be small.
  let mw = out.w * own.w * f32(body.count);
  let x = own.xyz;
  putTerm(lane, 0u, mw);
  putVector(lane, 1u, mw * x);
  putVector(lane, 4u, mw * out.xyz);
  putVector(lane, 7u, mw * cross(x, out.xyz));
  putMoments(lane, 10u, mw, x);
  addTerms(lane, 16u);
  if (lane < SUM_STRIDE) { sums[SUM_STRIDE * group.x + lane] = wgSums[lane]; }
}
