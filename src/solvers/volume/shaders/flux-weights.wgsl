// Weights of the velocity correction, first pass of the umbrella filter: x by the shares, pinned particles held; y even, all held that
// touch something, see `addFreeDirection` in src/solvers/volume/volume-constraint.ts.
// uses: chunk, progress, weight

@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read> topology: array<u32>; // chunks, rings
@group(0) @binding(3) var<storage, read> shares: array<vec4f>; // share, marks, factor
@group(0) @binding(4) var<storage, read> shareSums: array<f32>; // of the shares
@group(0) @binding(5) var<storage, read_write> weights: array<vec2f>; // after the first pass

fn bothWeights(body: Body, own: vec4f, total: f32) -> vec2f {
  let marks = u32(own.y);
  return vec2f(
    select(weightOf(body, own, total), 0.0, (marks & PINNED) != 0u),
    select(1.0 / f32(body.count), 0.0, marks != 0u),
  );
}

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let body = bodies[topology[group.x]];
  let i = CHUNK * group.x + lane;
  if ((body.flags & ASLEEP) != 0u || (body.flags & VOLUME) == 0u || i >= body.first + body.count) { return; }
  var total = 0.0;
  for (var k = 0u; k < body.chunkCount; k++) { total += shareSums[SUM_STRIDE * (body.firstChunk + k)]; }
  let begin = topology[step.ringOffsets + i];
  let end = topology[step.ringOffsets + i + 1u];
  var sum = vec2f(0.0);
  for (var n = begin; n < end; n++) { sum += bothWeights(body, shares[topology[step.rings + n]], total); }
  let marks = u32(shares[i].y);
  let free = vec2f(select(1.0, 0.0, (marks & PINNED) != 0u), select(1.0, 0.0, marks != 0u));
  weights[i] = free * ((1.0 - SMOOTHING) * bothWeights(body, shares[i], total) + SMOOTHING * sum / f32(end - begin));
}
