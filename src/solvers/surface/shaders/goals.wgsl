// Stage match, 3 of 4: goals g = (1/|𝓡|)·(Σ T)·[x⁰; 1]; v ← v + s·(g − x*)/Δt, of pinned particles too: how far their goals miss them is
// what follow-pins goes by, and momenta gives them back their own. The sums are what this did to the momentum of a body without pins,
// which momenta takes out again.
// uses: chunk, terms, chunk-sums, region-sums

@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read> topology: array<u32>; // chunks, intervals
@group(0) @binding(3) var<storage, read> rest: array<ParticleRest>;
@group(0) @binding(4) var<storage, read> prefix: array<vec4f>; // of the transforms
@group(0) @binding(5) var<storage, read> starts: array<vec4f>; // xⁿ [m]; w = 1 where pinned
@group(0) @binding(6) var<storage, read_write> positions: array<vec4f>; // x* [m]; w becomes ‖c‖, negative where pinned
@group(0) @binding(7) var<storage, read_write> velocities: array<vec4f>; // v [m/s]
@group(0) @binding(8) var<storage, read_write> sums: array<f32>; // m·Δv, m·x×Δv, m·x, m·xxᵀ of each chunk

/** Below any length, and yet a number with a sign. */
const NOTHING = 1e-30;

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let body = bodies[topology[group.x]];
  if ((body.flags & ASLEEP) != 0u) { return; }
  let i = CHUNK * group.x + lane;
  var given = vec3f(0.0);
  let origin = starts[body.first].xyz;
  let own = rest[i];
  if (i < body.first + body.count) {
    let sum = sumRegion(i);
    let x0 = vec4f(own.position.xyz, 1.0);
    let goal = own.areas.z * vec3f(dot(sum.a, x0), dot(sum.b, x0), dot(sum.c, x0));
    let x = positions[i].xyz;
    let change = body.stiffness * (goal - own.painted.y * (x - origin));
    // The sign tells later stages what is pinned.
    positions[i] = vec4f(x, select(length(change), -length(change) - NOTHING, starts[i].w > 0.0));
    given = change / step.timeStep;
    velocities[i] = vec4f(velocities[i].xyz + given, velocities[i].w);
  }
  let m = own.areas.w;
  let start = starts[i].xyz - origin;
  putVector(lane, 0u, m * given);
  putVector(lane, 3u, m * cross(start, given));
  putVector(lane, 6u, m * start);
  putMoments(lane, 9u, m, start);
  addTerms(lane, 15u);
  if (lane < SUM_STRIDE) { sums[SUM_STRIDE * group.x + lane] = wgSums[lane]; }
}
