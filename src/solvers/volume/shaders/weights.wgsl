// A round of the position correction, 1 of 5: what came of the last one, and for a new attempt the first pass of the umbrella filter over
// its weights. Every chunk of a body comes to the same conclusion; the first writes it down.
// uses: chunk, progress, weight, pressing, terms, chunk-sums, body-sums

@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read> topology: array<u32>; // chunks, rings
@group(0) @binding(3) var<storage, read> shares: array<vec4f>; // share, marks, factor
@group(0) @binding(4) var<storage, read> shareSums: array<f32>; // of the shares
@group(0) @binding(5) var<storage, read> progress: array<Progress>; // as the last round left it
@group(0) @binding(6) var<storage, read> sums: array<f32>; // of the moves: particles stopped, λ, 1 where V₀ is reached
@group(0) @binding(7) var<storage, read_write> progressNext: array<Progress>; // as this round begins
@group(0) @binding(8) var<storage, read_write> weights: array<vec2f>; // after the first pass; 1 where held

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let number = topology[group.x];
  let body = bodies[number];
  if ((body.flags & ASLEEP) != 0u) { return; }
  var state = progress[number];
  // Also of a body whose volume is free it is found once how fast it may be.
  if (state.attempt == DONE && state.pending != 0u) {
    if (CHUNK * group.x + lane == body.first) { progressNext[number] = Progress(DONE, 0u, 1u, 0u, state.support, state.pressed); }
    return;
  }
  addRows(body, lane);
  let stopped = wgSums[0];
  let lambda = wgSums[1];
  let reached = wgSums[2] > 0.0;
  var total = vec4f(0.0);
  var touching = 0.0;
  var pressing = vec4f(0.0);
  var fastest2 = 0.0;
  for (var k = 0u; k < body.chunkCount; k++) {
    let row = SUM_STRIDE * (body.firstChunk + k);
    total += vec4f(shareSums[row + 1u], shareSums[row + 2u], shareSums[row + 3u], shareSums[row]);
    touching += shareSums[row + 4u];
    pressing += vec4f(shareSums[row + 6u], shareSums[row + 7u], shareSums[row + 8u], shareSums[row + 5u]);
    fastest2 = max(fastest2, shareSums[row + SUM_MAX]);
  }
  state.apply = 0u;
  if (state.pending != 0u) {
    state.rounds += 1u;
    if (stopped == 0.0 || (state.rounds >= ATTEMPT_ROUNDS && !reached)) {
      state.apply = 1u;
      state.rounds = 0u;
      state.attempt = select(state.attempt + 1u, DONE, reached || touching == 0.0);
    }
  }
  if (state.pending == 0u) {
    state.pressed = nextPressedSpeed(pressing.w, total.xyz, fastest2, length(pressing.xyz), state.pressed, body.size, step.timeStep);
  }
  state.support = vec4f(total.xyz, lambda);
  state.pending = 1u;
  let i = CHUNK * group.x + lane;
  if (i == body.first) { progressNext[number] = state; }
  if (state.attempt == DONE || state.rounds > 0u || i >= body.first + body.count) { return; }
  let own = shares[i];
  if (isHeld(u32(own.y), state.attempt)) {
    weights[i] = vec2f(0.0, 1.0);
    return;
  }
  let begin = topology[step.ringOffsets + i];
  let end = topology[step.ringOffsets + i + 1u];
  var sum = 0.0;
  for (var n = begin; n < end; n++) {
    let other = shares[topology[step.rings + n]];
    if (!isHeld(u32(other.y), state.attempt)) { sum += weightOf(body, other, total.w); }
  }
  weights[i] = vec2f((1.0 - SMOOTHING) * weightOf(body, own, total.w) + SMOOTHING * sum / f32(end - begin), 0.0);
}
