// Weights of the velocity correction, second pass, and the sums that the rigid parts of both its directions are solved from.
// uses: chunk, progress, weight, terms, chunk-sums

@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read> topology: array<u32>; // chunks, rings
@group(0) @binding(3) var<storage, read> shares: array<vec4f>; // share, marks, factor
@group(0) @binding(4) var<storage, read> weights: array<vec2f>; // after the first pass
@group(0) @binding(5) var<storage, read> normals: array<vec4f>; // n̄ [m²]; w = share of the mass
@group(0) @binding(6) var<storage, read> positions: array<vec4f>; // x [m]
@group(0) @binding(7) var<storage, read_write> moved: array<vec4f>; // both weights, marks, number of the body
@group(0) @binding(8) var<storage, read_write> sums: array<f32>; // mw, mw·x, mw·o, mw·x×o, mw·xxᵀ; for the second direction behind those of all

fn putSums(body: Body, lane: u32, mw: f32, x: vec3f, out: vec3f) {
  putTerm(lane, 0u, mw);
  putVector(lane, 1u, mw * x);
  putVector(lane, 4u, mw * out);
  putVector(lane, 7u, mw * cross(x, out));
  putMoments(lane, 10u, mw, x);
  addTerms(lane, 16u);
}

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let number = topology[group.x];
  let body = bodies[number];
  if ((body.flags & ASLEEP) != 0u || (body.flags & VOLUME) == 0u) { return; }
  let i = CHUNK * group.x + lane;
  let normal = normals[i];
  var both = vec2f(0.0);
  let marks = u32(shares[i].y);
  if (i < body.first + body.count) {
    let begin = topology[step.ringOffsets + i];
    let end = topology[step.ringOffsets + i + 1u];
    var sum = vec2f(0.0);
    for (var n = begin; n < end; n++) { sum += weights[topology[step.rings + n]]; }
    let free = vec2f(select(1.0, 0.0, (marks & PINNED) != 0u), select(1.0, 0.0, marks != 0u));
    both = free * f32(body.count) * ((1.0 - SMOOTHING) * weights[i] + SMOOTHING * sum / f32(end - begin));
  }
  moved[i] = vec4f(both, f32(marks), f32(number));
  let area = length(normal.xyz);
  let out = select(vec3f(0.0), normal.xyz / area, area > 1e-6 * body.meanArea);
  let x = positions[i].xyz;
  putSums(body, lane, normal.w * both.x, x, out);
  if (lane < SUM_STRIDE) { sums[SUM_STRIDE * group.x + lane] = wgSums[lane]; }
  workgroupBarrier();
  putSums(body, lane, normal.w * both.y, x, out);
  if (lane < SUM_STRIDE) { sums[SUM_STRIDE * (step.chunkCount + group.x) + lane] = wgSums[lane]; }
}
