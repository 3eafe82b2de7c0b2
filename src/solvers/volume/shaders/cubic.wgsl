// A round of the position correction, 4 of 5: six times the volume of x + λ·d is a cubic in λ; its coefficients, a third of each
// triangle's at each of its corners, and the longest direction. The sums also carry how far particles may go, and the body's origin.
// uses: chunk, progress, terms, chunk-sums

@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read> topology: array<u32>; // chunks, rings
@group(0) @binding(3) var<storage, read> progress: array<Progress>;
@group(0) @binding(4) var<storage, read> moved: array<vec4f>; // corrected x [m]
@group(0) @binding(5) var<storage, read> direction: array<vec4f>; // d [m²]
@group(0) @binding(6) var<storage, read> frames: array<Frame>; // origins of the bodies
@group(0) @binding(7) var<storage, read_write> sums: array<f32>; // four coefficients, reach [m], 1 in the last attempt, way from the start [m], origin; last the longest d, squared

/** Furthest that a correction may move a particle, in body sizes; that of a flattened body or one under pins further. */
const REACH = 0.1;
const LIFT_REACH = 0.5;
const ANCHORED_REACH = 0.5;

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let number = topology[group.x];
  let body = bodies[number];
  let state = progress[number];
  if ((body.flags & ASLEEP) != 0u) { return; }
  let i = CHUNK * group.x + lane;
  if (state.attempt == DONE) {
    // Nobody is to move.
    if (lane == 0u) { sums[SUM_STRIDE * group.x + 4u] = 0.0; }
    return;
  }
  var coefficients = vec4f(0.0);
  let d = direction[i].xyz;
  if (i < body.first + body.count) {
    let begin = topology[step.ringOffsets + i];
    let end = topology[step.ringOffsets + i + 1u];
    let origin = moved[body.first].xyz;
    let last = topology[step.rings + end - 1u];
    var b = moved[last].xyz - origin;
    var e = direction[last].xyz;
    var p = vec3f(0.0);
    var q = vec3f(0.0);
    var r = vec3f(0.0);
    for (var n = begin; n < end; n++) {
      let next = topology[step.rings + n];
      let c = moved[next].xyz - origin;
      let f = direction[next].xyz;
      p += cross(b, c);
      q += cross(b, f) + cross(e, c);
      r += cross(e, f);
      b = c;
      e = f;
    }
    let a = moved[i].xyz - origin;
    coefficients = vec4f(dot(a, p), dot(d, p) + dot(a, q), dot(d, q) + dot(a, r), dot(d, r)) / 3.0;
  }
  putRow(lane, 0u, coefficients);
  let first = i == body.first;
  let free = select(REACH, ANCHORED_REACH, (body.flags & ANCHORED) != 0u);
  putTerm(lane, 4u, select(0.0, body.size * select(LIFT_REACH, free, state.attempt == 0u), first));
  putTerm(lane, SUM_MAX, dot(d, d));
  putTerm(lane, 5u, select(0.0, 1.0, first && state.attempt == LAST_ATTEMPT));
  putTerm(lane, 6u, select(0.0, step.timeStep * state.pressed, first));
  putVector(lane, 7u, select(vec3f(0.0), frames[number].origin.xyz, first));
  addTerms(lane, 10u);
  if (lane < SUM_STRIDE) { sums[SUM_STRIDE * group.x + lane] = wgSums[lane]; }
}
