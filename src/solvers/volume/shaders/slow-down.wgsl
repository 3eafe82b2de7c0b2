// Slows a pressed body down of which particles are faster than what presses it explains, all of it by one factor, and gives its momentum
// back; see src/solvers/volume/pressing.ts. Stage damp ends: x = xⁿ + Δt·v.
// uses: chunk, terms, chunk-sums, body-sums, rigid-field, pressing

@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read> topology: array<u32>; // body of each chunk first
@group(0) @binding(3) var<storage, read> frames: array<Frame>; // how fast particles may be
@group(0) @binding(4) var<storage, read> starts: array<vec4f>; // xⁿ [m]; w = 1 where pinned
@group(0) @binding(5) var<storage, read> sums: array<f32>; // of the speeds
@group(0) @binding(6) var<storage, read_write> velocities: array<vec4f>; // v [m/s]
@group(0) @binding(7) var<storage, read_write> positions: array<vec4f>; // x [m]
@group(0) @binding(8) var<storage, read_write> progress: array<Progress>; // that speed, as the step goes on

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let number = topology[group.x];
  let body = bodies[number];
  if ((body.flags & ASLEEP) != 0u) { return; }
  let speed = frames[number].origin.w;
  if (speed > 0.0) { addRows(body, lane); }
  let i = CHUNK * group.x + lane;
  // Slower than that by itself: it has sprung back.
  if (i == body.first && speed > 0.0 && sqrt(wgSums[SUM_MAX]) < PRESSED_EASY * speed) {
    progress[number].pressed = (1.0 + PRESSED_EASE * step.timeStep) * speed;
  }
  let start = starts[i];
  if (i >= body.first + body.count || start.w > 0.0) { return; }
  var v = velocities[i].xyz;
  let most = mostOf(speed, body.size);
  let fastest = sqrt(wgSums[SUM_MAX]);
  if (speed > 0.0) {
    let share = select(1.0, speed / fastest, fastest > speed);
    v *= share * heldShare(v, most);
    if ((body.flags & ANCHORED) == 0u) {
      let centre = sumVector(12u);
      let linear = share * sumVector(6u) - sumVector(0u);
      let angular = share * sumVector(9u) - sumVector(3u);
      let field = rigidField(linear, angular - cross(centre, linear), centre, sumVector(15u), sumVector(18u));
      v -= fieldAt(field, start.xyz - starts[body.first].xyz);
    }
    velocities[i] = vec4f(v, velocities[i].w);
  }
  positions[i] = vec4f(start.xyz + step.timeStep * v, positions[i].w);
}
